import { createHash } from 'node:crypto'
import {
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { errorCode } from '../../base/error-code.ts'
import { inheritOwner } from '../../base/ownership.ts'
import { EmbeddedError, explainFailure } from './error.ts'
import { refuseUnfinishedRestore } from './unfinished-restore.ts'

/** The parts of a data folder that belong to the embedded server. Paths are absolute and without links. */
export interface EmbeddedFolder {
  dataDir: string
  /** PostgreSQL's own data directory. */
  cluster: string
  /** The files of one run: the lock, the socket, the owner's pid, the first lines of the log. Mode 0700. */
  run: string
  /** PostgreSQL's cluster_name: the command line of each of its processes contains it, which identifies our server. */
  clusterName: string
}

/** The process that runs the server, and where its socket is (run/owner.json). */
export interface OwningProcess {
  pid: number
  socketDirectory: string
}

/** An account of this machine; -1 never appears. */
export interface Account {
  name: string
  uid: number
  gid: number
}

export const socketPort = 5432
const socketFile = `.s.PGSQL.${socketPort}`
// sun_path holds 104 bytes on macOS and 108 on Linux, including the terminating zero.
const socketPathLimitBytes = 103
const temporaryPrefix = 'rapport-socket-'

const exists = (path: string, look: typeof stat | typeof lstat) =>
  look(path).then(
    () => true,
    () => false,
  )

/** The topmost missing folder of the path; `path` itself if its parent exists. */
async function firstMissing(path: string): Promise<string> {
  const parent = dirname(path)
  return parent === path || (await exists(parent, stat)) ? path : firstMissing(parent)
}

/**
 * Makes a folder and its missing parents. @returns the first folder that it made
 * @throws the error of the system, where Node would report a missing folder for every cause
 */
async function makeFolder(path: string, mode = 0o777): Promise<string | undefined> {
  try {
    return await mkdir(path, { recursive: true, mode })
  } catch (error) {
    const missing = await firstMissing(resolve(path))
    // For a broken link the error of Node is right.
    if (!(await exists(missing, lstat))) await mkdir(missing)
    throw error
  }
}

/** Makes the data folder if it is missing. */
export async function openFolder(dataDir: string): Promise<EmbeddedFolder> {
  try {
    await makeFolder(dataDir)
    const real = await realpath(resolve(dataDir))
    await refuseUnfinishedRestore(real)
    const run = join(real, 'postgres-run')
    if (await makeFolder(run, 0o700)) inheritOwner(run)
    const cluster = join(real, 'postgres')
    const hash = createHash('sha256').update(cluster).digest('hex').slice(0, 12)
    return { dataDir: real, cluster, run, clusterName: `rapport-${hash}` }
  } catch (error) {
    throw explainFailure('Rapport cannot store its data', error, resolve(dataDir))
  }
}

/**
 * Makes the folder for the Unix socket: the run folder or, if its path is too long for a socket, a private temporary
 * folder. `account`, if given, becomes the owner of that folder.
 */
export async function makeSocketDirectory(folder: EmbeddedFolder, account?: Account): Promise<string> {
  if (isShortEnough(folder.run)) return folder.run
  const parent = isShortEnough(join(tmpdir(), `${temporaryPrefix}123456`)) ? tmpdir() : '/tmp'
  const directory = await mkdtemp(join(parent, temporaryPrefix))
  if (account) await chown(directory, account.uid, account.gid)
  return directory
}

/**
 * For a folder on which a server has run. @throws {EmbeddedError} when its data is missing, such as after its disk was
 * unmounted: nothing may be made in the rest of the path then
 */
export async function requireCluster({ cluster }: EmbeddedFolder): Promise<void> {
  if (await exists(cluster, stat)) return
  throw new EmbeddedError(
    `${cluster} is missing: mount its disk, or restore it from a backup, then start again.`,
  )
}

/** Makes the folder again if it was removed with an earlier socket: connections still use its name. */
export async function keepSocketDirectory(directory: string, account?: Account): Promise<void> {
  try {
    await mkdir(directory, { mode: 0o700 })
    if (account) await chown(directory, account.uid, account.gid)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

function isShortEnough(directory: string): boolean {
  return Buffer.byteLength(join(directory, socketFile)) <= socketPathLimitBytes
}

/** Removes a socket that no server uses any more, and its folder if that is a temporary one. */
export async function removeSocket(folder: EmbeddedFolder, directory: string): Promise<void> {
  if (directory !== folder.run && basename(directory).startsWith(temporaryPrefix)) {
    await rm(directory, { recursive: true, force: true })
  }
  await rm(join(folder.run, socketFile), { force: true })
  await rm(join(folder.run, `${socketFile}.lock`), { force: true })
}

export async function writeOwner(folder: EmbeddedFolder, owner: OwningProcess): Promise<void> {
  const path = join(folder.run, 'owner.json')
  await writeFile(path, JSON.stringify(owner))
  inheritOwner(path)
}

/** Undefined when no run has been recorded, or the record was cut short by a crash. */
export async function readOwner(folder: EmbeddedFolder): Promise<OwningProcess | undefined> {
  try {
    const owner: Partial<OwningProcess> = JSON.parse(await readFile(join(folder.run, 'owner.json'), 'utf8'))
    const { pid, socketDirectory } = owner
    return typeof pid === 'number' && typeof socketDirectory === 'string'
      ? { pid, socketDirectory }
      : undefined
  } catch {
    return undefined
  }
}

/** The last messages of PostgreSQL: its standard error, then the log files that were written after `since`. */
export async function readLog(folder: EmbeddedFolder, since: Date): Promise<string> {
  const first = await readFile(startLog(folder), 'utf8').catch(() => '')
  return first + (await readLogFiles(folder, since)).join('')
}

async function readLogFiles(folder: EmbeddedFolder, since: Date): Promise<string[]> {
  const names = await readdir(logDirectory(folder)).catch(() => [])
  const tails: string[] = []
  for (const name of names) {
    const path = join(logDirectory(folder), name)
    if ((await stat(path)).mtime < since) continue
    tails.push((await readFile(path, 'utf8')).slice(-4_000))
  }
  return tails
}

/** Log files are named by weekday, and only a server that runs over midnight truncates them: removes last week's. */
export async function removeOldLogs(folder: EmbeddedFolder): Promise<void> {
  const sixDaysAgo = Date.now() - 6 * 24 * 3_600_000
  for (const name of await readdir(logDirectory(folder)).catch(() => [])) {
    const path = join(logDirectory(folder), name)
    if ((await stat(path)).mtimeMs < sixDaysAgo) await rm(path, { force: true })
  }
}

export function startLog(folder: EmbeddedFolder): string {
  return join(folder.run, 'start.log')
}

function logDirectory(folder: EmbeddedFolder): string {
  return join(folder.cluster, 'log')
}
