// Checks whether a database responds now.
import { answerWithin } from './answer-in-time.ts'

const WAIT_MS = 1000
/** The result is reused for this long, so that many checks need one query. */
const KEPT_MS = 500

/** @param ask sends a trivial statement @returns a function whose concurrent calls share one statement */
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
