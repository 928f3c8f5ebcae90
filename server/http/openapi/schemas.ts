// Named schemas of the contract: an inlined copy in a route becomes a reference to components/schemas.
import { API_SCHEMAS } from '../../../contract/api.ts'
import { RecordData } from '../../../contract/records.ts'
import { refTo, type Schema } from './document.ts'
import { forSide, type Side } from './sides.ts'

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The type is checked, because a property may have one of these names too. */
const isAnnotation = (keyword: string, value: unknown) =>
  (keyword === 'description' && typeof value === 'string') || (keyword === 'examples' && Array.isArray(value))

function sorted(keyword: string, value: unknown): unknown {
  if (isAnnotation(keyword, value)) return undefined
  if (!isSchema(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Schemas with the same shape describe the same values, even if their descriptions differ. */
const shapeOf = (schema: unknown) => JSON.stringify(schema, sorted)

/** Uses keywords that client generators support best: `enum` for constants, `additionalProperties` for maps. */
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
  // Attributes check record data, not a schema, so only the document describes its form.
  [shapeOf(plain(RecordData)), 'RecordData'] as const,
])

/** A different description of the copy is kept next to the reference. */
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
 * Replaces parts of a route's schema with references to named schemas.
 * @param side the side of a body; undefined for parameters, which keep their defaults
 */
export function referToNamed(schema: Schema, side?: Side): Schema {
  const named = hoist(plain(schema)) as Schema
  return side ? forSide(named, side) : named
}

/** @param name a name from a reference of referToNamed */
export function schemaDefinition(name: string): Schema {
  const schema = DEFINITIONS.get(name)
  if (!schema) throw new Error(`The API document knows no schema ${name}`)
  return hoistInside(schema) as Schema
}
