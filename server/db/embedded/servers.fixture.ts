// Servers and data folders of one test file: all are stopped and removed after its tests.

import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterEach, beforeAll } from 'vitest'
import { afterFile, requireCollection } from '../../test/after-file.ts'
import { postmasterOf, signalProcess } from '../../test/signal.ts'
import { type EmbeddedServer, startEmbedded } from '../embedded.ts'
import { endFixtures, runFixture } from './fixture-process.ts'

// Small and without fsync: these tests make many servers. (After a kill -9 the page cache still has all writes.)
export const settings = { fsync: 'off', shared_buffers: '16MB' }
export const checkout = join(import.meta.dirname, '../../..')

export let root = ''
let template = ''
export const servers: EmbeddedServer[] = []

/** Call it at the top of a test file, before anything else here is used. */
export function prepareServers(): void {
  requireCollection()
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'rapport-embedded-test-'))
    // Without user namespaces root's server runs as another account, which must be able to enter this folder.
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
  afterFile(() => rm(root, { recursive: true, force: true }))
}

let count = 0
/** A new data folder with a stopped server's data, as `cp -a` of a backup would give it. */
export async function dataFolder(name = `data-${++count}`): Promise<string> {
  const dataDir = join(root, name)
  await copyTree(template, dataDir)
  return dataDir
}

export async function start(dataDir: string): Promise<EmbeddedServer> {
  const server = await startEmbedded({ dataDir, settings })
  servers.push(server)
  return server
}

/** Starts a server. `notice` waits for the next notice with the given beginning. */
export async function startTelling(dataDir: string) {
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

export const killPostmaster = async (dataDir: string) => signalProcess(await postmasterOf(dataDir), 'SIGKILL')

/** `cp` keeps the modes, and takes a tenth of the time that Node needs. */
export const copyTree = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to])

type Connecting = Pick<EmbeddedServer, 'administration'>

export async function query(server: Connecting, text: string): Promise<unknown[]> {
  const client = new Client(server.administration('postgres'))
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

export const notes = (server: Connecting) => query(server, 'select note from notes order by note')
export const kept = [{ note: 'kept' }]

export async function startAndInsert(dataDir: string, env = process.env) {
  const fixture = await runFixture(dataDir, { spawn: { env } })
  const { connection } = fixture.answer
  if (!connection) throw new Error(fixture.answer.error)
  await query({ administration: () => connection }, "insert into notes values ('acknowledged')")
  return fixture
}

export const names = (directory: string) => readdir(directory).catch(() => [])

export async function writePidFile(dataDir: string, pid: number | undefined): Promise<void> {
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

/** An environment in which the program fails, as if it were not installed or not permitted. */
export async function withoutProgram(name: string): Promise<NodeJS.ProcessEnv> {
  const bin = await mkdtemp(join(root, 'bin-'))
  await writeFile(join(bin, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  await chmod(bin, 0o755)
  return { ...process.env, PATH: `${bin}:${process.env['PATH']}` }
}
