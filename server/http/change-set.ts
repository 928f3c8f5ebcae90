// The change set that a program names for what it writes, in a header: all requests with the same id can be undone as one.
import type { FastifyRequest } from 'fastify'
import { isUuid } from '../../contract/common.ts'
import { invalid } from '../base/errors.ts'

const HEADER = 'rapport-change-set'
const READING = new Set(['GET', 'HEAD'])

/** The changes of the request are part of the change set that its header names. @throws 400 invalid_parameter */
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
