// Limits how long a request waits for an answer of a database.

import type { Db } from './pool.ts'

/** If a timer fires later than this, the process was busy: the answer may have arrived without being read. */
const BUSY_MS = 100

export class NoAnswerInTime extends Error {
  override readonly name = 'NoAnswerInTime'
}

/** @throws NoAnswerInTime after `ms`, or later where the process was too busy to read an answer */
export async function answerWithin<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer> {
  const late = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  const wait = () => {
    const dueAt = performance.now() + ms
    timer = setTimeout(() => {
      if (performance.now() - dueAt > BUSY_MS) wait()
      else late.reject(new NoAnswerInTime(`The database did not respond within ${ms} ms`))
    }, ms)
  }
  wait()
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The same database for queries whose late answers are useless, such as those of metrics. Its reads fail after `ms`; a
 * statement that was sent is not cancelled.
 */
export function impatient(db: Db, ms: number): Db {
  const hurried = <Ask>(ask: Ask): Ask => {
    const plain = ask as (...args: unknown[]) => Promise<unknown>
    return ((...args: unknown[]) => answerWithin(plain(...args), ms)) as Ask
  }
  const { many, maybeOne, one, value, maybeValue, snapshot } = db
  return {
    ...db,
    many: hurried(many),
    maybeOne: hurried(maybeOne),
    one: hurried(one),
    value: hurried(value),
    maybeValue: hurried(maybeValue),
    snapshot: hurried(snapshot),
  }
}
