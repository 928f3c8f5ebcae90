/** The SQLSTATE of an error of PostgreSQL, or the code of an error of the system, such as ECONNRESET. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

const LOCK_NOT_AVAILABLE = '55P03'
const UNIQUE_VIOLATION = '23505'

/** A prepared statement is missing or exists already, because the pooler does not keep prepared statements. */
export const LOST_STATEMENT: readonly string[] = ['26000', '42P05']

/** Whether a lock was not free within lock_timeout, or with NOWAIT. */
export const isLocked = (error: unknown): boolean => errorCode(error) === LOCK_NOT_AVAILABLE

/** Whether a value must be unique and another row has it. */
export const isUniqueViolation = (error: unknown): boolean => errorCode(error) === UNIQUE_VIOLATION
