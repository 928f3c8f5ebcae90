/** One thing that was looked at, and what was seen. */
export interface Finding {
  check: string
  status: 'ok' | 'warn' | 'fail'
  detail: string
  /** What to do; absent when all is well. */
  advice?: string
}

/** A database that is not migrated may lack the tables to ask. */
export const isMigrated = (findings: readonly Finding[]): boolean =>
  findings.some(({ check, status }) => check === 'migrations' && status === 'ok')
