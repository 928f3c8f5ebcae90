// Bounds how many requests all endpoint workers together start in one turn of the event loop. Their responses come
// together too, and the rest of the process would wait for all of them.

/** Each takes about a tenth of a millisecond to sign and send, and as long again when its response comes. */
const STARTS_PER_TURN = 16

/** @returns a function to call before each start, and to await if it returns a promise: workers then take turns */
export function createSendTurns(startsPerTurn = STARTS_PER_TURN): () => Promise<void> | undefined {
  const waiting: (() => void)[] = []
  let left = startsPerTurn
  let isScheduled = false
  const schedule = () => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(begin)
  }
  const begin = () => {
    isScheduled = false
    left = startsPerTurn
    for (const start of waiting.splice(0, left)) {
      left--
      start()
    }
    if (left < startsPerTurn) schedule()
  }
  return () => {
    schedule()
    if (left === 0) return new Promise((resolve) => waiting.push(resolve))
    left--
    return undefined
  }
}
