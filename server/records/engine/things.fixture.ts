// An indexed object with random values of every type, and its pages by a scan: the expected result of every access
// path.
import fc from 'fast-check'
import sql from 'sql-template-tag'
import type { Org } from '../../test/factories.ts'
import type { SharedService } from '../../test/shared-service.ts'
import { buildEveryType, dataOf } from '../every-type.fixture.ts'
import { scanPage } from './full-scan.ts'
import { type IndexedAs, indexEmptyObject } from './indexed.fixture.ts'
import { foldObject } from './maintenance/fold.ts'
import type { Page, PageQuery } from './page-query.ts'
import type { Indexed } from './statistics.ts'

export interface Things {
  org: Org
  model: Indexed
  /** In the order of their creation. */
  ids: string[]
  /** The page by a scan. */
  scanned(query: PageQuery): Promise<Page>
  /** Folds all changes, and reloads the model. An attribute may be counted in another way afterwards. */
  fold(): Promise<void>
}

const BULK = 60

/** With a seed, the records are the same in each run: for tests of PostgreSQL's plans. */
export async function buildThings(
  { ctx: { db, models }, ...service }: SharedService,
  { as, records, seed }: { as: IndexedAs; records: number; seed?: number },
): Promise<Things> {
  const org = await service.org()
  const { id, ...named } = await buildEveryType(org, (object) => indexEmptyObject(db, object, as))
  const rows = fc
    .sample(dataOf(named), { numRuns: records, ...(seed !== undefined && { seed }) })
    .map((data) => ({ data }))
  const ids = [...named.targets]
  for (let from = 0; from < rows.length; from += BULK) {
    const { body } = await org.post<{ results: { id: string }[] }>('/objects/things/records/bulk', {
      records: rows.slice(from, from + BULK),
    })
    ids.push(...body.results.map((result) => result.id))
  }
  const { number } = await db.one<{ number: number }>(sql`select org as number from objects where id = ${id}`)
  const load = async (): Promise<Indexed> => {
    const model = await models.get(db, number, id)
    const { index } = model
    if (!index) throw new Error('The object has no index')
    return { ...model, index }
  }
  const things: Things = {
    org,
    model: await load(),
    ids,
    async scanned(query) {
      const page = await scanPage(db, things.model, query)
      return page
    },
    async fold() {
      while ((await foldObject(db, things.model)).hasMore);
      models.forget(things.model)
      things.model = await load()
    },
  }
  return things
}

export const idsOf = ({ records }: { records: readonly { id: string }[] }): string[] =>
  records.map(({ id }) => id)
