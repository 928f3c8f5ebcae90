// rapport org move as an operator runs it.
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Moved } from '../server/cells/move/service.ts'
import { createTestDatabase, testDatabaseUrl } from '../server/test/database.ts'
import { json, OWNER, openCli } from './cli.fixture.ts'

const [eu, us] = [await createTestDatabase(), await createTestDatabase()]
const cli = await openCli()
const addresses = {
  eu: testDatabaseUrl(eu.connection.database),
  us: testDatabaseUrl(us.connection.database),
}
const cells = ({ eu, us }: typeof addresses) => ({ CELLS: `eu=${eu} us=${us}` })
const CELLS = cells(addresses)
const move = (...args: string[]) => cli.rapport(['org', 'move', ...args], CELLS)
const refusal = (message: string | RegExp) => ({
  code: 1,
  stdout: '',
  stderr: expect.stringMatching(message),
})

beforeAll(async () => {
  for (const name of ['eu', 'us'])
    expect(await cli.rapport(['cells', 'add', name], CELLS)).toMatchObject({ code: 0 })
})

describe('rapport org move', () => {
  test('moves an organization, prints one document, and shows its phases on standard error', async () => {
    const { code, stdout, stderr } = await move('acme', '--to', 'eu', '--json')
    expect(code).toBe(0)
    const moved = JSON.parse(stdout) as Moved
    expect(moved).toEqual({
      ...{ organization: 'acme', to: 'eu', org: cli.org, source: 0, target: 1 },
      ...{ rows: expect.any(Number), refusedMs: expect.any(Number) },
    })
    expect(moved.rows).toBeGreaterThan(0)
    expect(stderr).toMatch(
      /^Preparing both cells\n.*Copying while.*\nWaiting for work.*\nFinishing: [^\n]*\n$/s,
    )
  })

  test('moves the organization back to the directory, and prints text', async () => {
    const { code, stdout } = await move('acme', '--to', 'directory')
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^Organization acme is in directory: \d+ rows copied, writes refused for \d+ ms\.\nWhat it left [^\n]* 10 minutes\.\n$/,
    )
  })

  test('refuses an unknown organization or cell', async () => {
    expect(await move('nothing', '--to', 'eu')).toEqual(
      refusal(/^rapport: .*"nothing": see rapport org list\n$/),
    )
    expect(await move('acme', '--to', 'mars')).toEqual(refusal(/^rapport: .*mars: see rapport cells list/))
  })

  test('refuses the cell that has the organization', async () => {
    expect(await move('acme', '--to', 'directory')).toEqual(refusal('in this cell already'))
  })

  test('refuses a drained cell', async () => {
    expect(await cli.rapport(['cells', 'drain', 'us'], CELLS)).toMatchObject({ code: 0 })
    expect(await move('acme', '--to', 'us')).toEqual(refusal('rapport cells activate us'))
    expect(await cli.rapport(['cells', 'activate', 'us'], CELLS)).toMatchObject({ code: 0 })
  })

  test('refuses a cell that does not respond, before anything begins', async () => {
    const nowhere = new URL(addresses.us)
    nowhere.pathname = '/nowhere'
    const away = cells({ ...addresses, us: nowhere.href })
    expect(await cli.rapport(['org', 'move', 'acme', '--to', 'us'], away)).toEqual(
      refusal(/^rapport: .*does not respond/),
    )
    expect(await move('acme', '--cancel')).toEqual(refusal('not being moved'))
  })

  test('requires either --to or --cancel, and for --cancel an open move', async () => {
    expect(await move('acme')).toEqual(refusal('Give either --to <cell> or --cancel'))
    expect(await move('acme', '--cancel')).toEqual(
      refusal('The organization is not being moved: see rapport org show'),
    )
    expect(await move('acme', '--cancel', '--to', 'eu')).toEqual(
      refusal('Give either --to <cell> or --cancel'),
    )
  })
})

describe('the cell of an organization', () => {
  const rapport = (args: readonly string[]) => cli.rapport(args, CELLS)
  const shown = (slug: string) => json<{ cell: string }>(rapport(['org', 'show', slug, '--json']))

  test('is shown by rapport org show and list', async () => {
    expect(await move('acme', '--to', 'eu')).toMatchObject({ code: 0 })
    expect(await shown('acme')).toMatchObject({ slug: 'acme', cell: 'eu', move: null, members: 1 })
    const { stdout } = await rapport(['org', 'list'])
    expect(stdout).toMatch(/CELL +MOVE\nacme .* eu$/m)
    expect((await rapport(['org', 'moves'])).stdout).toBe('No organization is being moved.\n')
  })

  test('with an interrupted move is listed, also by rapport doctor, with the command that continues it', async () => {
    await cli.pool.run(sql`
      insert into moves (org, source, target, holder, seen_at)
      select org, 1, 2, gen_random_uuid(), now() - interval '1 hour' from organizations`)
    const moves = await json(rapport(['org', 'moves', '--json']))
    const left = { from: 'eu', to: 'us', state: 'copying', isWorking: false }
    expect(moves).toMatchObject([{ slug: 'acme', ...left }])
    expect(await shown('acme')).toMatchObject({ cell: 'eu', move: left })
    expect((await rapport(['org', 'moves'])).stdout).toContain('no: rapport org move acme --to us')
    const { stdout } = await rapport(['doctor', '--json'])
    const { findings } = JSON.parse(stdout) as { findings: { check: string; status: string }[] }
    expect(findings).toContainEqual(expect.objectContaining({ check: 'moves', status: 'warn' }))
    await cli.pool.run(sql`delete from moves`)
  })

  test('is where rapport org rename and delete work', async () => {
    const create = ['org', 'create', '--name', 'Globex', ...OWNER]
    expect(await rapport(create)).toMatchObject({ code: 0 })
    expect(
      (await json<{ slug: string }>(rapport(['org', 'rename', 'globex', '--slug', 'hooli', '--json']))).slug,
    ).toBe('hooli')
    expect(await rapport(['org', 'rename', 'hooli'])).toEqual(refusal('nothing to change'))
    expect(await rapport(['org', 'delete', 'hooli'])).toEqual(refusal('confirm with --confirm hooli'))
    expect(await rapport(['org', 'delete', 'hooli', '--confirm', 'hooli'])).toMatchObject({ code: 0 })
    expect(await rapport(['org', 'show', 'hooli'])).toEqual(refusal('No organization'))
    const left = sql`select count(*)::int from organizations where slug in ('globex', 'hooli')`
    for (const { pool } of [cli, eu, us]) expect(await pool.value(left)).toBe(0)
  })
})
