// What pages know of a type of attributes. All that differs between types is here or in editors/type-editor.ts, so that
// the compiler names what a new type lacks.
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { FilterOperator } from '../../contract/operators.ts'
import type { Attribute } from '../shared/api/objects.ts'
import type { OperatorWords } from '../shared/filters/plain-words.ts'

/** One value; of several, one of them. */
export interface Shown {
  attribute: Attribute
  value: unknown
  /** As `format` writes it. */
  text: string
}

export interface TypeDefinition {
  icon: LucideIcon
  label: string
  /** One line. */
  explanation: string
  /** Width of its columns, in pixels, until they are resized. */
  columnWidth: number

  /** As people read it; missing: as it is. */
  format?(value: unknown): string
  /** As other programs read it; missing: as people do. */
  formatPlain?(value: unknown): string
  /** Missing: its text. */
  view?(shown: Shown): ReactNode
  /** In a cell of a table, one line high; missing: its text. */
  cell?(shown: Shown): ReactNode
  /** Several are chips next to each other, without commas. */
  isChip?: true
  /** Aligned to the right in columns. */
  isNumeric?: true
  hasCopyButton?: true

  /** Every attribute of the type holds several values. */
  isAlwaysMany?: true
  /** The editor has more than one field. */
  hasManyFields?: true
  /** Chosen from a list, and saved as soon as it is chosen. */
  isChosen?: true
  /** One click changes it; there is nothing to open. */
  isToggle?: true

  /** Where they differ from the usual. */
  operatorWords?: Partial<OperatorWords>
  /** The operators that are offered, the most wanted first; missing: all that the type has. */
  operators?: readonly FilterOperator[]
  /** The one that a new filter begins with; missing: the first. */
  firstOperator?: FilterOperator
}
