// Decides whether failed background work ends or is tried again.
import { AppError } from '../base/errors.ts'
import type { BaseContext } from '../db/base-context.ts'
import { isDatabaseUnavailable } from '../db/unavailable.ts'

export interface FailedWork {
  /** @returns how many tries failed since the last progress, including this one */
  countTry(): Promise<number>
  /** Ends the work, with the reason for people. */
  fail(message: string): Promise<unknown>
  /** For the log: the kind of work, and in `ref` its ids. */
  name: string
  ref: Readonly<Record<string, string>>
  /** For people: that the work failed repeatedly, and which results are kept. */
  reason: string
}

const TRIES_MAX = 5

/**
 * A refusal is permanent. Other errors may be temporary; an unavailable database always is.
 * @throws the error if the work must be tried again
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
