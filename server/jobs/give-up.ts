// When background work that failed ends, and when it is tried again.
import { AppError } from '../base/errors.ts'
import type { BaseContext } from '../db/base-context.ts'
import { isDatabaseUnavailable } from '../db/unavailable.ts'

export interface FailedWork {
  /** @returns how many tries ended in an error since the last progress, this one included */
  countTry(): Promise<number>
  /** Ends the work, with the reason for people. */
  fail(message: string): Promise<unknown>
  /** For the log: what failed, and its id. */
  name: string
  ref: Readonly<Record<string, string>>
  /** For people: it failed again and again, and what is kept. */
  reason: string
}

const TRIES_MAX = 5

/**
 * A refusal is permanent; other errors may be temporary, and a database that is away always is.
 * @throws the error when the work is to be tried again
 */
export async function giveUp(
  { log }: Pick<BaseContext, 'log'>,
  error: unknown,
  work: FailedWork,
): Promise<void> {
  if (error instanceof AppError && error.status < 500) {
    await work.fail(error.message)
    return
  }
  if (isDatabaseUnavailable(error) || (await work.countTry()) < TRIES_MAX) throw error
  log.error({ err: error, ...work.ref }, work.name)
  await work.fail(work.reason)
}
