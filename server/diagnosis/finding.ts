/** One thing that was looked at, and what was seen. */
export interface Finding {
  check: string
  status: 'ok' | 'warn' | 'fail'
  detail: string
  /** What to do; absent when all is well. */
  advice?: string
}
