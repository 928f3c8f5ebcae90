// The contract of an attribute type. Its schemas are plain JSON, because the dashboard loads these files.
import type { FilterOperator } from '../operators.ts'
import type { ValueKind } from '../workflow-steps/fields.ts'

type JsonSchema = Readonly<Record<string, unknown>>

export interface TypeContract {
  /** Schema of one value in responses. */
  value: JsonSchema
  /** Schema of one value in requests, if it differs from `value` by more than an additional text form. */
  input?: JsonSchema
  /** The text format of a value, for the API document; absent: any text, or the format that the type's name implies. */
  texts?: string
  /** The configuration of attributes of this type; absent: none. */
  config?: { schema: JsonSchema; example: string }
  operators: readonly FilterOperator[]
  /** The kind of a value in workflow templates. */
  kind: ValueKind
  /** The parts of a value that an imported table may have in separate columns. */
  parts?: readonly string[]
  canBeUnique: boolean
  /** `config.caseSensitive` sets whether unique values are case-sensitive. */
  isCased?: true
  /** Values can name records. preferred: before other types; otherwise: only if no attribute is preferred. */
  naming?: 'preferred' | 'otherwise'
  /** A value identifies one record in searches and imports: always, or only if the attribute is unique. */
  identifies?: 'always' | 'ifUnique'
  /** The following fields apply only to attributes that are not lists. */
  isSortable: boolean
  isGroupable: boolean
  isSummable: boolean
  /** Values are free texts; filters can search for parts of them. */
  isFreeText: boolean
}

/** The schema of all types whose JSON values are strings; contract/values.ts finds these types by it. */
export const TEXT_VALUE: JsonSchema = { type: 'string' }
