// Where a run of tests may leave nothing: a temporary folder that its processes know by their environment.
import { chmod, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Workspace {
  /** For processes of the run, and what they start. */
  env: { TMPDIR: string }
  /** Files and processes of the run, in words. */
  leftovers(): Promise<string[]>
  /** Ends what is left of the run. */
  clear(): Promise<void>
}

interface LeftProcess {
  pid: number
  command: string
}

/** Caches that Node and its tools keep for later runs. */
const CACHES = ['node-compile-cache']

const unlessGone = <T>(value: Promise<T>, fallback: T): Promise<T> => value.catch(() => fallback)

/** Processes of Linux whose environment has the folder, without those that end. */
async function processesOf(folder: string): Promise<LeftProcess[]> {
  const pids = (await unlessGone(readdir('/proc'), [])).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await unlessGone(readFile(`/proc/${pid}/environ`, 'utf8'), '')
      if (!environment.includes(folder) || !(await unlessGone(readlink(`/proc/${pid}/exe`), ''))) return []
      const command = await unlessGone(readFile(`/proc/${pid}/cmdline`, 'utf8'), '')
      return [{ pid: Number(pid), command: command.replaceAll('\0', ' ').slice(0, 200) }]
    }),
  )
  return found.flat().filter(({ pid }) => pid !== process.pid)
}

function end({ pid }: LeftProcess): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** The name is short: the socket of a database server is deep below it, and its path may have 107 bytes. */
export async function openWorkspace(): Promise<Workspace> {
  const folder = await mkdtemp(join(tmpdir(), 'rt-'))
  // Tests run processes as other accounts, which may enter it.
  await chmod(folder, 0o711)
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
    async clear() {
      for (const one of await processesOf(folder)) end(one)
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
