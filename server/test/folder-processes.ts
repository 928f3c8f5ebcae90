// Processes of Linux that have a folder in their environment: what a run of tests started, however deep.
import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

interface FoundProcess {
  pid: number
  command: string
}

const unlessEnded = <T>(value: Promise<T>, fallback: T): Promise<T> => value.catch(() => fallback)

/** Without this process, and those that have ended already. */
export async function processesOf(folder: string): Promise<FoundProcess[]> {
  const pids = (await unlessEnded(readdir('/proc'), [])).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await unlessEnded(readFile(`/proc/${pid}/environ`, 'utf8'), '')
      if (!environment.includes(folder) || !(await unlessEnded(readlink(`/proc/${pid}/exe`), ''))) return []
      const command = await unlessEnded(readFile(`/proc/${pid}/cmdline`, 'utf8'), '')
      return [{ pid: Number(pid), command: command.replaceAll('\0', ' ').slice(0, 200) }]
    }),
  )
  return found.flat().filter(({ pid }) => pid !== process.pid)
}

function kill({ pid }: FoundProcess): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

const LOOK_EVERY_MS = 20

/** Kills them, and waits until they have ended: they write no more. */
export async function endProcessesOf(folder: string): Promise<void> {
  for (let left = await processesOf(folder); left.length > 0; left = await processesOf(folder)) {
    left.forEach(kill)
    await delay(LOOK_EVERY_MS)
  }
}
