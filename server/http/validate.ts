// Schemas → checks. Bodies are taken as they are; numbers and booleans of a query are read from text.
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Problem } from '../../contract/errors.ts'
import { invalid } from '../errors.ts'

interface PropertySchema {
  type?: string
}
type ErrorOf = ReturnType<ReturnType<typeof Compile>['Errors']>[number]

const INTEGER = /^-?\d{1,15}$/

function readText(schema: PropertySchema | undefined, text: unknown): unknown {
  if (schema?.type === 'integer' && typeof text === 'string' && INTEGER.test(text)) return Number(text)
  if (schema?.type === 'boolean' && text === 'true') return true
  if (schema?.type === 'boolean' && text === 'false') return false
  return text
}

function readQuery(properties: Record<string, PropertySchema>, query: Record<string, unknown>) {
  return Object.fromEntries(
    Object.entries(query).map(([name, text]) => [name, readText(properties[name], text)]),
  )
}

/** `/records/0/id` → `records[0].id` */
const pathOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), '')

const named = (path: string, name: string) => (path ? `${path}.${name}` : name)

function toProblems(error: ErrorOf): Problem[] {
  const path = pathOf(error.instancePath)
  const params = error.params as { requiredProperties?: string[]; additionalProperties?: string[] }
  if (error.keyword === 'required')
    return (params.requiredProperties ?? []).map((name) => ({
      path: named(path, name),
      code: 'required',
      message: 'is required',
    }))
  if (error.keyword === 'additionalProperties')
    return (params.additionalProperties ?? []).map((name) => ({
      path: named(path, name.slice(0, 100)),
      code: 'unknown_field',
      message: 'is not known here',
    }))
  return [{ path, code: error.keyword, message: error.message }]
}

const PROBLEMS_MAX = 20

// Alternatives of a union fail one by one, then as a whole; false schemas only repeat additionalProperties.
const NOISE = new Set(['boolean', 'not', 'anyOf'])

function mergeConstants(errors: readonly ErrorOf[]): Problem[] {
  const allowed = Map.groupBy(
    errors.filter(({ keyword }) => keyword === 'const'),
    ({ instancePath }) => instancePath,
  )
  return [...allowed].map(([pointer, choices]) => ({
    path: pathOf(pointer),
    code: 'enum',
    message: `must be one of ${choices.map(({ params }) => JSON.stringify((params as { allowedValue: unknown }).allowedValue)).join(', ')}`,
  }))
}

export function problemsOf(errors: readonly ErrorOf[]): Problem[] {
  const plain = errors.filter(({ keyword }) => !NOISE.has(keyword) && keyword !== 'const').flatMap(toProblems)
  const problems = [...plain, ...mergeConstants(errors)]
  return problems.length > 0 ? problems.slice(0, PROBLEMS_MAX) : errors.slice(0, 1).flatMap(toProblems)
}

export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const check = Compile(schema)
  const properties = (schema as { properties?: Record<string, PropertySchema> }).properties ?? {}
  const code = httpPart === 'body' ? 'validation_error' : 'invalid_parameter'
  return (input) => {
    const value = httpPart === 'querystring' ? readQuery(properties, input) : input
    if (check.Check(value)) return { value }
    return { error: invalid(code, problemsOf(check.Errors(value))) }
  }
}
