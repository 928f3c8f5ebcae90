// rapport cells, and the commands and the service of an installation with a cell, as an operator runs them.
import { once } from 'node:events'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { CellStatus } from '../server/cells/service.ts'
import { addressOf, startService } from '../server/service-process.fixture.ts'
import { createTestDatabase, testDatabaseUrl } from '../server/test/database.ts'
import { json, OWNER, openCli, SLOW } from './cli.fixture.ts'

const cell = await createTestDatabase()
const cli = await openCli()
const CELLS = { CELLS: `eu=${testDatabaseUrl(cell.connection.database)}` }
const rapport = (args: readonly string[]) => cli.rapport(args, CELLS)
const list = () => json<CellStatus[]>(rapport(['cells', 'list', '--json']))

describe('a cell', () => {
  test('is added under its name in CELLS alone', async () => {
    const refused = await cli.rapport(['cells', 'add', 'eu'])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is not in CELLS') })
    expect(await list()).toEqual([])
    const added = await json<CellStatus>(rapport(['cells', 'add', 'eu', '--json']))
    expect(added).toMatchObject({ cell: 1, name: 'eu', state: 'active' })
    expect(await json(rapport(['cells', 'add', 'eu', '--json']))).toEqual(added)
    expect(await list()).toEqual([
      { ...added, organizations: 0, version: expect.stringMatching(/^\d{4}-.*\.sql$/) },
    ])
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

  test('gets none while it is drained', async () => {
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

  test('examines every cell as the directory', async () => {
    const found = await findings(CELLS)
    for (const check of ['database', 'migrations', 'place', 'copies'])
      expect(found.get(`eu: ${check}`)).toMatchObject({ status: 'ok' })
  })

  test('names a cell without an address, with a wrong one, and one that does not respond', async () => {
    expect((await findings({})).get('eu: address')).toMatchObject({ status: 'fail' })
    const other = await findings({ CELLS: `eu=${cli.env['DATABASE_URL']}` })
    expect(other.get('eu: place')).toMatchObject({ status: 'fail' })
    const nowhere = new URL(CELLS.CELLS.slice('eu='.length))
    nowhere.pathname = '/nowhere'
    expect((await findings({ CELLS: `eu=${nowhere.href}` })).get('eu: database')).toMatchObject({
      status: 'fail',
    })
  })
})

test('the service answers for organizations of the directory and of the cell', SLOW, async () => {
  const keyOf = async (org: string) => {
    const args = ['keys', 'create', '--org', org, '--name', 'Test', '--full-access', '--json']
    return (await json<{ key: string }>(rapport(args))).key
  }
  const [there, here] = [await keyOf('berlin'), await keyOf('acme')]
  const service = startService({ ...cli.env, ...CELLS, PORT: '0' })
  const address = await addressOf(service)
  const totalOf = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${address}/api/v1/objects/people/records`, { headers })
    return ((await response.json()) as { pagination: { total: number } }).pagination.total
  }
  expect([await totalOf(there), await totalOf(here)]).toEqual([20, 0])
  expect((await fetch(`${address}/readyz`)).status).toBe(200)
  const exited = once(service.child, 'exit')
  service.child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
})
