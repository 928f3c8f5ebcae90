// The service: environment → configuration → database → API and worker → graceful stop.
import type { Logger } from 'pino'
import { createCopier } from '../cells/copier.ts'
import { settleMoves } from '../cells/move/settle.ts'
import type { Config, Env } from '../config/config.ts'
import type { Context } from '../context.ts'
import { createAdmission } from '../identity/api-keys/admission.ts'
import { type Jobs, startJobs } from '../jobs/jobs.ts'
import { startLoop } from '../jobs/loop.ts'
import { listenForNotices, sendNotices, wakeAll } from '../jobs/notices.ts'
import { untilAvailable } from '../jobs/until-available.ts'
import { whileWritable } from '../jobs/while-writable.ts'
import { createBackupEngine } from '../operations/backup/engine.ts'
import { checkSecrets } from '../operations/diagnosis/secrets.ts'
import { answerCommands } from '../operations/diagnosis/socket.ts'
import { keepDiskUsable } from '../operations/disk-keeper.ts'
import { createLog, logConsoleErrors } from '../operations/log.ts'
import {
  beat,
  hearWakes,
  leaveSocket,
  pagesBuilt,
  sendReady,
  sendWakes,
  shareMetrics,
} from '../operations/processes/child.ts'
import { buildPages } from '../pages/build.ts'
import { preparePages } from '../pages/pages.ts'
import { prepareKeyFiles } from '../secrets/key-files.ts'
import { buildApi } from './api.ts'
import { makeDemo } from './demo-process.ts'
import { type CellSet, openCells } from './open-cells.ts'
import { type OpenCell, type OpenContext, openContext } from './open-context.ts'
import { type ReservedPort, reservePort } from './reserved-port.ts'
import { whenThere } from './waiting.ts'
import { announceStart, announceWorker, showKeptMail } from './welcome.ts'
import { engines, freeingJobs, queueJobs, scheduledJobs, workerMetrics } from './worker.ts'
import { buildWorkerApi } from './worker-api.ts'

export interface Part {
  /** Whether this process is part of `npm run dev`, which opens the database and serves the pages. */
  isDevelopment: boolean
  /** The name of this process among several; undefined for the first process and for a single process. */
  name: string | undefined
  /** The environment that the configuration was read from. */
  env: Env
}

type Close = () => Promise<void>

async function startApi(
  { ctx, pool }: OpenContext,
  { isDevelopment, name }: Part,
  reserved: ReservedPort,
): Promise<{ address: string; close: Close }> {
  const admission = createAdmission(ctx)
  const pages = isDevelopment
    ? undefined
    : preparePages(ctx.log, name === undefined ? buildPages : pagesBuilt)
  const app = buildApi(ctx, admission, pool, {
    pages,
    ...(name !== undefined && { shareMetrics, leaveSocket: () => leaveSocket(ctx.log) }),
    accessLog: ctx.config.accessLog ? createLog({ logLevel: 'info' }, name) : undefined,
  })
  const close = async () => {
    await app.close()
    await admission.close()
  }
  try {
    return { address: await reserved.listen(app), close }
  } catch (error) {
    await close()
    throw error
  }
}

interface Running {
  log: Logger
  /** Undefined until the database has responded. */
  opened: OpenContext | undefined
  cells: CellSet | undefined
  /** Functions that stop the parts. They run concurrently; the cells and the database are closed afterwards. */
  parts: Close[]
  stopping: boolean
  part: Part
  /** Settles with the signal to stop. */
  signal: Promise<string>
  /** The port that the process listens on. */
  reserved: ReservedPort
}

/** How long an engine may take to finish work in flight. Cancelled work is done again later. */
const ENGINE_STOP_MS = 3000

const reportUncleanStop =
  ({ log }: Pick<Running, 'log'>) =>
  (err: unknown) =>
    log.error({ err }, 'a part did not stop cleanly')

/** Starts jobs. @returns undefined if the service stops, or the disk is full, before they could start */
const startJobsOnce = ({ ctx, pool }: OpenCell, running: Running): Promise<Jobs | undefined> =>
  untilAvailable(() => startJobs(ctx, pool, { scheduled: scheduledJobs, queued: queueJobs }), {
    isWanted: () => !running.stopping && ctx.diskSpace.shortage === undefined,
    onAway: (err) => ctx.log.warn({ err }, 'jobs could not be started yet: the database does not respond'),
  })

/** Starts the probes of a worker, before its work begins. @returns a function to call when the work has begun */
async function startWorkerApi({ ctx, pool }: OpenContext, { parts, reserved }: Running): Promise<() => void> {
  const state = { isWorking: false }
  const app = buildWorkerApi(ctx, pool, state)
  parts.push(() => app.close())
  const address = await reserved.listen(app)
  return () => {
    state.isWorking = true
    announceWorker(address)
  }
}

