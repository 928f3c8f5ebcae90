import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { inheritOwner } from '../../base/ownership.ts'
import { explainFailure } from './error.ts'
import type { EmbeddedFolder } from './folder.ts'

/** Its holder is the only process that may start or stop the server of a folder. */
export interface OwnerLock {
  release(): void
}

export const LOCK_FILE = 'owner.lock'

/** `run` contains the lock file. */
export type LockedFolder = Pick<EmbeddedFolder, 'dataDir' | 'run'>

const sqliteBusy = 5
// References keep open databases from being garbage collected, which would release their locks.
const held = new Set<DatabaseSync>()

/**
 * Takes the folder's lock. @returns undefined while another process holds it
 *
 * Node has no flock. SQLite's exclusive transaction is a kernel lock on a file, which ends with the process, also after
 * a crash. So no pid has to be checked, which could be reused, of another container, or from before a reboot.
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
    // SQLite only reports "unable to open". The folder exists, so the cause is a missing permission.
    throw explainFailure('permission denied', new Error(`permission denied: ${error}`), folder.dataDir)
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy
}
