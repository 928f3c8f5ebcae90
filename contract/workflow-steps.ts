// The steps a workflow can take: one schema per type, from which validation, the API document and the dashboard's
// forms derive. Every string may hold {{templates}}; what a template yields is checked when the step runs.
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { ACTIVITY_TYPES } from './activity-types.ts'
import { ACTIVITY_LINKS_MAX } from './limits.ts'
import { type FilterOperator, SEARCH_OPERATORS } from './operators.ts'
import { FilterTree } from './records.ts'
import {
  BRANCHES_MAX,
  HTTP_TIMEOUT_MAX_MS,
  HTTP_TIMEOUT_MS,
  LOOP_ITEMS_MAX,
  RUN_DAYS_MAX,
} from './workflow-states.ts'

const closed = { additionalProperties: false } as const

/** How a form shows a field, beyond what its schema says. */
export type FieldWidget =
  | 'object' // an object of the organization, by id or slug
  | 'record' // the id of a record, mostly a template
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
  | 'timeZone'
  | 'pairs' // names and values
  | 'steps' // edited on the canvas

const field = (widget: FieldWidget, title: string, description?: string) => ({
  widget,
  title,
  ...(description && { description }),
})

/** The id or slug of an object. */
const ObjectRef = Type.String({ minLength: 1, maxLength: 63, ...field('object', 'Object') })
const Template = (title: string, description?: string, maxLength = 10_000) =>
  Type.String({ maxLength, ...field('template', title, description) })
const RecordId = Type.String({
  minLength: 1,
  maxLength: 2000,
  ...field('record', 'Record', 'The id of a record: mostly {{trigger.recordId}} or the id from a step'),
})
const Data = Type.Record(Type.String(), Type.Unknown(), field('data', 'Values', 'By attribute slug'))
const Title = Type.String({ minLength: 1, maxLength: 10_000, ...field('template', 'Title') })

export const Condition = Type.Cyclic(
  {
    Condition: Type.Union([
      Type.Object(
        {
          left: Type.Unknown({ description: 'Mostly a template, such as {{trigger.data.amount}}' }),
          operator: Type.Unsafe<FilterOperator>(Type.String({ enum: [...SEARCH_OPERATORS] })),
          right: Type.Optional(Type.Unknown()),
        },
        closed,
      ),
      Type.Object({ and: Type.Array(Type.Ref('Condition'), { minItems: 1, maxItems: 50 }) }, closed),
      Type.Object({ or: Type.Array(Type.Ref('Condition'), { minItems: 1, maxItems: 50 }) }, closed),
    ]),
  },
  'Condition',
)
export type Condition =
  | { left: unknown; operator: FilterOperator; right?: unknown }
  | { and: Condition[] }
  | { or: Condition[] }

const When = (title: string): TSchema =>
  Type.Unsafe<Condition>({ ...Condition, ...field('condition', title) })

/** Steps inside a step: checked by the walk over the definition, which knows their paths. */
const Steps = (title: string) => Type.Unsafe<unknown[]>(Type.Array(Type.Unknown(), field('steps', title)))

const RecordLink = Type.Object({ objectId: ObjectRef, recordId: RecordId }, closed)

