// The parts of a step contract: fields of its config, and kinds of its outputs.
import { type TObject, type TSchema, Type } from 'typebox'
import { StrictObject } from '../common.ts'
import type { Tree } from '../filters.ts'
import { type FilterOperator, SEARCH_OPERATORS } from '../operators.ts'

/** The kind of a template's result, if it is known before a run. `text` can have any content, also a date. */
export type ValueKind =
  | 'address'
  | 'amount'
  | 'date'
  | 'email'
  | 'flag'
  | 'id'
  | 'list'
  | 'name'
  | 'number'
  | 'phone'
  | 'text'

/** record, records: of the object in the config. values: of its attributes. any: known only when the step runs. */
export type OutputKind = ValueKind | 'record' | 'records' | 'values' | 'any'
export type StepOutputs = Readonly<Record<string, OutputKind>>

/** The browser loads it only where steps are edited. The dashboard's file of the step has the data for other pages. */
export interface StepContract {
  /** The group in which the editor offers the step. */
  group: StepGroup
  description: string
  /** Additional search words. */
  keywords: string
  /** The key of a new step. A number is appended if the key is in use. */
  key: string
  config: TObject
  defaults: Readonly<Record<string, unknown>>
  /** Outputs by name, for the validation of templates and the value picker. */
  outputs: StepOutputs
  /** Whether templates in the config may read secrets. */
  readsSecrets?: true
  /** The step only controls the flow of the run, so there is nothing to retry. */
  isDeciding?: true
}

export const STEP_GROUPS = ['Records', 'Flow', 'Send'] as const
export type StepGroup = (typeof STEP_GROUPS)[number]

export const RECORD_OUTPUTS = {
  id: 'id',
  objectId: 'id',
  data: 'values',
  createdAt: 'date',
  updatedAt: 'date',
} satisfies StepOutputs

/** Names of steps, variables, loop items and branches. They are parts of paths. */
export const NAME = '^[A-Za-z][A-Za-z0-9_]{0,39}$'

/** The form control of a field, which its schema does not determine. */
export type FieldWidget =
  | 'object' // an object of the organization, by id or slug
  | 'record' // the id of a record, usually a template
  | 'data' // values for the attributes of the chosen object
  | 'filter' // a filter tree over the chosen object
  | 'attribute' // a slug of the chosen object
  | 'attributes'
  | 'condition'
  | 'template' // text with a picker of values
  | 'longTemplate'
  | 'json' // any JSON with templates in its strings
  | 'endpoint' // a webhook endpoint
  | 'report' // a report of the organization
  | 'members' // an ordered list of user ids of members
  | 'timeZone'
  | 'pairs' // names and values
  | 'flag' // a checkbox
  | 'steps' // edited on the canvas

export const field = (widget: FieldWidget, title: string, description?: string) => ({
  widget,
  title,
  ...(description && { description }),
})

/** The id or slug of an object. */
export const ObjectRef = Type.String({ minLength: 1, maxLength: 63, ...field('object', 'Object') })
export const Template = (title: string, description?: string, maxLength = 10_000) =>
  Type.String({ maxLength, ...field('template', title, description) })
export const RecordId = Type.String({
  minLength: 1,
  maxLength: 2000,
  ...field('record', 'Record', 'The record that started the run, or one of an earlier step'),
})
export const Data = Type.Record(Type.String(), Type.Unknown(), field('data', 'Values', 'By attribute slug'))

/** As `createMissing` of requests that write records. */
export const CreateMissing = Type.Boolean({
  default: false,
  ...field(
    'flag',
    'Create missing records',
    'A value that refers to a record, such as `{"domain": "acme.com"}`, creates that record if there is none',
  ),
})

export const Condition = Type.Cyclic(
  {
    Condition: Type.Union([
      StrictObject({
        left: Type.Unknown({ description: 'Usually a template, such as {{trigger.data.amount}}' }),
        operator: Type.Unsafe<FilterOperator>(Type.String({ enum: [...SEARCH_OPERATORS] })),
        right: Type.Optional(Type.Unknown()),
      }),
      StrictObject({ and: Type.Array(Type.Ref('Condition'), { minItems: 1, maxItems: 50 }) }),
      StrictObject({ or: Type.Array(Type.Ref('Condition'), { minItems: 1, maxItems: 50 }) }),
      StrictObject({ not: Type.Ref('Condition') }),
    ]),
  },
  'Condition',
)
export interface Comparison {
  left: unknown
  operator: FilterOperator
  right?: unknown
}
export type Condition = Tree<Comparison>

export const When = (title: string): TSchema =>
  Type.Unsafe<Condition>({ ...Condition, ...field('condition', title) })

/** Steps inside a step. The traversal of the definition validates them, because it knows their paths. */
export const Steps = (title: string) =>
  Type.Unsafe<unknown[]>(Type.Array(Type.Unknown(), field('steps', title)))
