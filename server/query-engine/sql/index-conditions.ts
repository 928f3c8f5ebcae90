// A filter → the ids that index rows give for it. Pure.
import sql, { join, type Sql } from 'sql-template-tag'
import type { FilterOperator } from '../../../contract/operators.ts'
import type { IndexedAttribute, ObjectIndex } from '../../attributes/object-index.ts'
import { recordOf } from '../../objects/record-lookup.ts'
import type { FilterLeaf } from '../../records/filters/check.ts'
import { KEY_IS_VALUE, lower, storedValue, textOf } from '../../records/filters/comparable.ts'
import { rangeSql } from '../../records/filters/operators.ts'
import { matchesText } from '../../records/filters/to-sql.ts'
import { isPhoneOperator, phoneSearch } from '../../records/values/phone-search.ts'
import type { Owner } from '../maintenance/counter-changes.ts'
import { dictionary } from './cardinality.ts'
import { BETWEEN, isLong, isMultiValue, isNumeric, KEY_CHARACTERS, textKey } from './index-keys.ts'

/** The ids that a filter finds, or a superset of them. */
export interface IndexCondition {
  /** A query of one column, `id`. */
  ids: Sql
  /** Exactly those that the filter finds, each once. */
  isExact: boolean
  /** Whether an index gives them in the order of ids. */
  isOrdered: boolean
  /** All of them are found before the first is returned, as by a bitmap scan. */
  isSearch?: boolean
  /** As `ids`, some of them repeatedly, but returned one by one where `ids` has to find all before the first. */
  streamedIds?: Sql
  /** Where `ids` are a superset: exactly those that the filter finds, each once, for a pass through the different values. */
  exactIds?: Sql | undefined
}

/** Exactly the ids that the filter finds. @returns undefined when records must be read */
export const exactIdsOf = ({ ids, isExact, exactIds }: IndexCondition): Sql | undefined =>
  isExact ? ids : exactIds

interface Asked extends FilterLeaf {
  kept: IndexedAttribute
  owner: Owner
}

export const ofAttribute = ({ owner, kept }: Pick<Asked, 'owner' | 'kept'>, table: Sql) =>
  sql`select t.id from ${table} t where t.org = ${owner.org} and t.attr = ${kept.attr}`

const text = (operand: string | undefined) => sql`${operand ?? ''}::text`

const isShort = (operand: string) => operand.length < KEY_CHARACTERS / 2

/** Lists may give a record once for each element. */
export const distinctIds = (asked: Pick<Asked, 'kept'>, indexCondition: IndexCondition): IndexCondition =>
  isMultiValue(asked.kept)
    ? { ...indexCondition, isExact: false, ids: sql`select distinct id from (${indexCondition.ids}) as many` }
    : indexCondition

function equalTexts(asked: Asked): IndexCondition {
  const keys = asked.operands.map((operand) => textKey(text(operand)))
  const isExact = KEY_IS_VALUE.has(asked.kept.type) && asked.operands.every(isShort)
  const ids = sql`${ofAttribute(asked, sql`index_text`)} and t.value in (${join(keys)})`
  const isSingle = keys.length === 1
  if (isMultiValue(asked.kept) && !isSingle) return distinctIds(asked, { ids, isExact, isOrdered: false })
  return { ids, isExact, isOrdered: isSingle, exactIds: isExact ? undefined : comparedIds(asked, ids, keys) }
}

/** Whether the record of `t` meets the condition itself: compared where its key alone is not enough. */
function isMet({ owner, kept, attribute, operator, operands }: Asked): Sql {
  const condition = matchesText(kept.type, textOf(kept.type, storedValue(attribute)), { operator, operands })
  return sql`exists (select from (select t.id) as k ${recordOf(owner, sql`k.id`, { conditions: [condition] })})`
}

/** Of the ids with the keys those with the texts: records are read only if other texts have the same keys. */
function comparedIds(asked: Asked, ids: Sql, keys: Sql[]): Sql | undefined {
  const { kept, owner, operands } = asked
  if (kept.counting !== 'values' || !kept.isCounted || isMultiValue(kept)) return undefined
  const others = sql`
    select from (${dictionary(owner, kept)}) as d
    where ${textKey(sql`d.value`)} in (${join(keys)}) and d.value not in (${join(operands.map(text))})`
  return sql`${ids} and (not exists (${others}) or ${isMet(asked)})`
}

/** Above any key that begins with the prefix: keys have no more characters. */
const LAST = sql`repeat(chr(1114111), ${KEY_CHARACTERS}::int)`

function beginsWith(operand: string): Sql {
  const prefix = textKey(text(operand))
  return sql`t.value >= ${prefix} and t.value <= (${prefix} || ${LAST}) collate "C"`
}

/** One range of keys after the other: no start is the start of another, so each id comes once. */
const startingWith = (asked: Asked, starts: readonly string[]): Sql => sql`
  select t.id from unnest(${starts}::text[]) as s(start) cross join lateral (
    ${ofAttribute(asked, sql`index_text`)}
      and t.value >= s.start collate "C" and t.value <= (s.start || ${LAST}) collate "C" offset 0) as t`

