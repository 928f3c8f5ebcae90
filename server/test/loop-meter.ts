// Measures how long the event loop is blocked, in CPU time of its thread: the wall clock would include other processes.

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * CPU milliseconds of the longest turn of the event loop. Includes other work of this thread: measure one call at a
 * time.
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
