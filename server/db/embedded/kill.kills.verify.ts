// The embedded server after its processes are killed.
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

describe('the next start after a kill -9', () => {
  test('keeps acknowledged data when every process was killed', async () => {
    const dataDir = await dataFolder()
    const fixture = await startAndInsert(dataDir)
    // Children without a postmaster may end before the signal is sent to them.
    for (const pid of await serverPids(dataDir)) sendSignal(pid, 'SIGKILL')
    await fixture.end('SIGKILL')
    expect(await notes(await start(dataDir))).toEqual([{ note: 'acknowledged' }, ...kept])
  })

  test('keeps acknowledged data when only Node was killed and PostgreSQL ended with it', async () => {
    const dataDir = await dataFolder()
    const fixture = await startAndInsert(dataDir)
    const [postmaster = 0] = await serverPids(dataDir)
    await fixture.end('SIGKILL')
    await until(async () => !(await isRunning(postmaster)))
    expect(await notes(await start(dataDir))).toEqual([{ note: 'acknowledged' }, ...kept])
  })

  test('replaces an orphaned PostgreSQL that did not end with Node', async () => {
    const dataDir = await dataFolder()
    const fixture = await startAndInsert(dataDir, await withoutProgram('setpriv'))
    const [orphan = 0] = await serverPids(dataDir)
    await fixture.end('SIGKILL')
    expect(await isRunning(orphan)).toBe(true)
    expect(await notes(await start(dataDir))).toEqual([{ note: 'acknowledged' }, ...kept])
    expect(await isRunning(orphan)).toBe(false)
  })

  test('makes the database when the first start was killed', async () => {
    const dataDir = join(root, 'killed-initdb')
    const child = spawnFixture(dataDir, {})
    await until(async () => (await names(dataDir)).some((name) => name.startsWith('postgres-init-')))
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    expect(await query(await start(dataDir), 'select 1 as one')).toEqual([{ one: 1 }])
    expect((await names(dataDir)).sort()).toEqual(['postgres', 'postgres-run'])
  })

  test('succeeds when another process has the recorded pid', async () => {
    const dataDir = await dataFolder()
    // Running, of our account, and neither PostgreSQL nor its parent: PostgreSQL recognizes the pid of its parent.
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
