// What every part of a board knows.
import { createContext, useContext } from 'react'
import type { Attribute } from '../../../shared/api/objects.ts'
import type { CrmRecord, RecordData } from '../../../shared/api/records.ts'
import type { BoardSource } from './board-data.ts'
import type { ColumnValue, Move } from './columns.ts'
import type { Held } from './use-keyboard-move.ts'

export interface CardPlace {
  id: string
  value: ColumnValue
}

export interface BoardParts {
  source: BoardSource
  /** Below the name on each card. */
  fields: readonly Attribute[]
  /** Shown as a picture on each card. */
  owner: Attribute | undefined
  /** Every column that cards can be in, in order. */
  values: readonly ColumnValue[]
  /** Those of them that are shown while no card is moved. */
  shown: readonly ColumnValue[]
  /** Why cards cannot be moved; undefined when they can. */
  locked: string | undefined
  /** The card that keys are moving. */
  held: Held | undefined
  /** The card that the keyboard goes on with, once it is drawn in its column. */
  toFocus: CardPlace | undefined
  nameOf(record: CrmRecord): string
  move(move: Move): void
  pickUp(record: CrmRecord, from: ColumnValue): void
  onFocused(): void
  onCreate: ((values: RecordData) => void) | undefined
}

export const BoardContext = createContext<BoardParts | undefined>(undefined)

export function useBoard(): BoardParts {
  const parts = useContext(BoardContext)
  if (!parts) throw new Error('There is no Board around this part')
  return parts
}
