// The companies that people work for. Company n is the same in every run, in the service and in a table of the limit.
import sql from 'sql-template-tag'
import type { Caller } from '../../server/base/caller.ts'
import type { Db } from '../../server/db/pool.ts'
import { createRandom } from '../../server/demo/random.ts'

/** The industries of a fifth of the companies, and of one in a thousand. */
export const [COMMON_INDUSTRY, RARE_INDUSTRY] = ['Retail', 'Other']
const INDUSTRIES = ['Finance', 'Health', 'Education', 'Energy', 'Media', 'Technology']
/** A hundredth of the companies has more employees. */
export const MANY_EMPLOYEES = 49_500
const EMPLOYEES_MAX = 50_000
const COMMON_SHARE = 0.2
const RARE_SHARE = 0.001
const SEED = 2027

/** Start of UUIDv7s with a fixed time in the past, the same in every run. */
const ID_START = '019a0000-0000-7000-8000-'
export const companyId = (nth: number): string => `${ID_START}${String(nth).padStart(12, '0')}`

interface Company {
  name: string
  domain: string
  industry: string
  employees: number
}

export function companyAt(n: number): Company {
  const random = createRandom(SEED, n)
  const share = random.next()
  const other = random.pick(INDUSTRIES)
  return {
    name: `Company ${n}`,
    domain: `company-${n}.example.com`,
    industry: share < COMMON_SHARE ? COMMON_INDUSTRY : share > 1 - RARE_SHARE ? RARE_INDUSTRY : other,
    employees: random.integer(1, EMPLOYEES_MAX),
  }
}

/** Makes companies 0 to `count - 1`, each with its unique domain and its event. */
export async function makeCompanies(
  { db }: { db: Db },
  { org, userId }: Caller,
  count: number,
): Promise<void> {
  const places = Array.from({ length: count }, (_, nth) => nth)
  await db.run(sql`
    with company as (
      insert into records (org, obj, id, updated_at, data)
      select o.org, o.obj, made.id, now(), made.data
      from objects o, unnest(${places.map(companyId)}::uuid[],
        ${places.map((nth) => JSON.stringify(companyAt(nth)))}::jsonb[]) as made (id, data)
      where o.org = ${org} and o.slug = 'companies'
      returning obj, id, data),
    event as (
      insert into events (org, id, type, obj, subject, actor, data)
      select ${org}, uuidv7(), 'record.created', obj, id, ${userId}, data from company)
    insert into uniques (org, attr, value, id)
    select ${org}, a.attr, c.data->>'domain', c.id
    from company c join attributes a on a.org = ${org} and a.obj = c.obj and a.slug = 'domain'`)
}

/** Makes the same companies in the limit's table, with the indexes that its questions use. */
export async function makeLimitCompanies(db: Db, org: number): Promise<void> {
  await db.run(sql`
    create table bench.companies as
    select r.id, r.data->>'industry' as industry, (r.data->>'employees')::int as employees
    from records r join objects o on o.org = r.org and o.obj = r.obj
    where r.org = ${org} and o.slug = 'companies'`)
  await db.run(sql`alter table bench.companies add primary key (id)`)
  await db.run(sql`create index on bench.companies (industry, id)`)
  await db.run(sql`create index on bench.companies (employees, id)`)
}
