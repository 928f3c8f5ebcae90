// The values that can be picked at a place, grouped by source, with available examples.
import { STEP_CONTRACTS } from '../../../../contract/workflow-steps.ts'
import type { WorkflowDefinition, WorkflowStep } from '../../../../contract/workflows.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { targetOf } from '../../../shared/values/attribute-config.ts'
import { labelOf } from './form-fields.ts'
import type { StepScope } from './step-scope.ts'
import { lookUp, type Scope } from './template-preview.ts'
import { memberOf, onlyTemplate, pathOf } from './template-text.ts'

export interface ValueEntry {
  /** The text between the braces. */
  expression: string
  label: string
  /** Example value; undefined: there is none. */
  sample: unknown
  /** Nesting depth in the list. */
  depth: number
}

export interface ValueGroup {
  title: string
  /** Prefix of labels when values are shown outside of the group; '' for none. */
  prefix: string
  entries: readonly ValueEntry[]
}

type Attributes = readonly (Pick<Attribute, 'slug' | 'name' | 'type'> & Partial<Pick<Attribute, 'config'>>)[]
/** @param ref id or slug of an object @returns undefined if unknown or not loaded */
type AttributesOf = (ref: string) => Attributes | undefined

export interface Facts {
  definition: WorkflowDefinition
  sight: StepScope
  scope: Scope
  attributesOf: AttributesOf
  titleOf(step: WorkflowStep): string
  /** `deal`; undefined: there is no such object. @param ref id or slug */
  nounOf(ref: string): string | undefined
  /** Names of secrets; empty if the step cannot read secrets. */
  secrets: readonly string[]
}

const DEPTH_MAX = 4
const ENTRIES_MAX = 400

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface VisibleValue {
  expression: string
  label: string
  sample: unknown
  depth: number
}

/** Parts of values by type, offered even if the example has none of them. */
const PARTS: Partial<Record<Attribute['type'], readonly string[]>> = {
  currency: ['amount', 'currency'],
  name: ['firstName', 'lastName'],
  address: ['line1', 'line2', 'city', 'state', 'postalCode', 'country'],
}

const member = (value: VisibleValue, name: string, label = labelOf(name)): VisibleValue => ({
  expression: memberOf(value.expression, name),
  label,
  sample: isObject(value.sample) ? value.sample[name] : undefined,
  depth: value.depth + 1,
})

/** Entries for a list: the whole list, and its first element. */
function listEntries(value: VisibleValue, shape: RecordShape | undefined): ValueEntry[] {
  const [first] = Array.isArray(value.sample) ? value.sample : []
  const inner = { ...value, expression: memberOf(value.expression, 0), label: 'First', sample: first }
  return isObject(first) || shape
    ? [value, ...entriesOf({ ...inner, depth: value.depth + 1 }, shape)]
    : [value]
}

/** The record of the trigger, and a record that a step returns. Templates can follow their references. */
const FOLLOWED = /^(?:trigger|steps\.[^.[\]]+(?:\.record)?)\.data$/

/** The attributes of a record, and of the objects that its references point to. */
interface RecordShape {
  attributes: Attributes
  attributesOf: AttributesOf
}

function targetEntries(
  value: VisibleValue,
  config: Attribute['config'],
  { attributesOf }: RecordShape,
): ValueEntry[] {
  const target = targetOf({ config })
  const attributes = target === undefined ? [] : (attributesOf(target) ?? [])
  // These are values of another record, for which there is no example.
  return attributes.map(({ slug, name }) => ({ ...member(value, slug, name), sample: undefined }))
}

/** Entries for the attributes of a record by name. The object that contains them is last. */
function dataEntries(data: VisibleValue, shape: RecordShape): ValueEntry[] {
  const around = { ...data, depth: data.depth - 1 }
  const isFollowed = FOLLOWED.test(data.expression)
  const values = shape.attributes.flatMap(({ slug, name, type, config = null }) => {
    const value = member(around, slug, name)
    const parts = Array.isArray(value.sample) ? [] : (PARTS[type] ?? [])
    const others = isFollowed && type === 'reference' ? targetEntries(value, config, shape) : []
    return [value, ...parts.map((part) => member(value, part)), ...others]
  })
  return [...values, { ...data, label: 'All values' }]
}

/** @param shape of the record, or of the records in the list */
function entriesOf(value: VisibleValue, shape?: RecordShape): ValueEntry[] {
  const { sample, depth } = value
  if (depth > DEPTH_MAX) return [value]
  if (Array.isArray(sample)) return listEntries(value, shape)
  const names = isObject(sample) ? Object.keys(sample) : []
  if (shape) names.push(...['id', 'data'].filter((name) => !names.includes(name)))
  const label = (name: string) => (name === 'id' ? 'ID' : labelOf(name))
  return [value, ...names.flatMap((name) => childEntries(member(value, name, label(name)), name, shape))]
}

