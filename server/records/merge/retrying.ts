// Merges and their undoing take unique values that others may take meanwhile.
import { isUniqueViolation } from '../../db/error-code.ts'

const MAX_TRIES = 20

/** A unique value that is taken meanwhile is found by the next try. */
export async function retrying<Result>(attempt: () => Promise<Result>, tries = 1): Promise<Result> {
  try {
    return await attempt()
  } catch (error) {
    if (!isUniqueViolation(error) || tries === MAX_TRIES) throw error
    return retrying(attempt, tries + 1)
  }
}
