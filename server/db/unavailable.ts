// Classifies errors that mean that the database is unavailable: requests then get a 503, and engines try again later.
import type pg from 'pg'
import { errorCode, LOST_STATEMENT } from '../base/error-code.ts'
import { DATABASE_FULL } from '../base/errors.ts'
import { isOlderWriter } from './writer.ts'

/** Codes of the network and the operating system. */
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

/** SQLSTATE of a statement that needs space on a full disk. */
const DISK_FULL = '53100'

/** SQLSTATE of a write that is refused while its organization moves to another cell. */
export const MOVING = 'RP001'

/** SQLSTATEs that mean that any statement would fail now. */
const SQLSTATES = new Set([
  // A standby, or a server that was made read-only.
  '25006',
  '25P03',
  '25P04',
  // The password, role, database or permission is missing, such as after a failover or during a restore.
  '28000',
  '28P01',
  '3D000',
  '42501',
  // Resources: disk, connections. A lack of memory or temporary files concerns only one statement.
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

/** The error and its causes, since libraries wrap errors of the connection. */
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
  // A missing Unix socket means that the database is unavailable; another missing file does not.
  if (code === 'ENOENT') return (error as NodeJS.ErrnoException).syscall === 'connect'
  return error instanceof Error && MESSAGE.test(error.message)
}

export const isDatabaseUnavailable = (error: unknown): boolean =>
  [...withCauses(error)].some(meansUnavailable)

const LOST = new Set(['ECONNRESET', 'EPIPE', '08006', '57P01', '57P02', '57P03'])
const LOST_MESSAGE =
  /^(Connection terminated unexpectedly|Client (?:was closed|has encountered a connection error)|The server is read-only)/

/** Whether the error itself, without its causes, means a lost connection. */
export const meansConnectionLost = (error: unknown): boolean =>
  !isOlderWriter(error) &&
  (LOST.has(errorCode(error) ?? '') || (error instanceof Error && LOST_MESSAGE.test(error.message)))

/** Whether an open connection broke, or its server stops or starts; false for timeouts and refused connections. */
export const isConnectionLost = (error: unknown): boolean => [...withCauses(error)].some(meansConnectionLost)

/** Whether a newer version has migrated the database, which now refuses writes of this process. */
export const isSuperseded = (error: unknown): boolean => [...withCauses(error)].some(isOlderWriter)

const NO_CHANGES = ['25006', DISK_FULL]

/** Whether the database refuses changes but can be read. */
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

/** The message for clients. */
export const unavailableReason = (error: unknown): string =>
  [...withCauses(error)].map((one) => REASONS[errorCode(one) ?? '']).find((reason) => reason !== undefined) ??
  'The database does not respond: try again shortly'

/**
 * Watches every connection for the error that PostgreSQL has no space left.
 * @param all pools that have no connections yet
 * @returns a function that adds a listener
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
