// For ids in the fields of a request: an unknown id is an invalid value, not a missing resource.
import { AppError, invalid } from '../base/errors.ts'

const MESSAGE = 'must be an id that the organization has: check it, what it named may have been deleted'

/**
 * @param path of the field
 * @param code invalid_parameter: it is in the query
 * @throws 400 in place of 404 not_found
 */
export async function inField<Result>(
  path: string,
  work: () => Promise<Result>,
  code: 'validation_error' | 'invalid_parameter' = 'validation_error',
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
    throw invalid(code, [{ path, code: 'invalid_reference', message: MESSAGE }])
  }
}
