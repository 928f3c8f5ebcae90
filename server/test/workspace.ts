// The temporary folder of a run of tests, which its processes get in their environment. A run must leave nothing in it.
import { chmod, mkdtemp, opendir, readdir, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { endProcessesOf, remainingProcessesOf } from './folder-processes.ts'
import { placeForTemporaryFiles } from './temporary-files.ts'

export interface Workspace {
  /** The environment of processes of the run and of their children. */
  env: { TMPDIR: string }
  /** Files and processes that the run left, in words. */
  leftovers(): Promise<string[]>
  /** Ends the remaining processes of the run, and removes the folder. */
  clear(): Promise<void>
}

/** Caches that Node and its tools keep for later runs. */
const CACHES = ['node-compile-cache']

const NAMED_MAX = 10

/** Some paths in a leftover folder, which help to find its test; empty for a file. */
async function contentsOf(path: string): Promise<string[]> {
  const found: string[] = []
  try {
    for await (const entry of await opendir(path, { recursive: true })) {
      if (found.length === NAMED_MAX) return [...found, '…']
      found.push(relative(path, join(entry.parentPath, entry.name)))
    }
  } catch {
    // A file, or a folder that was removed during the read.
  }
  return found
}

async function leftFile(folder: string, name: string): Promise<string> {
  const contents = await contentsOf(join(folder, name))
  const inside = contents.length > 0 ? ` (${contents.join(', ')})` : ''
  return `left in the temporary folder: ${name}${inside}`
}

/**
 * The name is short, because the path of a database server's socket deep below it may have at most 107 bytes.
 * @param space bytes that the files may take
 */
export async function openWorkspace(space: number): Promise<Workspace> {
  const folder = await mkdtemp(join(await placeForTemporaryFiles(space), 'rt-'))
  // Tests run processes as other accounts, which need access.
  await chmod(folder, 0o711)
  // Clears only once: after Ctrl-C both the signal handler and the interrupted run call it.
  let cleared: Promise<void> | undefined
  return {
    env: { TMPDIR: folder },
    async leftovers() {
      // Waits for processes first, because they may remove their files when they end.
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