function joinAsApi({ config, wake }: Context, address: string): void {
  if (config.role === 'api') sendWakes(wake)
  sendReady(address)
}

function joinAsWorker({ wake }: Context): void {
  hearWakes(wake)
  shareMetrics(workerMetrics())
  sendReady(undefined)
}

/** Watches the disk of the embedded server, in the process that started the server. */
function keepUsable({ ctx, database }: OpenContext, parts: Close[]): void {
  const { config, log } = ctx
  if (database.embedded?.owned) parts.push(keepDiskUsable({ config, log, server: database.embedded }))
}

/** Starts backups of the embedded server. The operator backs up an external server. */
function startBackups({ ctx, database }: OpenContext, parts: Close[]): void {
  if (database.embedded === undefined) return
  const backups = createBackupEngine(ctx, database.embedded)
  backups.start()
  parts.push(() => backups.stop())
}

/** Starts the parts that ROLE requires. */
async function startParts(opened: OpenContext, running: Running): Promise<void> {
  const { ctx, pool } = opened
  const { parts, part, reserved } = running
  // Several processes of one machine wake their worker by messages instead (operations/processes/child.ts).
  if (part.name === undefined || ctx.config.role === 'worker') shareWakes(opened, running)
  if (ctx.config.role !== 'worker') {
    const { address, close } = await startApi(opened, part, reserved)
    parts.push(close)
    showKeptMail(ctx)
    if (part.name === undefined) await announceStart(ctx, (base) => makeDemo(pool, base))
    else joinAsApi(ctx, address)
  }
  if (ctx.config.role === 'all') await startBackgroundWork(opened, running)
  if (ctx.config.role === 'worker') {
    const noteBegin =
      part.name === undefined ? await startWorkerApi(opened, running) : () => joinAsWorker(ctx)
    await startBackgroundWork(opened, running)
    noteBegin()
  }
}

async function startBackgroundWork(opened: OpenContext, running: Running): Promise<void> {
  await startWork(opened, running)
  startBackups(opened, running.parts)
}

/**
 * Shares wakes between processes with the same database: those that serve requests wake those for background work. Does
 * nothing with a pooler, because a connection through it cannot LISTEN.
 */
function shareWakes({ ctx, connection, enginePool }: OpenCell, { parts }: Running): void {
  const { role } = ctx.config
  if (connection.isPooled) return
  if (role === 'api') sendNotices(ctx.wake, enginePool)
  if (role === 'worker')
    parts.push(listenForNotices({ connection, log: ctx.log, onNotice: wakeAll(ctx.wake) }))
}

/** Starts the jobs and engines of one cell. @returns a function that stops them; undefined if the disk is full */
async function startEngines(cell: OpenCell, running: Running): Promise<Close | undefined> {
  const jobs = await startJobsOnce(cell, running)
  if (jobs === undefined) return running.stopping ? async () => undefined : undefined
  const started = engines.map((create) => create(cell.ctx, cell.enginePool))
  for (const engine of started) engine.start()
  const ends = [() => jobs.stop(), ...started.map((engine) => () => engine.stop(ENGINE_STOP_MS))]
  const stop = (end: Close) => end().catch(reportUncleanStop(running))
  return async () => void (await Promise.all(ends.map(stop)))
}

const FREE_EVERY_MS = 5 * 60_000

/** Runs the jobs that free space on a full disk, repeatedly. */
function startFreeing({ ctx }: OpenCell): Close {
  const stopping = new AbortController()
  const { signal } = stopping
  const onError = (err: unknown) => ctx.log.error({ err }, 'space could not be freed: it is tried again')
  const free = async () => {
    for (const { run } of freeingJobs) if (!signal.aborted) await run(ctx, signal).catch(onError)
    return false
  }
  const loop = startLoop({ round: free, pollMs: FREE_EVERY_MS, onError })
  return () => {
    stopping.abort()
    return loop.stop()
  }
}

/** Starts the background work of one cell. It pauses while the cell's disk is full. */
async function startWork(cell: OpenCell, running: Running): Promise<void> {
  const { diskSpace, log } = cell.ctx
  const { started, stop } = whileWritable(diskSpace, {
    work: () => startEngines(cell, running),
    instead: async () => startFreeing(cell),
    onError: (err) => log.error({ err }, 'background work could not be started or stopped'),
  })
  await started
  // A cell may open while the service stops. Its work is then not in `parts` in time, so it is stopped here.
  if (running.stopping) return stop()
  running.parts.push(stop)
}

/** How long the start waits for cells. Cells that respond later are used from then on. */
const CELLS_MS = 10_000