function prefixed(asked: Asked): IndexCondition {
  const [operand = ''] = asked.operands
  if (asked.kept.type === 'phone_number') {
    const ids = startingWith(asked, phoneSearch('startsWith', operand).starts)
    return distinctIds(asked, { ids, isExact: true, isOrdered: false })
  }
  const ids = sql`${ofAttribute(asked, sql`index_text`)} and ${beginsWith(operand)}`
  return distinctIds(asked, { ids, isExact: asked.operands.every(isShort), isOrdered: false })
}

/** Ids in their order, of texts with the key of `whole`, an expression: those equal to it but for the case, and longer ones. */
export const withKeyOf = (owner: Owner, kept: IndexedAttribute, whole: Sql): Sql => sql`
  ${ofAttribute({ owner, kept }, sql`index_text`)} and t.value = ${textKey(whole)} order by t.id`

/** The first ids in the order of an attribute's texts: all of them, or those that begin with a prefix. */
export function firstByText(
  owner: Owner,
  kept: IndexedAttribute,
  { prefix, limit }: { prefix?: string; limit: number },
): Sql {
  const all = ofAttribute({ owner, kept }, sql`index_text`)
  const order = sql`order by t.value, t.id limit ${limit}`
  return prefix === undefined ? sql`${all} ${order}` : sql`${all} and ${beginsWith(prefix)} ${order}`
}

/** Numbers and days by their order. */
function ordered(
  asked: Asked,
  table: Sql,
  operand: (value: string | undefined) => Sql,
): IndexCondition | undefined {
  const condition = rangeSql(asked.operator)?.(sql`t.value`, asked.operands.map(operand))
  if (!condition) return undefined
  const ids = sql`${ofAttribute(asked, table)} and ${condition}`
  return distinctIds(asked, { ids, isExact: true, isOrdered: false })
}

const number = (operand: string | undefined) => sql`${operand ?? '0'}::numeric`

function equalNumbers(asked: Asked): IndexCondition {
  const values = asked.operands.map(number)
  const ids = sql`${ofAttribute(asked, sql`index_number`)} and t.value in (${join(values)})`
  const isSingle = values.length === 1
  return isSingle
    ? { ids, isExact: true, isOrdered: true }
    : distinctIds(asked, { ids, isExact: true, isOrdered: false })
}

/** With the collation of the index, or PostgreSQL does not use it. */
const pattern = (operand: Sql, ending: Sql) => sql`('%' || ${escaped(operand)} || ${ending}) collate "C"`

const escaped = (operand: Sql) =>
  sql`replace(replace(replace(${lower(operand)}, '\\', '\\\\'), '%', '\\%'), '_', '\\_')`

/**
 * Short texts where they are indexed, long ones whole. Long elements of a list are searched as one text: what is at the
 * end of one is in the middle of it.
 */
function trigramSearch(asked: Asked): IndexCondition | undefined {
  const [operand = ''] = asked.operands
  const isOfMany = isMultiValue(asked.kept)
  if (asked.kept.search !== 'ready' || operand.includes(BETWEEN)) return undefined
  const isEnding = asked.operator === 'endsWith'
  const like = (ending: Sql) => sql`t.value like ${pattern(text(operand), ending)}`
  const ids = sql`
    ${ofAttribute(asked, sql`index_text`)} and t.searched and ${like(isEnding ? sql`''` : sql`'%'`)}
    union all
    ${ofAttribute(asked, sql`index_search`)} and ${like(isEnding && !isOfMany ? sql`''` : sql`'%'`)}`
  return distinctIds(asked, { ids, isExact: true, isOrdered: false, isSearch: true })
}

/** With what a trigram is made of: three letters or digits one after the other, at the end two. */
const WITH_TRIGRAM = { contains: /[\p{L}\p{N}]{3}/u, endsWith: /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}$/u }

/** Whether trigrams find where a text is. */
export const hasTrigram = (text: string): boolean => WITH_TRIGRAM.contains.test(text)

const isInside = (operator: FilterOperator, operand: Sql) =>
  operator === 'endsWith'
    ? sql`right(t.value, length(${operand})) = ${operand}`
    : sql`strpos(t.value, ${operand}) > 0`

/** A key that is all of its text. Fewer bytes than the limit of characters show it at once. */
export const isWhole = sql`(octet_length(t.value) < ${KEY_CHARACTERS}::int or not ${isLong(sql`t.value`)})`

/** A part too short for a trigram: all keys are compared, which are a tenth of the records' bytes. */
function keySearch(asked: Asked): IndexCondition {
  const { operator, operands } = asked
  const matches = isInside(operator, lower(text(operands[0])))
  const ids = sql`
    ${ofAttribute(asked, sql`index_text`)} and ${isWhole} and ${matches}
    union all
    ${ofAttribute(asked, sql`index_search`)} and ${matches}`
  return { ids, isExact: true, isOrdered: false, isSearch: true }
}

const isKeySearch = ({ kept, operator, operands: [operand = ''] }: Asked) =>
  kept.search === 'ready' &&
  !isMultiValue(kept) &&
  !WITH_TRIGRAM[operator === 'endsWith' ? 'endsWith' : 'contains'].test(operand)

