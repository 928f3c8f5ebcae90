// A process that is busy while its database answers.
import { stat } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Asks, and keeps the event loop from turning until `ms` have passed: timers are due before the answer is read.
 * @param ask gets a function that answers from outside of the process, as a database does
 */
export async function askWhileBusy<Answer>(
  ms: number,
  ask: (answer: () => Promise<void>) => Promise<Answer>,
): Promise<Answer> {
  // Timers come next, and only then what has arrived.
  await nextTurn()
  const asked = ask(async () => void (await stat('.')))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  return asked
}
