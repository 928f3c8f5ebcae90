import pg from 'pg'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { createTestDatabase, testDatabaseUrl } from '../test/database.ts'
import { openPool } from './pool.ts'

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

const OLDER = { application_name: 'rapport' }
const SECOND = { application_name: 'rapport/2', options: '-c rapport.writer=2' }
const THIRD = { application_name: 'rapport/3', options: '-c rapport.writer=3' }
const FOURTH = { application_name: 'rapport/4', options: '-c rapport.writer=4' }
const FIFTH = { application_name: 'rapport/5', options: '-c rapport.writer=5' }
const SIXTH = { application_name: 'rapport/6', options: '-c rapport.writer=6' }
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
  'processes of older versions are turned away as by a database that starts: %s',
  async (write) => {
    for (const session of [OLDER, SECOND, THIRD, FOURTH, FIFTH, SIXTH])
      await expect(attempt(session, write)).rejects.toMatchObject({
        code: '57P03',
        message: expect.stringContaining('newer version'),
      })
  },
)

test.each(['6', '5', '4', '3', '2', '1', '', '0'])(
  'so is one that reports an older writing: "%s"',
  (writer) =>
    expect(
      attempt({ ...OLDER, options: `-c rapport.writer=${writer}` }, 'delete from records'),
    ).rejects.toMatchObject({ code: '57P03' }),
)

test('what they read they get', async () => {
  for (const session of [OLDER, SECOND, THIRD, FOURTH, FIFTH, SIXTH])
    expect(await attempt(session, 'select from records')).toBe(0)
})

test('others are not looked at: people with a prompt, restores, newer versions', async () => {
  expect(await attempt({ application_name: 'psql' }, 'delete from records')).toBe(0)
  expect(await attempt({}, 'delete from records')).toBe(0)
  expect(await attempt({ application_name: 'rapport/7' }, 'delete from records')).toBe(0)
  expect(await attempt({ ...OLDER, options: '-c rapport.writer=7' }, 'delete from records')).toBe(0)
})

test.each([
  'application_name=rapport',
  'application_name=crm',
  'options=-c%20geqo%3Doff',
  'application_name=rapport&options=-c%20geqo%3Doff',
])('this version writes, also when DATABASE_URL says %s', async (parameter) => {
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

test('this version writes, also after a session was reset', async () => {
  const client = await pool.connect()
  await client.query('reset all')
  const { rowCount } = await client.query(
    `insert into objects (org, id, type, plural_name, singular_name, description, slug)
     values (${org}, uuidv7(), 'custom', 'Cases', 'Case', '', 'cases')`,
  )
  client.release()
  expect(rowCount).toBe(1)
})
