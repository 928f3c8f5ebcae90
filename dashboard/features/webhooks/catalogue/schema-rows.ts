// A JSON Schema as the rows of a table: each field by its path, with its type in words.
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

interface Place {
  path: string
  isRequired: boolean
}

/** What is inside: of objects their fields, of arrays those of their items, of maps those under any key. */
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

const rowsAt = (schema: Schema, place: Place): SchemaRow[] => [
  { ...place, type: typeWords(schema), description: textOf(schema) },
  ...inner(schema, place.path),
]

/** @param schema as the catalogue has it; what is no object has no rows */
export const schemaRows = (schema: unknown): SchemaRow[] => (isSchema(schema) ? fieldsOf(schema, '') : [])
