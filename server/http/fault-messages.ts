// Messages for values that break a rule of their schema, with what to send instead. They show the schema's example, and
// never its pattern.
import { NOT_BLANK, NOT_BLANK_AS_SENT } from '../../contract/not-blank.ts'
import { listed, nearest } from '../base/suggestions.ts'

export interface RuleSchema {
  type?: string
  const?: unknown
  pattern?: string
  description?: string
  examples?: readonly unknown[]
  properties?: Readonly<Record<string, RuleSchema>>
  patternProperties?: Readonly<Record<string, RuleSchema>>
  anyOf?: readonly RuleSchema[]
}

/** One rule that a value breaks. */
export interface BrokenRule {
  keyword: string
  params: object
  schema: RuleSchema | undefined
  value?: unknown
}

const TRUTH = 'true or false'

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: TRUTH,
  array: 'an array',
  object: 'an object',
  null: 'null',
}

const EXAMPLE_CHARACTERS_MAX = 200

/** `, such as "2026-11-20"`; empty if the schema has no short example. */
function suchAs(schema: RuleSchema | undefined): string {
  const example = JSON.stringify(schema?.examples?.[0])
  return example === undefined || example.length > EXAMPLE_CHARACTERS_MAX ? '' : `, such as ${example}`
}

/** `text, a number, true or false` */
function eitherOf(kinds: readonly string[]): string {
  const names = kinds.flatMap((kind) => (kind === TRUTH ? ['true', 'false'] : [kind]))
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

const typeName = (type: unknown): string =>
  eitherOf([type].flat().map((one) => TYPES[String(one)] ?? 'a value'))

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
  if (schema?.pattern === NOT_BLANK || schema?.pattern === NOT_BLANK_AS_SENT)
    return 'must not be blank: send at least one visible character'
  const example = suchAs(schema)
  return `has the wrong format: ${example === '' ? 'see the API reference' : `send a value${example}`}`
}

/** The message for a value that must be one of a few. The list of values is never shortened. */
export function choiceMessage(allowed: readonly unknown[], value: unknown): string {
  const names = allowed.map((one) => JSON.stringify(one))
  const texts = allowed.filter((one) => typeof one === 'string')
  const near = typeof value === 'string' ? nearest(value, texts) : undefined
  const choices = names.length === 1 ? names.join('') : `one of ${names.join(', ')}`
  return `must be ${choices}${near === undefined ? '' : `: did you mean "${near}"?`}`
}

function kindOf(schema: RuleSchema): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap(kindOf)
  return ['const' in schema ? JSON.stringify(schema.const) : typeName(schema.type)]
}

/** The types that a field accepts: `text or null`. */
const kindsOf = (schema: RuleSchema | undefined): string => eitherOf([...new Set(kindOf(schema ?? {}))])

/** The message for a value whose type no alternative has. */
export function alternativesMessage(alternatives: readonly RuleSchema[], value: unknown): string {
  const isChoice = (one: RuleSchema) => 'const' in one || one.type === 'null'
  const choices = alternatives.filter(isChoice).map((one) => ('const' in one ? one.const : null))
  const types = [...new Set(alternatives.filter((one) => !isChoice(one)).map(({ type }) => typeName(type)))]
  if (types.length === 0) return choiceMessage(choices, value)
  const example = suchAs(alternatives.find((one) => !isChoice(one)))
  return `must be ${eitherOf([...types, ...choices.map((one) => JSON.stringify(one))])}${example}`
}

/** A sentence without a subject: the path of the value is its subject. */
export function faultMessage({ keyword, params, schema, value }: BrokenRule): string {
  const {
    multipleOf,
    limit = multipleOf,
    type,
    allowedValue,
    allowedValues,
  } = params as {
    limit?: number
    multipleOf?: number
    type?: unknown
    allowedValue?: unknown
    allowedValues?: readonly unknown[]
  }
  const say = LIMITS[keyword]
  if (say && limit !== undefined) return say(limit, schema)
  if (keyword === 'type' && value === undefined) return `is missing: send ${typeName(type)}${suchAs(schema)}`
  if (keyword === 'type') return `must be ${typeName(type)}${suchAs(schema)}`
  if (keyword === 'enum') return choiceMessage(allowedValues ?? [], value)
  if (keyword === 'const') return choiceMessage([allowedValue], value)
  if (keyword === 'pattern') return patternMessage(schema)
  if (keyword === 'uniqueItems') return 'must not contain duplicates: send each element once'
  if (keyword === 'required') return `is required: send ${kindsOf(schema)}${suchAs(schema)}`
  return patternMessage(schema)
}

/** The kind of an unknown name. */
export type Noun = 'field' | 'query parameter'

const FILTER_FORM = 'filter[<attribute slug>][<operator>]'

/** @param schema the schema of the object with the unknown field */
export function unknownFieldMessage(name: string, schema: RuleSchema | undefined, noun: Noun): string {
  const known = Object.keys(schema?.properties ?? {})
  if (schema?.patternProperties && /^filters?\b/i.test(name))
    return `is not a filter: use ${FILTER_FORM}, such as filter[name][equals]=Acme`
  if (known.length === 0)
    return noun === 'field'
      ? 'is not a known field: none is taken here, so leave it out'
      : 'is not a known query parameter: this route takes none, so leave it out'
  const near = nearest(name, known)
  if (near !== undefined) return `is not a known ${noun}: did you mean "${near}"?`
  return `is not a known ${noun}: use ${listed([...known, ...(schema?.patternProperties ? [FILTER_FORM] : [])])}`
}

/** @param pointer a JSON pointer to a rule in `schema`, such as `#/properties/name` */
export function schemaAt(schema: unknown, pointer: string): RuleSchema | undefined {
  let at: unknown = schema
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined
  }
  return at as RuleSchema | undefined
}
