// Which writing this version is of, and what the database says to a process of an older one (refuse_older_writers).
import pg from 'pg'

/**
 * What is written along with records, by number. Raised with a migration that refuses lower numbers, so that a process
 * of an older version leaves nothing out.
 */
export const WRITER = 7

/** What sessions of the service call themselves. */
export const APPLICATION = `rapport/${WRITER}`

/** Of triggers and functions; a server that starts or stops reports the same SQLSTATE by itself. */
const RAISED_BY_FUNCTION = 'exec_stmt_raise'

/** Whether a newer version refuses what this one writes: nothing of the statement is done, and the session goes on. */
export const isOlderWriter = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '57P03' && error.routine === RAISED_BY_FUNCTION
