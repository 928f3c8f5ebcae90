// Where a run of tests may leave nothing: a temporary folder that its processes know by their environment.
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endProcessesOf, processesOf } from './folder-processes.ts'

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

/** The name is short: the socket of a database server is deep below it, and its path may have 107 bytes. */
export async function openWorkspace(): Promise<Workspace> {
  const folder = await mkdtemp(join(tmpdir(), 'rt-'))
  // Tests run processes as other accounts, which may enter it.
  await chmod(folder, 0o711)
  // Once: Ctrl-C asks for it while the run that it interrupts comes to its end too.
  let cleared: Promise<void> | undefined
  return {
    env: { TMPDIR: folder },
    async leftovers() {
      const files = (await readdir(folder)).filter((name) => !CACHES.includes(name))
      const processes = await processesOf(folder)
      return [
        ...files.map((name) => `left in the temporary folder: ${name}`),
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
