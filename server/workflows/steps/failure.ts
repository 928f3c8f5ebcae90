// Errors of steps, with messages for authors of workflows.
import type { Problem } from '../../../contract/errors.ts'
import { AppError } from '../../base/errors.ts'
import { errorCode } from '../../db/pool.ts'
import { UnreadableSecret } from '../../secrets/box.ts'

export class StepFailure extends Error {
  override readonly name = 'StepFailure'
  /** Whether a retry may succeed. */
  readonly isTransient: boolean

  constructor(message: string, { isTransient = false }: { isTransient?: boolean } = {}) {
    super(message)
    this.isTransient = isTransient
  }
}

const PROBLEMS_MAX = 10

/** `data.email: is taken; data.name: is required` */
function wordsOf({ message, details }: AppError): string {
  const problems = details?.['errors']
  if (!Array.isArray(problems)) return message
  const lines = (problems as Problem[]).map(({ path, message }) => (path ? `${path}: ${message}` : message))
  const more = lines.length > PROBLEMS_MAX ? `; and ${lines.length - PROBLEMS_MAX} more` : ''
  return lines.slice(0, PROBLEMS_MAX).join('; ') + more
}

/** Deadlock, conflict, lock timeout, statement timeout, too many connections or locks. */
const BUSY = /^(?:40P01|40001|55P03|57014|53\d\d\d)$/

/** The error with a message for users; undefined: a defect of the service. */
export function failureOf(error: unknown): StepFailure | undefined {
  if (error instanceof StepFailure) return error
  if (error instanceof AppError)
    return new StepFailure(wordsOf(error), { isTransient: error.code === 'unavailable' })
  if (error instanceof UnreadableSecret)
    return new StepFailure(
      'A secret was encrypted with a key that this installation no longer has: enter the secret again, or restore the key.',
    )
  if (BUSY.test(errorCode(error) ?? ''))
    return new StepFailure('Other changes of the same data were in progress.', {
      isTransient: true,
    })
  return undefined
}
