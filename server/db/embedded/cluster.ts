import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Binaries } from './binaries.ts'
import { EmbeddedError, explainFailure } from './error.ts'
import type { Account, EmbeddedFolder } from './folder.ts'
import { type Launcher, spawnOptions } from './launcher.ts'
import { UNFINISHED_RESTORE } from './unfinished-restore.ts'

export const userName = 'rapport'
// In PostgreSQL's folder, so that data and password are made, copied and restored together.
export const passwordFile = 'rapport.password'
const unfinishedPrefix = 'postgres-init-'

interface Tools {
  binaries: Binaries
  launcher: Launcher
  /** False only in tests: initdb then does not force its files to the disk. */
  sync: boolean
}

/** Makes PostgreSQL's data directory if there is none; else checks that these binaries can run it. */
export async function ensureCluster(folder: EmbeddedFolder, tools: Tools): Promise<void> {
  await removeUnfinished(folder)
  const names = await readdir(folder.cluster).catch(() => [])
  if (names.length === 0) await createCluster(folder, tools)
  else await checkVersion(folder, tools.launcher.major)
  await giveTo(folder.cluster, tools.launcher.account)
}

export async function readPassword(folder: EmbeddedFolder): Promise<string> {
  const path = join(folder.cluster, passwordFile)
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new EmbeddedError(
        `${path} is missing: restore it with the rest of ${folder.cluster} from a backup.`,
      )
    }
    throw explainFailure('The password of the database cannot be read', error, folder.dataDir)
  }
}

/**
 * Makes the account that PostgreSQL runs as (undefined: ours) the owner of a folder and its contents. The folder itself
 * comes last: after a crash in between, the next start repeats the change.
 */
export async function giveTo(directory: string, account?: Pick<Account, 'uid' | 'gid'>): Promise<void> {
  const uid = account?.uid ?? process.getuid?.() ?? 0
  const gid = account?.gid ?? process.getgid?.() ?? 0
  if ((await stat(directory)).uid === uid) return
  try {
    const entries = (await readdir(directory)).map((name) => join(directory, name))
    if (entries.length > 0) await promisify(execFile)('chown', ['-hR', `${uid}:${gid}`, ...entries])
    await chown(directory, uid, gid)
  } catch (error) {
    throw explainFailure('The owner of the data cannot be changed', error, directory)
  }
}

/** Removes what a crash during initdb or at the end of a restore left. The owner lock excludes other processes. */
async function removeUnfinished(folder: EmbeddedFolder): Promise<void> {
  for (const name of await readdir(folder.dataDir)) {
    if (!name.startsWith(unfinishedPrefix) && name !== UNFINISHED_RESTORE) continue
    await rm(join(folder.dataDir, name), { recursive: true, force: true, maxRetries: 5 })
  }
}

async function checkVersion(folder: EmbeddedFolder, major: string): Promise<void> {
  const version = await readFile(join(folder.cluster, 'PG_VERSION'), 'utf8').catch(explainUnreadable(folder))
  if (version.trim() === major) return
  throw new EmbeddedError(
    `${folder.cluster} holds data of PostgreSQL ${version.trim()}, this version of Rapport runs PostgreSQL ${major}: ` +
      'upgrade the data with pg_upgrade, or start the version of Rapport that created it.',
  )
}

function explainUnreadable(folder: EmbeddedFolder) {
  return (error: Error) => {
    if (!('code' in error) || error.code !== 'ENOENT') {
      throw explainFailure('The database cannot be read', error, folder.dataDir)
    }
    throw new EmbeddedError(
      `${folder.cluster} is not empty and not a PostgreSQL database: move its files away.`,
    )
  }
}

/** Made in a temporary folder and renamed when complete, so that a crash leaves no data that looks complete. */
async function createCluster(folder: EmbeddedFolder, tools: Tools): Promise<void> {
  let unfinished = ''
  try {
    unfinished = await mkdtemp(join(folder.dataDir, unfinishedPrefix))
    const passwordPath = join(unfinished, passwordFile)
    await writeFile(passwordPath, randomBytes(24).toString('base64url'), { mode: 0o600, flush: tools.sync })
    await giveTo(unfinished, tools.launcher.account)
    const cluster = join(unfinished, 'cluster')
    await runInitdb(cluster, passwordPath, tools)
    await rename(passwordPath, join(cluster, passwordFile))
    if (tools.sync) await syncDirectory(cluster)
    await rename(cluster, folder.cluster)
    if (tools.sync) await syncDirectory(folder.dataDir)
  } catch (error) {
    throw explainFailure('PostgreSQL could not create its database', error, folder.dataDir)
  } finally {
    if (unfinished) await rm(unfinished, { recursive: true, force: true })
  }
}

/** PG_UNICODE_FAST: lower() covers all of Unicode, but text sorts by code point, so plain indexes support prefixes. */
async function runInitdb(
  cluster: string,
  passwordPath: string,
  { binaries, launcher, sync }: Tools,
): Promise<void> {
  const locale = [
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=PG_UNICODE_FAST',
  ]
  const access = [`--username=${userName}`, `--pwfile=${passwordPath}`, '--auth=scram-sha-256']
  const words = [
    ...locale,
    ...access,
    '--data-checksums',
    '--no-instructions',
    ...(sync ? [] : ['--no-sync']),
  ]
  const [program = '', ...rest] = [...launcher.prefix, binaries.initdb, '-D', cluster, ...words]
  try {
    await promisify(execFile)(program, rest, spawnOptions(launcher.account))
  } catch (error) {
    // The reason is on standard error; the message of the error repeats the whole command line.
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
    throw said === '' ? error : new Error(said)
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
