// components/schemas of the API document: those it refers to, described more fully than the checks need them.
import { FILTERS_MAX } from '../../../contract/limits.ts'
import { SEARCH_OPERATORS } from '../../../contract/operators.ts'
import { refTo, type Schema } from './document.ts'
import { definitionOf } from './schemas.ts'

const withProperties = (schema: Schema, properties: Record<string, Schema>): Schema => ({
  ...schema,
  properties: { ...schema.properties, ...properties },
})

const described = (ref: Schema, description: string): Schema => ({ ...ref, description })

const group = (name: 'and' | 'or', description: string): Schema => ({
  type: 'object',
  description,
  required: [name],
  additionalProperties: false,
  properties: {
    [name]: { type: 'array', minItems: 1, maxItems: FILTERS_MAX, items: refTo('schemas', 'FilterTree') },
  },
})

const FilterTree: Schema = {
  description: 'A filter, or filters of which all (`and`) or any (`or`) must match; up to 5 levels deep',
  anyOf: [refTo('schemas', 'Filter'), group('and', 'All must match'), group('or', 'Any must match')],
}

const errorDetails: Schema = {
  type: 'object',
  description: 'Details for programs; they depend on `error`',
  additionalProperties: true,
  properties: {
    errors: {
      type: 'array',
      items: refTo('schemas', 'Problem'),
      description: 'For validation_error, invalid_parameter and invalid_filter: all problems',
    },
    requiredScope: { type: 'string', description: 'For insufficient_scope' },
    attributeSlug: { type: 'string', description: 'For unique_violation' },
    existingRecordId: described(
      refTo('schemas', 'Uuid'),
      'For unique_violation: the record that has the value',
    ),
    references: {
      type: 'array',
      items: { type: 'object', additionalProperties: true },
      description: 'For object_referenced: the attributes that refer to the object',
    },
    limitBytes: { type: 'integer', description: 'For storage_full: the limit for all files' },
    usedBytes: { type: 'integer', description: 'For storage_full: the bytes in use' },
    etag: { type: 'string', description: 'For precondition_failed: the current version' },
  },
}

const bulkRow = (rows: Schema): Schema => ({
  ...rows,
  items: refTo('schemas', 'BulkRow'),
})

/** The checks are looser where the service answers better than a schema can, or simpler where it is slower. */
const FULLER: Readonly<Record<string, (schema: Schema) => Schema>> = {
  Uuid: (schema) => ({ ...schema, format: 'uuid' }),
  Timestamp: (schema) => ({ ...schema, format: 'date-time' }),
  NewRecord: (schema) => withProperties(schema, { data: refTo('schemas', 'RecordInput') }),
  NewAttribute: (schema) => withProperties(schema, { config: refTo('schemas', 'AttributeConfig') }),
  RecordPatch: (schema) => withProperties(schema, { data: refTo('schemas', 'RecordInput') }),
  BulkRow: (schema) => withProperties(schema, { data: refTo('schemas', 'RecordInput') }),
  BulkWrite: (schema) => withProperties(schema, { records: bulkRow(schema.properties?.['records'] ?? {}) }),
  Filter: (schema) =>
    withProperties(schema, {
      operator: {
        type: 'string',
        enum: [...SEARCH_OPERATORS],
        description: 'The operators of an attribute depend on its type',
      },
    }),
  SearchBody: (schema) => withProperties(schema, { filter: refTo('schemas', 'FilterTree') }),
  Error: (schema) => withProperties(schema, { details: errorDetails }),
}

function component(name: string): Schema {
  if (name === 'FilterTree') return FilterTree
  return FULLER[name]?.(definitionOf(name)) ?? definitionOf(name)
}

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g

const namesIn = (part: unknown) => [...JSON.stringify(part).matchAll(REFERENCE)].map(([, name]) => name ?? '')

/** Every schema that `parts` of the document refer to, and those that these refer to, by name. */
export function schemasFor(parts: unknown): Record<string, Schema> {
  const found = new Map<string, Schema>()
  const open = namesIn(parts)
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue
    const schema = component(name)
    found.set(name, schema)
    open.push(...namesIn(schema))
  }
  return Object.fromEntries([...found].sort(([a], [b]) => a.localeCompare(b)))
}
