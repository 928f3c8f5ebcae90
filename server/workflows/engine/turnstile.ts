// Lets so many in at once; the others wait their turn.
export interface Turnstile {
  pass<Result>(work: () => Promise<Result>): Promise<Result>
}

export function createTurnstile(places: number): Turnstile {
  let free = places
  const waiting: (() => void)[] = []
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  return {
    async pass(work) {
      if (free > 0) free--
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
