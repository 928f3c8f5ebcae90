// Differences between the schemas of requests and responses: a field with a default is optional in a request and
// required in a response; values of records have more forms in requests.
import { refTo, type Schema } from './document.ts'

export const SIDES = ['request', 'response'] as const
export type Side = (typeof SIDES)[number]

/** Named schemas, and their variants for requests. */
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

/** Moves `default` to the description: client generators make a property with this keyword required. */
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

/** Makes fields with a default required, because serialization adds the default. */
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

/** Keywords whose value is a schema; LISTS: a list of schemas. */
const INSIDE = ['items', 'additionalProperties']
const LISTS = ['anyOf', 'allOf', 'oneOf']

/** Converts a schema and all schemas inside it for one side. */
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
