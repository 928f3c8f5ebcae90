// A word of a free-text search → the ids that index rows give for it. Pure.
import sql, { type Sql } from 'sql-template-tag'
import type { IndexedAttribute, ObjectIndex } from '../../../model/attributes/object-index.ts'
import { foldedText } from '../../filters/text-search.ts'
import type { RecordFilter } from '../../filters/to-sql.ts'
import type { ObjectScope } from '../index/counter-changes.ts'
import { isMultiValue, textKey } from '../index/index-keys.ts'
import { dictionary } from './cardinality.ts'
import {
  distinctIds,
  hasTrigram,
  type IndexCondition,
  isWhole,
  ofIndexedAttribute,
} from './index-conditions.ts'

type Searched = { owner: ObjectScope; indexed: IndexedAttribute }

const folded = foldedText(sql`t.value`)
/** An underscore is the only wildcard of LIKE that a word may have. */
const like = (value: Sql, word: string) =>
  sql`${value} like ${`%${word.replaceAll('_', '\\_')}%`}::text collate "C"`

/**
 * Uses two trigram indexes: one of all texts, for texts that folding does not change, and one of folded texts for the
 * others.
 */
function byTrigrams(asked: Searched, word: string): Sql {
  const inRows = (table: Sql, condition: Sql) => sql`${ofIndexedAttribute(asked, table)} and ${condition}`
  const plain = like(sql`t.value`, word)
  const others = sql`${folded} <> t.value and ${like(folded, word)} and not (${plain})`
  const [texts, long] = [sql`index_text`, sql`index_search`]
  return sql`
    ${inRows(texts, sql`t.searched and ${plain}`)} union all ${inRows(texts, sql`t.searched and ${others}`)}
    union all ${inRows(long, plain)} union all ${inRows(long, others)}`
}

/** For a word too short for a trigram: scans all texts of the attribute. */
function byAll(asked: Searched, word: string): Sql {
  const has = sql`strpos(${folded}, ${word}::text) > 0`
  return sql`
    ${ofIndexedAttribute(asked, sql`index_text`)} and ${isWhole} and ${has}
    union all ${ofIndexedAttribute(asked, sql`index_search`)} and ${has}`
}

/** For few different values: compares them, and looks up the index rows of those that match. */
function byValues(asked: Searched, word: string): IndexCondition | undefined {
  const { indexed, owner } = asked
  if (indexed.counting !== 'values' || !indexed.isCounted) return undefined
  const values = sql`
    select ${textKey(sql`d.value`)} from (${dictionary(owner, indexed)}) as d
    where strpos(${foldedText(sql`d.value`)}, ${word}::text) > 0`
  // Values with the same key may differ after the last character of the key.
  const ids = sql`${ofIndexedAttribute(asked, sql`index_text`)} and t.value in (${values})`
  return distinctIds(asked, { ids, isExact: false, isOrdered: false })
}

/** @returns undefined when index rows do not help or are incomplete */
export function wordCondition(
  owner: ObjectScope,
  index: ObjectIndex,
  { attribute, word }: NonNullable<RecordFilter['word']>,
): IndexCondition | undefined {
  const indexed = index.attributes.get(attribute.slug)
  if (indexed?.state !== 'ready') return undefined
  const asked = { owner, indexed }
  if (indexed.search !== 'ready') return byValues(asked, word)
  if (hasTrigram(word) || isMultiValue(indexed))
    return distinctIds(asked, {
      ids: byTrigrams(asked, word),
      isExact: true,
      isOrdered: false,
      isSearch: true,
    })
  return { ids: byAll(asked, word), isExact: true, isOrdered: false, isSearch: true }
}
