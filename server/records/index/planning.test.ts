// Statements of first pages are planned once for all of them, not for each one anew.
import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import type { Db } from '../../db/pool.ts'
import { buildTestService } from '../../test/build-app.ts'
import { sortOf } from '../sorting.ts'
import type { PageQuery } from '../store.ts'
import { selectPage } from './select-page.ts'
import { buildThings, type Things } from './things.fixture.ts'

const service = await buildTestService()
/** Five times PostgreSQL plans with what is asked in sight, before it compares. */
const TIMES = 12
const SIGHTED = 5

let things: Things

beforeAll(async () => {
  things = await buildThings(service, { as: { texts: 'values', keepsMissing: true }, records: 60, seed: 43 })
  await service.ctx.db.run(sql`analyze records, index_text, index_number`)
})

/** PostgreSQL takes the tables to be as large as those of millions of records. */
const enlarge = (tx: Db) =>
  tx.many(sql`
    select pg_restore_relation_stats('schemaname', n.nspname::text, 'relname', c.relname::text, 'relpages', 50, 'reltuples', 3000000::real)
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.oid in ('records'::regclass, 'index_text'::regclass, 'index_number'::regclass)`)

/** How often the statements of pages were planned with what is asked in sight. */
const sighted = async (tx: Db) =>
  Number(
    (
      await tx.one<{ plans: number }>(sql`
        select coalesce(sum(custom_plans), 0) as plans from pg_prepared_statements where statement ~ 'page.lines'`)
    ).plans,
  )

class Undone extends Error {}

async function plansFor(query: PageQuery): Promise<number> {
  let plans = 0
  const asked = service.ctx.db.transaction(async (tx) => {
    await enlarge(tx)
    const before = await sighted(tx)
    for (let time = 0; time < TIMES; time++) await selectPage(tx, things.model, query)
    plans = (await sighted(tx)) - before
    throw new Undone()
  })
  await expect(asked).rejects.toThrow(Undone)
  return plans
}

test.each(['created_at', 'updated_at', 'a_number', 'a_text'])('the first page by %s', async (field) => {
  const plans = await plansFor({
    filters: [],
    sort: sortOf(things.model, { field, order: 'desc', path: 'sort' }),
    position: undefined,
    limit: 20,
    offset: 0,
    count: false,
  })
  expect(plans).toBeGreaterThan(0)
  expect(plans).toBeLessThanOrEqual(SIGHTED)
})
