// All records that meet filters, in the order of a sort, for what reads them from first to last.
import type { Sql } from 'sql-template-tag'
import { type ObjectModel, STALE } from '../../attributes/models.ts'
import type { Db } from '../../db/pool.ts'
import type { PageQuery } from '../store.ts'
import { measureWhole } from './matching.ts'
import { type Indexed, prepare } from './measure.ts'
import { questionOf, waysFor } from './page.ts'
import { isIndexed } from './select-page.ts'
import { gatherRecords, type Question, scanRecords, walkIds, walkKeys, walkMissing } from './ways.ts'

/** As many as there are. */
const ALL = Number.MAX_SAFE_INTEGER

type Asked = Pick<PageQuery, 'filters' | 'sort'>

const everyOne = ({ filters, sort }: Asked) => ({
  filters,
  sort,
  position: undefined,
  limit: ALL - 1,
  offset: 0,
  count: false,
})

async function indexedStreams(db: Db, model: Indexed, asked: Asked): Promise<Sql[] | typeof STALE> {
  const question = questionOf(model, everyOne(asked))
  const prepared = prepare(model, asked.filters)
  const measured = await measureWhole(db, model, prepared)
  if (measured === STALE) return STALE
  // The last of them finds everything.
  const way = waysFor(question, measured).at(-1)
  if (way?.way === 'nothing') return []
  const probe = way && 'filter' in way ? prepared[way.filter]?.probe : undefined
  if (way?.way === 'along' && probe)
    return [walkIds(question, probe, { isAlone: prepared.length === 1 && probe.isExact })]
  if (probe) return [gatherRecords(question, probe)]
  const { sortedBy } = question
  return sortedBy
    ? [walkKeys(question, sortedBy, undefined), walkMissing(question, sortedBy)]
    : [scanRecords(question)]
}

/**
 * Queries of id, updated_at and data: their rows, one query after the other, are the records. They come as they are
 * read where an index has the order; otherwise PostgreSQL sorts them first.
 * @param db a transaction of one snapshot @returns STALE when the model is out of date
 */
export async function streamsOf(db: Db, model: ObjectModel, asked: Asked): Promise<Sql[] | typeof STALE> {
  if (isIndexed(model)) return indexedStreams(db, model, asked)
  const { position, ...query } = everyOne(asked)
  const question: Question = { ...query, model, position, rows: ALL, sortedBy: undefined }
  return [scanRecords(question)]
}
