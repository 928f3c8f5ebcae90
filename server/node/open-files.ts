// How many files this process may have open: connections count too.
import { readFileSync } from 'node:fs'

const FALLBACK_FILES = 1024
/** With fewer, the service cannot load its modules, start its database and answer: it would end without a word. */
const FILES_MIN = 256

export function openFilesMax(): number {
  try {
    const [, soft = ''] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Number(soft) || Number.POSITIVE_INFINITY
  } catch {
    return FALLBACK_FILES
  }
}

/** @returns what is wrong with a limit, and what to do */
export const openFilesProblem = (limit: number): string | undefined =>
  limit >= FILES_MIN
    ? undefined
    : `The limit of open files is ${limit}, and at least ${FILES_MIN} are needed: raise it (ulimit -n 1024, or LimitNOFILE=1024 in the unit of systemd)`
