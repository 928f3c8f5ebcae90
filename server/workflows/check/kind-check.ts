// Checks that the kind of a template's result fits its field. An id, for example, is never a date.
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

interface CheckedValue {
  /** The path below the config. */
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

/** Types that are not listed accept every kind, or a value that is parsed from text. */
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

/** The message when a value of this kind does not fit the type. */
function kindProblem(kind: ValueKind | undefined, type: AttributeType): string | undefined {
  const need = NEEDS[type]
  if (!need || kind === undefined || need.kinds.has(kind)) return undefined
  return `must be ${need.words}, but this is ${KIND_WORDS[kind]}: choose another value, such as ${need.example}`
}

function* dataValues(object: KnownObject | undefined, data: unknown): Generator<CheckedValue> {
  if (!object || !isPlainObject(data)) return
  for (const [slug, value] of Object.entries(data)) {
    const attribute = findAttribute(object, slug)
    if (attribute && !attribute.isList) yield { path: `data.${slug}`, value, takes: attribute.type }
  }
}

/** Operators whose operand must fit the type. Operators that search in text accept every kind. */
const COMPARES: ReadonlySet<unknown> = new Set([
  'equals',
  'notEquals',
  'greaterThan',
  'greaterThanOrEqual',
  'lessThan',
  'lessThanOrEqual',
])

/** @param tree a filter whose shape was checked */
function* filterValues(
  known: TemplateContext['known'],
  object: KnownObject | undefined,
  tree: unknown,
): Generator<CheckedValue> {
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

function* checkedValuesOf({ config }: WorkflowStep, { known }: TemplateContext): Generator<CheckedValue> {
  const ref = config['object']
  const object = typeof ref === 'string' ? findObject(known, ref) : undefined
  yield { path: 'until', value: config['until'], takes: 'date' }
  yield { path: 'activityDate', value: config['activityDate'], takes: 'date' }
  yield { path: 'recordId', value: config['recordId'], takes: 'reference' }
  yield* dataValues(object, config['data'])
  yield* filterValues(known, object, config['filter'])
}

/** @param path of the step's config */
export function checkKinds(
  step: WorkflowStep,
  path: string,
  context: TemplateContext,
  report: CheckReport,
): void {
  for (const { path: inner, value, takes } of checkedValuesOf(step, context)) {
    if (typeof value !== 'string') continue
    const problem = kindProblem(templateKind(value, context), takes)
    if (problem) report.add(`${path}.${inner}`, 'wrong_type', problem)
  }
}
