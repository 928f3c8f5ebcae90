import { SORTABLE } from '../../../contract/attribute-types.ts'
import { PAGE_LIMIT_MAX } from '../../../contract/limits.ts'
import { OPERATOR_SHAPES, SEARCH_OPERATORS } from '../../../contract/operators.ts'
import type { SearchBody } from '../../../contract/records.ts'
import { LOOP_ITEMS_MAX } from '../../../contract/workflow-states.ts'
import { isRawNumber, parseJson } from '../../base/json.ts'
import { unknownAttribute } from '../../base/suggestions.ts'
import { isNode, type TreeNode } from '../../records/filters/parse.ts'
import { searchRecords } from '../../records/read/service.ts'
import { checkFilter } from '../check/filter-check.ts'
import { findAttribute, type KnownObject, toldSlugs } from '../check/known.ts'
import { checkObject, type StepCheck } from '../check/record-checks.ts'
import { isPlainObject } from '../interpreter/values.ts'
import { StepFailure } from './failure.ts'
import { type FoundRecord, objectOf } from './record-steps.ts'
import type { DataStep, StepWork } from './step.ts'

function checkSort(object: KnownObject, { config: { sort }, path, report }: StepCheck): void {
  if (!isPlainObject(sort) || sort['field'] === 'created_at' || sort['field'] === 'updated_at') return
  const attribute = findAttribute(object, String(sort['field']))
  if (!attribute || !SORTABLE.has(attribute.type) || attribute.isList)
    report.add(
      `${path}.sort.field`,
      'invalid_sort',
      `must be created_at, updated_at or an attribute of ${object.slug} that can be sorted by`,
    )
}

function check(check: StepCheck): void {
  const { config, path, known, report } = check
  const object = checkObject(config['object'], `${path}.object`, check)
  if (config['filter'] !== undefined)
    checkFilter(config['filter'], `${path}.filter`, {
      object,
      known,
      report,
      hasTemplates: true,
    })
  if (!object) return
  checkSort(object, check)
  const { fields } = config
  for (const [index, slug] of (Array.isArray(fields) ? fields : []).entries())
    if (!findAttribute(object, String(slug)))
      report.add(
        `${path}.fields[${index}]`,
        'unknown_attribute',
        unknownAttribute(object.slug, slug, toldSlugs(object, known)),
      )
}

/** Filters accept long numbers only as text. */
function operands(value: unknown): unknown {
  if (isRawNumber(value)) return value.rawJSON
  if (Array.isArray(value)) return value.map(operands)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, operands(one)]))
}

const picked = (record: FoundRecord, fields: unknown): FoundRecord => {
  if (!Array.isArray(fields) || fields.length === 0) return record
  const data = Object.entries(record.data).filter(([slug]) => fields.includes(slug))
  return { ...record, data: Object.fromEntries(data) }
}

/** Whether a filter has conditions: the form of a new step has an empty filter. */
const hasConditions = (filter: unknown) =>
  typeof filter === 'object' && filter !== null && Object.values(filter).flat().length > 0

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

interface Decided {
  /** The remaining filter; undefined: no record can match. */
  filter: unknown
  /** The path of the first value that is empty. */
  empty?: string
}

const shapeOf = (operator: unknown) => {
  const known = SEARCH_OPERATORS.find((one) => one === operator)
  return known && OPERATOR_SHAPES[known].takes
}

function decideLeaf(leaf: TreeNode, path: string): Decided {
  if ('q' in leaf) return isEmpty(leaf['q']) ? { filter: undefined, empty: `${path}.q` } : { filter: leaf }
  const { operator, value } = leaf
  const takes = shapeOf(operator)
  if (takes === undefined || takes === 'nothing') return { filter: leaf }
  const empty = `${path}.value`
  if (isEmpty(value)) return { filter: undefined, empty }
  if (!Array.isArray(value) || !value.some(isEmpty)) return { filter: leaf }
  const others = value.filter((one) => !isEmpty(one))
  // With `in`, the other values can still match. An incomplete range or `notIn` list matches no record.
  return operator === 'in' && others.length > 0
    ? { filter: { ...leaf, value: others }, empty }
    : { filter: undefined, empty }
}

