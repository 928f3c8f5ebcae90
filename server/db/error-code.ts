/** Of an error of PostgreSQL its SQLSTATE, of one of the system its name, such as ECONNRESET. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
