/** Of an error of PostgreSQL its SQLSTATE, of one of the system its name, such as ECONNRESET. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

const LOCK_NOT_AVAILABLE = '55P03'
const UNIQUE_VIOLATION = '23505'

/** A prepared statement is missing, or already there: the pooler does not keep them. */
export const LOST_STATEMENT: readonly string[] = ['26000', '42P05']

/** Whether a lock was not free within lock_timeout, or with NOWAIT. */
export const isLocked = (error: unknown): boolean => errorCode(error) === LOCK_NOT_AVAILABLE

/** Whether a row has a value that another one may not have too. */
export const isUniqueViolation = (error: unknown): boolean => errorCode(error) === UNIQUE_VIOLATION
