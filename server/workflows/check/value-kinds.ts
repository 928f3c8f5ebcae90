// What kind of value a template yields, as far as it is known before a run.
import { isWorkflowFunction, WORKFLOW_FUNCTIONS } from '../../../contract/workflow-functions.ts'
import type { WorkflowParameter, WorkflowStep } from '../../../contract/workflows.ts'
import type { ValueAttribute } from '../../records/values.ts'
import { type Call, type Operand, parseTemplate, type Segment } from '../interpreter/template-syntax.ts'
import { findAttribute, findObject } from './known.ts'
import type { TemplateContext } from './template-check.ts'

/** undefined: it is known when the step runs. `text` may say anything, a date as well. */
export type Kind =
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

type Fields = Readonly<Record<string, Kind>>
type KindContext = Pick<TemplateContext, 'definition' | 'known' | 'sight'>

const ATTRIBUTE_KINDS: Readonly<Record<ValueAttribute['type'], Kind>> = {
  address: 'address',
  checkbox: 'flag',
  currency: 'amount',
  date: 'date',
  email: 'email',
  list: 'list',
  name: 'name',
  number: 'number',
  phone_number: 'phone',
  reference: 'id',
  select: 'text',
  text: 'text',
}
const PARAMETER_KINDS: Readonly<Record<WorkflowParameter['type'], Kind | undefined>> = {
  text: 'text',
  number: 'number',
  checkbox: 'flag',
  date: 'date',
  list: 'list',
  json: undefined,
}

const RECORD: Fields = { id: 'id', objectId: 'id', createdAt: 'date', updatedAt: 'date' }
const ACTIVITY: Fields = {
  ...RECORD,
  type: 'text',
  title: 'text',
  summary: 'text',
  activityDate: 'date',
  completedAt: 'date',
  linkedRecords: 'list',
  participants: 'list',
  version: 'number',
}
const TRIGGER: Fields = { recordId: 'id', objectId: 'id', activityId: 'id', scheduledFor: 'date' }
const RUN: Fields = { id: 'id', startedAt: 'date' }
const PLACE: Fields = { id: 'id', name: 'text', timeZone: 'text' }
const LOOP: Fields = { index: 'number', number: 'number', count: 'number' }

const one = (fields: Fields, [name, ...inner]: readonly Segment[]): Kind | undefined =>
  inner.length === 0 && name !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined

/** @param ref an object's id or slug @param path from the record's data on */
function valueKind(ref: unknown, [slug, ...inner]: readonly Segment[], { known }: KindContext) {
  if (typeof ref !== 'string' || inner.length > 0) return undefined
  const object = findObject(known, ref)
  const attribute = object && findAttribute(object, String(slug))
  if (!attribute) return undefined
  return attribute.isList ? 'list' : ATTRIBUTE_KINDS[attribute.type]
}

function parameterKind({ definition }: KindContext, [name, ...inner]: readonly Segment[]) {
  const parameter = definition.parameters?.find((known) => known.name === name)
  return parameter && inner.length === 0 ? PARAMETER_KINDS[parameter.type] : undefined
}

function triggerKind(path: readonly Segment[], context: KindContext): Kind | undefined {
  const [name, ...inner] = path
  const { trigger, triggerConfig } = context.definition
  if (name === 'parameters') return parameterKind(context, inner)
  const isActivity = trigger.startsWith('activity/')
  if (name === 'activity' || (name === 'data' && isActivity)) return one(ACTIVITY, inner)
  if (name !== 'data') return one(TRIGGER, path)
  return valueKind(triggerConfig?.objectId, inner, context) ?? parameterKind(context, inner)
}

const recordKind = (object: unknown, path: readonly Segment[], context: KindContext) =>
  path[0] === 'data' ? valueKind(object, path.slice(1), context) : one(RECORD, path)

const WRITES: ReadonlySet<WorkflowStep['type']> = new Set(['create_record', 'update_record', 'upsert_record'])

function stepKind([key, ...path]: readonly Segment[], context: KindContext): Kind | undefined {
  const step = context.sight.steps.get(String(key))
  if (!step) return undefined
  const { type, config } = step
  if (WRITES.has(type)) return recordKind(config['object'], path, context)
  if (type === 'get_record' && path[0] === 'record')
    return recordKind(config['object'], path.slice(1), context)
  if (type === 'create_activity') return one(ACTIVITY, path)
  if (type === 'find_records') return one({ count: 'number', records: 'list' }, path)
  if (type === 'delay') return one({ until: 'date' }, path)
  return type === 'delete_record' ? one({ id: 'id' }, path) : undefined
}

function pathKind([root, ...path]: readonly Segment[], context: KindContext): Kind | undefined {
  if (root === 'trigger') return triggerKind(path, context)
  if (root === 'steps') return stepKind(path, context)
  if (root === 'run') return one(RUN, path)
  if (root === 'workflow' || root === 'organization') return one(PLACE, path)
  if (root === 'loop') return one(LOOP, path)
  return root === 'now' && path.length === 0 ? 'date' : undefined
}

/** Of what stands before the functions of a template. */
export function operandKind(operand: Operand, context: KindContext): Kind | undefined {
  if ('path' in operand) return pathKind(operand.path, context)
  return typeof operand.literal === 'number' ? 'number' : undefined
}

/** Of what a function yields. @param before of what it is given */
export function resultKind({ name }: Call, before: Kind | undefined): Kind | undefined {
  if (!isWorkflowFunction(name)) return undefined
  if (name === 'default') return before
  if (name === 'length') return 'number'
  if (name === 'split') return 'list'
  if (name === 'number' || name === 'money' || name === 'date' || name === 'json') return 'text'
  const { group } = WORKFLOW_FUNCTIONS[name]
  if (group === 'Dates') return 'date'
  return group === 'Text' ? 'text' : undefined
}

/** Of a text that is one template and nothing else; undefined of every other. */
export function templateKind(text: string, context: KindContext): Kind | undefined {
  const { pieces = [] } = parseTemplate(text)
  const [expression, ...others] = pieces
  if (typeof expression !== 'object' || others.length > 0) return undefined
  return expression.calls.reduce<Kind | undefined>(
    (kind, call) => resultKind(call, kind),
    operandKind(expression.head, context),
  )
}
