// The definition of an attribute type for pages. All differences between types are here or in editors/type-editor.ts,
// so the compiler reports what a new type lacks.
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { FilterOperator } from '../../contract/operators.ts'
import type { Attribute } from '../shared/api/objects.ts'
import type { OperatorWords } from '../shared/filters/plain-words.ts'

/** One value, or one of several values. */
export interface Shown {
  attribute: Attribute
  value: unknown
  /** The result of `format`. */
  text: string
}

export interface TypeDefinition {
  icon: LucideIcon
  label: string
  /** One line. */
  explanation: string
  /** Width of its columns, in pixels, until they are resized. */
  columnWidth: number

  /** The text for people. Without it, the value itself. */
  format?(value: unknown): string
  /** The text for other programs. Without it, the text for people. */
  formatPlain?(value: unknown): string
  /** Without it, the text is shown. */
  view?(shown: Shown): ReactNode
  /** The content of a table cell, one line high. Without it, the text is shown. */
  cell?(shown: Shown): ReactNode
  /** Several values are shown as chips next to each other, without commas. */
  isChip?: true
  /** Aligned to the right in columns. */
  isNumeric?: true
  hasCopyButton?: true

  /** Every attribute of the type holds several values. */
  isAlwaysMany?: true
  /** The editor has more than one field. */
  hasManyFields?: true
  /** The value is chosen from a list and saved immediately. */
  isChosen?: true
  /** One click changes it; there is nothing to open. */
  isToggle?: true

  /** The words of operators that differ from the default. */
  operatorWords?: Partial<OperatorWords>
  /** The operators that are offered, the most useful first. Without it, all operators of the type. */
  operators?: readonly FilterOperator[]
  /** The operator of a new filter. Without it, the first one. */
  firstOperator?: FilterOperator
}
