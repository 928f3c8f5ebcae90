// Which errors mean that the database is unavailable: requests then get a 503, and engines try again later.
import type pg from 'pg'
import { errorCode, LOST_STATEMENT } from '../base/error-code.ts'
import { DATABASE_FULL } from '../base/errors.ts'
import { isOlderWriter } from './writer.ts'

/** Of the network and the operating system. */
const SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EMFILE',
  'ENFILE',
])

/** SQLSTATE of a statement that needs space on a disk that has none. */
const DISK_FULL = '53100'

/** SQLSTATE of a write that is refused while its organization moves to another cell. */
export const MOVING = 'RP001'

/** Of PostgreSQL: any statement would fail at the moment. */
const SQLSTATES = new Set([
  // A standby, or a server that was made read-only.
  '25006',
  '25P03',
  '25P04',
  // The password, role, database or permission is not there: after a failover, or while one is restored.
  '28000',
  '28P01',
  '3D000',
  '42501',
  // Resources: disk, connections. Memory and temporary files are the fault of one statement.
  '53000',
  DISK_FULL,
  '53300',
  // Input and output of the server's disk, and its missing files.
  '58000',
  '58030',
  '58P01',
  // Our own code: the organization is being moved (server/cells/move/guard.ts).
  MOVING,
  ...LOST_STATEMENT,
])

/** Connections; shutdown, crash and recovery. */
const CLASSES = ['08', '57P']

const MESSAGE =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Cannot use a pool after calling end|Client has encountered a connection error|Client was closed)/

/** The error and its causes: libraries wrap what the connection threw. */
function* withCauses(error: unknown): Generator<unknown> {
  for (let one = error, depth = 0; one !== undefined && depth < 4; depth++) {
    yield one
    one = one instanceof Error ? one.cause : undefined
  }
}

function meansUnavailable(error: unknown): boolean {
  const code = errorCode(error) ?? ''
  if (SYSTEM.has(code) || SQLSTATES.has(code) || CLASSES.some((prefix) => code.startsWith(prefix)))
    return true
  // A socket of the file system that is not there; a missing file is another matter.
  if (code === 'ENOENT') return (error as NodeJS.ErrnoException).syscall === 'connect'
  return error instanceof Error && MESSAGE.test(error.message)
}

export const isDatabaseUnavailable = (error: unknown): boolean =>
  [...withCauses(error)].some(meansUnavailable)

const LOST = new Set(['ECONNRESET', 'EPIPE', '08006', '57P01', '57P02', '57P03'])
const LOST_MESSAGE =
  /^(Connection terminated unexpectedly|Client (?:was closed|has encountered a connection error)|The server is read-only)/

/** Whether the error itself says so, without its causes. */
export const meansConnectionLost = (error: unknown): boolean =>
  !isOlderWriter(error) &&
  (LOST.has(errorCode(error) ?? '') || (error instanceof Error && LOST_MESSAGE.test(error.message)))

/** Whether a connection that was open broke, or its server ends or starts; not one that timed out or was refused. */
export const isConnectionLost = (error: unknown): boolean => [...withCauses(error)].some(meansConnectionLost)

/** Whether a newer version has migrated the database, and this process writes less than that one does. */
export const isSuperseded = (error: unknown): boolean => [...withCauses(error)].some(isOlderWriter)

const NO_CHANGES = ['25006', DISK_FULL]

/** Whether the database refuses changes, and can be read. */
export const takesNoChanges = (error: unknown): boolean =>
  [...withCauses(error)].some((one) => isOlderWriter(one) || NO_CHANGES.includes(errorCode(one) ?? ''))

export const isDiskFull = (error: unknown): boolean =>
  [...withCauses(error)].some((one) => errorCode(one) === DISK_FULL)

const NO_STATEMENTS = 'The connection pooler of the database loses prepared statements: try again later'

const REASONS: Readonly<Record<string, string>> = {
  '25006': 'The database is currently read-only: try again shortly',
  [MOVING]: 'This organization is being moved to another database: try again in a second',
  [DISK_FULL]: DATABASE_FULL,
  ...Object.fromEntries(LOST_STATEMENT.map((code) => [code, NO_STATEMENTS])),
}

/** The reason for clients. */
export const unavailableReason = (error: unknown): string =>
  [...withCauses(error)].map((one) => REASONS[errorCode(one) ?? '']).find((reason) => reason !== undefined) ??
  'The database does not respond: try again shortly'

/**
 * Hears on every connection that PostgreSQL has no space left, whichever statement met it.
 * @param all pools without connections yet
 * @returns what adds a listener
 */
export function hearDiskFull(all: readonly { pool: pg.Pool }[]): (listener: () => void) => void {
  const listeners = new Set<() => void>()
  for (const { pool } of all)
    pool.on('connect', ({ connection }) =>
      connection.on('errorMessage', ({ code }: pg.DatabaseError) => {
        if (code !== DISK_FULL) return
        for (const listener of listeners) listener()
      }),
    )
  return (listener) => void listeners.add(listener)
}
