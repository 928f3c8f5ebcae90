// rapport org move is killed by SIGKILL in each of its phases, while clients write and read.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { PEOPLE, rowsIn } from '../server/cells/move/move.fixture.ts'
import { settleMoves } from '../server/cells/move/settle.ts'
import { findMove } from '../server/cells/move/store.ts'
import { type Account, read, write } from '../server/cells/move/traffic.fixture.ts'
import { buildTestService } from '../server/test/build-app.ts'
import { createTestCells } from '../server/test/cells.ts'
import { CHILD_ENVIRONMENT } from '../server/test/child-environment.ts'
import { testDatabaseUrl } from '../server/test/database.ts'
import type { Org } from '../server/test/factories.ts'
import { temporaryFolder } from '../server/test/temporary-folder.ts'
import { MAIN, run } from './cli.fixture.ts'

const databases = await createTestCells()
const service = await buildTestService({}, undefined, databases)
const directory = databases.pool
const [one, two] = [service.ctx.cells.of(1), service.ctx.cells.of(2)]
const folder = await temporaryFolder('move')

const env = {
  DATABASE_URL: testDatabaseUrl(databases.connection.database),
  CELLS: databases.addresses.map(({ name, databaseUrl }) => `${name}=${databaseUrl}`).join(' '),
  DATA_DIR: folder,
}
const command = (org: Org, ...args: string[]) => [MAIN, 'org', 'move', org.id, ...args]
const again = (org: Org) => run(command(org, '--to', 'two', '--json'), env)

/** The start of the line on standard error at the beginning of a phase. */
const BEGINS = {
  preparing: 'Preparing',
  copying: 'Copying while',
  closing: 'Waiting for work',
  finishing: 'Finishing',
}
type Phase = keyof typeof BEGINS

/** @param afterMs after the beginning of the phase @returns false if the command had ended before */
async function killIn(phase: Phase, org: Org, afterMs: number): Promise<boolean> {
  const child = spawn(process.execPath, command(org, '--to', 'two'), {
    env: { ...CHILD_ENVIRONMENT, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  let heard = ''
  const begun = new Promise<void>((resolve) => {
    // Standard error is read to the end, because the command fails if it cannot write.
    child.stderr.on('data', (text) => {
      heard += text
      if (heard.includes(BEGINS[phase])) resolve()
    })
  })
  await Promise.race([begun, exited])
  expect(heard).toContain(BEGINS[phase])
  await delay(afterMs)
  child.kill('SIGKILL')
  const [code, signal] = await exited
  expect(signal ?? code).toSatisfy((end) => end === 'SIGKILL' || end === 0, heard)
  return signal !== null
}

const cellOf = ({ org }: Org) =>
  directory.value<number>(sql`select cell from organizations where org = ${org}`)

const until = (check: () => Promise<boolean>) => expect.poll(check).toBe(true)

/** Settles moves, as the background work of a process does every second. */
async function worker(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await settleMoves(service.ctx)
    await delay(200)
  }
}

async function whileUsed(org: Org, work: () => Promise<void>): Promise<Account> {
  let isOver = false
  const [written, faults] = [write(org, 'a', () => isOver), read(org, () => isOver)]
  try {
    await work()
    await delay(300)
  } finally {
    isOver = true
  }
  const account = await written
  expect(await faults).toEqual([])
  return account
}

/** Expects each person once, in the cell of the organization. */
async function expectAccounts(org: Org, { names, ids, others }: Account): Promise<void> {
  expect(others).toEqual([])
  expect(ids.size).toBe(names.length)
  const { db } = (await cellOf(org)) === 2 ? two : one
  const rows = await db.many<{ name: string }>(
    sql`select concat_ws(' ', data->'name'->>'firstName', data->'name'->>'lastName') as name from records where org = ${org.org}`,
  )
  expect(rows.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  const events = await db.many(sql`
    select id from events where org = ${org.org} and type = 'record.created'`)
  expect(events).toHaveLength(names.length)
  const { body } = await org.get<{ pagination: { total: number } }>(PEOPLE)
  expect(body.pagination.total).toBe(names.length)
}

describe('a killed command', () => {
  test.each<[Phase, number]>([
    ['preparing', 0],
    ['copying', 0],
    ['copying', 300],
    ['closing', 0],
    ['closing', 60],
    ['closing', 150],
    ['finishing', 0],
  ])('while %s, after %i ms, can be continued immediately', async (phase, afterMs) => {
    const org = await service.org({ ctx: one })
    const account = await whileUsed(org, async () => {
      if (!(await killIn(phase, org, afterMs))) return
      const { code, stdout, stderr } = await again(org)
      expect({ code, stderr }).toMatchObject({ code: 0 })
      expect(JSON.parse(stdout)).toMatchObject({ organization: `org-${org.id}`, source: 1, target: 2 })
    })
    expect(await cellOf(org)).toBe(2)
    expect(await findMove(directory, org.org)).toBeUndefined()
    await expectAccounts(org, account)
  })

  test.each<[Phase, number]>([
    ['closing', 60],
    ['finishing', 0],
  ])(
    'while %s, after %i ms, leaves writes refused only until a worker settles the move',
    async (phase, afterMs) => {
      const org = await service.org({ ctx: one })
      const stopping = new AbortController()
      const working = worker(stopping.signal)
      const account = await whileUsed(org, async () => {
        await killIn(phase, org, afterMs)
        await until(async () => (await findMove(directory, org.org))?.state !== 'closing')
        if ((await cellOf(org)) === 2) await until(async () => !(await findMove(directory, org.org)))
      })
      stopping.abort()
      await working
      expect(account.longestMs).toBeLessThan(10_000)
      await expectAccounts(org, account)
      if ((await cellOf(org)) === 1) expect(await again(org)).toMatchObject({ code: 0 })
      await expectAccounts(org, account)
    },
  )

  test('while copying can be cancelled immediately', async () => {
    const org = await service.org({ ctx: one })
    const account = await whileUsed(org, async () => {
      await killIn('copying', org, 100)
      const { code, stdout } = await run(command(org, '--cancel', '--json'), env)
      expect({ code, document: JSON.parse(stdout) }).toMatchObject({
        code: 0,
        document: { org: org.org, source: 1, target: 2, state: 'cancelled' },
      })
    })
    expect(await cellOf(org)).toBe(1)
    expect(await rowsIn(two, org)).toEqual({})
    await expectAccounts(org, account)
  })
})
