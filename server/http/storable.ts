// Refuses text with U+0000 or half of a surrogate pair, which PostgreSQL cannot store.
import type { FastifyRequest } from 'fastify'
import type { Problem } from '../../contract/errors.ts'
import { invalid } from '../base/errors.ts'

export const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

export const NOT_STORABLE = 'must not contain the character U+0000 or unpaired surrogates: leave them out'

const NAME_MESSAGE = 'has a name with the character U+0000 or unpaired surrogates: leave them out'

function problemsIn(value: unknown, path: string): Problem[] {
  if (typeof value === 'string')
    return isStorable(value) ? [] : [{ path, code: 'invalid_text', message: NOT_STORABLE }]
  if (Array.isArray(value)) return value.flatMap((element, index) => problemsIn(element, `${path}[${index}]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = (path ? `${path}.${name}` : name).toWellFormed().replaceAll('\u0000', '\ufffd')
    return isStorable(name)
      ? problemsIn(inner, at)
      : [{ path: at, code: 'invalid_text', message: NAME_MESSAGE }]
  })
}

/** @param body a body with a checked shape @throws 400 validation_error that names each such text */
export function requireStorable(body: unknown): void {
  const problems = problemsIn(body, '')
  if (problems.length > 0) throw invalid('validation_error', problems)
}

/** A preHandler hook for routes whose bodies have plain fields. */
export const refuseUnstorable = async ({ body }: FastifyRequest): Promise<void> => requireStorable(body)
