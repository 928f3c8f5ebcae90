// What is wrong with a value by a rule of its schema, and what to send instead. Patterns are never shown: the schema's
// example is.
import { NOT_BLANK, NOT_BLANK_AS_SENT } from '../../contract/not-blank.ts'
export interface RuleSchema {
  type?: string
  pattern?: string
  description?: string
  examples?: readonly unknown[]
  properties?: Readonly<Record<string, RuleSchema>>
}

/** One rule that a value breaks. */
export interface BrokenRule {
  keyword: string
  params: object
  /** Of the value. */
  schema: RuleSchema | undefined
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

const EXAMPLE_CHARACTERS_MAX = 200

/** `, such as "2026-11-20"`; empty where the schema has no example. */
function suchAs(schema: RuleSchema | undefined): string {
  const example = JSON.stringify(schema?.examples?.[0])
  return example === undefined || example.length > EXAMPLE_CHARACTERS_MAX ? '' : `, such as ${example}`
}

const typeName = (type: unknown): string =>
  [type]
    .flat()
    .map((one) => TYPES[String(one)] ?? String(one))
    .join(' or ')

const counted = (limit: number, one: string, many: string) =>
  limit === 1 ? `one ${one}` : `${limit} ${many}`
const characters = (limit: number) => counted(limit, 'character', 'characters')
const elements = (limit: number) => counted(limit, 'element', 'elements')
const fields = (limit: number) => counted(limit, 'field', 'fields')

type Say = (limit: number, schema: RuleSchema | undefined) => string

const LIMITS: Readonly<Record<string, Say>> = {
  minLength: (limit, schema) => `must have at least ${characters(limit)}${suchAs(schema)}`,
  maxLength: (limit) => `must have at most ${characters(limit)}: send a shorter text`,
  minItems: (limit) => `must have at least ${elements(limit)}`,
  maxItems: (limit) => `must have at most ${elements(limit)}: send fewer`,
  minProperties: (limit) => `must have at least ${fields(limit)}`,
  maxProperties: (limit) => `must have at most ${fields(limit)}: send fewer`,
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  exclusiveMinimum: (limit) => `must be more than ${limit}`,
  exclusiveMaximum: (limit) => `must be less than ${limit}`,
  multipleOf: (limit) => `must be a multiple of ${limit}`,
}

function patternMessage(schema: RuleSchema | undefined): string {
  if (schema?.pattern === NOT_BLANK || schema?.pattern === NOT_BLANK_AS_SENT) return 'must not be blank'
  const example = suchAs(schema)
  return example === ''
    ? `has the wrong format: ${schema?.description ?? 'see the API reference'}`
    : `has the wrong format: send a value${example}`
}

/** A sentence without its subject, which is the path of the value. */
export function faultMessage({ keyword, params, schema }: BrokenRule): string {
  const { limit, type } = params as { limit?: number; type?: unknown }
  const say = LIMITS[keyword]
  if (say && limit !== undefined) return say(limit, schema)
  if (keyword === 'type') return `must be ${typeName(type)}${suchAs(schema)}`
  if (keyword === 'pattern') return patternMessage(schema)
  if (keyword === 'uniqueItems') return 'must not contain duplicates: send each element once'
  if (keyword === 'required')
    return `is required: send ${typeName(schema?.type ?? 'a value')}${suchAs(schema)}`
  return `has the wrong format${suchAs(schema)}`
}

const NAMES_SHOWN_MAX = 30

/** @param known fields of the object that has one more */
export function unknownFieldMessage(known: readonly string[]): string {
  if (known.length === 0) return 'is not a known field: send no fields here'
  const shown = known.slice(0, NAMES_SHOWN_MAX).join(', ')
  return `is not a known field: use ${shown}${known.length > NAMES_SHOWN_MAX ? ' and others' : ''}`
}

/** @param pointer where in `schema` a rule stands, such as `#/properties/name` */
export function schemaAt(schema: unknown, pointer: string): RuleSchema | undefined {
  let at: unknown = schema
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined
  }
  return at as RuleSchema | undefined
}
