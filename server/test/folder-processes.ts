// Linux processes that belong to a folder: their environment names it, or their working directory is in it. So a test
// run finds all its processes, also children of children. PostgreSQL does not get our environment.
import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

interface FoundProcess {
  pid: number
  command: string
}

const unlessEnded = <T>(value: Promise<T>, fallback: T): Promise<T> => value.catch(() => fallback)

async function belongsTo(folder: string, pid: string): Promise<boolean> {
  const link = (name: string) => unlessEnded(readlink(`/proc/${pid}/${name}`), '')
  // A process that has ended but is still listed has no program.
  if ((await link('exe')) === '') return false
  // A removed folder has a suffix: "/tmp/rt-1/data (deleted)".
  const workingDirectory = await link('cwd')
  if (workingDirectory === folder || workingDirectory.startsWith(`${folder}/`)) return true
  return (await unlessEnded(readFile(`/proc/${pid}/environ`, 'utf8'), '')).includes(folder)
}

/** Excludes this process and ended processes. */
export async function processesOf(folder: string): Promise<FoundProcess[]> {
  const pids = (await unlessEnded(readdir('/proc'), [])).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      if (Number(pid) === process.pid || !(await belongsTo(folder, pid))) return []
      const command = await unlessEnded(readFile(`/proc/${pid}/cmdline`, 'utf8'), '')
      return [{ pid: Number(pid), command: command.replaceAll('\0', ' ').slice(0, 200) }]
    }),
  )
  return found.flat()
}

const LOOK_EVERY_MS = 20
/** A database server whose parent was killed shuts down by itself. */
const ENDING_MS = 30_000

/** The processes that do not end by themselves within `ENDING_MS`. */
export async function remainingProcessesOf(folder: string): Promise<FoundProcess[]> {
  const until = performance.now() + ENDING_MS
  let found = await processesOf(folder)
  while (found.length > 0 && performance.now() < until) {
    await delay(LOOK_EVERY_MS)
    found = await processesOf(folder)
  }
  return found
}

function kill({ pid }: FoundProcess): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has ended.
  }
}

/** Kills the processes of a folder, and waits until they have ended and no longer write. */
export async function endProcessesOf(folder: string): Promise<void> {
  for (let left = await processesOf(folder); left.length > 0; left = await processesOf(folder)) {
    left.forEach(kill)
    await delay(LOOK_EVERY_MS)
  }
}
