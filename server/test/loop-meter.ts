// How long the event loop is held, in CPU time of its thread: on a shared machine the wall clock measures the others.

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * CPU milliseconds of the longest turn of the event loop. Other work of this thread meanwhile counts too: ask one
 * thing at a time.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isRunning = true
  let last = cpuMs()
  const turn = () => {
    const now = cpuMs()
    longest = Math.max(longest, now - last)
    last = now
    if (isRunning) setImmediate(turn)
  }
  setImmediate(turn)
  try {
    await work()
  } finally {
    isRunning = false
  }
  turn()
  return longest
}
