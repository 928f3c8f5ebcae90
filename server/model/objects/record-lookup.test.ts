import pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { recordOf, recordsByIds } from './record-lookup.ts'

const { pool, connection } = await createTestDatabase()
const LARGE = { org: 1, obj: 1 }
const ID = '0198c0de-0000-7000-8000-000000000001'
const IDS = sql`${`{${ID}}`}::uuid[]`

/** The generic plan, which is used for any object. */
async function planOf({ text, values }: Sql): Promise<string> {
  const client = new pg.Client({ ...connection, options: '-c plan_cache_mode=force_generic_plan' })
  await client.connect()
  try {
    await client.query(`prepare lookup as ${text}`)
    const given = values.map((value) => client.escapeLiteral(String(value)))
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain execute lookup(${given.join(', ')})`,
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  } finally {
    await client.end()
  }
}

beforeAll(async () => {
  await pool.run(sql`
    insert into records (org, obj, id, updated_at, data)
    select 1, 1, uuidv7(make_interval(secs => -g)), now() - make_interval(secs => g), '{"name": "Ada"}'::jsonb
    from generate_series(1, 20000) as g
    union all
    select 1000 + g / 20, 10000 + g / 10, uuidv7(), now() - make_interval(secs => g), '{"name": "Ada"}'
    from generate_series(1, 20000) as g`)
  await pool.run(sql`vacuum analyze records`)
})

test.each([
  {
    what: 'one',
    query: sql`select r.id, r.data from (values (${ID}::uuid)) as i(id) ${recordOf(LARGE, sql`i.id`)}`,
  },
  { what: 'several', query: sql`select r.id, r.data from ${recordsByIds(LARGE, IDS)}` },
  {
    what: 'several to be locked',
    query: sql`select r.id from ${recordsByIds(LARGE, IDS, { lock: sql`for no key update` })}`,
  },
])(
  'finds records of a large object among thousands of small ones by key, without a scan: $what',
  async ({ query }) => {
    const plan = await planOf(query)
    expect(plan).toContain('records_pkey')
    expect(plan).not.toContain('records_updated')
  },
)
