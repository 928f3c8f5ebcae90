// A process that is busy while its database answers.
import { stat } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Calls `ask`, then blocks the event loop for `ms`: timers become due before the answer is read.
 * @param ask receives a function whose result comes from outside the process, as the answer of a database does
 */
export async function askWhileBusy<Answer>(
  ms: number,
  ask: (answer: () => Promise<void>) => Promise<Answer>,
): Promise<Answer> {
  // After this turn the event loop runs timers first and reads input second.
  await nextTurn()
  const asked = ask(async () => void (await stat('.')))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  return asked
}
