// Processes of this machine: tests use them to find the processes that a command has started.
import { readdirSync, readFileSync } from 'node:fs'

const readProc = (pid: string, name: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

/** The descendants of a process: process id → command line. */
export function processesBelow(parent: number): Map<number, string> {
  const below = new Map<number, string>()
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const parents = new Map(
    all.map((pid) => [pid, Number(readProc(pid, 'stat').split(') ')[1]?.split(' ')[1])]),
  )
  const known = new Set([parent])
  for (let size = 0; size < known.size; ) {
    size = known.size
    for (const [pid, of] of parents) if (known.has(of)) known.add(Number(pid))
  }
  for (const pid of known)
    if (pid !== parent) below.set(pid, readProc(`${pid}`, 'cmdline').replaceAll('\0', ' '))
  return below
}

export const isAlive = (pid: number) => readProc(`${pid}`, 'cmdline') !== ''
