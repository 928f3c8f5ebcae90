// Finds cycles of updates that wait for each other's unique values: A for the value of B, B for that of C, C for that
// of A.

export interface WaitingRow {
  id: string
  /** The record that has the requested value. */
  holder: string
}

/** Returns disjoint cycles. If a record waits more than once, its last wait counts. */
export function cyclesOf<One extends WaitingRow>(waiting: readonly One[]): One[][] {
  const byRecord = new Map(waiting.map((one) => [one.id, one]))
  const cycles: One[][] = []
  const seen = new Set<One>()
  for (const first of byRecord.values()) {
    const path: One[] = []
    let next: One | undefined = first
    while (next && !seen.has(next)) {
      seen.add(next)
      path.push(next)
      next = byRecord.get(next.holder)
    }
    const start = next ? path.indexOf(next) : -1
    if (start !== -1) cycles.push(path.slice(start))
  }
  return cycles
}