const withinTexts = (asked: Asked): IndexCondition | undefined =>
  isKeySearch(asked) ? keySearch(asked) : (trigramSearch(asked) ?? byValues(asked))

/** What is in the middle or at the end of texts. */
const within = (asked: Asked): IndexCondition | undefined =>
  asked.kept.type === 'phone_number' ? withinPhones(asked) : withinTexts(asked)

/** In the digits of E.164, and where a national number begins with them. */
function withinPhones(asked: Asked): IndexCondition | undefined {
  const indexCondition = withinTexts(asked)
  const { operator, operands } = asked
  if (!indexCondition || !isPhoneOperator(operator)) return indexCondition
  const { starts, whole } = phoneSearch(operator, operands[0] ?? '')
  const parts = [
    ...(starts.length > 0 ? [startingWith(asked, starts)] : []),
    ...(whole.length > 0
      ? [sql`${ofAttribute(asked, sql`index_text`)} and t.value = any(${whole}::text[])`]
      : []),
  ]
  if (parts.length === 0) return indexCondition
  const ids = sql`select id from (${indexCondition.ids}) as digits union ${join(parts, ' union ')}`
  return { ids, isExact: indexCondition.isExact, isOrdered: false, isSearch: true }
}

/** What is in few different values is looked for in those, then by those. */
function byValues(asked: Asked): IndexCondition | undefined {
  const { kept, owner, operator, operands } = asked
  if (kept.counting !== 'values' || !kept.isCounted) return undefined
  const matches = matchesText(kept.type, sql`d.value`, { operator, operands })
  const values = sql`select ${textKey(sql`d.value`)} from (${dictionary(owner, kept)}) as d where ${matches}`
  const ids = sql`${ofAttribute(asked, sql`index_text`)} and t.value in (${values})`
  if (isMultiValue(kept)) return distinctIds(asked, { ids, isExact: false, isOrdered: false })
  return { ids: sql`${ids} and (${isWhole} or ${isMet(asked)})`, isExact: true, isOrdered: false }
}

function ofText(asked: Asked): IndexCondition | undefined {
  switch (asked.operator) {
    case 'equals':
    case 'in':
      return equalTexts(asked)
    case 'isTrue':
      return equalTexts({ ...asked, operator: 'equals', operands: ['true'] })
    case 'contains':
      return asked.kept.type === 'list' ? equalTexts(asked) : within(asked)
    case 'endsWith':
      return within(asked)
    case 'startsWith':
      return prefixed(asked)
    default:
      return ordered(asked, sql`index_text`, text)
  }
}

function ofNumber(asked: Asked): IndexCondition | undefined {
  const { operator } = asked
  return operator === 'equals' || operator === 'in'
    ? equalNumbers(asked)
    : ordered(asked, sql`index_number`, number)
}

/** References are always in links, for objects of any size. */
function ofReference(asked: Asked): IndexCondition | undefined {
  const links = ofAttribute(asked, sql`links`)
  if (asked.operator === 'equals')
    return { ids: sql`${links} and t.target = ${asked.operands[0]}::uuid`, isExact: true, isOrdered: true }
  if (asked.operator !== 'in') return undefined
  const ids = sql`${links} and t.target = any(${asked.operands}::uuid[])`
  return { ids: sql`select distinct id from (${ids}) as many`, isExact: true, isOrdered: false }
}

/** Records without a value, and with it those of what is the contrary of a value. */
function withoutValue(asked: Asked): IndexCondition | undefined {
  if (!asked.kept.keepsMissing) return undefined
  const missing = ofAttribute(asked, sql`index_missing`)
  if (asked.operator === 'isEmpty') return { ids: missing, isExact: true, isOrdered: true }
  if (asked.operator !== 'isFalse' || isMultiValue(asked.kept)) return undefined
  const { ids } = equalTexts({ ...asked, operator: 'equals', operands: ['false'] })
  return { ids: sql`${ids} union all ${missing}`, isExact: true, isOrdered: false }
}

/** Records with a value: all rows of the attribute. */
const withValue = (asked: Asked): IndexCondition =>
  distinctIds(asked, {
    ids: ofAttribute(asked, isNumeric(asked.kept) ? sql`index_number` : sql`index_text`),
    isExact: true,
    isOrdered: false,
  })

/** @returns undefined when index rows do not help, or are not complete */
export function indexConditionOf(
  owner: Owner,
  index: ObjectIndex,
  leaf: FilterLeaf,
): IndexCondition | undefined {
  const kept = index.attributes.get(leaf.attribute.slug)
  if (!kept) return undefined
  const asked = { ...leaf, kept, owner }
  if (kept.type === 'reference') return ofReference(asked)
  if (kept.state !== 'ready') return undefined
  if (leaf.operator === 'isEmpty' || leaf.operator === 'isFalse') return withoutValue(asked)
  if (leaf.operator === 'isNotEmpty') return withValue(asked)
  return isNumeric(kept) ? ofNumber(asked) : ofText(asked)
}