const childEntries = (value: VisibleValue, name: string, shape: RecordShape | undefined): ValueEntry[] =>
  name === 'data' && shape ? dataEntries(value, shape) : entriesOf(value)

/** The shape of records of an object. @param ref id or slug @returns undefined if unknown or not loaded */
function shapeOf({ attributesOf }: Pick<Facts, 'attributesOf'>, ref: unknown): RecordShape | undefined {
  const attributes = attributesOf(String(ref ?? ''))
  return attributes && { attributes, attributesOf }
}

const rootValue = (expression: string, label: string, sample: unknown): VisibleValue => ({
  expression,
  label,
  sample,
  depth: 0,
})

/** The path of the id of the record that started a run. */
const STARTED_ON = 'trigger.recordId'

const WORDS: Readonly<Record<string, string>> = {
  'trigger.event': 'What happened',
  'trigger.objectId': 'ID of its object',
  'trigger.activityId': 'ID',
  'trigger.changes': 'What changed',
}

/** The record first, then its values, then less important values. */
const ORDER = ['recordId', 'data', 'activity', 'activityId', 'parameters', 'scheduledFor']
const placeIn = (name: string) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length)

/** `This deal` */
function startedBy({ definition: { trigger, triggerConfig }, nounOf }: Facts): string {
  if (trigger.startsWith('activity/')) return 'This activity'
  const { objectId } = triggerConfig ?? {}
  return objectId ? `This ${nounOf(objectId) ?? 'record'}` : 'This run'
}

function triggerGroup(facts: Facts): ValueGroup {
  const { definition, scope } = facts
  const { triggerConfig, trigger } = definition
  const isActivity = trigger.startsWith('activity/')
  const shape = isActivity ? undefined : shapeOf(facts, triggerConfig?.objectId)
  const title = startedBy(facts)
  const sample = scope['trigger']
  const names = isObject(sample) ? Object.keys(sample).toSorted((a, b) => placeIn(a) - placeIn(b)) : []
  const entries = names.flatMap((name) => {
    const expression = `trigger.${name}`
    const itself = `${title.replace('This', 'The')} itself`
    const label = expression === STARTED_ON ? itself : (WORDS[expression] ?? labelOf(name))
    const value = isObject(sample) ? sample[name] : undefined
    // An activity is in `activity` and in `data`, so one of them is enough.
    if (name === 'data' && isActivity) return []
    return childEntries(rootValue(expression, label, value), name, shape)
  })
  return { title, prefix: title, entries }
}

function outputNames({ type, config, onError }: WorkflowStep): readonly string[] {
  const variables = type === 'set_variables' ? namesOf(config['variables']) : []
  return [
    ...Object.keys(STEP_CONTRACTS[type].outputs),
    ...variables,
    ...(onError === 'continue' ? ['error'] : []),
  ]
}

function stepEntries(step: WorkflowStep, facts: Facts): ValueEntry[] {
  const { scope } = facts
  const shape = shapeOf(facts, step.config['object'])
  const output = lookUp(scope, ['steps', step.key])
  const names = new Set([...outputNames(step), ...(isObject(output) ? Object.keys(output) : [])])
  return [...names].flatMap((name) => {
    const value = rootValue(`steps.${step.key}.${name}`, labelOf(name), lookUp(output, [name]))
    const kind = STEP_CONTRACTS[step.type].outputs[name]
    if (kind === 'values' && shape) return childEntries(value, name, shape)
    if (kind === 'records' && shape) return listEntries(value, shape)
    return entriesOf(value, kind === 'record' ? shape : undefined)
  })
}

/** The step whose records a loop iterates over; undefined for other loops. */
function sourceOf(loop: WorkflowStep, sight: StepScope): WorkflowStep | undefined {
  const path = pathOf(onlyTemplate(String(loop.config['items'] ?? '')) ?? '')
  return path?.[0] === 'steps' && path[2] === 'records'
    ? sight.steps.find(({ key }) => key === path[1])
    : undefined
}

function loopGroup(loop: WorkflowStep, facts: Facts): ValueGroup {
  const { scope, sight } = facts
  const name = String(loop.config['as'] ?? 'item')
  const source = sourceOf(loop, sight)
  const shape = source && shapeOf(facts, source.config['object'])
  const item = entriesOf(rootValue(name, labelOf(name), lookUp(scope, [name])), shape)
  const value = rootValue('loop', 'Loop', scope['loop'])
  const counts = ['number', 'index', 'count'].map((one) => ({ ...member(value, one), depth: 0 }))
  return { title: `Each ${name}`, prefix: '', entries: [...item, ...counts] }
}

