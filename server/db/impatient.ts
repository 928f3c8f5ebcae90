// Questions whose answer is of no use when it is late, such as those of metrics.
import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from './pool.ts'

async function tooLate(ms: number): Promise<never> {
  await delay(ms, undefined, { ref: false })
  throw new Error(`The database did not respond within ${ms} ms`)
}

/** The same database, whose reads fail after `ms`; what was sent goes on. */
export function impatient(db: Db, ms: number): Db {
  const hurried = <Ask>(ask: Ask): Ask => {
    const plain = ask as (...args: unknown[]) => Promise<unknown>
    return ((...args: unknown[]) => Promise.race([plain(...args), tooLate(ms)])) as Ask
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
