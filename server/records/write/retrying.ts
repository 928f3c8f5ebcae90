// Retries transactions, such as merges, that take unique values which concurrent writers may take first.
import { isUniqueViolation } from '../../base/error-code.ts'

const MAX_TRIES = 20

/** Tries again after a unique violation: the next try sees the value that another writer took. */
export async function retrying<Result>(attempt: () => Promise<Result>, tries = 1): Promise<Result> {
  try {
    return await attempt()
  } catch (error) {
    if (!isUniqueViolation(error) || tries === MAX_TRIES) throw error
    return retrying(attempt, tries + 1)
  }
}
