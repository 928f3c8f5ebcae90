// The first of several processes: runs the embedded database, builds the pages, and starts the processes that do the
// work. The first of those prepares the database, and waits for an external one that is away.
//
// It owns the listening socket, from which the processes that serve requests accept connections (node:cluster). It
// reads no requests itself, so a process that is killed fails only the requests that it was serving.
import type { Worker } from 'node:cluster'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Config, Env } from '../config/config.ts'
import { type Database, externalDatabase, openDatabase } from '../db/database.ts'
import { WatchedDiskSpace } from '../db/disk-space/disk-space.ts'
import { volumesOf } from '../db/disk-space/volumes.ts'
import { openPool, type Pool } from '../db/pool.ts'
import { sendNotice } from '../jobs/notices.ts'
import { answerCommands } from '../operations/diagnosis/socket.ts'
import { keepDiskUsable } from '../operations/disk-keeper.ts'
import { createLog } from '../operations/log.ts'
import { type ChildKind, Children, sendTo } from '../operations/processes/children.ts'
import { Gathering } from '../operations/processes/gathering.ts'
import type { FromChild, ToChild } from '../operations/processes/messages.ts'
import { buildPages } from '../pages/build.ts'
import { makeDemo } from './demo-process.ts'
import { reservePort } from './reserved-port.ts'
import { announceStart } from './welcome.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

const WORKER = 'worker'

/** The processes that `config` requires: some that serve requests, and at most one for background work. */
function kindsOf({ port, role, apiProcesses, workerProcess, rateLimitStore }: Config): ChildKind[] {
  const common = { PORT: String(port), RATE_LIMIT_STORE: rateLimitStore, RAPPORT_DEMO: 'off' }
  const apiRole = role === 'all' && !workerProcess ? 'all' : 'api'
  const apis = Array.from({ length: apiProcesses }, (_, index) => ({
    name: `api-${index + 1}`,
    env: { ...common, ROLE: apiRole },
  }))
  const worker = { name: WORKER, env: { ...common, ROLE: 'worker' } }
  return role === 'all' && workerProcess ? [...apis, worker] : apis
}

/** How long the stop of the whole group of processes may take. */
const STOP_MS = 15_000

interface Group {
  config: Config
  /** The environment that the configuration was read from. */
  env: Env
  log: Logger
  children: Children
  gathering: Gathering
  /** The parts of this process; they are closed in reverse order. */
  closings: (() => Promise<void>)[]
  /** Undefined while the pages are built. */
  pages: ToChild | undefined
  /** Called after a commit of one of the processes. */
  wakeWorker(): void
  stopping: boolean
}

function createGroup(config: Config, env: Env): Group {
  const log = createLog(config, 'main')
  const onMessage = (message: FromChild, from: Worker) => answer(group, message, from)
  const gathering = new Gathering(log)
  const onEnd = (worker: Worker) => gathering.end(worker)
  const { drainSeconds } = config
  const children = new Children({ log, main: MAIN, drainSeconds, onMessage, onEnd })
  const wakeWorker = () => children.send({ kind: 'wake' }, WORKER)
  const group: Group = {
    ...{ config, env, log, children, gathering, wakeWorker },
    ...{ closings: [], pages: undefined, stopping: false },
  }
  return group
}

function answer({ children, gathering, pages, wakeWorker }: Group, message: FromChild, from: Worker): void {
  if (message.kind === 'ready' && pages) sendTo(from, pages)
  if (message.kind === 'wake') wakeWorker()
  if (message.kind === 'gather') void gathering.answer(message.id, from, children)
}

/** Builds the pages once for all processes, while these start. */
async function preparePages(group: Group): Promise<void> {
  const isBuilt = await buildPages().then(
    (isNew) => {
      if (isNew) group.log.info('the dashboard was built')
      return true
    },
    (err) => {
      group.log.error({ err }, 'the dashboard could not be built')
      return false
    },
  )
  group.pages = { kind: 'pages', isBuilt }
  group.children.send(group.pages)
}

/** Each process opens its own connections. */
const CONNECTIONS_OF_PROCESS = 40

