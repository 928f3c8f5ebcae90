// The folder in which a restore works, inside the new data folder. Everything is made there and moved out at the end.
// So a killed restore can be recognized, and the same command continues it.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../base/error-code.ts'
import { inheritOwner, syncFolder } from '../../base/ownership.ts'
import { LOCK_FILE, type OwnerLock, takeOwnerLock } from '../../db/embedded/owner-lock.ts'
import { RESTORE_STATE, UNFINISHED_RESTORE } from '../../db/embedded/unfinished-restore.ts'
import { BackupError } from './object-store.ts'

interface State {
  /** The command that continues the restore. */
  command: string
  /** The result of the restore; present when only the move out remains. */
  restored?: unknown
}

export interface RestoreFolder {
  path: string
  lock: OwnerLock
}

const pathOf = (dataDir: string) => join(dataDir, UNFINISHED_RESTORE)

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  })
}

async function readState(dataDir: string): Promise<Partial<State>> {
  try {
    return JSON.parse(await readFile(join(pathOf(dataDir), RESTORE_STATE), 'utf8'))
  } catch {
    return {}
  }
}

async function writeState(folder: string, state: State): Promise<void> {
  const draft = join(folder, `${RESTORE_STATE}.draft`)
  await writeFile(draft, `${JSON.stringify(state)}\n`, { mode: 0o600, flush: true })
  inheritOwner(draft)
  await rename(draft, join(folder, RESTORE_STATE))
  await syncFolder(folder)
}

const unusable = (dataDir: string) => (error: Error) => {
  throw new BackupError(
    `The folder ${dataDir} cannot be made or used (${error.message}): make it and give it to the account that restores (install -d -o rapport -g rapport ${dataDir}), or choose another one`,
    { cause: error },
  )
}

/** The folder may contain only the remains of an earlier restore. @throws BackupError */
export async function requireEmpty(dataDir: string): Promise<void> {
  const found = await namesIn(dataDir).catch(unusable(dataDir))
  const names = found.filter((name) => name !== UNFINISHED_RESTORE)
  if (names.length > 0)
    throw new BackupError(
      `${dataDir} is not empty: restore into a new folder, then start the service with DATA_DIR set to it`,
    )
}

async function lockFolder(dataDir: string): Promise<RestoreFolder> {
  const path = pathOf(dataDir)
  const made = await mkdir(path, { recursive: true }).catch(unusable(dataDir))
  if (made) inheritOwner(path)
  const lock = takeOwnerLock({ dataDir, run: path })
  if (lock) return { path, lock }
  throw new BackupError(`Another process restores into ${dataDir}: wait until it has ended`)
}

/** Starts again and removes the remains of an earlier restore. @param command that continues this restore */
export async function beginRestore(dataDir: string, command: string): Promise<RestoreFolder> {
  const folder = await lockFolder(dataDir)
  for (const name of await namesIn(folder.path))
    if (name !== LOCK_FILE) await rm(join(folder.path, name), { recursive: true, force: true, maxRetries: 5 })
  await writeState(folder.path, { command })
  return folder
}

const OWN_FILES = [LOCK_FILE, RESTORE_STATE, 'postgres-run']

/** The database is moved last: only then can the service start on the folder. */
async function moveOut({ path, lock }: RestoreFolder, dataDir: string): Promise<void> {
  const names = (await namesIn(path))
    .filter((name) => !OWN_FILES.includes(name))
    .sort((one, other) => Number(one === 'postgres') - Number(other === 'postgres'))
  for (const name of names) await rename(join(path, name), join(dataDir, name))
  await syncFolder(dataDir)
  lock.release()
  await rm(path, { recursive: true })
}

/** Moves everything out. After a kill, `finishMove` does the rest. */
export async function completeRestore(
  folder: RestoreFolder,
  dataDir: string,
  state: Required<State>,
): Promise<void> {
  await writeState(folder.path, state)
  await moveOut(folder, dataDir)
}

export async function abandonRestore({ path, lock }: RestoreFolder): Promise<void> {
  lock.release()
  await rm(path, { recursive: true, force: true, maxRetries: 5 })
}

/** A restore may be continued from a checkout and from an installation, whose commands begin differently. */
const wordsOf = (command: string | undefined) => command?.replace(/^npx /, '')

/**
 * Completes a restore that was killed while it moved everything out.
 * @returns the result of that restore; undefined: there is none
 * @throws BackupError if another command began it
 */
export async function finishMove(dataDir: string, command: string): Promise<unknown> {
  const left = await readState(dataDir)
  if (left.restored === undefined) return undefined
  if (wordsOf(left.command) !== wordsOf(command))
    throw new BackupError(
      `${dataDir} contains another restore, which only has to be moved into place: end it by "${left.command}", or restore into another folder`,
    )
  await moveOut(await lockFolder(dataDir), dataDir)
  return left.restored
}
