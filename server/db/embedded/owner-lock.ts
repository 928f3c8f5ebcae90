import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { inheritOwner } from '../../base/ownership.ts'
import { explainFailure } from './error.ts'
import type { EmbeddedFolder } from './folder.ts'

/** Held by the one process that may start or stop the server of a folder. */
export interface OwnerLock {
  release(): void
}

export const LOCK_FILE = 'owner.lock'

/** `run`: where the file of the lock is. */
export type LockedFolder = Pick<EmbeddedFolder, 'dataDir' | 'run'>

const sqliteBusy = 5
// Referenced from here, so that a lock is never given up because its holder was garbage collected.
const held = new Set<DatabaseSync>()

/**
 * Takes the folder's lock, or answers undefined while another live process has it. Node has no flock; SQLite's
 * exclusive transaction is a kernel lock on a file, which ends with its process however that ends. So no pid has
 * to be judged: not a reused one, not one of another container, not one from before a restart of the machine.
 */
export function takeOwnerLock(folder: LockedFolder): OwnerLock | undefined {
  const database = openLockFile(folder)
  try {
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if (isBusy(error)) return undefined
    throw explainFailure('Rapport cannot lock its data', error, folder.dataDir)
  }
  held.add(database)
  return {
    release() {
      if (held.delete(database)) database.close()
    },
  }
}

function openLockFile(folder: LockedFolder): DatabaseSync {
  const path = join(folder.run, LOCK_FILE)
  try {
    const database = new DatabaseSync(path, { timeout: 0 })
    inheritOwner(path)
    return database
  } catch (error) {
    // SQLite says no more than "unable to open": of a folder that exists, that is a matter of permission.
    throw explainFailure('permission denied', new Error(`permission denied: ${error}`), folder.dataDir)
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy
}
