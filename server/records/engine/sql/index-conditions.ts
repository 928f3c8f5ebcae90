// A filter → the ids that index rows give for it. Pure.
import sql, { join, type Sql } from 'sql-template-tag'
import type { FilterOperator } from '../../../../contract/operators.ts'
import type { IndexedAttribute, ObjectIndex } from '../../../model/attributes/object-index.ts'
import { recordOf } from '../../../model/objects/record-lookup.ts'
import type { FilterLeaf } from '../../filters/check.ts'
import { comparableText, KEY_IS_VALUE, lower, storedValue } from '../../filters/comparable.ts'
import { rangeSql } from '../../filters/operators.ts'
import { matchesText } from '../../filters/to-sql.ts'
import { isPhoneOperator, phoneSearch } from '../../values/phone-search.ts'
import type { ObjectScope } from '../index/counter-changes.ts'
import { BETWEEN, hasNumericKey, isLong, isMultiValue, KEY_CHARACTERS, textKey } from '../index/index-keys.ts'
import { dictionary } from './cardinality.ts'

/** The ids that a filter finds, or a superset of them. */
export interface IndexCondition {
  /** A query of one column, `id`. */
  ids: Sql
  /** Whether `ids` are exactly the matches, each once. */
  isExact: boolean
  /** Whether an index gives the rows in the order of ids. */
  isOrdered: boolean
  /** Whether all ids are found before the first is returned, as by a bitmap scan. */
  isSearch?: boolean
  /** Whether links give the ids, without a search for the targets: counting them takes half as long as sorting them. */
  isLinked?: boolean
  /**
   * The share of the records that a reference may lead to which meets the filter, by counters: a scalar expression from
   * 0 to 1.
   */
  targetShare?: Sql | undefined
  /**
   * The same ids, some of them repeatedly, but returned one by one. `ids` finds all of them before it returns the
   * first.
   */
  streamedIds?: Sql
  /** If `ids` are a superset: exactly the matches, each once, at the cost of a pass through the different values. */
  exactIds?: Sql | undefined
}

/** The ids of exactly the matches. @returns undefined when records must be read */
export const exactIdsOf = ({ ids, isExact, exactIds }: IndexCondition): Sql | undefined =>
  isExact ? ids : exactIds

interface IndexedLeaf extends FilterLeaf {
  indexed: IndexedAttribute
  owner: ObjectScope
}

export const ofIndexedAttribute = ({ owner, indexed }: Pick<IndexedLeaf, 'owner' | 'indexed'>, table: Sql) =>
  sql`select t.id from ${table} t where t.org = ${owner.org} and t.attr = ${indexed.attr}`

const text = (operand: string | undefined) => sql`${operand ?? ''}::text`

const isShort = (operand: string) => operand.length < KEY_CHARACTERS / 2

/** Removes repeated ids: a list may have a row for each element. */
export const distinctIds = (
  leaf: Pick<IndexedLeaf, 'indexed'>,
  indexCondition: IndexCondition,
): IndexCondition =>
  isMultiValue(leaf.indexed)
    ? { ...indexCondition, isExact: false, ids: sql`select distinct id from (${indexCondition.ids}) as many` }
    : indexCondition

function equalTexts(leaf: IndexedLeaf): IndexCondition {
  const keys = leaf.operands.map((operand) => textKey(text(operand)))
  const isExact = KEY_IS_VALUE.has(leaf.indexed.type) && leaf.operands.every(isShort)
  const ids = sql`${ofIndexedAttribute(leaf, sql`index_text`)} and t.value in (${join(keys)})`
  const isSingle = keys.length === 1
  if (isMultiValue(leaf.indexed) && !isSingle) return distinctIds(leaf, { ids, isExact, isOrdered: false })
  return { ids, isExact, isOrdered: isSingle, exactIds: isExact ? undefined : comparedIds(leaf, ids, keys) }
}

