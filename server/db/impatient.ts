// Questions whose answer is of no use when it is late, such as those of metrics.
import { answerWithin } from './answer-in-time.ts'
import type { Db } from './pool.ts'

/** The same database, whose reads fail after `ms`; what was sent goes on. */
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
