import pg from 'pg'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestDatabase, testDatabaseUrl } from '../test/database.ts'
import { openPool } from './pool.ts'
import { WRITER } from './writer.ts'

const { pool, connection } = await createTestDatabase()
const { org } = await pool.one<{ org: number }>(
  sql`insert into organizations (id, name, slug) values (uuidv7(), 'Ada', 'ada') returning org`,
)

async function attempt(session: { application_name?: string; options?: string }, statement: string) {
  const client = new pg.Client({ ...connection, ...session })
  await client.connect()
  try {
    return (await client.query(statement)).rowCount
  } finally {
    await client.end()
  }
}

const writing = (writer: number | '') => ({ options: `-c rapport.writer=${writer}` })
const OLDER = [writing(WRITER - 1), { application_name: `rapport/${WRITER - 1}` }]
const WRITES = [
  'update records set data = data where false',
  `insert into records (org, obj, id, updated_at, data) select 0, 0, uuidv7(), now(), '{}' where false`,
  'delete from records where false',
  'update objects set slug = slug where false',
  'update attributes set slug = slug where false',
  'delete from stat_changes where false',
  'update activities set title = title where false',
]

test.each(WRITES)(
  'writes of older versions fail with the error of a starting database: %s',
  async (write) => {
    for (const session of OLDER)
      await expect(attempt(session, write)).rejects.toMatchObject({
        code: '57P03',
        message: expect.stringContaining('newer version'),
      })
  },
)

test('older versions can still read', async () => {
  for (const session of OLDER) expect(await attempt(session, 'select from records')).toBe(0)
})

test('writes of psql, of restores and of newer versions are accepted', async () => {
  expect(await attempt({ application_name: 'psql' }, 'delete from records')).toBe(0)
  expect(await attempt({}, 'delete from records')).toBe(0)
  expect(await attempt(writing(''), 'delete from records')).toBe(0)
  expect(await attempt({ application_name: `rapport/${WRITER}` }, 'delete from records')).toBe(0)
  expect(await attempt(writing(WRITER), 'delete from records')).toBe(0)
  expect(await attempt(writing(WRITER + 1), 'delete from records')).toBe(0)
})

test.each([
  'application_name=rapport',
  'application_name=crm',
  'options=-c%20geqo%3Doff',
  'application_name=rapport&options=-c%20geqo%3Doff',
])('this version can write when DATABASE_URL contains %s', async (parameter) => {
  const url = new URL(testDatabaseUrl(connection.database))
  const connectionString = `${url.href}&${parameter}`
  const pool = openPool({
    connection: { connectionString },
    max: 1,
    statementTimeoutMs: 1000,
    onError: () => undefined,
  })
  await expect(pool.run(sql`delete from records`).finally(pool.close)).resolves.toBe(0)
})

test('this version can write after a reset of its session', async () => {
  const client = await pool.connect()
  await client.query('reset all')
  const { rowCount } = await client.query(
    `insert into objects (org, id, type, plural_name, singular_name, description, slug)
     values (${org}, uuidv7(), 'custom', 'Cases', 'Case', '', 'cases')`,
  )
  client.release()
  expect(rowCount).toBe(1)
})

test('the previous version cannot write unique values while an attribute ignores case', async () => {
  const insert = `insert into uniques (org, attr, value, id) select 0, 0, '', uuidv7() where false`
  const before = writing(WRITER)
  const now = { options: `-c rapport.writer=${WRITER} -c rapport.unique_keys=by-rule` }
  expect(await attempt(before, insert)).toBe(0)
  const obj = await pool.value<number>(sql`
    insert into objects (org, id, type, plural_name, singular_name, description, slug)
    values (${org}, uuidv7(), 'custom', 'Parts', 'Part', '', 'parts') returning obj`)
  await pool.run(sql`
    insert into attributes (org, obj, id, name, slug, type, is_required, is_unique, is_list, display_order, config)
    values (${org}, ${obj}, uuidv7(), 'Code', 'code', 'text', false, true, false, 0, '{"caseSensitive":false}')`)
  await expect(attempt(before, insert)).rejects.toMatchObject({ code: '57P03' })
  expect(await attempt(now, insert)).toBe(0)
  expect(await attempt({ application_name: 'psql' }, insert)).toBe(0)
  expect(
    await pool.run(sql`insert into uniques (org, attr, value, id) select 0, 0, '', uuidv7() where false`),
  ).toBe(0)
})

test('the previous version cannot write records while an attribute is becoming unique', async () => {
  const change = 'update records set data = data where false'
  const before = { options: `-c rapport.writer=${WRITER} -c rapport.unique_keys=by-rule` }
  const now = { options: `-c rapport.writer=${WRITER} -c rapport.unique_keys=by-change` }
  const obj = await pool.value<number>(sql`
    insert into objects (org, id, type, plural_name, singular_name, description, slug)
    values (${org}, uuidv7(), 'custom', 'Tools', 'Tool', '', 'tools') returning obj`)
  const attr = await pool.value<number>(sql`
    insert into attributes (org, obj, id, name, slug, type, is_required, is_unique, is_list, display_order)
    values (${org}, ${obj}, uuidv7(), 'Code', 'code', 'text', false, false, false, 0) returning attr`)
  expect(await attempt(before, change)).toBe(0)
  await pool.run(sql`
    insert into case_changes (org, attr, is_sensitive, of_uniqueness, phase) values (${org}, ${attr}, true, true, 'fill')`)
  await expect(attempt(before, change)).rejects.toMatchObject({ code: '57P03' })
  // Only records have unique keys: writes to other tables are accepted.
  expect(await attempt(before, 'update activities set title = title where false')).toBe(0)
  expect(await attempt(now, change)).toBe(0)
  expect(await attempt({ application_name: 'psql' }, change)).toBe(0)
  // A job of the previous version would treat this as a change of case sensitivity.
  for (const seal of ['update case_changes set since = since', 'delete from case_changes']) {
    const ofIt = `${seal} where attr = ${attr}`
    await expect(attempt(before, ofIt)).rejects.toMatchObject({ code: '57P03' })
    await expect(attempt({ application_name: `rapport/${WRITER}` }, ofIt)).rejects.toMatchObject({
      code: '57P03',
    })
  }
  await pool.run(sql`update case_changes set phase = 'clear' where attr = ${attr}`)
  expect(await attempt(before, change)).toBe(0)
})

