// Builds validators from schemas. Bodies are not converted; numbers and booleans of a query are parsed from text.
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Problem } from '../../contract/errors.ts'
import { NOT_BLANK } from '../../contract/not-blank.ts'
import { singleLine } from '../../contract/single-line.ts'
import { invalid } from '../base/errors.ts'
import { isObject } from '../base/json.ts'
import { validationProblems } from './problems.ts'

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

/** Problems for parameters that were sent several times, but may be sent once. */
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

/** Adds a subject to messages without a path. @param whole the name of the value, such as `The body` */
const withWhole = (problems: readonly Problem[], whole: string): Problem[] =>
  problems.map((one) => (one.path === '' ? { ...one, message: `${whole} ${one.message}` } : one))

/**
 * @param whole the name of the value in messages about all of it; '' if the caller has a path for it
 * @returns a function that returns all problems with the shape of a value; empty if there are none
 */
export function shapeCheck(schema: TSchema, whole = ''): (value: unknown) => Problem[] {
  const compiled = compiledWhenUsed(schema)
  return (value) => {
    if (compiled().Check(value)) return []
    const problems = validationProblems(schema, value)
    return whole === '' ? problems : withWhole(problems, whole)
  }
}

const FILTER = /^filters?(?:[.[]|$)/

/** invalid_filter if all problems concern filters. */
const bodyCode = (problems: readonly Problem[]) =>
  problems.every(({ path }) => FILTER.test(path)) ? 'invalid_filter' : 'validation_error'

/** The keywords for texts and lists at any depth of a body. */
interface Schema {
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
  maxItems?: number
  pattern?: string
  type?: string
  anyOf?: readonly Schema[]
}

/** The schema without null, if null is its only other alternative. */
function besidesNull(schema: Schema): Schema {
  const [only, ...others] = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  return only && others.length === 0 ? only : schema
}

/**
 * Finds the first array that is longer than its schema allows. It runs before the full check, which would report every
 * invalid element.
 */
function findOversized(sent: Schema, value: unknown, path = ''): Problem | undefined {
  const schema = besidesNull(sent)
  if (Array.isArray(value)) return inArray(schema, value, path)
  if (!isObject(value)) return undefined
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const found = findOversized(inner, value[name], path ? `${path}.${name}` : name)
    if (found) return found
  }
  return undefined
}

function inArray({ items, maxItems }: Schema, value: readonly unknown[], path: string): Problem | undefined {
  if (maxItems === undefined) return undefined
  if (value.length > maxItems)
    return { path, code: 'maxItems', message: `must have at most ${maxItems} elements: send fewer` }
  if (!items) return undefined
  for (const [index, element] of value.entries()) {
    const found = findOversized(items, element, `${path}[${index}]`)
    if (found) return found
  }
  return undefined
}

type Trim = (value: unknown) => unknown

function trimFields(fields: readonly (readonly [string, Trim])[]): Trim {
  return (value) => {
    if (!isObject(value)) return value
    const trimmed = fields.flatMap(([name, trim]) =>
      Object.hasOwn(value, name) ? [[name, trim(value[name])]] : [],
    )
    return { ...value, ...Object.fromEntries(trimmed) }
  }
}

/**
 * Trims and normalizes names and titles before they are checked; the result is stored.
 * @returns undefined if the schema has nothing to trim
 */
function trimOf(sent: Schema): Trim | undefined {
  const schema = besidesNull(sent)
  if (schema.pattern === NOT_BLANK) return (value) => (typeof value === 'string' ? singleLine(value) : value)
  const item = schema.items && trimOf(schema.items)
  if (item) return (value) => (Array.isArray(value) ? value.map(item) : value)
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const trim = trimOf(inner)
    return trim ? [[name, trim] as const] : []
  })
  return fields.length > 0 ? trimFields(fields) : undefined
}

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
    return refuse(
      withWhole(validationProblems(schema, value, isQuery ? 'query parameter' : 'field'), 'The body'),
    )
  }
}
