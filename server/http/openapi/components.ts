// components/schemas of the API document: the referenced schemas, with more detail than validation needs.
import { API_ERROR_STATUS } from '../../../contract/errors.ts'
import { ALL_PROBLEM_CODES } from '../../../contract/problem-codes.ts'
import { refTo, type Schema } from './document.ts'
import { FILTER_TREES, operator } from './filter-trees.ts'
import { schemaDefinition } from './schemas.ts'
import { forSide, SIDES, type Side } from './sides.ts'

const withProperties = (schema: Schema, properties: Record<string, Schema>): Schema => ({
  ...schema,
  properties: { ...schema.properties, ...properties },
})

const described = (ref: Schema, description: string): Schema => ({ ...ref, description })

/** Schemas that only exist in the document. */
const ADDED: Readonly<Record<string, Schema>> = {
  ...FILTER_TREES,
  ErrorCode: {
    type: 'string',
    enum: Object.keys(API_ERROR_STATUS),
    description: 'Machine-readable error code. More codes may be added',
  },
  ProblemCode: {
    type: 'string',
    enum: [...ALL_PROBLEM_CODES],
    description: 'Machine-readable code of one problem in a request. More codes may be added',
  },
}

const errorDetails: Schema = {
  type: 'object',
  description: 'Machine-readable details; the fields depend on `error`',
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

/** `data` of an event: empty after the activity was erased. */
const activityEvent = (schema: Schema): Schema =>
  withProperties(schema, {
    data: {
      description:
        'The whole activity after the change; for a deletion, its last state; empty if the activity was erased',
      anyOf: [
        refTo('schemas', 'Activity'),
        {
          type: 'object',
          maxProperties: 0,
          additionalProperties: false,
          description: 'For an erased activity',
        },
      ],
    },
  })

/** Details that only the document has. Validation omits them: code checks them with better messages, or faster. */
const FULLER: Readonly<Record<string, (schema: Schema) => Schema>> = {
  Uuid: (schema) => ({ ...schema, format: 'uuid' }),
  Timestamp: (schema) => ({ ...schema, format: 'date-time' }),
  NewAttribute: (schema) => withProperties(schema, { config: refTo('schemas', 'AttributeConfig') }),
  BulkWrite: (schema) => withProperties(schema, { records: bulkRow(schema.properties?.['records'] ?? {}) }),
  FailedRow: (schema) =>
    withProperties(schema, {
      code: described(
        refTo('schemas', 'ErrorCode'),
        'The error code that a single write of the row would return',
      ),
    }),
  Filter: (schema) => withProperties(schema, { operator }),
  Error: (schema) => withProperties(schema, { error: refTo('schemas', 'ErrorCode'), details: errorDetails }),
  Problem: (schema) => withProperties(schema, { code: refTo('schemas', 'ProblemCode') }),
  ReportDefinition: (schema) =>
    withProperties(schema, {
      filters: refTo('schemas', 'ReportFilterTree'),
      having: refTo('schemas', 'ReportHavingTree'),
    }),
  ActivityCreatedEvent: activityEvent,
  ActivityUpdatedEvent: activityEvent,
  ActivityDeletedEvent: activityEvent,
}

/** Adds the form of record filters, which the service checks with the attributes instead of a schema. */
const withTree = (schema: Schema): Schema =>
  schema.properties?.['filter'] ? withProperties(schema, { filter: refTo('schemas', 'FilterTree') }) : schema

function component(name: string, side: Side): Schema {
  const definition = ADDED[name] ?? schemaDefinition(name)
  return forSide(withTree(FULLER[name]?.(definition) ?? definition), side)
}

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g

const namesIn = (part: unknown) => [...JSON.stringify(part).matchAll(REFERENCE)].map(([, name]) => name ?? '')

/** All schemas that a part of the document refers to, directly or indirectly, by name. */
function reachedFrom(part: unknown, side: Side): Map<string, Schema> {
  const found = new Map<string, Schema>()
  const open = namesIn(part)
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue
    const schema = component(name, side)
    found.set(name, schema)
    open.push(...namesIn(schema))
  }
  return found
}

/** Schemas of both sides. A schema that differs between the sides needs a second name, for requests (sides.ts). */
export function schemasFor(parts: Readonly<Record<Side, unknown>>): Record<string, Schema> {
  const all = new Map<string, Schema>()
  for (const [name, schema] of SIDES.flatMap((side) => [...reachedFrom(parts[side], side)])) {
    const other = all.get(name)
    if (other && JSON.stringify(other) !== JSON.stringify(schema))
      throw new Error(`The schema ${name} differs between requests and responses`)
    all.set(name, schema)
  }
  return Object.fromEntries([...all].sort(([a], [b]) => a.localeCompare(b)))
}
