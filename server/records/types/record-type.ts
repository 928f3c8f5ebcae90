// A type of attributes on the server: how its values are read, compared, and written into files.
import type { Sql } from 'sql-template-tag'
import type { AttributeType } from '../../../contract/attribute-types.ts'
import type { AttributeConfig } from '../../../contract/attributes.ts'
import type { JsonValue } from '../../base/json.ts'
import type { Check, Locale } from '../values/attribute.ts'

export { trimmed } from '../../../contract/single-line.ts'

/** `problem` says what the operand must be. In messages it comes after the operator and the attribute. */
export type Operand = { value: string } | { problem: string }

/** An attribute whose values are compared. Fields of every record have no config. */
export interface ComparedAttribute {
  type: AttributeType
  config?: AttributeConfig | undefined
}

/** The input of an example. */
export interface ExampleUse {
  name: string
  config: AttributeConfig
  /** The organization's currency. */
  currency: string
  /** `YYYY-MM-DD` */
  today: string
}

/** How an import recognizes columns of the type, and the attribute for a column. */
interface CellForm {
  isOne(cell: string): boolean
  /** Cells of another form are not values of the type. */
  isStrict?: true
  /** Cells of other types may also have the form. */
  isLoose?: true
  /** The form is enough, without the header, to choose the only attribute of the type. */
  isTelling?: true
}

export interface RecordType {
  /** Checks one value, and converts it to the form in which it is stored. */
  check: Check
  /**
   * The type has texts of any number of lines: spaces around them are kept, and blank text is a value, unless one is
   * required.
   */
  isMultiline?: true
  /** Converts an operand that whole values are compared with. */
  operand(text: string, locale: Locale, attribute: ComparedAttribute): Operand
  /** The description of an operand in messages; by default text. */
  operandForm?: string
  /** Converts an operand that is searched for in values; by default unchanged. */
  part?(text: string): Operand
  /** Converts the operand of a query parameter, in which an unencoded plus became a space; by default unchanged. */
  operandOfQuery?(text: string): string
  /** The jsonb of the number that values are compared by. Without it they are compared by their text. */
  number?(value: Sql): Sql
  /** The same in memory; by default the value itself. */
  numberIn?(value: unknown): unknown
  /** The comparable text of a jsonb value; by default the value as text. */
  text?(value: Sql): Sql
  /** The same in memory. */
  textIn?(value: unknown, locale: Locale): string
  /** The current form of a value from before a change of the config; by default unchanged. */
  namedIn?(value: unknown, config: AttributeConfig | undefined): unknown
  /** Values are compared without case. */
  ignoresCase?: true
  /** Values are compared by their normal form, which records store in addition to their data. */
  hasComparable?: true
  /** Records from before the type have no normal form: their data is compared instead. */
  mayLackComparable?: true
  /** Equal keys of index rows mean equal values: the values have no letters, or their case does not count. */
  isKeyWhole?: true
  /** Free-text search looks for words in the values. */
  isWorded?: true
  /** Reads a cell of a file. A text that it does not understand is returned unchanged. */
  fromCell(text: string, config: AttributeConfig): unknown
  /** The form of cells of the type. Without it, any text may be a value. */
  cells?: CellForm
  /** Writes the text of a cell; by default the value as text. */
  toCell?(value: JsonValue): string
  /** An example value for building workflows when there is no record yet. */
  example(use: ExampleUse): unknown
}

const anyText = (text: string): Operand => ({ value: text })
const asIs = (text: string) => text

/** Texts that are compared, and read from cells, without a change. */
export const plainText = { operand: anyText, fromCell: asIs }

export const valueOr = (value: string | undefined, problem: string): Operand =>
  value === undefined ? { problem } : { value }
