// The key of a value in index rows: the expressions that filters and sorts compare by.
import sql, { type Sql } from 'sql-template-tag'
import type { AttributeType } from '../../../../contract/attribute-types.ts'
import type { IndexedAttribute } from '../../../model/attributes/object-index.ts'
import { anyNumber, anyStored, anyText, lower, NUMERIC } from '../../filters/comparable.ts'

/** Longer texts are indexed, and sorted, by their first characters. */
export const KEY_CHARACTERS = 200

/** Below every id: scans of ids begin here, and so does the lowest bucket of the histogram. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000'
/** Above every id: the value of objects.index_last once every record was processed. */
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export const hasNumericKey = ({ type }: { type: AttributeType }): boolean => NUMERIC.has(type)

/** Whether one record can have several values of the attribute. */
export const isMultiValue = ({ type, isList }: { type: AttributeType; isList: boolean }): boolean =>
  isList || type === 'list'

/** References have rows of `links` instead of keys. */
export const isKeyed = ({ type, state }: Pick<IndexedAttribute, 'type' | 'state'>): boolean =>
  type !== 'reference' && state !== 'none'

/** How the values of an attribute are stored: one for a record, or elements of a list; texts or numbers. */
export type StoredKind = 'text' | 'texts' | 'number' | 'numbers'

export const kindOf = (attribute: IndexedAttribute): StoredKind =>
  `${hasNumericKey(attribute) ? 'number' : 'text'}${isMultiValue(attribute) ? 's' : ''}`

/** The key of a text in lower case, as sorts compare it. */
export const keyOfLowered = (lowered: Sql): Sql => sql`left(${lowered}, ${KEY_CHARACTERS}::int) collate "C"`

export const textKey = (text: Sql): Sql => keyOfLowered(lower(text))

/**
 * Whether a text in lower case is longer than a key, so that index_search has it. A text of exactly that length counts
 * as longer: only the key decides which of the two tables is searched.
 */
export const isLong = (lowered: Sql): Sql => sql`char_length(${lowered}) >= ${KEY_CHARACTERS}::int`

const described = (one: IndexedAttribute) => ({
  attr: one.attr,
  slug: one.slug,
  type: one.type,
  kind: kindOf(one),
  keyed: isKeyed(one),
  searched: one.search !== 'none',
  counting: one.counting,
  missing: one.keepsMissing && one.state !== 'none',
})

/**
 * FROM item `a` with the attributes as rows, so that one statement serves all objects and attributes. The rows are
 * JSON: PostgreSQL estimates the same number of them in generic and custom plans. For arrays a custom plan estimates
 * fewer, and a large statement would be planned each time.
 */
export const attributeRows = (attributes: readonly IndexedAttribute[]): Sql => sql`
  jsonb_to_recordset(${JSON.stringify(attributes.map(described))}::jsonb) as a(attr int, slug text, type text,
    kind text, keyed boolean, searched boolean, counting text, missing boolean)`

/** Columns with the data of a record, before or after a change. */
export interface StoredSide {
  data: Sql
  comparable: Sql
}

/** The value of attribute `a` as jsonb. */
export const storedIn = (side: StoredSide): Sql => anyStored({ type: sql`a.type`, slug: sql`a.slug` }, side)

/** The comparable text of a value of attribute `a`. */
export const keyText = (value: Sql): Sql => anyText(sql`a.type`, value)

/** The number in a value of attribute `a`. */
export const keyNumber = (value: Sql): Sql => anyNumber(sql`a.type`, value)

/** Elements of an array; no rows for another value. */
export const elementsOf = (value: Sql): Sql =>
  sql`jsonb_array_elements(case when jsonb_typeof(${value}) = 'array' then ${value} else '[]' end)`

/** Separates the elements of a list in index_search. JSON text never contains it, so no match spans two elements. */
export const BETWEEN = '\u0001'
