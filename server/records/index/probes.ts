// A filter → the ids that index rows give for it. Pure.
import sql, { join, type Sql } from 'sql-template-tag'
import type { AttributeType } from '../../../contract/attribute-types.ts'
import type { FilterOperator } from '../../../contract/operators.ts'
import type { IndexedAttribute, ObjectIndex } from '../../attributes/object-index.ts'
import { recordOf } from '../../objects/record-lookup.ts'
import { COMPARISONS, type FilterLeaf, lower, matchesText, storedValue, textOf } from '../filters.ts'
import type { Owner } from './counting.ts'
import { BETWEEN, isLong, isMany, isNumeric, KEY_CHARACTERS, textKey } from './keys.ts'
import { dictionary } from './tallies.ts'

/** All ids that a filter finds, and perhaps others. */
export interface Probe {
  /** A query of one column, `id`. */
  ids: Sql
  /** Exactly those that the filter finds, each once. */
  isExact: boolean
  /** Whether an index gives them in the order of ids. */
  isOrdered: boolean
  /** All of them are found before the first is given, and finding them is work. */
  isSearch?: boolean
  /** Some of them more than once, but one by one, where `ids` has all before it gives the first. */
  loose?: Sql
  /** Where `ids` may have others: exactly those, each once, for a pass through the different values. */
  sure?: Sql | undefined
}

/** Exactly the ids that the filter finds. @returns undefined when records must be looked at */
export const exactIds = ({ ids, isExact, sure }: Probe): Sql | undefined => (isExact ? ids : sure)

interface Asked extends FilterLeaf {
  kept: IndexedAttribute
  owner: Owner
}

/** Types whose equal keys are equal values: no letters, or letters that do not count. */
const KEY_IS_VALUE = new Set<AttributeType>(['email', 'date', 'checkbox', 'phone_number'])

const ofAttribute = ({ owner, kept }: Pick<Asked, 'owner' | 'kept'>, table: Sql) =>
  sql`select t.id from ${table} t where t.org = ${owner.org} and t.attr = ${kept.attr}`

const text = (operand: string | undefined) => sql`${operand ?? ''}::text`

const isShort = (operand: string) => operand.length < KEY_CHARACTERS / 2

/** Lists may give a record once for each element. */
const once = (asked: Asked, probe: Probe): Probe =>
  isMany(asked.kept)
    ? { ...probe, isExact: false, ids: sql`select distinct id from (${probe.ids}) as many` }
    : probe

function equalTexts(asked: Asked): Probe {
  const keys = asked.operands.map((operand) => textKey(text(operand)))
  const isExact = KEY_IS_VALUE.has(asked.kept.type) && asked.operands.every(isShort)
  const ids = sql`${ofAttribute(asked, sql`index_text`)} and t.value in (${join(keys)})`
  const isSingle = keys.length === 1
  if (isMany(asked.kept) && !isSingle) return once(asked, { ids, isExact, isOrdered: false })
  return { ids, isExact, isOrdered: isSingle, sure: isExact ? undefined : sureOf(asked, ids, keys) }
}

/** Whether the record of `t` meets the condition itself: to be asked where its key does not tell. */
function isMet({ owner, kept, attribute, operator, operands }: Asked): Sql {
  const condition = matchesText(kept.type, textOf(kept.type, storedValue(attribute)), { operator, operands })
  return sql`exists (select from (select t.id) as k ${recordOf(owner, sql`k.id`, { conditions: [condition] })})`
}

