// Sends JSON text that PostgreSQL wrote. It is not parsed, so that numbers keep all digits.
import type { FastifyReply } from 'fastify'
import { JSON_TYPE } from './render-errors.ts'

/**
 * Sends JSON text unchanged, as Fastify does with a string and a JSON content type. `Shape` is the type of its content.
 */
export function sendJson<Shape>(reply: FastifyReply, json: string): Shape {
  reply.type(JSON_TYPE)
  return json as unknown as Shape
}
