/** One check and its result. */
export interface Finding {
  check: string
  status: 'ok' | 'warn' | 'fail'
  detail: string
  /** What to do; absent for a healthy result. */
  advice?: string
}

/** Whether further checks may read the tables, which a database without all migrations may lack. */
export const isMigrated = (findings: readonly Finding[]): boolean =>
  findings.some(({ check, status }) => check === 'migrations' && status === 'ok')
