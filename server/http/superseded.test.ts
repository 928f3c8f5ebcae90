// A process of an older version after a newer version has migrated the database: it answers reads and refuses writes.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { asNextVersion } from '../db/next-version.fixture.ts'
import { buildTestService } from '../test/build-app.ts'
import type { Requests } from '../test/dashboard-client.ts'

const service = await buildTestService()
const { ctx } = service
const org = await service.org()
const member = await org.member('owner')
const surfaces: { surface: string; client: Pick<Requests, 'get' | 'post' | 'patch' | 'delete'> }[] = [
  { surface: 'API', client: org },
  { surface: 'dashboard', client: member },
]

const COMPANIES = '/objects/companies/records'
const { body: acme } = await org.post<{ id: string }>(COMPANIES, { data: { name: 'Acme' } })

const REFUSED = {
  status: 503,
  body: {
    error: 'unavailable',
    message:
      'The service is being upgraded, and this process refuses changes of records: send the request again in a few seconds',
    details: { reason: 'upgrade', committed: 'no' },
  },
  headers: { 'retry-after': '2' },
}

describe.each(surfaces)('over the $surface', ({ client }) => {
  test.each([
    ['creating', () => client.post(COMPANIES, { data: { name: 'Beta' } })],
    ['changing', () => client.patch(`${COMPANIES}/${acme.id}`, { data: { name: 'Beta' } })],
    ['deleting', () => client.delete(`${COMPANIES}/${acme.id}`)],
    [
      'changing the model',
      () => client.post('/objects/companies/attributes', { name: 'Note', type: 'text' }),
    ],
  ])('%s is refused', (_, send) =>
    asNextVersion(ctx.db, async () => {
      expect(await send()).toMatchObject(REFUSED)
    }),
  )

  test('reads succeed, and writes succeed again when the database accepts this version', async () => {
    await asNextVersion(ctx.db, async () => {
      expect(await client.get(`${COMPANIES}/${acme.id}`)).toMatchObject({ body: { data: { name: 'Acme' } } })
      expect((await client.get(COMPANIES)).status).toBe(200)
    })
    expect((await client.patch(`${COMPANIES}/${acme.id}`, { data: { name: 'Acme' } })).status).toBe(200)
  })
})

/** Runs `work` while the database has a migration that this version does not have. */
async function afterMigration(readsFrom: number, writer: number, work: () => Promise<void>): Promise<void> {
  await ctx.directory.run(sql`
    insert into schema_migrations (version, name, checksum, reads_from, writer)
    values (9999, '9999-next.sql', 'x', ${readsFrom}, ${writer})`)
  try {
    await work()
  } finally {
    await ctx.directory.run(sql`delete from schema_migrations where version = 9999`)
  }
}

describe('/readyz', () => {
  const readiness = async () => {
    const response = await service.inject({ url: '/readyz' })
    return { status: response.statusCode, body: response.json() }
  }

  test.each([
    ['does not concern this version', 0, 'warn', 'this process goes on as before'],
    ['refuses writes of this version', 99, 'fail', 'changes of records by this process are refused'],
  ])('stays 200 after a migration that %s', (_, writer, status, what) =>
    afterMigration(0, writer, async () => {
      const detail = `a newer version has migrated the database (9999-next.sql): ${what}`
      const conditions = expect.arrayContaining([{ check: 'version', status, detail }])
      await expect.poll(readiness).toEqual({ status: 200, body: { status: 'ready', conditions } })
    }),
  )

  test('is 503 after a migration that removes something that this version reads', () =>
    afterMigration(9999, 0, async () => {
      const conditions = expect.arrayContaining([
        expect.objectContaining({ check: 'migrations', status: 'fail' }),
      ])
      await expect.poll(readiness).toMatchObject({ status: 503, body: { details: { conditions } } })
    }))
})
