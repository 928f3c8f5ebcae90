// rapport cells, other commands, and the service, in an installation with a cell.
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { CellStatus } from '../server/cells/service.ts'
import type { ReportedStatus } from '../server/cells/status.ts'
import type { Pool } from '../server/db/pool.ts'
import { addressOf, startService } from '../server/entry/service-process.fixture.ts'
import { createTestDatabase, testDatabaseUrl } from '../server/test/database.ts'
import { makeNextVersion } from '../server/test/upgrade/next-version.ts'
import { json, OWNER, openCli } from './cli.fixture.ts'

const cell = await createTestDatabase()
const cli = await openCli()
const CELLS = { CELLS: `eu=${testDatabaseUrl(cell.connection.database)}` }
const rapport = (args: readonly string[]) => cli.rapport(args, CELLS)
const list = () => json<CellStatus[]>(rapport(['cells', 'list', '--json']))

describe('a cell', () => {
  test('can only be added under its name in CELLS', async () => {
    const refused = await cli.rapport(['cells', 'add', 'eu'])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is not in CELLS') })
    expect(await list()).toEqual([])
    const added = await json<CellStatus>(rapport(['cells', 'add', 'eu', '--json']))
    expect(added).toMatchObject({ cell: 1, name: 'eu', state: 'active' })
    expect(await json(rapport(['cells', 'add', 'eu', '--json']))).toEqual(added)
    expect(await list()).toEqual([{ ...added, organizations: 0, version: expect.stringMatching(/^\d{4}-/) }])
  })

  test('must stay in CELLS', async () => {
    expect(await cli.rapport(['org', 'list'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('CELLS must name the address of the cell eu'),
    })
  })

  test('gets new organizations, and commands work in it', async () => {
    const create = ['org', 'create', '--name', 'Berlin', ...OWNER]
    expect(await rapport(create)).toMatchObject({ code: 0 })
    expect(await rapport(['seed', '--org', 'berlin', '--object', 'people', '--records', '20'])).toMatchObject(
      {
        code: 0,
      },
    )
    const records = sql`select count(*)::int as n from records`
    expect([await cell.pool.value(records), await cli.pool.value(records)]).toEqual([20, 0])
    const exported = await rapport(['export', '--org', 'berlin', '--object', 'people', '--format', 'ndjson'])
    expect(exported.stdout.trim().split('\n')).toHaveLength(20)
    expect(await list()).toMatchObject([{ name: 'eu', organizations: 1 }])
  })

  test('gets no new organizations while it is drained', async () => {
    expect(await rapport(['cells', 'drain', 'eu'])).toMatchObject({ code: 0 })
    expect(await rapport(['org', 'create', '--name', 'Paris', ...OWNER])).toMatchObject({ code: 0 })
    expect(await list()).toMatchObject([{ state: 'draining', organizations: 1 }])
    expect(await rapport(['cells', 'activate', 'eu'])).toMatchObject({ code: 0 })
    expect(await rapport(['cells', 'drain', 'us'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('rapport cells list'),
    })
  })
})

describe('rapport migrate', () => {
  test('names a cell that does not respond', async () => {
    const nowhere = new URL(CELLS.CELLS.slice('eu='.length))
    nowhere.pathname = '/nowhere'
    const migrated = await cli.rapport(['migrate', '--json'], { CELLS: `eu=${nowhere.href}` })
    expect(migrated).toMatchObject({ code: 1, stdout: '{"applied":[]}\n' })
    expect(migrated.stderr).toMatch(/rapport: Not migrated: the cells eu: /)
  })
})

describe('rapport cells status', () => {
  const status = async (env: Record<string, string> = CELLS) => {
    const { code, stdout } = await cli.rapport(['cells', 'status', '--json'], env)
    const places = JSON.parse(stdout) as ReportedStatus[]
    return { code, directory: places[0], eu: places[1] }
  }

  test('shows the directory and each cell', async () => {
    const { code, directory, eu } = await status()
    expect(code).toBe(0)
    expect(directory).toMatchObject({ cell: 0, name: 'directory', isReachable: true, problems: [] })
    expect(eu).toMatchObject({
      cell: 1,
      name: 'eu',
      isReachable: true,
      state: 'active',
      organizations: 1,
      problems: [],
    })
    expect(eu).toMatchObject({ version: directory?.version, copies: { rows: 0 }, outbox: { rows: 0 } })
    expect(eu?.bytes).toBeGreaterThan(1_000_000)
    const text = await rapport(['cells', 'status'])
    expect(text.stdout).toMatch(/^eu +yes +active +\d{4}-\S+ +1 +0, 0 s +0, 0 s +\d+ MB$/m)
  })

  test('fails if a cell does not respond, has no address, or is another database', async () => {
    const nowhere = new URL(CELLS.CELLS.slice('eu='.length))
    nowhere.pathname = '/nowhere'
    const away = await status({ CELLS: `eu=${nowhere.href}` })
    expect(away).toMatchObject({ code: 1, eu: { isReachable: false, organizations: 1 } })
    expect((await status({})).eu?.problems).toEqual([expect.stringContaining('CELLS does not name')])
    const other = await status({ CELLS: `eu=${cli.env['DATABASE_URL']}` })
    expect(other).toMatchObject({ code: 1, eu: { problems: [expect.stringContaining('not the database')] } })
  })

  test('shows each cell even if the directory cannot be used', async () => {
    const nowhere = new URL(cli.env['DATABASE_URL'] ?? '')
    nowhere.pathname = '/nowhere'
    const { code, directory, eu } = await status({ ...CELLS, DATABASE_URL: nowhere.href })
    expect(code).toBe(1)
    const problems = [expect.stringContaining('there is no database nowhere')]
    expect(directory).toMatchObject({ isReachable: false, problems })
    expect(eu).toMatchObject({ cell: 1, isReachable: true, organizations: 1, problems: [] })
  })

  test('fails if changes or events wait for over a minute', async () => {
    const user = sql`select id from users limit 1`
    await cli.pool.run(sql`
      insert into identity_changes (cell, kind, id, noted_at) select 1, 'user', id, now() - interval '2 minutes' from (${user}) u`)
    await cell.pool.run(sql`
      insert into event_pending (org, reader, events, created_at)
      select org, 'webhooks', '{}', now() - interval '2 minutes' from organizations`)
    const { code, eu } = await status()
    expect(code).toBe(1)
    expect(eu?.problems).toEqual([expect.stringContaining('1 changes'), expect.stringContaining('1 entries')])
    await cli.pool.run(sql`delete from identity_changes`)
    await cell.pool.run(sql`delete from event_pending`)
  })
})

test('a newer version waits for a cell whose tables are in use, and migrates a cell of an older version', async () => {
  const next = await makeNextVersion(['alter table records add column next_color text;'], {
    raisesWriter: false,
  })
  const env = { ...cli.env, ...CELLS }
  const undo = async (pool: Pool) => {
    await pool.run(sql`alter table records drop column next_color`)
    await pool.run(sql`delete from schema_migrations where name = ${next.names[0]}`)
  }
  const status = async () =>
    JSON.parse(await next.rapport(['cells', 'status', '--json'], env)) as ReportedStatus[]

  const waitMs = 8000
  const { outcome } = await cell.pool.transaction(async (using) => {
    await using.run(sql`select from records limit 1`)
    const outcome = next.migrate(env)
    await delay(waitMs)
    return { outcome }
  })
  expect(await outcome).toEqual(next.names)
  const before = await status()
  expect(before.map(({ version }) => version)).toEqual([next.names[0], next.names[0]])

  await undo(cell.pool)
  await expect(status()).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/1 of \d+ migrations are not applied/),
  })
  await next.rapport(['org', 'list'], env)
  // PostgreSQL may change the size of a database at any time.
  const bytes = expect.any(Number)
  expect(await status()).toEqual(before.map((place) => ({ ...place, bytes })))
  for (const pool of [cli.pool, cell.pool]) await undo(pool)
})

