// Checks the syntax of templates, and that the values they read exist.
import {
  type FunctionParameter,
  isWorkflowFunction,
  WORKFLOW_FUNCTIONS,
} from '../../../contract/workflow-functions.ts'
import { ACTIVITY_OUTPUTS } from '../../../contract/workflow-steps/create-activity.ts'
import type { ValueKind } from '../../../contract/workflow-steps/fields.ts'
import { instead, insteadTold, sentName, unknownAttribute } from '../../base/suggestions.ts'
import { allNames, toldNames } from '../../base/told-names.ts'
import { fieldAt, isPathFault } from '../../records/filters/paths.ts'
import { FILTERED_RECORD_FIELDS } from '../../records/filters/record-fields.ts'
import { rootOf } from '../interpreter/followed-paths.ts'
import {
  type Call,
  type Expression,
  parseTemplate,
  type Segment,
  type TemplateOperand,
} from '../interpreter/template-syntax.ts'
import { isTimeZone } from '../interpreter/zones.ts'
import { findAttribute, findObject, type KnownObject, pathObjectOf, toldSlugs } from './known.ts'
import { outputsOf, ROOTS, type Root, type TemplateContext } from './step-scope.ts'
import { operandKind, resultKind } from './value-kinds.ts'

export interface Flaw {
  code: string
  message: string
}

const flaw = (code: string, message: string): Flaw => ({ code, message })

const TRIGGER = [
  'event',
  'recordId',
  'objectId',
  'data',
  'changes',
  'activityId',
  'activity',
  'scheduledFor',
  'missed',
  'parameters',
]

function member(
  root: string,
  name: Segment | undefined,
  names: readonly string[],
  told = allNames(names),
): Flaw | undefined {
  if (name === undefined || names.includes(String(name))) return undefined
  const said = insteadTold(String(name), told, 'send the slug of an attribute of the object')
  return flaw('unknown_path', `${root} has no ${sentName(String(name))}: ${said}`)
}

/** The object whose records start the workflow. */
function triggerObject({ definition, known }: TemplateContext): KnownObject | undefined {
  const { trigger, triggerConfig: { objectId } = {} } = definition
  return objectId === undefined || trigger.startsWith('activity/') ? undefined : findObject(known, objectId)
}

/** Names in `trigger.data`; undefined: unknown. For a manual run, these are the parameters. */
function dataNames({ definition, known }: TemplateContext): readonly string[] | undefined {
  const { trigger, triggerConfig, parameters = [] } = definition
  const names = parameters.map(({ name }) => name)
  if (trigger.startsWith('activity/')) return [...Object.keys(ACTIVITY_OUTPUTS), ...names]
  const { objectId } = triggerConfig ?? {}
  const object = objectId === undefined ? undefined : findObject(known, objectId)
  if (object) return [...object.attributes.map(({ slug }) => slug), ...names]
  return objectId === undefined && !trigger.startsWith('record/') ? names : undefined
}

/** Checks a path in the data of a record. As in filters, it can lead to parts of values and along references. */
function dataFlaw(
  object: KnownObject | undefined,
  path: readonly Segment[],
  known: TemplateContext['known'],
): Flaw | undefined {
  const [slug = ''] = path
  const isChecked = object && path.length > 1 && path.every((one) => typeof one === 'string')
  if (!isChecked || !findAttribute(object, String(slug))) return undefined
  const found = fieldAt(pathObjectOf(known, object), path.join('.'), (at, name) => {
    const of = known.objects.find((one) => one.slug === at.slug) ?? object
    return unknownAttribute(at.slug, name, toldSlugs(of, known, FILTERED_RECORD_FIELDS))
  })
  return isPathFault(found) ? flaw(found.code, found.message) : undefined
}

function triggerFlaw(
  [, name, inner, ...rest]: readonly Segment[],
  context: TemplateContext,
): Flaw | undefined {
  const unknown = member('trigger', name, TRIGGER)
  if (unknown) return unknown
  const { parameters = [] } = context.definition
  if (name === 'parameters')
    return member(
      'trigger.parameters',
      inner,
      parameters.map((parameter) => parameter.name),
    )
  const names = name === 'data' ? dataNames(context) : undefined
  if (!names) return undefined
  const hasAttributes = context.definition.triggerConfig?.objectId !== undefined
  const told = hasAttributes ? toldNames(context.known.locale, 'attributes', names) : allNames(names)
  const unknownName = member('trigger.data', inner, names, told)
  if (unknownName || inner === undefined || parameters.some((one) => one.name === inner)) return unknownName
  return dataFlaw(triggerObject(context), [inner, ...rest], context.known)
}

function stepsFlaw(path: readonly Segment[], { scope, known }: TemplateContext): Flaw | undefined {
  const [, key, field] = path
  if (key === undefined) return undefined
  const step = scope.steps.get(String(key))
  if (!step)
    return flaw(
      'unknown_step',
      `no step before this one has the key ${sentName(String(key))}: ${instead(String(key), [...scope.steps.keys()])}`,
    )
  const unknownField = member(`steps.${step.key}`, field, outputsOf(step))
  const root = unknownField ? undefined : rootOf(path.map(String), () => step)?.root
  const ref = step.config['object']
  return root && typeof ref === 'string'
    ? dataFlaw(findObject(known, ref), path.slice(root.length), known)
    : unknownField
}

