// The WRITER number of this version, and the error by which the database refuses older versions
// (refuse_older_writers).
import pg from 'pg'

/**
 * The version of the data that is written along with records. A migration that refuses lower numbers raises it, so that
 * no process of an older version omits such data.
 */
export const WRITER = 7

/** The application_name of the service's sessions. */
export const APPLICATION = `rapport/${WRITER}`

/** The routine of errors that functions raise; a server that starts or stops reports the same SQLSTATE. */
const RAISED_BY_FUNCTION = 'exec_stmt_raise'

/** Whether the database refused a write of this older version: nothing was written, and the session continues. */
export const isOlderWriter = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '57P03' && error.routine === RAISED_BY_FUNCTION
