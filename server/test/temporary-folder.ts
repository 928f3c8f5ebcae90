// Folders for the files of tests, which are deleted after the tests of their file.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterFile } from './after-file.ts'

/** A process that was just killed may still write into the folder. */
export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })

/** @param name the beginning of the folder's name */
export async function temporaryFolder(name = 'test'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `rapport-${name}-`))
  afterFile(() => removeFolder(folder))
  return folder
}

/** For an embedded server: one that root starts runs as another account, which must be able to enter the folder. */
export async function serverFolder(name: string): Promise<string> {
  const folder = await temporaryFolder(name)
  await chmod(folder, 0o755)
  return folder
}
