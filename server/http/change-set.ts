// The change set that a client names in a header: all requests with the same id can be undone together.
import type { FastifyRequest } from 'fastify'
import { isUuid } from '../../contract/common.ts'
import { invalid } from '../base/errors.ts'

const HEADER = 'rapport-change-set'
const READING = new Set(['GET', 'HEAD'])

/** Adds the changes of the request to the change set in its header. @throws 400 invalid_parameter */
export function joinChangeSet(request: FastifyRequest): void {
  const id = request.headers[HEADER]
  if (id === undefined || READING.has(request.method)) return
  if (!isUuid(id))
    throw invalid('invalid_parameter', [
      {
        path: 'Rapport-Change-Set',
        code: 'invalid_change_set',
        message: 'must be a UUID that you generate, the same for all requests that belong together',
      },
    ])
  request.caller = { ...request.caller, changeSet: id.toLowerCase() }
}
