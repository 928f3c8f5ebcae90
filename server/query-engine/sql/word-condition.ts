// A word of a free-text search → the ids that index rows give for it. Pure.
import sql, { type Sql } from 'sql-template-tag'
import type { IndexedAttribute, ObjectIndex } from '../../attributes/object-index.ts'
import type { RecordFilter } from '../../records/filters/to-sql.ts'
import { foldedText } from '../../records/text-search.ts'
import type { Owner } from '../maintenance/counter-changes.ts'
import { dictionary } from './cardinality.ts'
import { distinctIds, hasTrigram, type IndexCondition, isWhole, ofAttribute } from './index-conditions.ts'
import { isMultiValue, textKey } from './index-keys.ts'

type Kept = { owner: Owner; kept: IndexedAttribute }

const folded = foldedText(sql`t.value`)
/** Of what LIKE takes for more than itself, words have underscores alone. */
const like = (value: Sql, word: string) =>
  sql`${value} like ${`%${word.replaceAll('_', '\\_')}%`}::text collate "C"`

/**
 * A text that folds to itself has the word as it stands, which the trigrams of all texts find; the others have
 * trigrams of their folded text.
 */
function byTrigrams(asked: Kept, word: string): Sql {
  const inRows = (table: Sql, condition: Sql) => sql`${ofAttribute(asked, table)} and ${condition}`
  const plain = like(sql`t.value`, word)
  const others = sql`${folded} <> t.value and ${like(folded, word)} and not (${plain})`
  const [texts, long] = [sql`index_text`, sql`index_search`]
  return sql`
    ${inRows(texts, sql`t.searched and ${plain}`)} union all ${inRows(texts, sql`t.searched and ${others}`)}
    union all ${inRows(long, plain)} union all ${inRows(long, others)}`
}

/** A word too short for a trigram: all texts of the attribute are compared. */
function byAll(asked: Kept, word: string): Sql {
  const has = sql`strpos(${folded}, ${word}::text) > 0`
  return sql`
    ${ofAttribute(asked, sql`index_text`)} and ${isWhole} and ${has}
    union all ${ofAttribute(asked, sql`index_search`)} and ${has}`
}

/** What is in few different values is looked for in those, then by those. */
function byValues(asked: Kept, word: string): IndexCondition | undefined {
  const { kept, owner } = asked
  if (kept.counting !== 'values' || !kept.isCounted) return undefined
  const values = sql`
    select ${textKey(sql`d.value`)} from (${dictionary(owner, kept)}) as d
    where strpos(${foldedText(sql`d.value`)}, ${word}::text) > 0`
  // Values with the same key may differ behind its end.
  const ids = sql`${ofAttribute(asked, sql`index_text`)} and t.value in (${values})`
  return distinctIds(asked, { ids, isExact: false, isOrdered: false })
}

/** @returns undefined when index rows do not help, or are not complete */
export function wordCondition(
  owner: Owner,
  index: ObjectIndex,
  { attribute, word }: NonNullable<RecordFilter['word']>,
): IndexCondition | undefined {
  const kept = index.attributes.get(attribute.slug)
  if (kept?.state !== 'ready') return undefined
  const asked = { owner, kept }
  if (kept.search !== 'ready') return byValues(asked, word)
  if (hasTrigram(word) || isMultiValue(kept))
    return distinctIds(asked, {
      ids: byTrigrams(asked, word),
      isExact: true,
      isOrdered: false,
      isSearch: true,
    })
  return { ids: byAll(asked, word), isExact: true, isOrdered: false, isSearch: true }
}
