// The context that all parts of a board share.
import type { Attribute } from '../../../shared/api/objects.ts'
import type { CrmRecord, RecordData } from '../../../shared/api/records.ts'
import { requiredContext } from '../../../ui/required-context.ts'
import type { BoardSource } from './board-data.ts'
import type { ColumnValue, Move } from './columns.ts'
import type { Held } from './use-keyboard-move.ts'

export interface CardPlace {
  id: string
  value: ColumnValue
}

export interface BoardParts {
  source: BoardSource
  /** Attributes shown below the name on each card. */
  fields: readonly Attribute[]
  /** Shown as a picture on each card. */
  owner: Attribute | undefined
  /** Every column that cards can be in, in order. */
  values: readonly ColumnValue[]
  /** The columns that are shown while no card is being moved. */
  shown: readonly ColumnValue[]
  /** Why cards cannot be moved; undefined when they can. */
  locked: string | undefined
  /** The card that the keyboard is moving. */
  held: Held | undefined
  /** The card that gets the focus when its column has rendered it. */
  toFocus: CardPlace | undefined
  nameOf(record: CrmRecord): string
  move(move: Move): void
  pickUp(record: CrmRecord, from: ColumnValue): void
  onFocused(): void
  onCreate: ((values: RecordData) => void) | undefined
}

export const [BoardContext, useBoard] = requiredContext<BoardParts>('Board')
