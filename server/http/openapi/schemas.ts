// Schemas of the contract under their names: a route's inlined copy becomes a reference to components/schemas.
import { API_SCHEMAS } from '../../../contract/api.ts'
import { RecordData } from '../../../contract/records.ts'
import { refTo, type Schema } from './document.ts'
import { forSide, type Side } from './sides.ts'

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Only a property may be an object under these names. */
const isAnnotation = (keyword: string, value: unknown) =>
  (keyword === 'description' && typeof value === 'string') || (keyword === 'examples' && Array.isArray(value))

function sorted(keyword: string, value: unknown): unknown {
  if (isAnnotation(keyword, value)) return undefined
  if (!isSchema(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Two schemas of the same shape describe the same values, even where their descriptions differ. */
const shapeOf = (schema: unknown) => JSON.stringify(schema, sorted)

/** What readers and generators of clients know best: `enum` for constants, `additionalProperties` for maps. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (!isSchema(value)) return value
  const { anyOf, patternProperties, ...rest } = value
  const kept = Object.fromEntries(Object.entries(rest).map(([keyword, inner]) => [keyword, plain(inner)]))
  if (isSchema(patternProperties))
    return { ...kept, additionalProperties: plain(Object.values(patternProperties)[0]) }
  if (!Array.isArray(anyOf)) return kept
  if (!anyOf.every((one) => 'const' in one)) return { ...kept, anyOf: anyOf.map(plain) }
  return { ...kept, type: typeof anyOf[0].const, enum: anyOf.map((one) => one.const) }
}

const DEFINITIONS = new Map(
  Object.entries(API_SCHEMAS).map(([name, schema]) => [name, plain(schema) as Schema]),
)
const NAMES = new Map([
  ...[...DEFINITIONS].map(([name, schema]) => [shapeOf(schema), name] as const),
  // Checked by the attributes of the object, not by a schema: the document describes the form instead.
  [shapeOf(plain(RecordData)), 'RecordData'] as const,
])

/** Its own description is kept next to the reference. */
const reference = ({ description }: Schema, name: string): Schema =>
  description === undefined || description === DEFINITIONS.get(name)?.['description']
    ? refTo('schemas', name)
    : { ...refTo('schemas', name), description }

function hoistInside(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hoist)
  if (!isSchema(value)) return value
  return Object.fromEntries(Object.entries(value).map(([keyword, inner]) => [keyword, hoist(inner)]))
}

function hoist(value: unknown): unknown {
  if (!isSchema(value)) return hoistInside(value)
  const name = NAMES.get(shapeOf(value))
  return name === undefined ? hoistInside(value) : reference(value, name)
}

/**
 * A schema as routes have it → the same with references to the named ones.
 * @param side of a body; undefined for parameters, which keep their defaults
 */
export function referToNamed(schema: Schema, side?: Side): Schema {
  const named = hoist(plain(schema)) as Schema
  return side ? forSide(named, side) : named
}

/** @param name of a schema that referToNamed refers to */
export function schemaDefinition(name: string): Schema {
  const schema = DEFINITIONS.get(name)
  if (!schema) throw new Error(`The API document knows no schema ${name}`)
  return hoistInside(schema) as Schema
}
