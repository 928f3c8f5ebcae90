// Whether the result of a template fits its field: an id is no date, in any notation.
import type { AttributeType } from '../../../contract/attribute-types.ts'
import type { ValueKind } from '../../../contract/workflow-steps/fields.ts'
import type { WorkflowStep } from '../../../contract/workflows.ts'
import { savedGrammar } from '../../records/filters/matches.ts'
import { leavesOf, parseFilters } from '../../records/filters/parse.ts'
import { fieldAt, isPathFault } from '../../records/filters/paths.ts'
import { isPlainObject } from '../interpreter/values.ts'
import { findAttribute, findObject, type KnownObject, pathObjectOf } from './known.ts'
import type { CheckReport } from './report.ts'
import type { TemplateContext } from './step-scope.ts'
import { templateKind } from './value-kinds.ts'

interface Place {
  /** Below the config. */
  path: string
  value: unknown
  takes: AttributeType
}

const KIND_WORDS: Readonly<Record<ValueKind, string>> = {
  address: 'an address',
  amount: 'an amount of money',
  date: 'a date',
  email: 'an email address',
  flag: 'true or false',
  id: 'an id',
  list: 'a list',
  name: 'the name of a person',
  number: 'a number',
  phone: 'a phone number',
  text: 'text',
}

interface Need {
  kinds: ReadonlySet<ValueKind>
  words: string
  example: string
}

/** Types that are missing take any value, or one that is read from text. */
const NEEDS: Partial<Record<AttributeType, Need>> = {
  date: { kinds: new Set(['date', 'text']), words: 'a date', example: '{{now}}' },
  number: {
    kinds: new Set(['number', 'text']),
    words: 'a number',
    example: '{{trigger.data.amount.amount}}',
  },
  currency: {
    kinds: new Set(['amount', 'number', 'text']),
    words: 'an amount',
    example: '{{trigger.data.amount}}',
  },
  checkbox: { kinds: new Set(['flag', 'text']), words: 'true or false', example: 'true' },
  email: { kinds: new Set(['email', 'text']), words: 'an email address', example: '{{trigger.data.email}}' },
  reference: {
    kinds: new Set(['id', 'list', 'text']),
    words: 'the id of a record',
    example: '{{trigger.recordId}}',
  },
}

/** Why a value of this kind is none for the type, in words. */
function kindProblem(kind: ValueKind | undefined, type: AttributeType): string | undefined {
  const need = NEEDS[type]
  if (!need || kind === undefined || need.kinds.has(kind)) return undefined
  return `must be ${need.words}, but this is ${KIND_WORDS[kind]}: choose another value, such as ${need.example}`
}

function* dataPlaces(object: KnownObject | undefined, data: unknown): Generator<Place> {
  if (!object || !isPlainObject(data)) return
  for (const [slug, value] of Object.entries(data)) {
    const attribute = findAttribute(object, slug)
    if (attribute && !attribute.isList) yield { path: `data.${slug}`, value, takes: attribute.type }
  }
}

/** Operators that look into text compare the letters of anything. */
const COMPARES: ReadonlySet<unknown> = new Set([
  'equals',
  'notEquals',
  'greaterThan',
  'greaterThanOrEqual',
  'lessThan',
  'lessThanOrEqual',
])

/** @param tree a filter, whose shape was looked at */
function* filterPlaces(
  known: TemplateContext['known'],
  object: KnownObject | undefined,
  tree: unknown,
): Generator<Place> {
  const parsed = parseFilters(tree, 'filter', {
    ...savedGrammar(),
    leaf: (node, path) => ({ node, path }),
  })
  for (const { node, path } of parsed ? leavesOf(parsed) : []) {
    const found = object && fieldAt(pathObjectOf(known, object), node['attributeSlug'], () => '')
    if (!found || isPathFault(found) || typeof found.field === 'string') continue
    if (!found.field.isList && COMPARES.has(node['operator']))
      yield { path: `${path}.value`, value: node['value'], takes: found.field.type }
  }
}

function* placesOf({ config }: WorkflowStep, { known }: TemplateContext): Generator<Place> {
  const ref = config['object']
  const object = typeof ref === 'string' ? findObject(known, ref) : undefined
  yield { path: 'until', value: config['until'], takes: 'date' }
  yield { path: 'activityDate', value: config['activityDate'], takes: 'date' }
  yield { path: 'recordId', value: config['recordId'], takes: 'reference' }
  yield* dataPlaces(object, config['data'])
  yield* filterPlaces(known, object, config['filter'])
}

/** @param path of the step's config */
export function checkKinds(
  step: WorkflowStep,
  path: string,
  context: TemplateContext,
  report: CheckReport,
): void {
  for (const { path: inner, value, takes } of placesOf(step, context)) {
    if (typeof value !== 'string') continue
    const problem = kindProblem(templateKind(value, context), takes)
    if (problem) report.add(`${path}.${inner}`, 'wrong_type', problem)
  }
}
