// A server whose processes are killed.
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isRunning, serverPids, spawnFixture, until } from './fixture-process.ts'
import { sendSignal } from './leftovers.ts'
import {
  dataFolder,
  kept,
  names,
  notes,
  prepareServers,
  query,
  root,
  start,
  startAndInsert,
  withoutProgram,
  writePidFile,
} from './servers.fixture.ts'

prepareServers()

describe('after a kill -9', () => {
  test('of every process', async () => {
    const dataDir = await dataFolder()
    const fixture = await startAndInsert(dataDir)
    // Children without a postmaster may end before it is their turn.
    for (const pid of await serverPids(dataDir)) sendSignal(pid, 'SIGKILL')
    await fixture.end('SIGKILL')
    expect(await notes(await start(dataDir))).toEqual([{ note: 'acknowledged' }, ...kept])
  })

  test('of Node only, where PostgreSQL then ends with it', async () => {
    const dataDir = await dataFolder()
    const fixture = await startAndInsert(dataDir)
    const [postmaster = 0] = await serverPids(dataDir)
    await fixture.end('SIGKILL')
    await until(async () => !(await isRunning(postmaster)))
    expect(await notes(await start(dataDir))).toEqual([{ note: 'acknowledged' }, ...kept])
  })

  test('of Node only, where PostgreSQL cannot be identified: the orphan is replaced', async () => {
    const dataDir = await dataFolder()
    const fixture = await startAndInsert(dataDir, await withoutProgram('setpriv'))
    const [orphan = 0] = await serverPids(dataDir)
    await fixture.end('SIGKILL')
    expect(await isRunning(orphan)).toBe(true)
    expect(await notes(await start(dataDir))).toEqual([{ note: 'acknowledged' }, ...kept])
    expect(await isRunning(orphan)).toBe(false)
  })

  test('during the first start', async () => {
    const dataDir = join(root, 'killed-initdb')
    const child = spawnFixture(dataDir, {})
    await until(async () => (await names(dataDir)).some((name) => name.startsWith('postgres-init-')))
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    expect(await query(await start(dataDir), 'select 1 as one')).toEqual([{ one: 1 }])
    expect((await names(dataDir)).sort()).toEqual(['postgres', 'postgres-run'])
  })

  test('when the recorded pid now belongs to another process', async () => {
    const dataDir = await dataFolder()
    // Alive, of our account, and neither PostgreSQL nor its parent, whose pid PostgreSQL would see through.
    const stranger = spawn('sleep', ['1000'])
    onTestFinished(() => void stranger.kill('SIGKILL'))
    await writePidFile(dataDir, stranger.pid)
    await writeFile(join(dataDir, 'postgres-run/.s.PGSQL.5432.lock'), `${stranger.pid}\n`)
    const owner = { pid: stranger.pid, socketDirectory: join(dataDir, 'postgres-run') }
    await writeFile(join(dataDir, 'postgres-run/owner.json'), JSON.stringify(owner))
    expect(await notes(await start(dataDir))).toEqual(kept)
    expect(stranger.exitCode).toBe(null)
  })
})
