/** Of an error of PostgreSQL its SQLSTATE, of one of the system its name, such as ECONNRESET. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

const LOCK_NOT_AVAILABLE = '55P03'

/** Whether a lock was not free within lock_timeout, or at once. */
export const isLocked = (error: unknown): boolean => errorCode(error) === LOCK_NOT_AVAILABLE
