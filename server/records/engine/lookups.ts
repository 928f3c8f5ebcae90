// Ids from index rows, without the planner: for searches over all objects and lookups by name.
import sql, { type Sql } from 'sql-template-tag'
import type { IndexedAttribute } from '../../model/attributes/object-index.ts'
import type { RecordFilter } from '../filters/to-sql.ts'
import type { ObjectScope } from './index/counter-changes.ts'
import { textKey } from './index/index-keys.ts'
import { indexConditionFor } from './sql/combined-conditions.ts'
import { beginsWith, hasTrigram, ofIndexedAttribute } from './sql/index-conditions.ts'
import type { Indexed } from './statistics.ts'

/** @returns the ids of all matches, possibly with others; undefined when index rows do not help or are incomplete */
export const idsByIndex = (model: Indexed, filter: RecordFilter): Sql | undefined =>
  indexConditionFor(model, model.index, filter)?.ids

/** Whether trigrams find the word of a free-text search. If not, all texts are read. */
export const hasTrigrams = ({ any = [] }: RecordFilter): boolean =>
  any.some(({ word }) => word !== undefined && hasTrigram(word.word))

/**
 * Ordered ids of texts with the same key as the expression `whole`. They may differ in case, or after the length of a
 * key.
 */
export const withKeyOf = (owner: ObjectScope, indexed: IndexedAttribute, whole: Sql): Sql => sql`
  ${ofIndexedAttribute({ owner, indexed }, sql`index_text`)} and t.value = ${textKey(whole)} order by t.id`

/** The first ids in the order of an attribute's texts: all of them, or those that begin with a prefix. */
export function firstByText(
  owner: ObjectScope,
  indexed: IndexedAttribute,
  { prefix, limit }: { prefix?: string; limit: number },
): Sql {
  const all = ofIndexedAttribute({ owner, indexed }, sql`index_text`)
  const order = sql`order by t.value, t.id limit ${limit}`
  return prefix === undefined ? sql`${all} ${order}` : sql`${all} and ${beginsWith(prefix)} ${order}`
}