const namesOf = (value: unknown): string[] => (isObject(value) ? Object.keys(value) : [])

function variableGroup({ sight, scope }: Facts): ValueGroup {
  const names = new Set(sight.steps.flatMap(({ config }) => namesOf(config['variables'])))
  return {
    title: 'Variables',
    prefix: '',
    entries: [...names].map((name) => rootValue(`vars.${name}`, name, lookUp(scope, ['vars', name]))),
  }
}

const OTHERS: readonly [expression: string, label: string][] = [
  ['now', 'Now'],
  ['organization.name', 'Organization'],
  ['organization.timeZone', 'Time zone'],
  ['organization.id', 'ID of the organization'],
  ['workflow.name', 'Workflow'],
  ['workflow.id', 'ID of the workflow'],
  ['run.id', 'ID of the run'],
  ['run.startedAt', 'Start of the run'],
]

const otherGroup = ({ scope }: Facts): ValueGroup => ({
  title: 'Always available',
  prefix: '',
  entries: OTHERS.map(([expression, label]) =>
    rootValue(expression, label, lookUp(scope, expression.split('.'))),
  ),
})

/** The readable values at a place, the nearest first, without empty groups. */
export function valuesAt(facts: Facts): ValueGroup[] {
  const { sight, secrets, titleOf } = facts
  const steps = sight.steps
    .map((step) => ({ title: titleOf(step), prefix: titleOf(step), entries: stepEntries(step, facts) }))
    .toReversed()
  return [
    ...sight.loops.map((loop) => loopGroup(loop, facts)).toReversed(),
    triggerGroup(facts),
    ...steps,
    variableGroup(facts),
    {
      title: 'Secrets',
      prefix: 'Secret',
      entries: secrets.map((name) => rootValue(`secrets.${name}`, name, undefined)),
    },
    otherGroup(facts),
  ]
    .filter(({ entries }) => entries.length > 0)
    .map((group) => ({ ...group, entries: group.entries.slice(0, ENTRIES_MAX) }))
}

/** Adds the labels of the containing entries before each label. */
function withTrails(entries: readonly ValueEntry[]): ValueEntry[] {
  const trail: string[] = []
  return entries.map((entry) => {
    trail.splice(entry.depth, trail.length, entry.label)
    return { ...entry, label: trail.join(' › '), depth: 0 }
  })
}

/** Entries whose label, group or path contains every word of the text, with full labels. */
export function searchValues(groups: readonly ValueGroup[], text: string): readonly ValueGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return groups
  const fits = (title: string, { label, expression }: ValueEntry) => {
    const all = `${title} ${label} ${expression}`.toLowerCase()
    return words.every((word) => all.includes(word))
  }
  return groups
    .map((group) => ({
      ...group,
      entries: withTrails(group.entries).filter((entry) => fits(group.title, entry)),
    }))
    .filter(({ entries }) => entries.length > 0)
}

/** The full label of a value: `This deal › Owner`; undefined: the value cannot be picked here. */
export function labelOfValue(groups: readonly ValueGroup[], expression: string): string | undefined {
  for (const { prefix, entries } of groups) {
    const found = withTrails(entries).find((entry) => entry.expression === expression)
    if (!found) continue
    if (expression === STARTED_ON || prefix === '') return prefix || found.label
    return `${prefix} › ${found.label}`
  }
  return undefined
}

function itemOf(items: unknown, scope: Scope): unknown {
  const path = typeof items === 'string' ? pathOf(onlyTemplate(items) ?? '') : undefined
  const value = path ? lookUp(scope, path) : items
  return Array.isArray(value) ? value[0] : undefined
}

interface Samples {
  trigger: unknown
  outputs: Readonly<Record<string, unknown>>
  organization: unknown
}

/** The example values that templates can read at a place. For loops, the first item. */
export function scopeOf({ steps, loops }: StepScope, { trigger, outputs, organization }: Samples): Scope {
  const variables = steps
    .filter(({ type }) => type === 'set_variables')
    .map(({ key }) => outputs[key])
    .filter(isObject)
  const scope: Record<string, unknown> = {
    trigger,
    organization,
    steps: outputs,
    vars: Object.assign({}, ...variables),
  }
  for (const loop of loops) {
    const item = itemOf(loop.config['items'], scope)
    if (item !== undefined) scope[String(loop.config['as'] ?? 'item')] = item
    scope['loop'] = { index: 0, number: 1 }
  }
  return scope
}
