// Where the schemas of requests and responses differ: a field with a default may be left out of a request, and is
// always there in a response; values of records take more forms in requests.
import { refTo, type Schema } from './document.ts'

export const SIDES = ['request', 'response'] as const
export type Side = (typeof SIDES)[number]

/** Named schemas that have another one for requests. */
const INPUTS: Readonly<Record<string, string>> = {
  RecordData: 'RecordInput',
  AttributeValue: 'AttributeInput',
  CurrencyValue: 'CurrencyInput',
}

const INPUT_BY_REFERENCE = new Map(
  Object.entries(INPUTS).map(([value, input]) => [
    refTo('schemas', value).$ref,
    refTo('schemas', input).$ref,
  ]),
)

const sentence = (text: string) => text.replace(/\.?$/, '. ')

/** Generators of clients take a property with the keyword `default` for one that must be sent. */
function withoutDefault({ default: value, ...schema }: Schema): Schema {
  if (value === undefined) return schema
  const { description } = schema
  const before = typeof description === 'string' ? sentence(description) : ''
  return { ...schema, description: `${before}Defaults to \`${String(value)}\`` }
}

function inRequest(schema: Schema): Schema {
  const { $ref, ...rest } = schema
  const input = $ref && INPUT_BY_REFERENCE.get($ref)
  return withoutDefault(input ? { $ref: input, ...rest } : schema)
}

const hasDefault = ([, { default: value }]: [string, Schema]) => value !== undefined

/** Serialization fills in defaults. */
function inResponse({ default: _, ...schema }: Schema): Schema {
  const filled = Object.entries(schema.properties ?? {}).filter(hasDefault)
  if (filled.length === 0) return schema
  const required = (schema['required'] ?? []) as string[]
  return { ...schema, required: [...new Set([...required, ...filled.map(([name]) => name)])] }
}

const CHANGES: Readonly<Record<Side, (schema: Schema) => Schema>> = {
  request: inRequest,
  response: inResponse,
}

/** Keywords whose value is a schema, several of them, or schemas by name. */
const INSIDE = ['items', 'additionalProperties']
const LISTS = ['anyOf', 'allOf', 'oneOf']

/** A schema, and all schemas inside it, as one side has them. */
export function forSide(schema: Schema, side: Side): Schema {
  const inside = (one: unknown) => (typeof one === 'object' && one ? forSide(one as Schema, side) : one)
  const changed = Object.entries(CHANGES[side](schema)).map(([keyword, value]) => {
    if (INSIDE.includes(keyword)) return [keyword, inside(value)]
    if (LISTS.includes(keyword)) return [keyword, (value as unknown[]).map(inside)]
    if (keyword !== 'properties') return [keyword, value]
    const properties = Object.entries(value as object).map(([name, one]) => [name, inside(one)])
    return [keyword, Object.fromEntries(properties)]
  })
  return Object.fromEntries(changed)
}
