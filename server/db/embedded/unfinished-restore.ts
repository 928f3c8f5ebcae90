// A restore that has not ended. Because of its folder in DATA_DIR the service and its commands make no empty
// installation there, which would look like a loss of all data.
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { rapportCommand } from '../../base/command-name.ts'
import { EmbeddedError } from './error.ts'

/** A folder in DATA_DIR that holds the whole restore until it is complete. */
export const UNFINISHED_RESTORE = 'restore-unfinished'

/** A file in that folder with the command that continues the restore. */
export const RESTORE_STATE = 'restore.json'

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

async function commandOf(dataDir: string): Promise<string> {
  try {
    const { command } = JSON.parse(await readFile(join(dataDir, UNFINISHED_RESTORE, RESTORE_STATE), 'utf8'))
    return String(command)
  } catch {
    // The restore was killed before it wrote the file, or is one of an earlier version, which wrote no such file.
    return `${rapportCommand()} restore --data-dir ${dataDir}`
  }
}

interface UnfinishedRestore {
  fault: string
  /** What to do about it. */
  step: string
}

/** @returns undefined if there is no unfinished restore. The database is moved out of its folder last. */
export async function findUnfinishedRestore(dataDir: string): Promise<UnfinishedRestore | undefined> {
  if (!(await exists(join(dataDir, UNFINISHED_RESTORE)))) return undefined
  if (await exists(join(dataDir, 'postgres'))) return undefined
  return {
    fault: `${dataDir} contains a restore that has not ended`,
    step: `if it is no longer running, run "${await commandOf(dataDir)}" to continue it, or empty the folder to start a new installation`,
  }
}

/** @throws EmbeddedError if there is an unfinished restore */
export async function refuseUnfinishedRestore(dataDir: string): Promise<void> {
  const found = await findUnfinishedRestore(dataDir)
  if (found !== undefined) throw new EmbeddedError(`${found.fault}: ${found.step}.`)
}
