// Where a run of tests may leave nothing: a temporary folder that its processes know by their environment.
import { chmod, mkdtemp, opendir, readdir, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { endProcessesOf, remainingProcessesOf } from './folder-processes.ts'
import { placeForTemporaryFiles } from './temporary-files.ts'

export interface Workspace {
  /** For processes of the run, and what they start. */
  env: { TMPDIR: string }
  /** Files and processes of the run, in words. */
  leftovers(): Promise<string[]>
  /** Ends what is left of the run. */
  clear(): Promise<void>
}

/** Caches that Node and its tools keep for later runs. */
const CACHES = ['node-compile-cache']

const NAMED_MAX = 10

/** Some paths in a folder that was left tell which test made it; empty for a file. */
async function contentsOf(path: string): Promise<string[]> {
  const found: string[] = []
  try {
    for await (const entry of await opendir(path, { recursive: true })) {
      if (found.length === NAMED_MAX) return [...found, '…']
      found.push(relative(path, join(entry.parentPath, entry.name)))
    }
  } catch {
    // A file, or what goes while it is read.
  }
  return found
}

async function leftFile(folder: string, name: string): Promise<string> {
  const contents = await contentsOf(join(folder, name))
  const inside = contents.length > 0 ? ` (${contents.join(', ')})` : ''
  return `left in the temporary folder: ${name}${inside}`
}

/**
 * The name is short: the socket of a database server is deep below it, and its path may have 107 bytes.
 * @param space bytes that its files may take
 */
export async function openWorkspace(space: number): Promise<Workspace> {
  const folder = await mkdtemp(join(await placeForTemporaryFiles(space), 'rt-'))
  // Tests run processes as other accounts, which may enter it.
  await chmod(folder, 0o711)
  // Once: Ctrl-C asks for it while the run that it interrupts comes to its end too.
  let cleared: Promise<void> | undefined
  return {
    env: { TMPDIR: folder },
    async leftovers() {
      // First: what still runs may remove its files as it ends.
      const processes = await remainingProcessesOf(folder)
      const names = (await readdir(folder)).filter((name) => !CACHES.includes(name))
      return [
        ...(await Promise.all(names.map((name) => leftFile(folder, name)))),
        ...processes.map(({ pid, command }) => `left running: ${pid} ${command}`),
      ]
    },
    clear() {
      cleared ??= endProcessesOf(folder).then(() =>
        rm(folder, { recursive: true, force: true, maxRetries: 5 }),
      )
      return cleared
    },
  }
}
