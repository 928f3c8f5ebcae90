// Runs reports one after the other while something else is measured.

export interface Running {
  /** Waits for the current report. @returns the number of reports that ran */
  stop(): Promise<number>
}

export function startReports(report: () => Promise<unknown>): Running {
  let isStopped = false
  const work = async () => {
    let count = 0
    while (!isStopped) {
      await report()
      count++
    }
    return count
  }
  const done = work()
  return {
    stop() {
      isStopped = true
      return done
    },
  }
}