describe('rapport doctor', () => {
  interface Finding {
    check: string
    status: string
    detail: string
  }
  const findings = async (env: Record<string, string>) => {
    const { stdout } = await cli.rapport(['doctor', '--json'], env)
    const { findings: all } = JSON.parse(stdout) as { findings: Finding[] }
    return new Map(all.map((one) => [one.check, one]))
  }

  test('examines every cell like the directory', async () => {
    const found = await findings(CELLS)
    for (const check of ['database', 'migrations', 'place', 'copies'])
      expect(found.get(`eu: ${check}`)).toMatchObject({ status: 'ok' })
  })

  test('reports a cell without an address, with a wrong address, or without a response', async () => {
    expect((await findings({})).get('eu: address')).toMatchObject({ status: 'fail' })
    const other = await findings({ CELLS: `eu=${cli.env['DATABASE_URL']}` })
    expect(other.get('eu: place')).toMatchObject({ status: 'fail' })
    const nowhere = new URL(CELLS.CELLS.slice('eu='.length))
    nowhere.pathname = '/nowhere'
    expect((await findings({ CELLS: `eu=${nowhere.href}` })).get('eu: database')).toMatchObject({
      status: 'fail',
      detail: expect.stringContaining('there is no database nowhere'),
    })
  })
})

