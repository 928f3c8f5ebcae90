// Refuses query parameters and fields that a route does not declare, also if it declares none (decisions, section 1).
import type { FastifyRequest, preValidationAsyncHookHandler, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { invalid, invalidField } from '../base/errors.ts'
import { isReadable } from './malformed.ts'
import { PROBLEMS_MAX } from './problems.ts'

const NO_PARAMETERS = Type.Object({}, { additionalProperties: false })

const MALFORMED = 'has a % that is not followed by two hexadecimal digits of UTF-8: send % itself as %25'

/** Text that cannot be decoded would be used literally: a filter would find nothing. @throws 400 invalid_parameter */
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

/** An onRoute hook for query parameters. */
export function refuseUnknownParameters(route: RouteOptions): void {
  if (route.config?.refused) return
  route.schema = { querystring: NO_PARAMETERS, ...route.schema }
  route.preValidation = [refuseMalformed, ...[route.preValidation ?? []].flat()]
}

const WITH_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
const NAME_CHARS_MAX = 100

async function requireNoFields({ body }: FastifyRequest): Promise<void> {
  if (body === undefined) return
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidField('', 'unexpected_body', 'This route takes no body: send none')
  const names = Object.keys(body).slice(0, PROBLEMS_MAX)
  const problems = names.map((name) => ({
    path: name === '' ? '""' : name.slice(0, NAME_CHARS_MAX).toWellFormed(),
    code: 'unknown_field',
    message: 'is not a known field: this route takes no body, so leave it out',
  }))
  if (problems.length > 0) throw invalid('validation_error', problems)
}

/**
 * An onRoute hook for routes without a body: fields are refused, because a client that sends them expects an effect.
 * Routes that read their body themselves are skipped.
 */
export function refuseUnknownFields(route: RouteOptions): void {
  const takesNone = !route.schema?.body && !route.config?.slowBody && !route.config?.refused
  const isMutating = [route.method].flat().some((method) => WITH_BODY.has(method))
  if (takesNone && isMutating) route.preValidation = [requireNoFields, ...[route.preValidation ?? []].flat()]
}
