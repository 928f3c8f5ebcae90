// Finds the kind of a template's result, if it is known before a run.
import { TYPE_CONTRACTS } from '../../../contract/attribute-types.ts'
import { isWorkflowFunction, WORKFLOW_FUNCTIONS } from '../../../contract/workflow-functions.ts'
import { ACTIVITY_OUTPUTS } from '../../../contract/workflow-steps/create-activity.ts'
import { type OutputKind, RECORD_OUTPUTS, type ValueKind } from '../../../contract/workflow-steps/fields.ts'
import { STEP_CONTRACTS } from '../../../contract/workflow-steps.ts'
import type { WorkflowParameter } from '../../../contract/workflows.ts'
import { fieldAt, isPathFault } from '../../records/filters/paths.ts'
import {
  type Call,
  parseTemplate,
  type Segment,
  type TemplateOperand,
} from '../interpreter/template-syntax.ts'
import { findObject, pathObjectOf } from './known.ts'
import type { TemplateContext } from './step-scope.ts'

type Fields = Readonly<Record<string, OutputKind>>
type KindContext = Pick<TemplateContext, 'definition' | 'known' | 'scope'>

const PARAMETER_KINDS: Readonly<Record<WorkflowParameter['type'], ValueKind | undefined>> = {
  text: 'text',
  number: 'number',
  checkbox: 'flag',
  date: 'date',
  list: 'list',
  json: undefined,
}

const TRIGGER: Fields = { recordId: 'id', objectId: 'id', activityId: 'id', scheduledFor: 'date' }
const RUN: Fields = { id: 'id', startedAt: 'date' }
const PLACE: Fields = { id: 'id', name: 'text', timeZone: 'text' }
const LOOP: Fields = { index: 'number', number: 'number', count: 'number' }

/** undefined: unknown until the step runs. */
const one = (fields: Fields, [name, ...inner]: readonly Segment[]): ValueKind | undefined => {
  const kind = inner.length === 0 && name !== undefined && Object.hasOwn(fields, name) ? fields[name] : 'any'
  if (kind === 'records') return 'list'
  return kind === 'any' || kind === 'record' || kind === 'values' ? undefined : kind
}

/** @param ref id or slug of an object @param path path inside the data of the record */
function valueKind(ref: unknown, path: readonly Segment[], { known }: KindContext): ValueKind | undefined {
  const object = typeof ref === 'string' ? findObject(known, ref) : undefined
  if (!object || path.length === 0 || !path.every((one) => typeof one === 'string')) return undefined
  const found = fieldAt(pathObjectOf(known, object), path.join('.'), () => '')
  if (isPathFault(found)) return undefined
  const { via, field } = found
  if ([...via, field].some((one) => typeof one !== 'string' && one.isList)) return 'list'
  // Records have fields in addition to their data.
  if (typeof field === 'string') return via.length === 0 ? undefined : field.endsWith('_at') ? 'date' : 'id'
  // The amount of an amount of money.
  if (path.length > via.length + 1 && field.type === 'currency') return 'number'
  return TYPE_CONTRACTS[field.type].kind
}

function parameterKind({ definition }: KindContext, [name, ...inner]: readonly Segment[]) {
  const parameter = definition.parameters?.find((known) => known.name === name)
  return parameter && inner.length === 0 ? PARAMETER_KINDS[parameter.type] : undefined
}

function triggerKind(path: readonly Segment[], context: KindContext): ValueKind | undefined {
  const [name, ...inner] = path
  const { trigger, triggerConfig } = context.definition
  if (name === 'parameters') return parameterKind(context, inner)
  const isActivity = trigger.startsWith('activity/')
  if (name === 'activity' || (name === 'data' && isActivity)) return one(ACTIVITY_OUTPUTS, inner)
  if (name !== 'data') return one(TRIGGER, path)
  return valueKind(triggerConfig?.objectId, inner, context) ?? parameterKind(context, inner)
}

const recordKind = (object: unknown, path: readonly Segment[], context: KindContext) =>
  path[0] === 'data' ? valueKind(object, path.slice(1), context) : one(RECORD_OUTPUTS, path)

function stepKind([key, ...path]: readonly Segment[], context: KindContext): ValueKind | undefined {
  const step = context.scope.steps.get(String(key))
  if (!step) return undefined
  const { outputs } = STEP_CONTRACTS[step.type]
  const [name, ...inner] = path
  if (outputs[String(name)] === 'record') return recordKind(step.config['object'], inner, context)
  if (outputs[String(name)] === 'values') return valueKind(step.config['object'], inner, context)
  return one(outputs, path)
}

function pathKind([root, ...path]: readonly Segment[], context: KindContext): ValueKind | undefined {
  if (root === 'trigger') return triggerKind(path, context)
  if (root === 'steps') return stepKind(path, context)
  if (root === 'run') return one(RUN, path)
  if (root === 'workflow' || root === 'organization') return one(PLACE, path)
  if (root === 'loop') return one(LOOP, path)
  return root === 'now' && path.length === 0 ? 'date' : undefined
}

/** The kind of the operand before the functions of a template. */
export function operandKind(operand: TemplateOperand, context: KindContext): ValueKind | undefined {
  if ('path' in operand) return pathKind(operand.path, context)
  return typeof operand.literal === 'number' ? 'number' : undefined
}

/** The kind of a function's result. @param before kind of its input */
export function resultKind({ name }: Call, before: ValueKind | undefined): ValueKind | undefined {
  if (!isWorkflowFunction(name)) return undefined
  if (name === 'default') return before
  if (name === 'length') return 'number'
  if (name === 'split') return 'list'
  if (name === 'number' || name === 'money' || name === 'date' || name === 'json') return 'text'
  const { group } = WORKFLOW_FUNCTIONS[name]
  if (group === 'Dates') return 'date'
  return group === 'Text' ? 'text' : undefined
}

/** The kind of a text that consists of one template; undefined for other texts. */
export function templateKind(text: string, context: KindContext): ValueKind | undefined {
  const { pieces = [] } = parseTemplate(text)
  const [expression, ...others] = pieces
  if (typeof expression !== 'object' || others.length > 0) return undefined
  return expression.calls.reduce<ValueKind | undefined>(
    (kind, call) => resultKind(call, kind),
    operandKind(expression.head, context),
  )
}