/** Whether the record of `t` meets the condition. It compares the record's value, because the key is not enough. */
function isMet({ owner, indexed, attribute, operator, operands }: IndexedLeaf): Sql {
  const condition = matchesText(indexed.type, comparableText(indexed.type, storedValue(attribute)), {
    operator,
    operands,
  })
  return sql`exists (select from (select t.id) as k ${recordOf(owner, sql`k.id`, { conditions: [condition] })})`
}

/** Of the ids with the keys, only those with the texts. Records are read only if other texts have the same keys. */
function comparedIds(leaf: IndexedLeaf, ids: Sql, keys: Sql[]): Sql | undefined {
  const { indexed, owner, operands } = leaf
  if (indexed.counting !== 'values' || !indexed.isCounted || isMultiValue(indexed)) return undefined
  const others = sql`
    select from (${dictionary(owner, indexed)}) as d
    where ${textKey(sql`d.value`)} in (${join(keys)}) and d.value not in (${join(operands.map(text))})`
  return sql`${ids} and (not exists (${others}) or ${isMet(leaf)})`
}

/** Sorts after any continuation of a key: keys have no more characters. */
const LAST = sql`repeat(chr(1114111), ${KEY_CHARACTERS}::int)`

export function beginsWith(operand: string): Sql {
  const prefix = textKey(text(operand))
  return sql`t.value >= ${prefix} and t.value <= (${prefix} || ${LAST}) collate "C"`
}

/** One range of keys for each start. No start is a prefix of another, so each id occurs once. */
const startingWith = (leaf: IndexedLeaf, starts: readonly string[]): Sql => sql`
  select t.id from unnest(${starts}::text[]) as s(start) cross join lateral (
    ${ofIndexedAttribute(leaf, sql`index_text`)}
      and t.value >= s.start collate "C" and t.value <= (s.start || ${LAST}) collate "C" offset 0) as t`

function prefixed(leaf: IndexedLeaf): IndexCondition {
  const [operand = ''] = leaf.operands
  if (leaf.indexed.type === 'phone_number') {
    const ids = startingWith(leaf, phoneSearch('startsWith', operand).starts)
    return distinctIds(leaf, { ids, isExact: true, isOrdered: false })
  }
  const ids = sql`${ofIndexedAttribute(leaf, sql`index_text`)} and ${beginsWith(operand)}`
  return distinctIds(leaf, { ids, isExact: leaf.operands.every(isShort), isOrdered: false })
}

/** Range conditions on numbers and days. */
function ordered(
  leaf: IndexedLeaf,
  table: Sql,
  operand: (value: string | undefined) => Sql,
): IndexCondition | undefined {
  const condition = rangeSql(leaf.operator)?.(sql`t.value`, leaf.operands.map(operand))
  if (!condition) return undefined
  const ids = sql`${ofIndexedAttribute(leaf, table)} and ${condition}`
  return distinctIds(leaf, { ids, isExact: true, isOrdered: false })
}

const number = (operand: string | undefined) => sql`${operand ?? '0'}::numeric`

function equalNumbers(leaf: IndexedLeaf): IndexCondition {
  const values = leaf.operands.map(number)
  const ids = sql`${ofIndexedAttribute(leaf, sql`index_number`)} and t.value in (${join(values)})`
  const isSingle = values.length === 1
  return isSingle
    ? { ids, isExact: true, isOrdered: true }
    : distinctIds(leaf, { ids, isExact: true, isOrdered: false })
}

/** The pattern has the collation of the index: otherwise PostgreSQL cannot use the index. */
const pattern = (operand: Sql, ending: Sql) => sql`('%' || ${escaped(operand)} || ${ending}) collate "C"`

const escaped = (operand: Sql) =>
  sql`replace(replace(replace(${lower(operand)}, '\\', '\\\\'), '%', '\\%'), '_', '\\_')`

/**
 * Searches short texts in index_text, and long texts in index_search. All long elements of a list are one text there,
 * so that the end of an element may be in the middle of the text.
 */
