// Pages of records: a large object is read by its index, a small one gone through.
import type { ObjectModel, STALE } from '../../attributes/models.ts'
import type { Db } from '../../db/pool.ts'
import { type Page, type PageQuery, scanPage } from '../store.ts'
import type { Indexed } from './measure.ts'
import { selectIndexedPage } from './page.ts'

export const isIndexed = (model: ObjectModel): model is Indexed =>
  model.index?.state === 'ready' && model.index.isCounted

/** @returns STALE when the model is out of date: the statement answers no row then */
export const selectPage = (db: Db, model: ObjectModel, query: PageQuery): Promise<Page | typeof STALE> =>
  isIndexed(model) ? selectIndexedPage(db, model, query) : scanPage(db, model, query)