describe('a drained cell without organizations', () => {
  test('may be left out of CELLS', async () => {
    const spare = await createTestDatabase()
    const both = { CELLS: `${CELLS.CELLS} us=${testDatabaseUrl(spare.connection.database)}` }
    expect(await cli.rapport(['cells', 'add', 'us'], both)).toMatchObject({ code: 0 })
    expect((await rapport(['org', 'list'])).code).toBe(1)
    expect(await cli.rapport(['cells', 'drain', 'us'], both)).toMatchObject({ code: 0 })
    expect((await rapport(['org', 'list'])).code).toBe(0)
    const status = await rapport(['cells', 'status', '--json'])
    const us = (JSON.parse(status.stdout) as ReportedStatus[]).find(({ name }) => name === 'us')
    expect({ code: status.code, us }).toMatchObject({ code: 0, us: { isReachable: false, problems: [] } })
    expect((await rapport(['doctor'])).stdout).toMatch(/us: address.*drained, without organizations/)
    expect(await rapport(['cells', 'activate', 'us'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not in CELLS'),
    })
  })
})

describe('the service', () => {
  const keyOf = async (org: string) => {
    const args = ['keys', 'create', '--org', org, '--name', 'Test', '--full-access', '--json']
    return (await json<{ key: string }>(rapport(args))).key
  }
  const start = async () => {
    const service = startService({ ...cli.env, ...CELLS, PORT: '0' })
    return { service, address: await addressOf(service) }
  }
  const list = (address: string, key: string) =>
    fetch(`${address}/api/v1/objects/people/records`, { headers: { authorization: `Bearer ${key}` } })

  test('serves organizations of the directory and of the cell', async () => {
    const [there, here] = [await keyOf('berlin'), await keyOf('acme')]
    const { service, address } = await start()
    const totalOf = async (key: string) =>
      ((await (await list(address, key)).json()) as { pagination: { total: number } }).pagination.total
    expect([await totalOf(there), await totalOf(here)]).toEqual([20, 0])
    // On a busy machine a readiness check may take too long.
    await expect.poll(async () => (await fetch(`${address}/readyz`)).status).toBe(200)
    const exited = once(service.child, 'exit')
    service.child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  })

  test('keeps using a cell that a newer version has migrated; a service started later does not use it', async () => {
    const [there, here] = [await keyOf('berlin'), await keyOf('acme')]
    const before = await start()
    await cell.pool.run(sql`
      insert into schema_migrations (version, name, checksum) values (9999, '9999-newer.sql', 'newer')`)
    const after = await start()
    const answers = (address: string) =>
      Promise.all([there, here].map(async (key) => (await list(address, key)).status))
    expect(await answers(before.address)).toEqual([200, 200])
    expect(await answers(after.address)).toEqual([503, 200])
    const { stdout } = await rapport(['cells', 'status'])
    expect(stdout).toContain('eu: The database belongs to a newer version of Rapport (it has 9999-newer.sql)')
    await cell.pool.run(sql`delete from schema_migrations where version = 9999`)
    await expect.poll(() => answers(after.address)).toEqual([200, 200])
  })
})
