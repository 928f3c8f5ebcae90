// Whether a database responds at the moment.
import { answerWithin } from './answer-in-time.ts'

const WAIT_MS = 1000
/** An answer is taken for this long: many who want to know cost one question. */
const KEPT_MS = 500

/** @param ask sends a trivial statement @returns a function that asks once for all who want to know at the same time */
export function createProbe(ask: () => Promise<unknown>): () => Promise<boolean> {
  let asked: Promise<boolean> | undefined
  const responds = () => {
    asked ??= ask()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        setTimeout(() => {
          asked = undefined
        }, KEPT_MS).unref()
      })
    return asked
  }
  return () => answerWithin(responds(), WAIT_MS).catch(() => false)
}
