// What the server knows of a type of attributes: how its values are read, compared, and written into files.
import type { Sql } from 'sql-template-tag'
import type { AttributeType } from '../../../contract/attribute-types.ts'
import type { AttributeConfig } from '../../../contract/attributes.ts'
import type { JsonValue } from '../../base/json.ts'
import type { Check, Locale } from '../values/attribute.ts'

export { trimmed } from '../../../contract/single-line.ts'

/** `problem` says what the operand must be: it follows the operator and the attribute. */
export type Operand = { value: string } | { problem: string }

/** Whose values are compared; no fields of records have a config. */
export interface ComparedAttribute {
  type: AttributeType
  config?: AttributeConfig | undefined
}

/** What an example is made for. */
export interface ExampleUse {
  name: string
  config: AttributeConfig
  /** The organization's */
  currency: string
  /** `YYYY-MM-DD` */
  today: string
}

/** By which an import proposes a type for a column, and an attribute of it. */
interface CellForm {
  isOne(cell: string): boolean
  /** Cells of another form are no values of the type. */
  isStrict?: true
  /** Cells of other types may have the form as well. */
  isLoose?: true
  /** The form, without the header, is enough to find the only attribute of the type. */
  isTelling?: true
}

export interface RecordType {
  /** Checks one value, and brings it into the form in which it is stored. */
  check: Check
  /** Texts of any number of lines: spaces around them are kept, and blank text is a value, unless one is required. */
  isMultiline?: true
  /** What whole values are compared with. */
  operand(text: string, locale: Locale, attribute: ComparedAttribute): Operand
  /** What an operand is called in messages; text unless given. */
  operandForm?: string
  /** What is looked for in values; the text itself unless given. */
  part?(text: string): Operand
  /** The operand that a query parameter means, in which a plus that was not encoded is a space; itself unless given. */
  operandOfQuery?(text: string): string
  /** The jsonb of the number that values are compared by; missing: they are compared by their text. */
  number?(value: Sql): Sql
  /** The same in memory; the value itself unless given. */
  numberIn?(value: unknown): unknown
  /** The comparable text of a value as jsonb; what JSON has as text unless given. */
  text?(value: Sql): Sql
  /** The same in memory. */
  textIn?(value: unknown, locale: Locale): string
  /** A value from before a change of the config, as it is now; itself unless given. */
  namedIn?(value: unknown, config: AttributeConfig | undefined): unknown
  /** Values are compared without case. */
  ignoresCase?: true
  /** Values are compared by their normal form, which records store in addition to their data. */
  hasComparable?: true
  /** Records from before the type have none: their values are compared as they are. */
  mayLackComparable?: true
  /** Equal keys of index rows are equal values: no letters, or letters that do not count. */
  isKeyWhole?: true
  /** Free-text search looks for words in the values. */
  isWorded?: true
  /** The value of a cell of a file; what is not understood is passed on as it is. */
  fromCell(text: string, config: AttributeConfig): unknown
  /** The form of cells, where one is known; missing: any text may be a value. */
  cells?: CellForm
  /** The text of a cell; that of the value unless given. */
  toCell?(value: JsonValue): string
  /** A value to build workflows with, where there is no record yet. */
  example(use: ExampleUse): unknown
}

const anyText = (text: string): Operand => ({ value: text })
const asIs = (text: string) => text

/** Texts that are compared and written as they are. */
export const plainText = { operand: anyText, fromCell: asIs }

export const valueOr = (value: string | undefined, problem: string): Operand =>
  value === undefined ? { problem } : { value }
