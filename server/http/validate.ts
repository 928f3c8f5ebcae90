// Schemas → checks. Bodies are taken as they are; numbers and booleans of a query are read from text.
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Problem } from '../../contract/errors.ts'
import { invalid } from '../errors.ts'
import { faultMessage, type RuleSchema, schemaAt, unknownFieldMessage } from './fault-messages.ts'
import { findOversized } from './oversized.ts'
import { trimOf } from './trim.ts'

interface PropertySchema {
  type?: string
  anyOf?: readonly PropertySchema[]
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

const takesSeveral = ({ type, anyOf }: PropertySchema): boolean =>
  type === 'array' || (anyOf?.some(takesSeveral) ?? false)

/** Parameters that came more than once where one is taken. */
const givenTwice = (properties: Record<string, PropertySchema>, query: Record<string, unknown>): Problem[] =>
  Object.entries(query).flatMap(([path, value]) => {
    const schema = properties[path]
    if (!Array.isArray(value) || !schema || takesSeveral(schema)) return []
    return [{ path, code: 'given_twice', message: 'is sent twice: send it once' }]
  })

/** `/records/0/id` → `records[0].id` */
const pathOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), '')

const named = (path: string, name: string) => (path ? `${path}.${name}` : name)

const knownFields = (schema: RuleSchema | undefined): string[] => Object.keys(schema?.properties ?? {})

function toProblems(schema: TSchema, error: ErrorOf): Problem[] {
  const path = pathOf(error.instancePath)
  const at = schemaAt(schema, error.schemaPath)
  const params = error.params as { requiredProperties?: string[]; additionalProperties?: string[] }
  if (error.keyword === 'required')
    return (params.requiredProperties ?? []).map((name) => ({
      path: named(path, name),
      code: 'required',
      message: faultMessage({ keyword: 'required', params, schema: at?.properties?.[name] }),
    }))
  if (error.keyword === 'additionalProperties')
    return (params.additionalProperties ?? []).map((name) => ({
      path: named(path, name.slice(0, 100)),
      code: 'unknown_field',
      message: unknownFieldMessage(knownFields(at)),
    }))
  return [
    { path, code: error.keyword, message: faultMessage({ keyword: error.keyword, params, schema: at }) },
  ]
}

/** Faults that one answer lists; checking stops there. */
export const PROBLEMS_MAX = 20

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

/** For text that is too short, its pattern is not reported as well. */
const isTooShort = ({ keyword, instancePath }: ErrorOf, errors: readonly ErrorOf[]): boolean =>
  keyword === 'pattern' &&
  errors.some((other) => other.keyword === 'minLength' && other.instancePath === instancePath)

/** That null would do is not what is wrong with a value or a part of it. */
const isNoNull = ({ keyword, params, instancePath }: ErrorOf, errors: readonly ErrorOf[]): boolean =>
  keyword === 'type' &&
  (params as { type?: unknown }).type === 'null' &&
  errors.some(
    (other) =>
      !NOISE.has(other.keyword) &&
      (other.instancePath.startsWith(`${instancePath}/`) ||
        (other.instancePath === instancePath && (other.params as { type?: unknown }).type !== 'null')),
  )

function problemsOf(schema: TSchema, errors: readonly ErrorOf[]): Problem[] {
  const toOwn = (error: ErrorOf) => toProblems(schema, error)
  const plain = errors
    .filter((error) => !NOISE.has(error.keyword) && error.keyword !== 'const')
    .filter((error) => !isTooShort(error, errors) && !isNoNull(error, errors))
    .flatMap(toOwn)
  const problems = [...plain, ...mergeConstants(errors)]
  return problems.length > 0 ? problems.slice(0, PROBLEMS_MAX) : errors.slice(0, 1).flatMap(toOwn)
}

/** Most routes of a process are never called: compiling their schemas at the start took 15 MB and a second. */
function compiledWhenUsed(schema: TSchema): () => ReturnType<typeof Compile> {
  let compiled: ReturnType<typeof Compile> | undefined
  return () => (compiled ??= Compile(schema))
}

/** @returns everything wrong with the shape of a value; empty when nothing is */
export function shapeCheck(schema: TSchema): (value: unknown) => Problem[] {
  const compiled = compiledWhenUsed(schema)
  return (value) => {
    const check = compiled()
    return check.Check(value) ? [] : problemsOf(schema, check.Errors(value))
  }
}

const FILTER = /^filters?(?:[.[]|$)/

/** What is wrong with filters alone is invalid_filter, in their shape as in their meaning. */
const bodyCode = (problems: readonly Problem[]) =>
  problems.every(({ path }) => FILTER.test(path)) ? 'invalid_filter' : 'validation_error'

export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const compiled = compiledWhenUsed(schema)
  const properties = (schema as { properties?: Record<string, PropertySchema> }).properties ?? {}
  const refuse = (problems: readonly Problem[]) => ({
    error: invalid(httpPart === 'body' ? bodyCode(problems) : 'invalid_parameter', problems),
  })
  const trim = httpPart === 'body' ? trimOf(schema) : undefined
  return (input) => {
    const twice = httpPart === 'querystring' ? givenTwice(properties, input) : []
    if (twice.length > 0) return refuse(twice)
    const value = httpPart === 'querystring' ? readQuery(properties, input) : trim ? trim(input) : input
    const oversized = findOversized(schema, value)
    if (oversized) return refuse([oversized])
    const check = compiled()
    if (check.Check(value)) return { value }
    return refuse(problemsOf(schema, check.Errors(value)))
  }
}
