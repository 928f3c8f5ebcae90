// What the contract says about a type of attributes. The dashboard loads these files, so that schemas are plain JSON.
import type { FilterOperator } from '../operators.ts'
import type { ValueKind } from '../workflow-steps/fields.ts'

type JsonSchema = Readonly<Record<string, unknown>>

export interface TypeContract {
  /** Schema of one value, as answers have it. */
  value: JsonSchema
  /** … and as requests may have it, where that differs by more than a text in its place. */
  input?: JsonSchema
  /** Which texts are values, for the API document; missing: any, or those that the type's name says. */
  texts?: string
  /** What attributes of the type are configured with; missing: nothing. */
  config?: { schema: JsonSchema; example: string }
  operators: readonly FilterOperator[]
  /** What templates of workflows take a value to be. */
  kind: ValueKind
  /** Values that may be spread over columns of a table have parts. */
  parts?: readonly string[]
  canBeUnique: boolean
  /** Whether the case of unique values counts is chosen: `config.caseSensitive`. */
  isCased?: true
  /** Whether its values can name records, and are chosen before those of other types or only where there are none. */
  naming?: 'preferred' | 'otherwise'
  /** Whether a value identifies one record in searches and imports: always, or where the attribute is unique. */
  identifies?: 'always' | 'ifUnique'
  /** The rest is of attributes that are no lists. */
  isSortable: boolean
  isGroupable: boolean
  isSummable: boolean
  /** Values are free texts, in which a filter can look for parts. */
  isFreeText: boolean
}

/** Of all types whose values are texts in JSON; contract/values.ts says which they are. */
export const TEXT_VALUE: JsonSchema = { type: 'string' }
