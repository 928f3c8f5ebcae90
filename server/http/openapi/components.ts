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
  description: 'A filter, or filters of which all (`and`) or any (`or`) must hold; to depth 5',
  anyOf: [refTo('schemas', 'Filter'), group('and', 'All must hold'), group('or', 'Any must hold')],
}

const errorDetails: Schema = {
  type: 'object',
  description: 'What a program can use; depends on `error`',
  additionalProperties: true,
  properties: {
    errors: {
      type: 'array',
      items: refTo('schemas', 'Problem'),
      description: 'Of validation_error, invalid_parameter and invalid_filter: everything wrong',
    },
    requiredScope: { type: 'string', description: 'Of insufficient_scope' },
    attributeSlug: { type: 'string', description: 'Of unique_violation' },
    existingRecordId: described(
      refTo('schemas', 'Uuid'),
      'Of unique_violation: the record that has the value',
    ),
    references: {
      type: 'array',
      items: { type: 'object', additionalProperties: true },
      description: 'Of object_referenced: the attributes that point to the object',
    },
    limitBytes: { type: 'integer', description: 'Of storage_full: what all files may take up' },
    usedBytes: { type: 'integer', description: 'Of storage_full: what they take up now' },
    etag: { type: 'string', description: 'Of precondition_failed: the current version' },
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
        description: 'Which of them an attribute takes depends on its type',
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
