// The input and the result of checking a value.
import type { AttributeType } from '../../../contract/attribute-types.ts'
import type { AttributeConfig } from '../../../contract/attributes.ts'
import type { ProblemCode } from '../../../contract/problem-codes.ts'
import type { Caller } from '../../base/caller.ts'
import type { JsonValue } from '../../base/json.ts'
import { NOT_STORABLE as NOT_STORABLE_MESSAGE } from '../../http/storable.ts'

export interface ValueAttribute {
  slug: string
  name: string
  type: AttributeType
  isList: boolean
  isRequired: boolean
  isUnique: boolean
  config: AttributeConfig
  /** The value of a new record whose data does not name one; null: no value. */
  defaultValue?: JsonValue
  /** Whether the rule about the case of its unique values is being changed. */
  isCaseChanging?: boolean
}

/** The defaults for values without a country or currency. */
export interface Locale {
  /** ISO 3166-1 alpha-2, for phone numbers without + */
  country: string
  /** ISO 4217, for bare amounts */
  currency: string
  /** Scopes of the requesting key; undefined: it may see every attribute. */
  scopes?: Caller['scopes']
  /** The id of the signed-in user, for the operand `me`; undefined for API keys and workflows. */
  me?: string | undefined
  /**
   * User ids of members by the ids and emails that values and filters name; undefined: they were not looked up
   * (validation/member-values.ts).
   */
  members?: ReadonlyMap<string, string> | undefined
  /** The same for updates of records, which may keep former members; undefined: no former member is named. */
  membersOfChanges?: ReadonlyMap<string, string>
  /** The results of references by value, by referenceKey (write/references.ts); undefined: none were looked up. */
  references?: ReadonlyMap<string, Accepted | Refusal>
  /** `slug text`: texts without a host name that records have as values of unique domains (write/sent-values.ts). */
  heldTexts?: ReadonlySet<string>
}

/** `normal` replaces the value in comparisons. Values of types that are never unique have none. */
export interface Accepted {
  value: JsonValue
  normal?: string
  /** An amount sent without a currency. `value` has the organization's currency; an update keeps that of the record. */
  isBare?: true
  code?: never
}
export interface Refusal {
  code: ProblemCode
  /** Follows the path of the value. */
  message: string
  /** The message with advice on what to send instead, if it takes work to find: see SUGGESTIONS_MAX. */
  advised?: () => string
  /** The part that is refused, if it is only a part of the value. */
  part?: string
}

/** Checks one value of a type; the caller handles null, empty text and lists. */
export type Check = (value: unknown, attribute: ValueAttribute, locale: Locale) => Accepted | Refusal

export const NOT_STORABLE: Refusal = { code: 'invalid_text', message: NOT_STORABLE_MESSAGE }

export const wrongType = (message: string): Refusal => ({ code: 'invalid_type', message })
