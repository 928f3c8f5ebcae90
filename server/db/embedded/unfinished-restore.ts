// A restore that has not ended. Its folder in DATA_DIR keeps the service and its commands from making an empty installation
// there, which would look as if everything was lost.
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { EmbeddedError } from './error.ts'

/** In DATA_DIR; all of the restore is in it until it is complete. */
export const UNFINISHED_RESTORE = 'restore-unfinished'

/** In that folder: how the restore is continued. */
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
    // It was killed before it wrote the file, or restored by an earlier version, which had none.
    return `npx rapport restore --data-dir ${dataDir}`
  }
}

interface UnfinishedRestore {
  fault: string
  /** What to do about it. */
  step: string
}

/** @returns undefined: there is none. The database is moved out last. */
export async function findUnfinishedRestore(dataDir: string): Promise<UnfinishedRestore | undefined> {
  if (!(await exists(join(dataDir, UNFINISHED_RESTORE)))) return undefined
  if (await exists(join(dataDir, 'postgres'))) return undefined
  return {
    fault: `${dataDir} contains a restore that has not ended`,
    step: `if it is no longer running, run "${await commandOf(dataDir)}" to continue it, or empty the folder to start a new installation`,
  }
}

/** @throws EmbeddedError where there is one */
export async function refuseUnfinishedRestore(dataDir: string): Promise<void> {
  const found = await findUnfinishedRestore(dataDir)
  if (found !== undefined) throw new EmbeddedError(`${found.fault}: ${found.step}.`)
}
