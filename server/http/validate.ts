// Schemas → checks. Bodies are taken as they are; numbers and booleans of a query are read from text.
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
    const problems = validationProblems(schema, value)
    return whole === '' ? problems : withWhole(problems, whole)
  }
}

const FILTER = /^filters?(?:[.[]|$)/

/** invalid_filter when only filters are wrong, in their shape or in their meaning. */
const bodyCode = (problems: readonly Problem[]) =>
  problems.every(({ path }) => FILTER.test(path)) ? 'invalid_filter' : 'validation_error'

/** What a schema says of texts and lists, wherever they are in a body. */
interface Schema {
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
  maxItems?: number
  pattern?: string
  type?: string
  anyOf?: readonly Schema[]
}

/** Of a schema that takes null too: what else it takes. */
function besidesNull(schema: Schema): Schema {
  const [only, ...others] = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  return only && others.length === 0 ? only : schema
}

/**
 * The first array that is longer than its schema allows, found before its elements are checked: the check would describe
 * each of them, however many there are.
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
 * Names and titles lose the spaces around them before they are checked, and are normalized: the result is what is stored.
 * @returns undefined where nothing in a schema is trimmed
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