async function startCells(opened: OpenContext, running: Running): Promise<void> {
  const { config, log } = opened.ctx
  const onOpened = async (cell: OpenCell) => {
    if (running.stopping) return
    shareWakes(cell, running)
    if (config.role !== 'api') await startWork(cell, running)
  }
  const cells = await openCells(opened, { onOpened })
  running.cells = cells
  if (config.cells.length === 0) return
  await cells.settled(CELLS_MS)
  const told = new Map<string, string>()
  const copier = createCopier(log, { ...cells, settle: () => settleMoves(opened.ctx, told) })
  copier.start()
  running.parts.push(() => copier.stop())
}

/** How long a stop may take after the time in which connections are still accepted. */
const STOP_MS = 10_000
/** How long work in flight may continue. Longer work, such as a report or a batch of an import, is cancelled. */
const BREAK_OFF_MS = 6000

const drainMs = ({ config }: Pick<ReservedPort, 'config'>) => config.drainSeconds * 1000

/** Cancels all work on the databases after a while, including work that begins later and parts that still start. */
function breakOffLater(running: Running): void {
  setTimeout(() => {
    running.log.warn('requests still in flight are cancelled: nothing of them is committed')
    running.cells?.breakOff()
    running.opened?.breakOff()
  }, BREAK_OFF_MS + drainMs(running.reserved)).unref()
}

async function stopParts(running: Running): Promise<void> {
  const { parts, opened, cells } = running
  const stop = (part: Close) => part().catch(reportUncleanStop(running))
  await Promise.all(parts.map(stop))
  if (cells) await stop(() => cells.close())
  if (opened) await stop(() => opened.close())
}

/** @param started settles when all parts have started or one has failed: a part cannot be stopped while it starts */
async function stop(running: Running, started: Promise<unknown>, why: string, code = 0): Promise<void> {
  if (running.stopping) return
  running.stopping = true
  running.log.info({ why }, 'stopping')
  // Work that is left then is as safe as after kill -9. The exit code is not an error, because the stop was requested.
  setTimeout(() => process.exit(code), STOP_MS + drainMs(running.reserved)).unref()
  running.cells?.giveUpSilent()
  breakOffLater(running)
  await started
  await stopParts(running)
  process.exit(code)
}

/** Serves `rapport status` and `rapport doctor`. With several processes, only the first serves them. */
const answerFor = (
  { ctx: { diskSpace }, database }: OpenContext,
  { log, part: { env }, reserved: { config } }: Running,
) =>
  answerCommands(
    { config, env, database, disks: diskSpace, processes: () => ({ states: [], replacements: [] }) },
    log,
  )

/** Runs before the first backup, so that every backup has the keys. A new key cannot decrypt data of an earlier key. */
async function prepareKeys({ ctx, pool }: OpenContext): Promise<void> {
  const made = prepareKeyFiles(ctx.config, ctx.log)
  if (made.length === 0) return
  const { status, detail, advice } = await checkSecrets(pool, ctx.config)
  if (status === 'fail')
    ctx.log.error({ made, advice }, `key files were missing, and new ones made: ${detail}`)
}

/** Opens the database, then starts the parts. After a signal during the start, no further parts are started. */
async function startAll(running: Running, onEnd: (opened: OpenContext) => void): Promise<void> {
  const { log, part, reserved } = running
  // The first process, or that of `npm run dev`, runs the embedded database.
  const mode = part.isDevelopment || part.name !== undefined ? 'attach' : 'own'
  const open = () => openContext(reserved.config, { mode, log, onNotice: (line) => log.info(line) })
  const opened = await whenThere(open, running)
  if (opened === undefined) return
  running.opened = opened
  onEnd(opened)
  keepUsable(opened, running.parts)
  await prepareKeys(opened)
  if (part.name === undefined) running.parts.push(await answerFor(opened, running))
  await opened.ctx.replicas?.start()
  opened.ctx.replicas?.requireOwn()
  if (!running.stopping) await startCells(opened, running)
  if (!running.stopping) await startParts(opened, running)
}

/** Runs until `signal` settles. @throws Error if a part cannot start */
export async function start(config: Config, part: Part, signal: Promise<string>): Promise<void> {
  const log = createLog(config, part.name)
  logConsoleErrors(log)
  if (part.name !== undefined) beat()
  const reserved = await reservePort(config)
  const running: Running = {
    ...{ log, part, signal, reserved },
    ...{ opened: undefined, cells: undefined, parts: [], stopping: false },
  }
  const { promise: started, resolve } = Promise.withResolvers<void>()
  const starting = startAll(running, ({ database }) => {
    void database.embedded?.exited.then((why) => {
      if (!running.stopping) running.log.fatal({ why }, 'PostgreSQL ended and is not started again')
      return stop(running, started, why, 1)
    })
  })
  starting.then(resolve, resolve)
  void signal.then((name) => stop(running, started, name))
  try {
    await starting
  } catch (error) {
    // A stop that began during the start waits for `started`, stops the started parts, and ends the process.
    if (running.stopping) return
    running.stopping = true
    breakOffLater(running)
    await stopParts(running)
    throw error
  }
}
