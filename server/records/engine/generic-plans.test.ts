// Statements of first pages get one generic plan. PostgreSQL does not plan each page again.
import pg from 'pg'
import sql, { raw, type Sql } from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { FilterOperator } from '../../../contract/operators.ts'
import type { Db } from '../../db/pool.ts'
import { buildTestService } from '../../test/build-app.ts'
import { filtersOfSearch } from '../filters/input.ts'
import { sortOf } from '../rows/sorting.ts'
import { selectPage } from './executor.ts'
import { countQuery } from './sql/count-query.ts'
import { prepareFilters } from './sql/prepared-filters.ts'
import { buildThings, type Things } from './things.fixture.ts'

const service = await buildTestService()
const { db } = service.ctx
/** PostgreSQL plans the first five executions with the parameter values. Then it compares these with a generic plan. */
const TIMES = 12
const SIGHTED = 5

const things = await buildThings(service, {
  as: { texts: 'values', keepsMissing: true },
  records: 60,
  seed: 43,
})
await db.run(sql`analyze records, index_text, index_number`)

/** The first statement of a page. */
async function statementOf(field: string): Promise<Sql> {
  const asked: Sql[] = []
  const listening: Db = {
    ...db,
    maybeOne: (statement) => {
      asked.push(statement)
      return db.maybeOne(statement)
    },
  }
  const sort = sortOf(things.model, { field, order: 'desc', path: 'sort' })
  const page = { filters: [], sort, position: undefined, limit: 20, offset: 0, count: false }
  await selectPage(listening, things.model, page)
  const [first] = asked
  if (!first) throw new Error('Nothing was asked')
  return first
}

/** Makes PostgreSQL estimate that the tables have that many rows, or a multiple of it. */
const enlarge = (rows: number) => sql`
  select pg_restore_relation_stats('schemaname', n.nspname::text, 'relname', c.relname::text, 'relpages', 50,
           'reltuples', ${rows}::real)
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid in ('records'::regclass, 'index_text'::regclass, 'index_number'::regclass, 'index_search'::regclass)`

const literal = (value: unknown) => (value === null ? 'null' : pg.escapeLiteral(String(value)))

/** How often PostgreSQL plans a repeated statement with its parameter values. */
async function plansFor({ text, values }: Sql, tx: Db): Promise<number> {
  const page = raw(`page_of_test`)
  await tx.many(enlarge(3_000_000))
  await tx.run(sql`prepare ${page} as ${raw(text)}`)
  for (let time = 0; time < TIMES; time++)
    await tx.run(sql`execute ${page} (${raw(values.map(literal).join(', '))})`)
  const { plans } = await tx.one<{ plans: number }>(sql`
    select custom_plans as plans from pg_prepared_statements where name = ${page.text}`)
  await tx.run(sql`deallocate ${page}`)
  return plans
}

class Undone extends Error {}

/** Runs `work` in a transaction that is rolled back. */
async function undone<Result>(work: (tx: Db) => Promise<Result>): Promise<Result> {
  const results: Result[] = []
  const asked = db.transaction(async (tx) => {
    results.push(await work(tx))
    throw new Undone()
  })
  await expect(asked).rejects.toThrow(Undone)
  return results[0] as Result
}

test.each(['created_at', 'updated_at', 'a_number', 'a_text'])(
  'the first page by %s gets a generic plan',
  async (field) => {
    const statement = await statementOf(field)
    const plans = await undone((tx) => plansFor(statement, tx))
    expect(plans).toBeGreaterThan(0)
    expect(plans).toBeLessThanOrEqual(SIGHTED)
  },
)

interface Asked {
  attributeSlug: string
  operator: FilterOperator
  value: string
}

const indexesOf = ({ model }: Things) => ({ owner: model, index: model.index })

/** PostgreSQL's plan for counting the matches of all filters, in tables of a billion rows and with little memory. */
function planOf(of: Things, filters: readonly Asked[]): Promise<string> {
  const locale = { country: 'US', currency: 'USD' }
  const prepared = prepareFilters(indexesOf(of), filtersOfSearch({ filters }, of.model, locale))
  const places = prepared.map((_, place) => place)
  const count = countQuery(of.model, prepared, { by: 'intersection', filters: places, areSmall: true })
  return undone(async (tx) => {
    await tx.many(enlarge(1e9))
    await tx.run(sql`set local work_mem = '1MB'`)
    const lines = await tx.many<Record<string, string>>(sql`explain (costs off) ${count}`)
    return lines.flatMap((line) => Object.values(line)).join('\n')
  })
}

const ALL_NUMBERS: Asked = { attributeSlug: 'a_number', operator: 'greaterThan', value: '0' }
const ALL_ADDRESSES: Asked = { attributeSlug: 'a_email', operator: 'isNotEmpty', value: 'true' }

test('ids are looked up in hash tables, even if PostgreSQL estimates too many for its memory', async () => {
  const days: Asked = { attributeSlug: 'a_date', operator: 'lessThan', value: '2030-01-01' }
  const plan = await planOf(things, [ALL_NUMBERS, days, ALL_ADDRESSES])
  expect(plan.match(/hashed SubPlan/g), plan).toHaveLength(2)
})

test('the ids for a part of a text come from the trigram index', async () => {
  const searched = await buildThings(service, {
    as: { texts: 'presence', keepsMissing: true },
    records: 60,
    seed: 44,
  })
  const part: Asked = { attributeSlug: 'a_text', operator: 'contains', value: 'quarter' }
  const plan = await planOf(searched, [part, ALL_ADDRESSES])
  expect(plan).toMatch(/hashed SubPlan/)
  expect(plan).toMatch(/Index Scan on index_search_value/)
})

test('a word of a free-text search is looked up in the trigram indexes of texts and of folded texts', async () => {
  const searched = await buildThings(service, {
    as: { texts: 'presence', keepsMissing: true },
    records: 60,
    seed: 45,
  })
  const locale = { country: 'US', currency: 'USD' }
  const [word] = prepareFilters(
    indexesOf(searched),
    filtersOfSearch({ q: 'quarter' }, searched.model, locale),
  )
  const plan = await undone(async (tx) => {
    await tx.run(enlarge(1e9))
    const lines = await tx.many<Record<string, string>>(
      sql`explain (costs off) ${word?.indexCondition?.ids ?? sql``}`,
    )
    return lines.flatMap((line) => Object.values(line)).join('\n')
  })
  for (const name of ['index_search_value', 'index_search_folded'])
    expect(plan).toContain(`Index Scan on ${name}`)
  expect(plan).not.toMatch(/Seq Scan/)
})