function openOwn(config: Config, log: Logger): Promise<Database> {
  const max_connections = String(100 + CONNECTIONS_OF_PROCESS * config.apiProcesses)
  const onNotice = (line: string) => log.info(line)
  return openDatabase(config, { mode: 'own', onNotice, settings: { max_connections } })
}

/** @param onEnd called when the embedded PostgreSQL ends and is not started again */
async function openForAll(
  { config, log, closings }: Group,
  onEnd: (why: string) => void,
): Promise<{ pool: Pool; database: Database }> {
  const { databaseUrl } = config
  const database =
    databaseUrl === undefined ? await openOwn(config, log) : externalDatabase(databaseUrl, config)
  closings.push(() => database.stop())
  void database.embedded?.exited.then(onEnd)
  if (database.embedded) closings.push(keepDiskUsable({ config, log, server: database.embedded }))
  const onError = (err: Error) => log.warn({ err }, 'an idle database connection failed')
  const pool = openPool({ connection: database.connection, max: 2, statementTimeoutMs: 30_000, onError })
  closings.push(() => pool.close())
  return { pool, database }
}

/** Watches disks for `rapport doctor`. The processes that write watch the same disks, and log changes. */
async function watchDisks({ config, closings }: Group): Promise<WatchedDiskSpace> {
  const disks = new WatchedDiskSpace({
    ...{ volumes: volumesOf(config), minBytes: config.diskFreeMinBytes },
    log: { info: () => undefined, warn: () => undefined },
    probe: async () => 'unknown',
  })
  await disks.start()
  closings.push(async () => disks.stop())
  return disks
}

/** Starts the first process before the others, so that one migrates, and an error at the start is printed only once. */
async function startChildren(
  group: Group,
  { pool, database }: { pool: Pool; database: Database },
): Promise<void> {
  const { config: given, env, log, children, closings } = group
  // All processes listen on the same port, so it is reserved only once.
  const { config, release } = await reservePort(given)
  await release()
  const disks = await watchDisks(group)
  closings.push(await answerCommands({ config, env, database, disks, processes: () => children }, log))
  const [first, ...others] = kindsOf(config)
  if (!first) return
  await children.start(first)
  const announcing = announceStart({ config, log }, (base) => makeDemo(pool, base))
  await Promise.all([announcing, ...others.map((kind) => children.start(kind))])
}

async function closeAll({ log, closings }: Group): Promise<void> {
  for (const close of closings.reverse())
    await close().catch((err: unknown) => log.error({ err }, 'a part did not stop cleanly'))
}

/** @param started settles when all parts have started or one has failed: a part cannot be stopped while it starts */
async function stop(group: Group, started: Promise<unknown>, why: string, code: number): Promise<void> {
  if (group.stopping) return
  group.stopping = true
  group.log.info({ why }, 'stopping')
  setTimeout(() => process.exit(code), STOP_MS + group.config.drainSeconds * 1000).unref()
  await group.children.stop()
  await started
  await closeAll(group)
  process.exit(code)
}

async function startAll(group: Group, onEnd: (why: string) => void): Promise<void> {
  const opened = await openForAll(group, onEnd)
  if (group.stopping) return
  // With ROLE=api the workers are on other machines.
  if (group.config.role === 'api') group.wakeWorker = () => void sendNotice(opened.pool)
  void preparePages(group)
  await startChildren(group, opened)
}

/**
 * Runs until a signal stops all processes, and ends with exit code 0, or with 1 if PostgreSQL has ended permanently.
 * @throws Error if a process cannot start; the others are then stopped
 */
export async function runProcesses(config: Config, env: Env, signal: Promise<string>): Promise<void> {
  const group = createGroup(config, env)
  const { promise: started, resolve } = Promise.withResolvers<void>()
  const starting = startAll(group, (why) => void stop(group, started, why, 1))
  starting.then(resolve, resolve)
  void signal.then((name) => stop(group, started, name, 0))
  try {
    await starting
  } catch (error) {
    // A stop that began during the start waits for `started`, and ends the process.
    if (group.stopping) return
    group.stopping = true
    await group.children.stop()
    await closeAll(group)
    throw error
  }
}
