// A filter of one or several conditions → the ids that index rows give for it. Pure.
import sql, { join, type Sql } from 'sql-template-tag'
import type { ObjectIndex } from '../../../model/attributes/object-index.ts'
import { recordOf } from '../../../model/objects/record-lookup.ts'
import type { FilterLeaf } from '../../filters/check.ts'
import type { AlongReference, RecordFilter } from '../../filters/to-sql.ts'
import type { ObjectScope } from '../index/counter-changes.ts'
import { allRecords, cardinalityOf, totals } from './cardinality.ts'
import { exactIdsOf, type IndexCondition, indexConditionOf } from './index-conditions.ts'
import { and, ofOwner } from './page-request.ts'
import { isOfPart, partCondition } from './part-conditions.ts'
import { wordCondition } from './word-condition.ts'

/** A conjunction: the ids of any member are a superset of its matches. */
function ofAll(
  owner: ObjectScope,
  index: ObjectIndex,
  parts: readonly RecordFilter[],
): IndexCondition | undefined {
  const conditions = parts.flatMap((part) => indexConditionFor(owner, index, part) ?? [])
  const indexCondition = conditions.find(({ isOrdered }) => isOrdered) ?? conditions[0]
  return indexCondition && { ...indexCondition, isExact: false, exactIds: undefined }
}

/** A disjunction: the union of the ids of its members, if each member has index rows. */
function ofAny(
  owner: ObjectScope,
  index: ObjectIndex,
  members: readonly RecordFilter[],
): IndexCondition | undefined {
  const conditions = members.flatMap((member) => indexConditionFor(owner, index, member) ?? [])
  if (conditions.length < members.length) return undefined
  const union = (queries: readonly Sql[]) =>
    join(
      queries.map((ids) => sql`(${ids})`),
      ' union ',
    )
  const exactIds = conditions.flatMap((indexCondition) => exactIdsOf(indexCondition) ?? [])
  return {
    ids: union(conditions.map(({ ids }) => ids)),
    streamedIds: join(
      conditions.map(({ ids, streamedIds = ids }) => sql`(${streamedIds})`),
      ' union all ',
    ),
    isExact: conditions.every(({ isExact }) => isExact),
    exactIds: exactIds.length === conditions.length ? union(exactIds) : undefined,
    isOrdered: false,
    isSearch: conditions.some(({ isSearch }) => isSearch),
  }
}

interface Targets extends Pick<IndexCondition, 'isSearch' | 'targetShare'> {
  /** Ids of the records that the reference leads to and that meet its filter, each once. */
  ids: Sql
}

function shareOf(owner: ObjectScope, index: ObjectIndex, { leaf }: RecordFilter): Sql | undefined {
  const matching = leaf && cardinalityOf(owner, index, leaf)
  if (!matching) return undefined
  const { changes, totals: counts } = totals(owner, [matching, [{ term: allRecords(owner), sign: 1 }]])
  const [found, all] = counts
  return sql`(select (${found})::float8 / greatest(${all}, 1) from (${changes}) as changes)`
}

function targetsOf({ target, filter }: AlongReference): Targets | undefined {
  const { org, obj, index } = target
  const owner = { org, obj }
  const isReady = index?.state === 'ready' && index.isCounted
  // An object without index rows is small.
  if (!isReady)
    return { ids: sql`select r.id from records r where ${ofOwner(owner)}${and([filter.condition])}` }
  const condition = indexConditionFor(owner, index, filter)
  if (!condition) return undefined
  const { isSearch = false } = condition
  const targetShare = shareOf(owner, index, filter)
  const exactIds = exactIdsOf(condition)
  if (exactIds) return { ids: exactIds, isSearch, targetShare }
  const records = recordOf(owner, sql`i.id`, { conditions: [filter.condition] })
  return { ids: sql`select distinct i.id from (${condition.ids}) as i ${records}`, isSearch, targetShare }
}

/** From the targets to the records that refer to them. No record refers to a record in the trash. */
function alongCondition(along: AlongReference): IndexCondition | undefined {
  const targets = targetsOf(along)
  if (!targets) return undefined
  const { attr, isList, target } = along
  const rows = sql`
    select l.id from (${targets.ids}) as m
    join links l on l.org = ${target.org} and l.attr = ${attr} and l.target = m.id`
  return {
    // A list may refer to several of the targets.
    ids: isList ? sql`select distinct id from (${rows}) as many` : rows,
    isExact: true,
    isOrdered: false,
    isSearch: targets.isSearch === true,
    isLinked: !targets.isSearch,
    targetShare: targets.targetShare,
  }
}

const leafCondition = (owner: ObjectScope, index: ObjectIndex, leaf: FilterLeaf) =>
  isOfPart(leaf) ? partCondition(owner, index, leaf) : indexConditionOf(owner, index, leaf)

/** Like indexConditionOf, for any filter. @returns undefined when index rows do not help or are incomplete */
export function indexConditionFor(
  owner: ObjectScope,
  index: ObjectIndex,
  filter: RecordFilter,
): IndexCondition | undefined {
  if (filter.leaf) return leafCondition(owner, index, filter.leaf)
  if (filter.word) return wordCondition(owner, index, filter.word)
  if (filter.along) return alongCondition(filter.along)
  if (filter.any) return ofAny(owner, index, filter.any)
  return filter.parts && ofAll(owner, index, filter.parts)
}
