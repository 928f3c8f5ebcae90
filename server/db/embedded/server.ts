import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { inheritOwner } from '../../base/ownership.ts'
import type { Binaries } from './binaries.ts'
import { passwordFile } from './cluster.ts'
import { EmbeddedError, explainFailure } from './error.ts'
import { type EmbeddedFolder, readLog } from './folder.ts'
import { type Launcher, spawnOptions } from './launcher.ts'
import { readPostmasterFile } from './postmaster-file.ts'

/** A running postmaster that is our child. */
export interface ServerProcess {
  pid: number | undefined
  /** Resolves when the postmaster has ended, with a text that names the exit code or signal. */
  exited: Promise<string>
  /** Whether `exited` has resolved, for a polling loop. */
  hasExited: () => boolean
  /** Fast shutdown; resolves when the process has ended. */
  stop(): Promise<void>
}

const wrongPassword = '28P01'
const tooManyConnections = '53300'

const fastShutdownMs = 8_000
const answerTimeoutMs = 60_000
// After a crash PostgreSQL replays up to max_wal_size (4 GB) before it accepts connections.
const RECOVERY_TIMEOUT_MS = 15 * 60_000

/**
 * Starts the postmaster in a separate session, so that Ctrl-C reaches only this process and running requests can
 * finish. The postmaster ends with the calling thread (see `endWithParent`), so call this from the main thread.
 */
export function spawnServer(
  launcher: Launcher,
  binaries: Binaries,
  words: string[],
  log: string,
): ServerProcess {
  const [program = '', ...rest] = [...launcher.prefix, binaries.postgres, ...words]
  const output = openSync(log, 'w', 0o600)
  inheritOwner(log)
  const options = spawnOptions(launcher.account)
  const child = spawn(program, rest, { ...options, detached: true, stdio: ['ignore', output, output] })
  closeSync(output)
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `exit code ${code}`))
  })
  const hasExited = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined
  return { pid: child.pid, exited, hasExited, stop: () => stopServer(child, exited) }
}

async function stopServer(child: ChildProcess, exited: Promise<string>): Promise<void> {
  child.kill('SIGINT')
  const timer = setTimeout(() => child.kill('SIGQUIT'), fastShutdownMs)
  await exited
  clearTimeout(timer)
}

/** Maximum time until the log is complete: the process that writes it ends after the server. */
const LOG_END_MS = 5_000
const LAST_LINE = /\b(?:FATAL|PANIC)\b|database system is shut down/

async function readCompleteLog(server: ServerProcess, folder: EmbeddedFolder, since: Date): Promise<string> {
  const until = Date.now() + LOG_END_MS
  for (;;) {
    const log = await readLog(folder, since)
    if (!server.hasExited() || LAST_LINE.test(log) || Date.now() > until) return log
    await delay(10)
  }
}

interface Readiness {
  folder: EmbeddedFolder
  connection: ClientConfig
  onNotice: (line: string) => void
  recoveryTimeoutMs?: number | undefined
}

/**
 * Waits until the server accepts a connection; fails with the text of its log when it ends or does not answer.
 * It connects only after the pid file reports ready: an earlier attempt would leave an error in the log.
 */
export async function waitUntilReady(server: ServerProcess, readiness: Readiness): Promise<void> {
  const { folder, connection, onNotice, recoveryTimeoutMs = RECOVERY_TIMEOUT_MS } = readiness
  const startedAt = new Date()
  let isReported = false
  for (;;) {
    const file = await readPostmasterFile(folder)
    const isOurs = file?.pid === server.pid
    if (isOurs && file?.isReady && (await acceptsConnection(connection))) return
    const waitedMs = Date.now() - startedAt.getTime()
    if (server.hasExited() || waitedMs > (isOurs && !file?.isReady ? recoveryTimeoutMs : answerTimeoutMs)) {
      const log = await readCompleteLog(server, folder, startedAt)
      throw explainFailure('PostgreSQL did not start', log, folder.dataDir)
    }
    if (waitedMs > 2_000 && !isReported) {
      isReported = true
      onNotice('PostgreSQL is still starting: after a crash it first replays its log.')
    }
    await delay(10)
  }
}

/** Whether the server accepts connections; true also when all its connections are in use. */
export async function acceptsConnection(connection: ClientConfig): Promise<boolean> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 5_000 })
  // A connection that breaks later is irrelevant here, but an error event without a listener would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.end()
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== wrongPassword) return code === tooManyConnections
    throw new EmbeddedError(
      `PostgreSQL does not accept the password in ${passwordFile}: restore that file from a backup.`,
    )
  }
}
