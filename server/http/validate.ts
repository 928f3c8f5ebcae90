// Schemas → checks. Bodies are taken as they are; numbers and booleans of a query are read from text.
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Problem } from '../../contract/errors.ts'
import { invalid } from '../errors.ts'
import { findOversized } from './oversized.ts'
import { problemsOf } from './problems.ts'
import { trimOf } from './trim.ts'

interface PropertySchema {
  type?: string
  anyOf?: readonly PropertySchema[]
}

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
    return [{ path, code: 'given_twice', message: 'is sent more than once: send it once' }]
  })

/** Most routes of a process are never called: compiling their schemas at the start took 15 MB and a second. */
function compiledWhenUsed(schema: TSchema): () => ReturnType<typeof Compile> {
  let compiled: ReturnType<typeof Compile> | undefined
  return () => (compiled ??= Compile(schema))
}

/** What has no path is named in the message. @param whole what the value is called, such as `The body` */
const withWhole = (problems: readonly Problem[], whole: string): Problem[] =>
  problems.map((one) => (one.path === '' ? { ...one, message: `${whole} ${one.message}` } : one))

/**
 * @param whole what the value is called in messages about all of it; '' where the caller has a path for it
 * @returns everything wrong with the shape of a value; empty when nothing is
 */
export function shapeCheck(schema: TSchema, whole = ''): (value: unknown) => Problem[] {
  const compiled = compiledWhenUsed(schema)
  return (value) => {
    if (compiled().Check(value)) return []
    const problems = problemsOf(schema, value)
    return whole === '' ? problems : withWhole(problems, whole)
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
    if (compiled().Check(value)) return { value }
    const isQuery = httpPart === 'querystring'
    return refuse(withWhole(problemsOf(schema, value, isQuery ? 'query parameter' : 'field'), 'The body'))
  }
}
