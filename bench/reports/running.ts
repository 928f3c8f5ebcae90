// Reports one after the other, for as long as something else is measured.

export interface Running {
  /** @returns how many were run, once the last has ended */
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
