// Converts a JSON Schema to rows of a table: each field with its path and its type in words.
import { listFormat } from '../../../../contract/language.ts'
export interface SchemaRow {
  /** `linkedRecords[].recordId`, `changes.*.from` */
  path: string
  type: string
  isRequired: boolean
  description: string | undefined
}

interface Schema {
  type?: unknown
  const?: unknown
  description?: unknown
  anyOf?: unknown
  items?: unknown
  properties?: unknown
  patternProperties?: unknown
  required?: unknown
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

const schemasIn = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isSchema) : [])

const either = listFormat({ type: 'disjunction' })

/** `string`, `"record.created"`, `array of objects`, `string or null`. */
function typeWords(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const parts = schemasIn(schema.anyOf)
  if (parts.length > 0) return either.format([...new Set(parts.map(typeWords))])
  const items = isSchema(schema.items) ? typeWords(schema.items) : 'any'
  if (schema.type === 'array') return items === 'any' ? 'array' : `array of ${items}s`
  return typeof schema.type === 'string' ? schema.type : 'any'
}

const textOf = ({ description }: Schema): string | undefined =>
  typeof description === 'string' ? description : undefined

interface FieldLocation {
  path: string
  isRequired: boolean
}

/** The rows of nested fields: of objects, of items of arrays, and of values of maps. */
function inner(schema: Schema, path: string): SchemaRow[] {
  const alternatives = schemasIn(schema.anyOf).flatMap((one) => inner(one, path))
  const items = isSchema(schema.items) ? inner(schema.items, `${path}[]`) : []
  const [anyKey] = isSchema(schema.patternProperties) ? Object.values(schema.patternProperties) : []
  const values = isSchema(anyKey) ? inner(anyKey, `${path}.*`) : []
  return [...fieldsOf(schema, path), ...alternatives, ...items, ...values]
}

function fieldsOf(schema: Schema, path: string): SchemaRow[] {
  if (!isSchema(schema.properties)) return []
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(schema.properties)
    .filter((entry): entry is [string, Schema] => isSchema(entry[1]))
    .flatMap(([name, field]) =>
      rowsAt(field, { path: path ? `${path}.${name}` : name, isRequired: required.includes(name) }),
    )
}

const rowsAt = (schema: Schema, field: FieldLocation): SchemaRow[] => [
  { ...field, type: typeWords(schema), description: textOf(schema) },
  ...inner(schema, field.path),
]

/** @param schema from the catalogue; a schema that is not an object has no rows */
export const schemaRows = (schema: unknown): SchemaRow[] => (isSchema(schema) ? fieldsOf(schema, '') : [])
