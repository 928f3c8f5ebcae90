// CPU time and memory of processes, as Linux reports them in /proc.
import { readdir, readFile } from 'node:fs/promises'

// USER_HZ: the unit of /proc/<pid>/stat on every Linux that Node runs on.
const TICK_MS = 10

export interface ProcessTimes {
  parent: number
  /** CPU time of the process itself. */
  ownMs: number
  /** CPU time of its children that have ended. */
  endedMs: number
}

/** Reads the text of /proc/<pid>/stat; the program's name in it may hold spaces and brackets. */
export function parseTimes(stat: string): ProcessTimes {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const at = (field: number) => Number(fields[field - 3])
  return { parent: at(4), ownMs: (at(14) + at(15)) * TICK_MS, endedMs: (at(16) + at(17)) * TICK_MS }
}

const readStat = (pid: number) => readFile(`/proc/${pid}/stat`, 'utf8')

/** CPU time of one process, without its children. */
export const processMs = async (pid: number): Promise<number> => parseTimes(await readStat(pid)).ownMs

/** CPU time of a PostgreSQL server: of the postmaster and all its children, including ended ones. */
export async function serverMs(postmaster: number): Promise<number> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const stats = await Promise.all(pids.map((pid) => readStat(pid).catch(() => '')))
  const children = stats.map(parseTimes).filter(({ parent }) => parent === postmaster)
  const { ownMs, endedMs } = parseTimes(await readStat(postmaster))
  return children.reduce((sum, child) => sum + child.ownMs, ownMs + endedMs)
}

/** Resident memory of one process in MB. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}
