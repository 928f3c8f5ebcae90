import { spawn } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postmasterOf } from '../test/signal.ts'
import { findBinaries } from './embedded/binaries.ts'
import { isRunning, runFixture } from './embedded/fixture-process.ts'
import {
  dataFolder,
  kept,
  killPostmaster,
  notes,
  prepareServers,
  query,
  root,
  servers,
  settings,
  start,
  startTelling,
  writePidFile,
} from './embedded/servers.fixture.ts'
import { attachOrStartEmbedded } from './embedded.ts'

prepareServers()

describe('startEmbedded', () => {
  test('the first start makes a Unicode database with a password and without a TCP port', async () => {
    const server = await start(join(root, 'first/below'))
    expect(server.owned).toBe(true)
    const [row] = await query(
      server,
      `select lower('ÄÉΣŽ') as lower, current_setting('data_checksums') as checksums,
        current_setting('timezone') as zone, current_setting('listen_addresses') as addresses,
        current_setting('server_version_num')::int / 10000 as major, current_user as who`,
    )
    expect(row).toEqual({
      lower: 'äéσž',
      checksums: 'on',
      zone: 'UTC',
      addresses: '',
      major: 18,
      who: 'rapport',
    })
    const wrong = { administration: () => ({ ...server.administration('postgres'), password: 'guess' }) }
    await expect(query(wrong, 'select 1')).rejects.toThrow(/password authentication failed/)
    const password = await stat(join(root, 'first/below/postgres/rapport.password'))
    expect(password.mode & 0o777).toBe(0o600)
  })

  test('a second start keeps the data', async () => {
    const dataDir = await dataFolder()
    const first = await start(dataDir)
    await query(first, "insert into notes values ('more')")
    await first.stop()
    await first.stop()
    expect(await first.exited).toContain('exit code 0')
    expect(await notes(await start(dataDir))).toEqual([...kept, { note: 'more' }])
  })

  test('refuses a folder on which another process runs, and names the process', async () => {
    const dataDir = await dataFolder()
    const fixture = await runFixture(dataDir)
    await expect(start(dataDir)).rejects.toThrow(
      `Another Rapport process (process ${fixture.pid}) runs on ${dataDir}`,
    )
  })

  test.each([
    { path: 'short', name: undefined },
    { path: 'too long for a socket', name: 'y'.repeat(120) },
  ])('starts PostgreSQL again when it ends by itself, at the same address: path $path', async ({ name }) => {
    const dataDir = await dataFolder(name)
    const { server, notice } = await startTelling(dataDir)
    await query(server, "insert into notes values ('acknowledged')")
    const again = notice('PostgreSQL is running again')
    await killPostmaster(dataDir)
    await again
    expect(await notes(server)).toEqual([{ note: 'acknowledged' }, ...kept])
    const postmaster = await postmasterOf(dataDir)
    await server.stop()
    expect(await isRunning(postmaster)).toBe(false)
  })

  test('stops restarting a PostgreSQL that ends five times within a minute, and reports that', async () => {
    const dataDir = await dataFolder()
    const { server, notice } = await startTelling(dataDir)
    for (let times = 1; times < 5; times++) {
      const again = notice('PostgreSQL is running again')
      await killPostmaster(dataDir)
      await again
    }
    await killPostmaster(dataDir)
    expect(await server.exited).toBe(
      `PostgreSQL ended (5 times within a minute, the last time: ended by SIGKILL); its log is in ${dataDir}/postgres/log`,
    )
    await server.stop()
    expect(await notes(await start(dataDir))).toEqual(kept)
  })

  test('stops while PostgreSQL is being started again', async () => {
    const dataDir = await dataFolder()
    const { server, notice } = await startTelling(dataDir)
    const ended = notice('PostgreSQL stopped unexpectedly')
    await killPostmaster(dataDir)
    await ended
    await server.stop()
    expect(await server.exited).toContain('PostgreSQL ended')
    expect(await notes(await start(dataDir))).toEqual(kept)
  })

  test('refuses a server on the folder that it did not start', async () => {
    const dataDir = await dataFolder()
    const fixture = await runFixture(dataDir)
    // Imitates a manual `pg_ctl start`: a postgres in that folder without our cluster name.
    const byHand = spawn('sleep', ['1000'], { argv0: 'postgres', cwd: join(dataDir, 'postgres') })
    onTestFinished(() => void byHand.kill('SIGKILL'))
    await fixture.end()
    await writePidFile(dataDir, byHand.pid)
    await expect(start(dataDir)).rejects.toThrow(
      `(process ${byHand.pid}) runs on ${dataDir}/postgres: stop it`,
    )
  })
})

describe('attachOrStartEmbedded', () => {
  test('attaches to the server of another process and leaves it running', async () => {
    const dataDir = await dataFolder()
    const owner = await start(dataDir)
    const fixture = await runFixture(dataDir, { mode: 'attach' })
    expect(fixture.answer).toMatchObject({ owned: false, connection: owner.administration('postgres') })
    await fixture.end()
    expect(await notes(owner)).toEqual(kept)
  })

  test('waits for a server that another process is starting', async () => {
    const dataDir = await dataFolder()
    const answers = await Promise.all([
      runFixture(dataDir, { mode: 'attach' }),
      runFixture(dataDir, { mode: 'attach' }),
    ])
    expect(answers.map(({ answer }) => answer.owned).sort()).toEqual([false, true])
  })

  test('starts a server if none runs', async () => {
    const dataDir = await dataFolder()
    const server = await attachOrStartEmbedded({ dataDir, settings })
    servers.push(server)
    expect(server.owned).toBe(true)
    expect(await notes(server)).toEqual(kept)
  })
})

test('the error for a machine without a package says to set DATABASE_URL', () => {
  expect(() => findBinaries('sunos', 'sparc')).toThrow(/sunos-sparc is not installed.*DATABASE_URL/)
})

test("PostgreSQL's log contains no values of failed statements", async () => {
  const dataDir = await dataFolder()
  const server = await start(dataDir)
  await expect(query(server, "select 1 from missing where note = 'secret'")).rejects.toThrow(/does not exist/)
  await server.stop()
  const log = join(dataDir, 'postgres/log')
  const texts = await Promise.all((await readdir(log)).map((name) => readFile(join(log, name), 'utf8')))
  expect(texts.join('')).toContain('relation "missing" does not exist')
  expect(texts.join('')).not.toContain('secret')
})