/** Of the ids with the keys those with the texts: records are looked at only if there are other texts with the keys. */
function sureOf(asked: Asked, ids: Sql, keys: Sql[]): Sql | undefined {
  const { kept, owner, operands } = asked
  if (kept.counting !== 'values' || !kept.isCounted || isMany(kept)) return undefined
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

function prefixed(asked: Asked): Probe {
  const [operand = ''] = asked.operands
  const ids = sql`${ofAttribute(asked, sql`index_text`)} and ${beginsWith(operand)}`
  return once(asked, { ids, isExact: asked.operands.every(isShort), isOrdered: false })
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

/** Numbers and days by their order; both operands where it is between them. */
function ordered(asked: Asked, table: Sql, operand: (value: string | undefined) => Sql): Probe | undefined {
  const [first, second] = asked.operands
  const all = ofAttribute(asked, table)
  const comparison = COMPARISONS[asked.operator]
  const ids =
    asked.operator === 'between'
      ? sql`${all} and t.value between ${operand(first)} and ${operand(second)}`
      : comparison && sql`${all} and t.value ${comparison} ${operand(first)}`
  return ids && once(asked, { ids, isExact: true, isOrdered: false })
}

const number = (operand: string | undefined) => sql`${operand ?? '0'}::numeric`

function equalNumbers(asked: Asked): Probe {
  const values = asked.operands.map(number)
  const ids = sql`${ofAttribute(asked, sql`index_number`)} and t.value in (${join(values)})`
  const isSingle = values.length === 1
  return isSingle
    ? { ids, isExact: true, isOrdered: true }
    : once(asked, { ids, isExact: true, isOrdered: false })
}

/** With the collation of the index, or PostgreSQL does not use it. */
const pattern = (operand: Sql, ending: Sql) => sql`('%' || ${escaped(operand)} || ${ending}) collate "C"`

const escaped = (operand: Sql) =>
  sql`replace(replace(replace(${lower(operand)}, '\\', '\\\\'), '%', '\\%'), '_', '\\_')`

/**
 * Short texts where they are indexed, long ones whole. Long elements of a list are searched as one text: what is at the
 * end of one is in the middle of it.
 */
function searched(asked: Asked): Probe | undefined {
  const [operand = ''] = asked.operands
  const isOfMany = isMany(asked.kept)
  if (asked.kept.search !== 'ready' || operand.includes(BETWEEN)) return undefined
  const isEnding = asked.operator === 'endsWith'
  const like = (ending: Sql) => sql`t.value like ${pattern(text(operand), ending)}`
  const ids = sql`
    ${ofAttribute(asked, sql`index_text`)} and t.searched and ${like(isEnding ? sql`''` : sql`'%'`)}
    union all
    ${ofAttribute(asked, sql`index_search`)} and ${like(isEnding && !isOfMany ? sql`''` : sql`'%'`)}`
  return once(asked, { ids, isExact: true, isOrdered: false, isSearch: true })
}

/** With what a trigram is made of: three letters or digits one after the other, at the end two. */
const WITH_TRIGRAM = { contains: /[\p{L}\p{N}]{3}/u, endsWith: /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}$/u }

const isInside = (operator: FilterOperator, operand: Sql) =>
  operator === 'endsWith'
    ? sql`right(t.value, length(${operand})) = ${operand}`
    : sql`strpos(t.value, ${operand}) > 0`

/** A key that is all of its text: told by its bytes where they are fewer than characters may be. */
const isWhole = sql`(octet_length(t.value) < ${KEY_CHARACTERS}::int or not ${isLong(sql`t.value`)})`

/** No trigram tells where so short a part is: all keys are looked at, which are a tenth of the records' bytes. */
function lookedAt(asked: Asked): Probe {
  const { operator, operands } = asked
  const matches = isInside(operator, lower(text(operands[0])))
  const ids = sql`
    ${ofAttribute(asked, sql`index_text`)} and ${isWhole} and ${matches}
    union all
    ${ofAttribute(asked, sql`index_search`)} and ${matches}`
  return { ids, isExact: true, isOrdered: false, isSearch: true }
}

const isLookedAt = ({ kept, operator, operands: [operand = ''] }: Asked) =>
  kept.search === 'ready' &&
  !isMany(kept) &&
  !WITH_TRIGRAM[operator === 'endsWith' ? 'endsWith' : 'contains'].test(operand)

/** What is in the middle or at the end of texts. */
const within = (asked: Asked): Probe | undefined =>
  isLookedAt(asked) ? lookedAt(asked) : (searched(asked) ?? byValues(asked))

/** What is in few different values is looked for in those, then by those. */
function byValues(asked: Asked): Probe | undefined {
  const { kept, owner, operator, operands } = asked
  if (kept.counting !== 'values' || !kept.isCounted) return undefined
  const matches = matchesText(kept.type, sql`d.value`, { operator, operands })
  const values = sql`select ${textKey(sql`d.value`)} from (${dictionary(owner, kept)}) as d where ${matches}`
  const ids = sql`${ofAttribute(asked, sql`index_text`)} and t.value in (${values})`
  if (isMany(kept)) return once(asked, { ids, isExact: false, isOrdered: false })
  return { ids: sql`${ids} and (${isWhole} or ${isMet(asked)})`, isExact: true, isOrdered: false }
}

function ofText(asked: Asked): Probe | undefined {
  switch (asked.operator) {
    case 'equals':
    case 'in':
      return equalTexts(asked)
    case 'isTrue':
      return equalTexts({ ...asked, operands: ['true'] })
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

function ofNumber(asked: Asked): Probe | undefined {
  const { operator } = asked
  return operator === 'equals' || operator === 'in'
    ? equalNumbers(asked)
    : ordered(asked, sql`index_number`, number)
}

/** References are always in links, whatever the size of the object. */
function ofReference(asked: Asked): Probe | undefined {
  const links = ofAttribute(asked, sql`links`)
  if (asked.operator === 'equals')
    return { ids: sql`${links} and t.target = ${asked.operands[0]}::uuid`, isExact: true, isOrdered: true }
  if (asked.operator !== 'in') return undefined
  const ids = sql`${links} and t.target = any(${asked.operands}::uuid[])`
  return { ids: sql`select distinct id from (${ids}) as many`, isExact: true, isOrdered: false }
}

/** Records without a value, and with it those of what is the contrary of a value. */
function withoutValue(asked: Asked): Probe | undefined {
  if (!asked.kept.keepsMissing) return undefined
  const missing = ofAttribute(asked, sql`index_missing`)
  if (asked.operator === 'isEmpty') return { ids: missing, isExact: true, isOrdered: true }
  if (asked.operator !== 'isFalse' || isMany(asked.kept)) return undefined
  const { ids } = equalTexts({ ...asked, operands: ['false'] })
  return { ids: sql`${ids} union all ${missing}`, isExact: true, isOrdered: false }
}

/** Records with a value: all rows of the attribute. */
const withValue = (asked: Asked): Probe =>
  once(asked, {
    ids: ofAttribute(asked, isNumeric(asked.kept) ? sql`index_number` : sql`index_text`),
    isExact: true,
    isOrdered: false,
  })

/** @returns undefined when index rows do not help, or are not complete */
export function probeOf(owner: Owner, index: ObjectIndex, leaf: FilterLeaf): Probe | undefined {
  const kept = index.attributes.get(leaf.attribute.slug)
  if (!kept) return undefined
  const asked = { ...leaf, kept, owner }
  if (kept.type === 'reference') return ofReference(asked)
  if (kept.state !== 'ready') return undefined
  if (leaf.operator === 'isEmpty' || leaf.operator === 'isFalse') return withoutValue(asked)
  if (leaf.operator === 'isNotEmpty') return withValue(asked)
  return isNumeric(kept) ? ofNumber(asked) : ofText(asked)
}