function trigramSearch(leaf: IndexedLeaf): IndexCondition | undefined {
  const [operand = ''] = leaf.operands
  const isOfMany = isMultiValue(leaf.indexed)
  if (leaf.indexed.search !== 'ready' || operand.includes(BETWEEN)) return undefined
  const isEnding = leaf.operator === 'endsWith'
  const like = (ending: Sql) => sql`t.value like ${pattern(text(operand), ending)}`
  const ids = sql`
    ${ofIndexedAttribute(leaf, sql`index_text`)} and t.searched and ${like(isEnding ? sql`''` : sql`'%'`)}
    union all
    ${ofIndexedAttribute(leaf, sql`index_search`)} and ${like(isEnding && !isOfMany ? sql`''` : sql`'%'`)}`
  return distinctIds(leaf, { ids, isExact: true, isOrdered: false, isSearch: true })
}

/** The letters and digits of a trigram: three in a row, or with endsWith two at the end of the text. */
const WITH_TRIGRAM = { contains: /[\p{L}\p{N}]{3}/u, endsWith: /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}$/u }

/** Whether a trigram index can search for the text. */
export const hasTrigram = (text: string): boolean => WITH_TRIGRAM.contains.test(text)

const isInside = (operator: FilterOperator, operand: Sql) =>
  operator === 'endsWith'
    ? sql`right(t.value, length(${operand})) = ${operand}`
    : sql`strpos(t.value, ${operand}) > 0`

/** Whether a key is its whole text. A key with fewer bytes than the limit of characters always is. */
export const isWhole = sql`(octet_length(t.value) < ${KEY_CHARACTERS}::int or not ${isLong(sql`t.value`)})`

/** For a part too short for a trigram: scans all keys, a tenth of the bytes of the records. */
function keySearch(leaf: IndexedLeaf): IndexCondition {
  const { operator, operands } = leaf
  const matches = isInside(operator, lower(text(operands[0])))
  const ids = sql`
    ${ofIndexedAttribute(leaf, sql`index_text`)} and ${isWhole} and ${matches}
    union all
    ${ofIndexedAttribute(leaf, sql`index_search`)} and ${matches}`
  return { ids, isExact: true, isOrdered: false, isSearch: true }
}

const isKeySearch = ({ indexed, operator, operands: [operand = ''] }: IndexedLeaf) =>
  indexed.search === 'ready' &&
  !isMultiValue(indexed) &&
  !WITH_TRIGRAM[operator === 'endsWith' ? 'endsWith' : 'contains'].test(operand)

const withinTexts = (leaf: IndexedLeaf): IndexCondition | undefined =>
  isKeySearch(leaf) ? keySearch(leaf) : (trigramSearch(leaf) ?? byValues(leaf))

/** Parts of texts: contains and endsWith. */
const within = (leaf: IndexedLeaf): IndexCondition | undefined =>
  leaf.indexed.type === 'phone_number' ? withinPhones(leaf) : withinTexts(leaf)

/** Finds the part within the digits of E.164, and at the beginning of national numbers. */
function withinPhones(leaf: IndexedLeaf): IndexCondition | undefined {
  const indexCondition = withinTexts(leaf)
  const { operator, operands } = leaf
  if (!indexCondition || !isPhoneOperator(operator)) return indexCondition
  const { starts, whole } = phoneSearch(operator, operands[0] ?? '')
  const parts = [
    ...(starts.length > 0 ? [startingWith(leaf, starts)] : []),
    ...(whole.length > 0
      ? [sql`${ofIndexedAttribute(leaf, sql`index_text`)} and t.value = any(${whole}::text[])`]
      : []),
  ]
  if (parts.length === 0) return indexCondition
  const ids = sql`select id from (${indexCondition.ids}) as digits union ${join(parts, ' union ')}`
  return { ids, isExact: indexCondition.isExact, isOrdered: false, isSearch: true }
}

