// Which writing this version is of, and what the database says to a process of an older one (migration 0018).
import pg from 'pg'

/**
 * What is written along with records, by number: 2 since index rows, 3 since times of changes are counted, 4
 * since versions, 5 since references to members and the trash, 6 since the type member, 7 since creators of records.
 * Raised with a migration that turns away those who write less (0018, 0021, 0027, 0039, 0062, 0066), so that a process of
 * an older version leaves nothing out.
 */
export const WRITER = 7

/** What sessions of the service call themselves. */
export const APPLICATION = `rapport/${WRITER}`

/** Of triggers and functions; a server that starts or stops reports the same SQLSTATE by itself. */
const RAISED_BY_FUNCTION = 'exec_stmt_raise'

/** Whether a newer version refuses what this one writes: nothing of the statement is done, and the session goes on. */
export const isOlderWriter = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '57P03' && error.routine === RAISED_BY_FUNCTION
