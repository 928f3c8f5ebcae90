// Query parameters that a route does not know are refused, also where it knows none (decisions, section 1).
import type { preValidationAsyncHookHandler, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { invalid } from '../errors.ts'
import { isReadable } from './malformed.ts'

const NO_PARAMETERS = Type.Object({}, { additionalProperties: false })

const MALFORMED = 'has a % that is not followed by two hexadecimal digits of UTF-8: send % itself as %25'

/** What cannot be decoded would be taken as it is, and a filter by it finds nothing. @throws 400 invalid_parameter */
const refuseMalformed: preValidationAsyncHookHandler = async ({ url }) => {
  const start = url.indexOf('?')
  if (start === -1 || !url.includes('%', start)) return
  const malformed = url
    .slice(start + 1)
    .split('&')
    .filter((pair) => !isReadable(pair))
  if (malformed.length === 0) return
  const problems = malformed.map((pair) => {
    const name = pair.split('=', 1)[0] ?? ''
    return {
      path: isReadable(name) ? decodeURIComponent(name) : name,
      code: 'malformed_encoding',
      message: MALFORMED,
    }
  })
  throw invalid('invalid_parameter', problems)
}

/** An onRoute hook. */
export function refuseUnknownParameters(route: RouteOptions): void {
  if (route.config?.refused) return
  route.schema = { querystring: NO_PARAMETERS, ...route.schema }
  route.preValidation = [refuseMalformed, ...[route.preValidation ?? []].flat()]
}
