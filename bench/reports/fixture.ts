// Deals and companies (one for ten deals) as records, and the same data in hand-made tables.
import sql, { type Sql } from 'sql-template-tag'
import type { Caller } from '../../server/base/caller.ts'
import { newId } from '../../server/base/id.ts'
import type { Context } from '../../server/context.ts'
import type { Db } from '../../server/db/pool.ts'
import { createKey } from '../../server/identity/api-keys/service.ts'
import { seedStandardObjects } from '../../server/model/objects/standard.ts'
import type { Numbers } from './questions.ts'

const DEALS_PER_COMPANY = 10
/** Records for each statement, which then takes a few seconds. */
const BATCH = 100_000

interface Batch {
  /** Numbers of the first and the last deal. */
  from: number
  to: number
  companies: number
}

async function insertOrganization({ db }: Context): Promise<Caller> {
  const [orgId, userId] = [newId(), newId()]
  const { org } = await db.one<{ org: number }>(
    sql`insert into organizations (id, name, slug) values (${orgId}, 'Bench', 'bench-reports') returning org`,
  )
  await db.run(sql`insert into users (id, name, email) values (${userId}, 'Olivia', 'olivia@example.com')`)
  await db.run(sql`
    insert into members (id, organization_id, user_id, role) values (${newId()}, ${orgId}, ${userId}, 'owner')`)
  await db.transaction((tx) => seedStandardObjects(tx, org))
  return { org, orgId, userId, keyId: null, country: 'US', currency: 'USD' }
}

/** SQL for the id of the nth company. */
const companyId = (nth: Sql) => sql`('019a0000-0000-7000-8000-' || lpad((${nth})::text, 12, '0'))::uuid`

const INDUSTRIES = ['Energy', 'Media', 'Health', 'Finance', 'Retail', 'Technology', 'Transport', 'Education']
const STAGES = ['Lead', 'Qualified', 'Proposal', 'Won', 'Lost']

const insertCompanies = (db: Db, org: number, count: number): Promise<number> =>
  db.run(sql`
    insert into records (org, obj, id, updated_at, data)
    select org, obj, ${companyId(sql`n`)}, now(), jsonb_build_object(
      'name', 'Company ' || n, 'domain', 'company-' || n || '.example.com',
      'industry', (${INDUSTRIES}::text[])[1 + n % ${INDUSTRIES.length}::int], 'employees', n % 5000)
    from objects, generate_series(1, ${count}::int) as n where org = ${org} and slug = 'companies'`)

const insertDeals = (db: Db, org: number, { from, to, companies }: Batch): Promise<number> =>
  db.run(sql`
    insert into records (org, obj, id, updated_at, data)
    select org, obj, uuidv7(), now(), jsonb_build_object(
      'name', 'Deal number ' || n, 'stage', (${STAGES}::text[])[1 + n % ${STAGES.length}::int],
      'amount', jsonb_build_object('amount', (n * 7919 % 10000000) / 100.0, 'currency', 'USD'),
      'close_date', (date '2024-01-01' + (n * 31 % 1000)::int)::text,
      'company', ${companyId(sql`1 + n * 97 % ${companies}::int`)})
    from objects, generate_series(${from}::bigint, ${to}::bigint) as n
    where org = ${org} and slug = 'deals'`)

/** Makes tables for these questions only: typed columns, a primary key, nothing else. */
async function makeTables(db: Db, org: number): Promise<void> {
  await db.run(sql`
    create table hand_companies as
    select r.id, r.data->>'name' as name, r.data->>'domain' as domain, r.data->>'industry' as industry,
      (r.data->>'employees')::int as employees
    from records r join objects o using (org, obj) where r.org = ${org} and o.slug = 'companies'`)
  await db.run(sql`alter table hand_companies add primary key (id)`)
  await db.run(sql`
    create table hand_deals as
    select r.id, r.data->>'name' as name, r.data->>'stage' as stage,
      (r.data->'amount'->>'amount')::numeric as amount, r.data->'amount'->>'currency' as currency,
      (r.data->>'close_date')::date as close_date, (r.data->>'company')::uuid as company
    from records r join objects o using (org, obj) where r.org = ${org} and o.slug = 'deals'`)
  await db.run(sql`alter table hand_deals add primary key (id)`)
}

/** Reads the internal numbers of the organization and its objects. */
const selectNumbers = (db: Db, org: number): Promise<Numbers> =>
  db.one<Numbers>(sql`
    select org, max(obj) filter (where slug = 'deals') as deals, max(obj) filter (where slug = 'companies') as companies
    from objects where org = ${org} group by org`)

export interface ReportsFixture {
  deals: number
  numbers: Numbers
  caller: Caller
  key: string
}

/** @param tell receives the progress */
export async function makeReportsFixture(
  ctx: Context,
  deals: number,
  tell: (line: string) => void,
): Promise<ReportsFixture> {
  const caller = await insertOrganization(ctx)
  const companies = Math.ceil(deals / DEALS_PER_COMPANY)
  await insertCompanies(ctx.db, caller.org, companies)
  for (let from = 1; from <= deals; from += BATCH) {
    const to = Math.min(from + BATCH - 1, deals)
    await insertDeals(ctx.db, caller.org, { from, to, companies })
    tell(`${to} deals`)
  }
  await makeTables(ctx.db, caller.org)
  await ctx.db.run(sql`vacuum analyze`)
  const { key } = await createKey(ctx, caller.org, { name: 'Bench', scopes: null, createdBy: caller.userId })
  return { caller, key, deals, numbers: await selectNumbers(ctx.db, caller.org) }
}
