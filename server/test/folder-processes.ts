// Processes of Linux that belong to a folder, by their environment or because they work in it: what a run of tests started,
// however deep. PostgreSQL gets no environment of ours.
import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

interface FoundProcess {
  pid: number
  command: string
}

const unlessEnded = <T>(value: Promise<T>, fallback: T): Promise<T> => value.catch(() => fallback)

async function belongsTo(folder: string, pid: string): Promise<boolean> {
  const link = (name: string) => unlessEnded(readlink(`/proc/${pid}/${name}`), '')
  // One that has ended, and is still listed, has no program.
  if ((await link('exe')) === '') return false
  // Also of one that was removed: "/tmp/rt-1/data (deleted)".
  const workingDirectory = await link('cwd')
  if (workingDirectory === folder || workingDirectory.startsWith(`${folder}/`)) return true
  return (await unlessEnded(readFile(`/proc/${pid}/environ`, 'utf8'), '')).includes(folder)
}

/** Without this process, and those that have ended already. */
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

/** Those that do not end by themselves. */
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
    // It has ended.
  }
}

/** Kills them, and waits until they have ended: they write no more. */
export async function endProcessesOf(folder: string): Promise<void> {
  for (let left = await processesOf(folder); left.length > 0; left = await processesOf(folder)) {
    left.forEach(kill)
    await delay(LOOK_EVERY_MS)
  }
}
