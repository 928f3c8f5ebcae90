// The settings of each bench in `all --quick`. All benches together take less than ten minutes on two cores.

export interface Dose {
  /** Time that the bench may take. The page of results marks benches that took longer. */
  shareSeconds: number
  seconds: number
  rounds: number
  records: number
}

/** Time for all benches together. At its end the running bench is stopped, and later benches fail immediately. */
export const QUICK_SECONDS = 580
/** A bench is stopped after this many times its share. */
export const SHARES_MAX = 2

/** Doses by name of the bench. `all --quick` leaves out benches without a dose. */
export const DOSES: Readonly<Record<string, Dose>> = {
  http: { shareSeconds: 120, seconds: 1, rounds: 3, records: 50_000 },
  webhooks: { shareSeconds: 115, seconds: 1, rounds: 2, records: 50_000 },
  workflows: { shareSeconds: 50, seconds: 1, rounds: 2, records: 50_000 },
  reports: { shareSeconds: 60, seconds: 1, rounds: 2, records: 50_000 },
  files: { shareSeconds: 65, seconds: 1, rounds: 2, records: 50_000 },
  records: { shareSeconds: 95, seconds: 1, rounds: 3, records: 20_000 },
  fairness: { shareSeconds: 70, seconds: 1, rounds: 3, records: 50_000 },
}
