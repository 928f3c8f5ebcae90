// What each bench does in `all --quick`: together less than ten minutes on two cores.

export interface Dose {
  /** Time that the bench may take; the page names those that took longer. */
  shareSeconds: number
  seconds: number
  rounds: number
  records: number
}

/** Of all benches together; what has not begun by then is not run. */
export const QUICK_SECONDS = 580
/** A bench is stopped after its share times this. */
export const SHARES_MAX = 2

/** By name. A bench without a dose is not part of it. */
export const DOSES: Readonly<Record<string, Dose>> = {
  http: { shareSeconds: 120, seconds: 1, rounds: 3, records: 50_000 },
  webhooks: { shareSeconds: 115, seconds: 1, rounds: 2, records: 50_000 },
  workflows: { shareSeconds: 50, seconds: 1, rounds: 2, records: 50_000 },
  reports: { shareSeconds: 60, seconds: 1, rounds: 2, records: 50_000 },
  files: { shareSeconds: 65, seconds: 1, rounds: 2, records: 50_000 },
  records: { shareSeconds: 95, seconds: 1, rounds: 3, records: 20_000 },
  fairness: { shareSeconds: 70, seconds: 1, rounds: 3, records: 50_000 },
}
