// Schemas that all sections of the specification share.
import {
  type Static,
  type TArray,
  type TNull,
  type TObject,
  type TObjectOptions,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  type TUnion,
  Type,
} from 'typebox'
import { UUID_PATTERN } from './uuid.ts'

/** For object schemas without additional properties. */
export const closed = { additionalProperties: false } as const

export const StrictObject = <Properties extends TProperties>(
  properties: Properties,
  options?: TObjectOptions,
): TObject<Properties> => Type.Object(properties, { ...closed, ...options })

export const Nullable = <Schema extends TSchema>(
  schema: Schema,
  options?: TSchemaOptions,
): TUnion<[Schema, TNull]> => Type.Union([schema, Type.Null()], options)

/** A request field that may be empty: null clears it, like a value of a record. */
export const Clearable = <Schema extends TSchema>(
  schema: Schema,
  description?: string,
): TUnion<[Schema, TNull]> => Nullable(schema, { description: description ?? 'null clears it' })

export const literals = <const Value extends string>(values: readonly Value[], options?: TSchemaOptions) =>
  Type.Unsafe<Value>(
    Type.Union(
      values.map((value) => Type.Literal(value)),
      options,
    ),
  )

export const oneOf = <const Value extends string>(values: readonly Value[], description?: string) =>
  Type.Unsafe<Value>(Type.String({ enum: [...values], ...(description && { description }) }))

/** An optional setting that is off by default. */
export const flag = (description: string) => Type.Optional(Type.Boolean({ default: false, description }))

export const DryRunQuery = StrictObject({
  dryRun: flag('true: return the response that the request would have, and change nothing'),
})

const uuid = new RegExp(UUID_PATTERN)

export const isUuid = (value: unknown): value is string => typeof value === 'string' && uuid.test(value)

export const Uuid = Type.String({
  pattern: UUID_PATTERN,
  description: 'UUID',
  examples: ['0198c0de-0000-7000-8000-000000000001'],
})

export const TIMESTAMP_PATTERN =
  '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)$'

/** ISO 8601. Responses are in UTC with milliseconds; requests may have any offset. */
export const Timestamp = Type.String({
  pattern: TIMESTAMP_PATTERN,
  description: 'ISO 8601 timestamp; responses use UTC with milliseconds',
  examples: ['2026-11-20T10:00:00.000Z'],
})

export const Version = Type.Integer({
  minimum: 1,
  description: '(+) Increases by one with every change; a higher version is a later state',
})

/** The version of a record or activity in its events. */
export const EventVersion = Type.Integer({
  minimum: 0,
  description:
    '(+) Version of the record or activity after this change, including a deletion. Keep the highest version and ignore lower ones. 0: the event is older than version numbers',
})

export const Deleted = StrictObject(
  { id: Uuid, deleted: Type.Literal(true) },
  { description: 'The deleted resource' },
)

/** `total` is absent with `count=false`. `nextCursor` is present while more rows follow. */
export const Pagination = StrictObject({
  total: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Exact number of matching rows; absent with count=false' }),
  ),
  limit: Type.Integer({
    minimum: 1,
    description:
      'Maximum rows of this page: the requested limit, or the number of rows if large rows made the page shorter or no limit was sent. The next page starts at offset + limit',
  }),
  offset: Type.Integer({ minimum: 0 }),
  nextCursor: Type.Optional(
    Type.String({
      description: 'Opaque; send it as `cursor` for the next page. Present while more rows follow',
    }),
  ),
})
export type Pagination = Static<typeof Pagination>

/** A page of a list whose rows are in the field `name`. */
export const listOf = <Name extends string, Row extends TSchema>(
  name: Name,
  row: Row,
): TObject<Record<Name, TArray<Row>> & { pagination: typeof Pagination }> =>
  StrictObject({ [name]: Type.Array(row), pagination: Pagination } as Record<Name, TArray<Row>> & {
    pagination: typeof Pagination
  })

/** Schemas by their names in the API document. */
export const commonSchemas = { Pagination, Deleted, Uuid, Timestamp }