function decideGroup(group: 'and' | 'or', members: readonly unknown[], path: string): Decided {
  const decided = members.map((member, index) => decideEmptyOperands(member, `${path}.${group}[${index}]`))
  const empty = decided.find((one) => one.empty !== undefined)?.empty
  const left = decided.map(({ filter }) => filter).filter((filter) => filter !== undefined)
  const isDecided = group === 'and' ? left.length < members.length : left.length === 0
  return { filter: isDecided ? undefined : { [group]: left }, ...(empty !== undefined && { empty }) }
}

/** As with `notEquals`, no record matches if a value is empty. */
function decideNot(member: unknown, path: string): Decided {
  const { filter, empty } = decideEmptyOperands(member, `${path}.not`)
  return empty === undefined ? { filter: { not: filter } } : { filter: undefined, empty }
}

/**
 * A comparison whose template has no value is false: no record matches, instead of all, and the run continues. Values
 * that are not filters are passed to the search, which rejects them.
 */
function decideEmptyOperands(tree: unknown, path: string): Decided {
  if (!isNode(tree)) return { filter: tree }
  for (const group of ['and', 'or'] as const) {
    const members = tree[group]
    if (Array.isArray(members) && members.length > 0) return decideGroup(group, members, path)
  }
  if ('not' in tree) return decideNot(tree['not'], path)
  return decideLeaf(tree, path)
}

/** @returns undefined: no record can match @throws StepFailure when a value is empty and onEmptyValue is fail */
function searchOf({ filter, sort, onEmptyValue }: StepWork['input']): SearchBody | undefined {
  const order = {
    ...(sort !== undefined && { sort: sort as SearchBody['sort'] }),
    count: false,
  } as SearchBody
  if (!hasConditions(filter)) return order
  const { filter: left, empty } = decideEmptyOperands(filter, 'filter')
  if (empty !== undefined && onEmptyValue === 'fail')
    throw new StepFailure(`${empty}: is empty, so there is nothing to search for.`)
  return left === undefined ? undefined : { ...order, filter: operands(left) as object }
}

const FOUND_DEFAULT = 20

/** @throws StepFailure */
function wantedOf(limit: unknown = FOUND_DEFAULT): number {
  if (typeof limit === 'number' && Number.isInteger(limit) && limit > 0)
    return Math.min(limit, LOOP_ITEMS_MAX)
  throw new StepFailure(`limit: must be a whole number from 1 to ${LOOP_ITEMS_MAX}.`)
}

/** Pages are not read in one snapshot: concurrent writes may move records between pages. */
async function perform(work: StepWork) {
  const { ctx, caller, input } = work
  const object = await objectOf(work)
  const wanted = wantedOf(input['limit'])
  const search = searchOf(input)
  if (!search) return { count: 0, records: [] }
  const records: FoundRecord[] = []
  let cursor: string | undefined
  do {
    const limit = Math.min(PAGE_LIMIT_MAX, wanted - records.length)
    const body = { ...search, limit, ...(cursor !== undefined && { cursor }) }
    const page = parseJson(await searchRecords(ctx, caller, object, body)) as {
      records: FoundRecord[]
      pagination: { nextCursor?: string }
    }
    records.push(...page.records.map((record) => picked(record, input['fields'])))
    cursor = page.pagination.nextCursor
  } while (cursor !== undefined && records.length < wanted)
  return { count: records.length, records }
}

export const findRecords: DataStep = {
  kind: 'data',
  isReading: true,
  check,
  perform,
  example: {
    object: '0198c0de-0000-7000-8000-000000000001',
    sort: { field: 'age', order: 'asc' },
    fields: ['email'],
  },
}