function secretFlaw(path: readonly Segment[], { known, hasSecrets }: TemplateContext): Flaw | undefined {
  if (!hasSecrets)
    return flaw(
      'secret_not_allowed',
      'must not contain a secret: these are only for the URL, headers and body of HTTP requests',
    )
  const [, name] = path
  if (path.length !== 2 || name === undefined)
    return flaw('unknown_secret', 'must name a secret, such as {{secrets.ERP_TOKEN}}')
  if (known.secrets.includes(String(name))) return undefined
  return flaw('unknown_secret', `no secret is called ${sentName(String(name))}: create it, or choose another`)
}

const ROOT_FLAWS: Record<Root, (path: readonly Segment[], context: TemplateContext) => Flaw | undefined> = {
  trigger: triggerFlaw,
  steps: stepsFlaw,
  secrets: secretFlaw,
  vars: ([, name], { scope }) =>
    name === undefined || scope.vars.has(String(name))
      ? undefined
      : flaw(
          'unknown_variable',
          `no step before this one sets the variable ${sentName(String(name))}: ${instead(String(name), [...scope.vars])}`,
        ),
  run: ([, name]) => member('run', name, ['id', 'startedAt']),
  workflow: ([, name]) => member('workflow', name, ['id', 'name']),
  organization: ([, name]) => member('organization', name, ['id', 'name', 'timeZone']),
  now: () => undefined,
  loop: ([, name], { scope }) =>
    scope.items.length > 0
      ? member('loop', name, ['index', 'number', 'count'])
      : flaw(
          'not_in_loop',
          'loop is only available inside a loop: move the step into one, or choose another value',
        ),
}

const isRoot = (name: unknown): name is Root => ROOTS.some((root) => root === name)

function pathFlaw(path: readonly Segment[], context: TemplateContext): Flaw | undefined {
  const [root] = path
  if (isRoot(root)) return ROOT_FLAWS[root](path, context)
  if (context.scope.items.includes(String(root))) return undefined
  const roots = [...ROOTS, ...context.scope.items]
  return flaw(
    'unknown_path',
    `no value is called ${sentName(String(root))} here: ${instead(String(root), roots)}`,
  )
}

const operandFlaw = (operand: TemplateOperand, context: TemplateContext): Flaw | undefined =>
  'path' in operand ? pathFlaw(operand.path, context) : undefined

function argumentFlaw(
  name: string,
  { type, name: what }: FunctionParameter,
  arg: TemplateOperand,
): Flaw | undefined {
  const wrong = (message: string) => flaw('wrong_argument', `${name}: ${what} ${message}`)
  if (type === 'path' && !('literal' in arg && typeof arg.literal === 'string'))
    return wrong("must be in quotation marks, such as 'data.amount'")
  if ('path' in arg) return undefined
  if (type === 'number' && typeof arg.literal !== 'number') return wrong('must be a number')
  if (type === 'text' && typeof arg.literal !== 'string') return wrong('must be in quotation marks')
  if (type === 'timeZone' && !(typeof arg.literal === 'string' && isTimeZone(arg.literal)))
    return wrong("must be a time zone, such as 'Europe/Berlin'")
  return undefined
}

const READABLE: Readonly<Record<'Dates' | 'Numbers', { kinds: ReadonlySet<ValueKind>; words: string }>> = {
  Dates: { kinds: new Set(['date', 'text']), words: 'a date' },
  Numbers: { kinds: new Set(['amount', 'number', 'text']), words: 'a number' },
}

/** Checks that a function accepts the kind of the value before it, if that is known. */
function inputFlaw({ name }: Call, kind: ValueKind | undefined): Flaw | undefined {
  if (kind === undefined || !isWorkflowFunction(name)) return undefined
  const { group } = WORKFLOW_FUNCTIONS[name]
  const readable = group === 'Dates' || group === 'Numbers' ? READABLE[group] : undefined
  if (!readable || readable.kinds.has(kind)) return undefined
  return flaw('wrong_argument', `${name} requires ${readable.words} before it: choose another value`)
}

function callFlaw({ name, args }: Call, context: TemplateContext): Flaw | undefined {
  if (!isWorkflowFunction(name))
    return flaw(
      'unknown_function',
      `no function is called ${sentName(name)}: ${instead(name, Object.keys(WORKFLOW_FUNCTIONS))}`,
    )
  const parameters: readonly FunctionParameter[] = WORKFLOW_FUNCTIONS[name].parameters
  const least = parameters.filter(({ isOptional }) => !isOptional).length
  if (args.length < least || args.length > parameters.length)
    return flaw(
      'wrong_argument',
      `${name} must have ${parameters.map((one) => one.name).join(' and ') || 'nothing'} as parameters`,
    )
  for (const [index, arg] of args.entries()) {
    const parameter = parameters[index]
    const found = (parameter && argumentFlaw(name, parameter, arg)) ?? operandFlaw(arg, context)
    if (found) return found
  }
  return undefined
}

function expressionFlaw({ head, calls }: Expression, context: TemplateContext): Flaw | undefined {
  const inHead = operandFlaw(head, context)
  if (inHead) return inHead
  let kind = operandKind(head, context)
  for (const call of calls) {
    const found = callFlaw(call, context) ?? inputFlaw(call, kind)
    if (found) return found
    kind = resultKind(call, kind)
  }
  return undefined
}

/** The first problem of the templates of a text. */
export function templateFlaw(text: string, context: TemplateContext): Flaw | undefined {
  if (!text.includes('{{')) return undefined
  const { pieces, problem } = parseTemplate(text)
  if (problem !== undefined) return flaw('invalid_template', problem)
  for (const piece of pieces) {
    const found = typeof piece === 'string' ? undefined : expressionFlaw(piece, context)
    if (found) return found
  }
  return undefined
}

/** Whether a value is a text without templates. */
export const isLiteral = (value: unknown): value is string =>
  typeof value === 'string' && !value.includes('{{')
