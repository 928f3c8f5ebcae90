// Routes that take no body: fields sent to one are refused, since a client that sends them expects an effect.
import type { FastifyRequest, RouteOptions } from 'fastify'
import { invalid, invalidField } from '../errors.ts'
import { PROBLEMS_MAX } from './problems.ts'

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

/** An onRoute hook; routes that read their body themselves are left alone. */
export function refuseUnknownFields(route: RouteOptions): void {
  const takesNone = !route.schema?.body && !route.config?.slowBody && !route.config?.refused
  const isMutating = [route.method].flat().some((method) => WITH_BODY.has(method))
  if (takesNone && isMutating) route.preValidation = [requireNoFields, ...[route.preValidation ?? []].flat()]
}
