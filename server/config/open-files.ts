// How many files this process may have open. Connections count too.
import { readFileSync } from 'node:fs'

const FALLBACK_FILES = 1024
/** With fewer, the service cannot load its modules, start its database and answer: it would end without a message. */
const FILES_MIN = 256

export function openFilesMax(): number {
  try {
    const [, soft = ''] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Number(soft) || Number.POSITIVE_INFINITY
  } catch {
    return FALLBACK_FILES
  }
}

/** More connections need memory that small machines lack: about 20 KB each while a request arrives. */
const CONNECTIONS_MAX = 10_000
/** A quarter of the files that may be open, at least RESERVE_MIN, is reserved for databases, files and webhooks. */
const RESERVE_PART = 4
const RESERVE_MIN = 200

/** @param files how many files may be open */
export function connectionsMax(files = openFilesMax()): number {
  // Without a limit of files, the reserve would be infinite too.
  const counted = Math.min(files, 2 * CONNECTIONS_MAX)
  const reserve = Math.max(RESERVE_MIN, Math.ceil(counted / RESERVE_PART))
  return Math.max(1, Math.min(CONNECTIONS_MAX, counted - reserve))
}

/** @returns the problem of a limit, and the remedy */
export const openFilesProblem = (limit: number): string | undefined =>
  limit >= FILES_MIN
    ? undefined
    : `The limit of open files is ${limit}, and at least ${FILES_MIN} are needed: raise it (ulimit -n 1024, or LimitNOFILE=1024 in the unit of systemd)`
