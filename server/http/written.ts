// Answers of routes that write, to keys without the scope that reads: ids, versions, times and counts, and the fields
// that were sent, as they were sent. A field that was not sent, or its stored form, is a value that the key may not see.
import type { RouteHandlerMethod } from 'fastify'
import type { Route } from '../../contract/route.ts'
import { mayRead } from '../caller.ts'
import { isObject } from '../json.ts'
import { sendJson } from './send-json.ts'

interface Shape {
  properties?: Readonly<Record<string, Shape>>
  anyOf?: readonly Shape[]
}

type Fields = Readonly<Record<string, unknown>>

/** Fields of any answer that are no values of it. */
const KEPT: ReadonlySet<string> = new Set([
  ...['id', 'objectId', 'recordId', 'version', 'createdAt', 'updatedAt', 'editedAt', 'deleted'],
  // How many values or records return, of a restored attribute or object.
  ...['values', 'records'],
])

function fieldsOf({ properties, anyOf = [] }: Shape): Readonly<Record<string, Shape>> {
  return properties ?? anyOf.map(fieldsOf).find((fields) => Object.keys(fields).length > 0) ?? {}
}

/** @param shape the schema of the answer: the answer itself may have more, which is never shown */
export function writtenOf(shape: Shape, answer: Fields, sent: Fields): Fields {
  const written: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(fieldsOf(shape))) {
    const value = answer[name]
    if (value === undefined) continue
    if (KEPT.has(name)) written[name] = value
    else if (Object.hasOwn(sent, name)) written[name] = sent[name]
    else if (isObject(value)) {
      const ids = writtenOf(inner, value, {})
      if (Object.keys(ids).length > 0) written[name] = ids
    }
  }
  return written
}

/**
 * Wraps the handler of a route with a readScope; of another one it is the handler itself. In the handler, because the
 * answer that is kept for an Idempotency-Key is what the handler returns.
 */
export function showingWritten(
  { readScope, response = {} }: Pick<Route, 'readScope' | 'response'>,
  handler: RouteHandlerMethod,
): RouteHandlerMethod {
  const [shape] = Object.values(response)
  if (readScope === undefined || !shape) return handler
  return async function (request, reply) {
    const answer: unknown = await handler.call(this, request, reply)
    if (mayRead(request.caller, readScope) || !isObject(answer)) return answer
    const sent = isObject(request.body) ? request.body : {}
    return sendJson(reply, JSON.stringify(writtenOf(shape as Shape, answer, sent)))
  }
}
