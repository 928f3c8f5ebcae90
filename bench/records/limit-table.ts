// The limit: the same people in a table made by hand, with the indexes that a good database administrator makes.
import sql from 'sql-template-tag'
import type { Db } from '../../server/db/pool.ts'
import { copyLine } from './copy.ts'
import type { Person } from './people.ts'

export const LIMIT_TABLE = 'bench.people'

const TABLE = sql`
  create table bench.people (
    id uuid not null, created_at timestamptz not null, updated_at timestamptz not null,
    first_name text not null, last_name text not null, email text, phone text, company uuid, industry text,
    employees int, revenue numeric, currency text, is_customer boolean, last_contacted date, notes text, city text,
    job_title text, linkedin text, website text, score numeric, source text)`

/** Columns in the order of the values of `limitLine`. */
const COLUMNS = [
  ...['id', 'created_at', 'updated_at', 'first_name', 'last_name', 'email', 'phone', 'company', 'industry'],
  ...['employees', 'revenue', 'currency', 'is_customer', 'last_contacted', 'notes', 'city', 'job_title'],
  ...['linkedin', 'website', 'score', 'source'],
]

export const LIMIT_COLUMNS = COLUMNS.join(', ')

/** The columns of one person except id and times. */
export const flat = ({ name, revenue, ...rest }: Person) => ({
  first_name: name.firstName,
  last_name: name.lastName,
  revenue: revenue.amount,
  currency: revenue.currency,
  ...rest,
})

export interface RecordTimes {
  id: string
  /** ISO 8601 */
  createdAt: string
  updatedAt: string
}

/** A line of COPY for `LIMIT_COLUMNS`. */
export function limitLine({ id, createdAt, updatedAt }: RecordTimes, person: Person): string {
  const row: Record<string, string | number | boolean> = {
    id,
    created_at: createdAt,
    updated_at: updatedAt,
    ...flat(person),
  }
  return copyLine(COLUMNS.map((column) => row[column]))
}

/** The full name in lower case, which is searched and sorted. */
export const LIMIT_NAME = "lower(first_name || ' ' || last_name)"

/** Made after the rows are loaded, which is faster. */
export const LIMIT_INDEXES = [
  'alter table bench.people add primary key (id)',
  'create index on bench.people (created_at, id)',
  'create index on bench.people (updated_at, id)',
  'create unique index on bench.people (lower(email))',
  'create index on bench.people (phone)',
  'create index on bench.people (industry, created_at, id)',
  'create index on bench.people (employees, id)',
  'create index on bench.people (revenue)',
  'create index on bench.people (is_customer, created_at, id)',
  'create index on bench.people (last_contacted)',
  'create index on bench.people (company, created_at, id)',
  'create index on bench.people (lower(city))',
  `create index on bench.people (${LIMIT_NAME}, id)`,
  'create index on bench.people (linkedin)',
  'create index on bench.people (source)',
  'create index on bench.people (score)',
  `create index on bench.people using gin (lower(city) gin_trgm_ops, ${LIMIT_NAME} gin_trgm_ops,
    lower(email) gin_trgm_ops, lower(notes) gin_trgm_ops)`,
]

/** Makes the empty table, without indexes. */
export async function makeLimitTable(db: Db): Promise<void> {
  await db.run(sql`create extension if not exists pg_trgm`)
  await db.run(sql`create schema bench`)
  await db.run(TABLE)
}
