import { setTimeout as delay } from 'node:timers/promises'
import { type Binaries, findBinaries } from './embedded/binaries.ts'
import { ensureCluster, giveTo, readPassword, userName } from './embedded/cluster.ts'
import { EmbeddedError, explainFailure } from './embedded/error.ts'
import {
  type EmbeddedFolder,
  keepSocketDirectory,
  makeSocketDirectory,
  openFolder,
  readOwner,
  removeOldLogs,
  removeSocket,
  requireCluster,
  socketPort,
  startLog,
  writeOwner,
} from './embedded/folder.ts'
import { findLauncher, type Launcher } from './embedded/launcher.ts'
import { endLeftovers } from './embedded/leftovers.ts'
import { type OwnerLock, takeOwnerLock } from './embedded/owner-lock.ts'
import { readPostmasterFile } from './embedded/postmaster-file.ts'
import { lacksSpace, yieldToRecovery } from './embedded/reserve.ts'
import { acceptsConnection, type ServerProcess, spawnServer, waitUntilReady } from './embedded/server.ts'
import { SERVICE_ROLE } from './embedded/service-role.ts'
import { measureMachine, type Settings, serverArguments, tunedSettings } from './embedded/settings.ts'
import { type Supervised, supervise } from './embedded/supervise.ts'

export { EmbeddedError } from './embedded/error.ts'

/** Connection settings as `pg` takes them; `host` is the folder of the Unix socket. */
export interface EmbeddedConnection {
  host: string
  port: number
  user: string
  password: string
  database: string
}

/** PostgreSQL on a data folder. Only the database `postgres` exists at first. */
export interface EmbeddedServer {
  /** Settings to connect as the superuser that owns the server. */
  administration(database: string): EmbeddedConnection
  /** Settings to connect as the role of the service, which `ensureServiceRole` makes. */
  connection(database: string): EmbeddedConnection
  /** True when this process started the server, false when it attached to a running one. */
  readonly owned: boolean
  /**
   * Resolves with the reason when an owned server has ended: by stop(), or by itself so often that it is not restarted.
   * Of an attached server: never.
   */
  readonly exited: Promise<string>
  /** Ends an owned server; does nothing to an attached one. May be called twice, and after it ended by itself. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  /** Receives single lines for the operator. */
  onNotice?: (line: string) => void
  /** PostgreSQL settings that replace the tuned ones; `fsync: 'off'` also skips forcing initdb to the disk. */
  settings?: Settings
  /** How long PostgreSQL may replay its log before it accepts connections; default: 15 minutes. */
  recoveryTimeoutMs?: number
}

/**
 * Starts PostgreSQL in `${dataDir}/postgres`, and creates its data there if there is none.
 * @throws {EmbeddedError} with one line that says what to do
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const folder = await openFolder(options.dataDir)
  const lock = takeOwnerLock(folder)
  if (lock) return startLocked(folder, lock, options)
  const owner = await readOwner(folder)
  throw new EmbeddedError(
    `Another Rapport process${owner ? ` (process ${owner.pid})` : ''} runs on ${folder.dataDir}: ` +
      'stop it first, or set DATA_DIR to another folder.',
  )
}

const attachTimeoutMs = 60_000

/**
 * Attaches to the server that another process runs on this data folder, or starts one that lives until stop().
 * @throws {EmbeddedError} with one line that says what to do
 */
export async function attachOrStartEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const folder = await openFolder(options.dataDir)
  const startedAt = Date.now()
  // The owner may be starting (attach when its server is ready) or stopping (start when it has released the lock).
  while (Date.now() - startedAt < attachTimeoutMs) {
    const lock = takeOwnerLock(folder)
    if (lock) return startLocked(folder, lock, options)
    const server = await attach(folder)
    if (server) return server
    await delay(20)
  }
  const owner = await readOwner(folder)
  throw new EmbeddedError(
    `The PostgreSQL of the Rapport that runs on ${folder.dataDir} (process ${owner?.pid ?? 'unknown'}) ` +
      'does not respond: see its log, or stop it.',
  )
}

async function attach(folder: EmbeddedFolder): Promise<EmbeddedServer | undefined> {
  const running = await readPostmasterFile(folder)
  if (!running?.isReady) return undefined
  const connections = connectionsFor(running.socketDirectory, await readPassword(folder))
  if (!(await acceptsConnection(connections.administration('postgres')))) return undefined
  return { ...connections, owned: false, exited: new Promise(() => undefined), stop: async () => undefined }
}