test('the previous version cannot run jobs whose file it would read differently', async () => {
  const obj = await pool.value<number>(sql`
    insert into objects (org, id, type, plural_name, singular_name, description, slug)
    values (${org}, uuidv7(), 'custom', 'Rows', 'Row', '', 'rows') returning obj`)
  const user = await pool.value<string>(sql`
    insert into users (id, name, email) values (uuidv7(), 'Ada', 'ada@example.com') returning id`)
  const job = async (settings: object): Promise<string> => {
    const id = await pool.value<string>(sql`
      insert into record_jobs (org, id, obj, type, status, settings, created_by)
      values (${org}, uuidv7(), ${obj}, 'import', 'queued', ${JSON.stringify(settings)}::jsonb, ${user}) returning id`)
    return `update record_jobs set read_lines = 1 where id = '${id}'`
  }
  const [plain, local] = [await job({ format: 'csv' }), await job({ format: 'csv', decimal: ',' })]
  const before = { options: `-c rapport.writer=${WRITER} -c rapport.unique_keys=by-change` }
  expect(await attempt(before, plain)).toBe(1)
  await expect(attempt(before, local)).rejects.toMatchObject({ code: '57P03' })
  expect(await attempt({ application_name: 'psql' }, local)).toBe(1)
  expect(await pool.run(sql`update record_jobs set read_lines = 2 where settings ? 'decimal'`)).toBe(1)
})

test('the previous version cannot write a job that only checks its file', async () => {
  const obj = await pool.value<number>(sql`
    insert into objects (org, id, type, plural_name, singular_name, description, slug)
    values (${org}, uuidv7(), 'custom', 'Crates', 'Crate', '', 'crates') returning obj`)
  const user = await pool.value<string>(sql`
    insert into users (id, name, email) values (uuidv7(), 'Cy', 'cy@example.com') returning id`)
  const id = await pool.value<string>(sql`
    insert into record_jobs (org, id, obj, type, status, settings, created_by)
    values (${org}, uuidv7(), ${obj}, 'import', 'awaiting_upload', '{"dryRun": true}', ${user}) returning id`)
  const write = `update record_jobs set status = 'queued' where id = '${id}'`
  const before = {
    options: `-c rapport.writer=${WRITER} -c rapport.unique_keys=by-change -c rapport.job_tables=of-imports`,
  }
  for (const session of [before, ...OLDER])
    await expect(attempt(session, write)).rejects.toMatchObject({ code: '57P03' })
  expect(await attempt({ application_name: 'psql' }, write)).toBe(1)
  expect(await pool.run(sql`update record_jobs set read_lines = 1 where id = ${id}`)).toBe(1)
})

test('the previous version cannot write an import that a job runs, or this job', async () => {
  const obj = await pool.value<number>(sql`
    insert into objects (org, id, type, plural_name, singular_name, description, slug)
    values (${org}, uuidv7(), 'custom', 'Boxes', 'Box', '', 'boxes') returning obj`)
  const user = await pool.value<string>(sql`
    insert into users (id, name, email) values (uuidv7(), 'Bo', 'bo@example.com') returning id`)
  const settings = JSON.stringify({ isJob: true })
  const id = await pool.value<string>(sql`
    insert into imports (org, id, obj, state, file_name, settings, created_by)
    values (${org}, uuidv7(), ${obj}, 'running', 'a.csv', ${settings}::jsonb, ${user}) returning id`)
  await pool.run(sql`
    insert into record_jobs (org, id, obj, type, status, settings, created_by)
    values (${org}, ${id}, ${obj}, 'import', 'queued', '{"ofImport": true}', ${user})`)
  const writes = ['record_jobs set read_lines = 1', 'imports set rows_done = 1'].map(
    (change) => `update ${change} where id = '${id}'`,
  )
  const before = {
    options: `-c rapport.writer=${WRITER} -c rapport.unique_keys=by-change -c rapport.job_tables=as-written`,
  }
  for (const write of writes) {
    for (const session of [before, ...OLDER])
      await expect(attempt(session, write)).rejects.toMatchObject({ code: '57P03' })
    expect(await attempt({ application_name: 'psql' }, write)).toBe(1)
  }
  expect(await pool.run(sql`update imports set state = 'completed' where org = ${org} and id = ${id}`)).toBe(
    1,
  )
  // All versions may undo and remove a completed import.
  expect(await attempt(before, `update imports set undone_at = now() where id = '${id}'`)).toBe(1)
})