/** For few different values: compares them, and looks up the index rows of those that match. */
function byValues(leaf: IndexedLeaf): IndexCondition | undefined {
  const { indexed, owner, operator, operands } = leaf
  if (indexed.counting !== 'values' || !indexed.isCounted) return undefined
  const matches = matchesText(indexed.type, sql`d.value`, { operator, operands })
  const values = sql`select ${textKey(sql`d.value`)} from (${dictionary(owner, indexed)}) as d where ${matches}`
  const ids = sql`${ofIndexedAttribute(leaf, sql`index_text`)} and t.value in (${values})`
  if (isMultiValue(indexed)) return distinctIds(leaf, { ids, isExact: false, isOrdered: false })
  return { ids: sql`${ids} and (${isWhole} or ${isMet(leaf)})`, isExact: true, isOrdered: false }
}

function ofText(leaf: IndexedLeaf): IndexCondition | undefined {
  switch (leaf.operator) {
    case 'equals':
    case 'in':
      return equalTexts(leaf)
    case 'isTrue':
      return equalTexts({ ...leaf, operator: 'equals', operands: ['true'] })
    case 'contains':
      return leaf.indexed.type === 'list' ? equalTexts(leaf) : within(leaf)
    case 'endsWith':
      return within(leaf)
    case 'startsWith':
      return prefixed(leaf)
    default:
      return ordered(leaf, sql`index_text`, text)
  }
}

function ofNumber(leaf: IndexedLeaf): IndexCondition | undefined {
  const { operator } = leaf
  return operator === 'equals' || operator === 'in'
    ? equalNumbers(leaf)
    : ordered(leaf, sql`index_number`, number)
}

/** References to records always have rows in `links`, for objects of any size. */
function ofReference(leaf: IndexedLeaf): IndexCondition | undefined {
  const links = ofIndexedAttribute(leaf, sql`links`)
  if (leaf.operator === 'equals')
    return { ids: sql`${links} and t.target = ${leaf.operands[0]}::uuid`, isExact: true, isOrdered: true }
  if (leaf.operator !== 'in') return undefined
  const ids = sql`${links} and t.target = any(${leaf.operands}::uuid[])`
  return { ids: sql`select distinct id from (${ids}) as many`, isExact: true, isOrdered: false }
}

/** isEmpty, and isFalse, which also matches records without a value. */
function withoutValue(leaf: IndexedLeaf): IndexCondition | undefined {
  if (!leaf.indexed.keepsMissing) return undefined
  const missing = ofIndexedAttribute(leaf, sql`index_missing`)
  if (leaf.operator === 'isEmpty') return { ids: missing, isExact: true, isOrdered: true }
  if (leaf.operator !== 'isFalse' || isMultiValue(leaf.indexed)) return undefined
  const { ids } = equalTexts({ ...leaf, operator: 'equals', operands: ['false'] })
  return { ids: sql`${ids} union all ${missing}`, isExact: true, isOrdered: false }
}

/** Records with a value: all rows of the attribute. */
const withValue = (leaf: IndexedLeaf): IndexCondition =>
  distinctIds(leaf, {
    ids: ofIndexedAttribute(leaf, hasNumericKey(leaf.indexed) ? sql`index_number` : sql`index_text`),
    isExact: true,
    isOrdered: false,
  })

/** @returns undefined when index rows do not help or are incomplete */
export function indexConditionOf(
  owner: ObjectScope,
  index: ObjectIndex,
  filter: FilterLeaf,
): IndexCondition | undefined {
  const indexed = index.attributes.get(filter.attribute.slug)
  if (!indexed) return undefined
  const leaf = { ...filter, indexed, owner }
  if (indexed.type === 'reference') return ofReference(leaf)
  if (indexed.state !== 'ready') return undefined
  if (leaf.operator === 'isEmpty' || leaf.operator === 'isFalse') return withoutValue(leaf)
  if (leaf.operator === 'isNotEmpty') return withValue(leaf)
  return hasNumericKey(indexed) ? ofNumber(leaf) : ofText(leaf)
}