export const STEP_CONFIGS = {
  find_records: Type.Object(
    {
      object: ObjectRef,
      filter: Type.Optional(
        Type.Unsafe<Static<typeof FilterTree>>({ ...FilterTree, ...field('filter', 'Where') }),
      ),
      sort: Type.Optional(
        Type.Object(
          {
            field: Type.String({ ...field('attribute', 'Sort by') }),
            order: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
          },
          closed,
        ),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: LOOP_ITEMS_MAX,
          default: 20,
          title: 'At most',
          description: 'Records',
        }),
      ),
      fields: Type.Optional(
        Type.Array(Type.String(), { ...field('attributes', 'Only these attributes'), maxItems: 200 }),
      ),
    },
    closed,
  ),
  get_record: Type.Object({ object: ObjectRef, recordId: RecordId }, closed),
  create_record: Type.Object({ object: ObjectRef, data: Data }, closed),
  update_record: Type.Object({ object: ObjectRef, recordId: RecordId, data: Data }, closed),
  upsert_record: Type.Object(
    {
      object: ObjectRef,
      matchOn: Type.String({ minLength: 1, ...field('attribute', 'Match on', 'A unique attribute') }),
      data: Data,
    },
    closed,
  ),
  delete_record: Type.Object({ object: ObjectRef, recordId: RecordId }, closed),
  create_activity: Type.Object(
    {
      type: Type.Optional(Type.String({ enum: [...ACTIVITY_TYPES], default: 'note', title: 'Type' })),
      title: Title,
      summary: Type.Optional(Type.String({ maxLength: 100_000, ...field('longTemplate', 'Details') })),
      activityDate: Type.Optional(
        Template('Date', 'A date or a moment. Defaults to now; a task then has no due date'),
      ),
      linkedRecords: Type.Optional(
        Type.Array(RecordLink, { maxItems: ACTIVITY_LINKS_MAX, title: 'Linked records' }),
      ),
      participants: Type.Optional(
        Type.Array(
          Type.Object(
            { type: Type.Union([Type.Literal('user'), Type.Literal('person')]), id: RecordId },
            closed,
          ),
          { maxItems: ACTIVITY_LINKS_MAX, title: 'Participants' },
        ),
      ),
    },
    closed,
  ),
  condition: Type.Object({ when: When('Go on only if') }, closed),
  branch: Type.Object(
    {
      branches: Type.Array(
        Type.Object(
          {
            name: Type.String({
              pattern: '^[A-Za-z][A-Za-z0-9_]{0,39}$',
              title: 'Name',
              description: 'Letters, digits and _: it is part of the path of its steps. Not "else"',
            }),
            when: When('If'),
            steps: Steps('Then'),
          },
          closed,
        ),
        {
          minItems: 1,
          maxItems: BRANCHES_MAX,
          title: 'Branches',
          description: 'The first that holds is taken',
        },
      ),
      else: Type.Optional(Steps('Otherwise')),
    },
    closed,
  ),
  for_each: Type.Object(
    {
      items: Type.Unknown({
        ...field(
          'template',
          'Items',
          `A list of at most ${LOOP_ITEMS_MAX}, such as {{steps.contacts.records}}`,
        ),
      }),
      as: Type.String({
        pattern: '^[A-Za-z][A-Za-z0-9_]{0,39}$',
        title: 'Name of one item',
        description: 'What the steps inside call it, such as person',
      }),
      steps: Steps('For each'),
    },
    closed,
  ),
  delay: Type.Object(
    {
      seconds: Type.Optional(
        Type.Integer({ minimum: 0, maximum: RUN_DAYS_MAX * 86_400, title: 'For', description: 'Seconds' }),
      ),
      until: Type.Optional(Template('Until', 'A date or a moment, such as {{trigger.data.close_date}}')),
      timeOfDay: Type.Optional(
        Type.String({
          pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
          title: 'At',
          description: 'Time of day: of the date in `until`, or the next time it is that late',
        }),
      ),
      timezone: Type.Optional(
        Type.String({
          ...field('timeZone', 'Time zone', "The organization's when left out"),
          maxLength: 100,
        }),
      ),
    },
    closed,
  ),
  http_request: Type.Object(
    {
      method: Type.Optional(
        Type.String({ enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], default: 'POST', title: 'Method' }),
      ),
      url: Type.String({ minLength: 1, maxLength: 2048, ...field('template', 'URL') }),
      headers: Type.Optional(
        Type.Record(Type.String(), Type.String({ maxLength: 4000 }), {
          ...field('pairs', 'Headers', 'Secrets by name: Bearer {{secrets.ERP_TOKEN}}'),
          maxProperties: 30,
        }),
      ),
      body: Type.Optional(Type.Unknown(field('json', 'Body', 'Sent as JSON; a text is sent as it is'))),
      timeoutMs: Type.Optional(
        Type.Integer({
          minimum: 1000,
          maximum: HTTP_TIMEOUT_MAX_MS,
          default: HTTP_TIMEOUT_MS,
          title: 'Time-out',
          description: 'Milliseconds',
        }),
      ),
    },
    closed,
  ),
  send_webhook: Type.Object(
    {
      endpointId: Type.String({ minLength: 1, maxLength: 36, ...field('endpoint', 'Endpoint') }),
      data: Type.Optional(Type.Unknown(field('json', 'Data', 'Any JSON: it is `data` of the event'))),
    },
    closed,
  ),
  run_report: Type.Object(
    {
      reportId: Type.String({ minLength: 1, maxLength: 2000, ...field('report', 'Report') }),
      rows: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: LOOP_ITEMS_MAX,
          default: 100,
          title: 'Rows at most',
          description: 'Handed to the steps after it; the run of the report keeps them all',
        }),
      ),
    },
    closed,
  ),
  send_email: Type.Object(
    {
      to: Type.Union([
        Type.String({ minLength: 1, maxLength: 2000, ...field('template', 'To') }),
        Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), { minItems: 1, maxItems: 10 }),
      ]),
      subject: Type.String({ minLength: 1, maxLength: 1000, ...field('template', 'Subject') }),
      text: Type.String({ minLength: 1, maxLength: 100_000, ...field('longTemplate', 'Text') }),
    },
    closed,
  ),
  set_variables: Type.Object(
    {
      variables: Type.Record(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,39}$' }), Type.Unknown(), {
        ...field('pairs', 'Variables', 'Read later as {{vars.name}}'),
        minProperties: 1,
        maxProperties: 50,
      }),
    },
    closed,
  ),
  stop: Type.Object({ message: Type.Optional(Template('Why')) }, closed),
  fail: Type.Object(
    { message: Type.String({ minLength: 1, maxLength: 2000, ...field('template', 'Why') }) },
    closed,
  ),
} as const satisfies Record<string, TObject>

export type StepType = keyof typeof STEP_CONFIGS
export type StepConfig<T extends StepType> = Static<(typeof STEP_CONFIGS)[T]>
export const STEP_TYPES = Object.keys(STEP_CONFIGS) as StepType[]
export const isStepType = (type: string): type is StepType => Object.hasOwn(STEP_CONFIGS, type)