function connectionsFor(host: string, password: string) {
  const as = (user: string) => (database: string) => ({ host, port: socketPort, user, password, database })
  return { administration: as(userName), connection: as(SERVICE_ROLE) }
}

async function startLocked(
  folder: EmbeddedFolder,
  lock: OwnerLock,
  options: EmbeddedOptions,
): Promise<EmbeddedServer> {
  try {
    await endLeftovers(folder)
    const binaries = findBinaries()
    const launcher = await findLauncher(binaries, folder)
    if (launcher.account) reportAccount(launcher.account.name, options)
    await ensureCluster(folder, { binaries, launcher, sync: options.settings?.['fsync'] !== 'off' })
    return await startCluster({ folder, lock, binaries, launcher }, options)
  } catch (error) {
    lock.release()
    throw explainFailure('PostgreSQL did not start', error, folder.dataDir)
  }
}

function reportAccount(name: string, { onNotice }: EmbeddedOptions): void {
  onNotice?.(`PostgreSQL does not run as root, so it runs as the account ${name}, which now owns its files.`)
}

interface Start {
  folder: EmbeddedFolder
  lock: OwnerLock
  binaries: Binaries
  launcher: Launcher
}

async function startCluster(start: Start, options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { folder, launcher } = start
  await yieldReserve(folder, options)
  await removeOldLogs(folder)
  const socketDirectory = await makeSocketDirectory(folder, launcher.account)
  await writeOwner(folder, { pid: process.pid, socketDirectory })
  await giveTo(folder.run, launcher.account)
  const connections = connectionsFor(socketDirectory, await readPassword(folder))
  const onNotice = options.onNotice ?? (() => undefined)
  const setup = { ...start, socketDirectory, connection: connections.administration('postgres') }
  const first = await launch(setup, options).catch(async (error: unknown) => {
    await removeSocket(folder, socketDirectory)
    throw error
  })
  const server = supervise(first, {
    start: () => relaunch(setup, options),
    onNotice,
    // The reserve is removed first: that may free enough space.
    hasSpace: async () => (await yieldReserve(folder, options)) || !(await lacksSpace(folder)),
  })
  const exited = server.ended.then((how) => `PostgreSQL ended (${how}); its log is in ${folder.cluster}/log`)
  return { ...connections, owned: true, exited, stop: stopOnce(setup, server) }
}

interface ServerSetup extends Start {
  socketDirectory: string
  connection: EmbeddedConnection
}

async function yieldReserve(folder: EmbeddedFolder, { onNotice }: EmbeddedOptions): Promise<boolean> {
  const isYielded = await yieldToRecovery(folder)
  if (isYielded)
    onNotice?.(`The disk of ${folder.cluster} is full: the reserve is given up so that PostgreSQL can start`)
  return isYielded
}

/** Starts the server and waits until it is ready; ends a server that does not become ready. */
async function launch(setup: ServerSetup, options: EmbeddedOptions): Promise<ServerProcess> {
  const { folder, binaries, launcher, socketDirectory, connection } = setup
  const settings = { ...tunedSettings(await measureMachine(folder.cluster)), ...options.settings }
  const words = serverArguments(folder, socketDirectory, settings)
  const server = spawnServer(launcher, binaries, words, startLog(folder))
  try {
    const { onNotice = () => undefined, recoveryTimeoutMs } = options
    await waitUntilReady(server, { folder, connection, onNotice, recoveryTimeoutMs })
    return server
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** As `launch`, after a server that ended by itself. If that server was killed, its children may still run. */
async function relaunch(setup: ServerSetup, options: EmbeddedOptions): Promise<ServerProcess> {
  await requireCluster(setup.folder)
  await endLeftovers(setup.folder)
  await keepSocketDirectory(setup.socketDirectory, setup.launcher.account)
  return launch(setup, options)
}

function stopOnce({ folder, lock, socketDirectory }: ServerSetup, server: Supervised): () => Promise<void> {
  let stopped: Promise<void> | undefined
  const stop = async () => {
    await server.stop()
    await removeSocket(folder, socketDirectory)
    lock.release()
  }
  return () => {
    stopped ??= stop()
    return stopped
  }
}
