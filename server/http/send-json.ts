// Answers whose JSON text PostgreSQL wrote: never parsed on the way, so that numbers keep all their digits.
import type { FastifyReply } from 'fastify'
import { JSON_TYPE } from './render-errors.ts'

/**
 * Sends JSON text as it is. Fastify sends a string under a JSON content type unchanged; `Shape` is what the
 * text holds.
 */
export function sendJson<Shape>(reply: FastifyReply, json: string): Shape {
  reply.type(JSON_TYPE)
  return json as unknown as Shape
}
