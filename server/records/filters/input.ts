// Converts the filters of requests to conditions: query parameters, and the list and the tree of a search.

import { TYPE_CONTRACTS } from '../../../contract/attribute-types.ts'
import type { Problem } from '../../../contract/errors.ts'
import type { Filter } from '../../../contract/filters.ts'
import { FILTERS_MAX, SEARCH_TEXT_MAX } from '../../../contract/limits.ts'
import { FILTER_OPERATORS, type FilterOperator, SEARCH_OPERATORS } from '../../../contract/operators.ts'
import { SEARCH_WORDS_MAX, searchWords } from '../../../contract/search-text.ts'
import { invalid } from '../../base/errors.ts'
import { instead, sentName, unknownAttribute } from '../../base/suggestions.ts'
import { toldNames } from '../../base/told-names.ts'
import { isStorable, NOT_STORABLE } from '../../http/storable.ts'
import type { ModelAttribute, ModelContext, ObjectModel } from '../../model/attributes/models.ts'
import { RECORD_TYPES } from '../types/types.ts'
import type { Locale } from '../values/attribute.ts'
import { alongPath, alongReference } from './along.ts'
import type { FilteredAttribute } from './check.ts'
import { withFilterMembers } from './named-members.ts'
import { type Grammar, LeafLimit, parseFilters, type TreeNode } from './parse.ts'
import { type FieldPath, fieldAt, isPathFault, type PathFault } from './paths.ts'
import {
  checkRecordField,
  FILTERED_RECORD_FIELDS,
  operatorsOfField,
  type RecordField,
  recordFieldSql,
} from './record-fields.ts'
import { loadReferenced, NONE_REFERENCED, pathObject, type Referenced } from './referenced.ts'
import { compileTextSearch } from './text-search.ts'
import {
  anyOf,
  type Compiled,
  compileFilter,
  filterParts,
  noneOf,
  type RecordFilter,
  treeFilter,
} from './to-sql.ts'

interface Scope {
  model: ObjectModel
  /** The models of the referenced objects, as far as filters follow references. */
  referenced: Referenced
  locale: Locale
  operators: readonly FilterOperator[]
}

/** The problem of a text that cannot be searched for. */
function textProblem(text: unknown): Omit<Problem, 'path'> | undefined {
  if (typeof text !== 'string' || text.trim() === '')
    return { code: 'invalid_text', message: 'must be text to look for, such as "hopper grace"' }
  if (text.length > SEARCH_TEXT_MAX)
    return {
      code: 'invalid_text',
      message: `must be at most ${SEARCH_TEXT_MAX} characters: send fewer words`,
    }
  if (!isStorable(text)) return { code: 'invalid_text', message: NOT_STORABLE }
  if (searchWords(text).length > SEARCH_WORDS_MAX)
    return {
      code: 'invalid_text',
      message: `must be at most ${SEARCH_WORDS_MAX} different words: send fewer`,
    }
  return undefined
}

type Field = FilteredAttribute | RecordField

const operatorsOf = (field: Field): readonly FilterOperator[] =>
  typeof field === 'string' ? operatorsOfField(field) : TYPE_CONTRACTS[field.type].operators

const nameOf = (field: Field): string => (typeof field === 'string' ? field : `${field.slug} (${field.type})`)

interface Asked {
  operator: FilterOperator
  value: unknown
}

function compileRecordField(field: RecordField, { operator, value }: Asked, locale: Locale): Compiled {
  const leaf = checkRecordField({ field, operator, value }, { locale })
  if ('field' in leaf) return { condition: recordFieldSql(leaf), leaf: undefined }
  return { problem: { code: leaf.code, message: `${operator} on ${field}: ${leaf.message}` } }
}

const compileField = (field: Field, { operator, value }: Asked, locale: Locale): Compiled =>
  typeof field === 'string'
    ? compileRecordField(field, { operator, value }, locale)
    : compileFilter({ attribute: field, operator, value }, locale)

/** Checks the operator on the field first: along references it is replaced by others. */
function compilePath(
  { locale, referenced }: Scope,
  { via, field }: FieldPath<ModelAttribute>,
  asked: Asked,
): Compiled {
  const own = compileField(field, asked, locale)
  if ('problem' in own || via.length === 0) return own
  const any = (affirmed: Asked): RecordFilter => {
    const compiled = compileField(field, affirmed, locale)
    if ('problem' in compiled) throw new Error(`${affirmed.operator}: ${compiled.problem.message}`)
    return via.reduceRight((filter, reference) => {
      const target = referenced.get(reference.targetObj ?? Number.NaN)
      if (!target) throw new Error(`No model of what ${reference.slug} refers to`)
      return alongReference(reference, target, filter)
    }, compiled)
  }
  const attributeSlug = [...via, field].map((one) => (typeof one === 'string' ? one : one.slug)).join('.')
  const found = alongPath(asked, { any, not: noneOf, or: (one, other) => anyOf([one, other]) })
  return { ...found, asked: { attributeSlug, operator: asked.operator } }
}

const FIELDS = new Set(['attributeSlug', 'operator', 'value'])

/** The filters of one request, and their problems. */
class FilterInput implements Grammar<RecordFilter> {
  readonly noun = 'filter'
  readonly fields = FIELDS
  readonly membersMax = FILTERS_MAX
  readonly limit = new LeafLimit()
  readonly problems: Problem[] = []
  readonly #scope: Scope

  constructor(scope: Scope) {
    this.#scope = scope
  }

  readonly note = (path: string, code: string, message: string): undefined => {
    this.problems.push({ path, code, message })
  }

  /** The field that the filter names. */
  #field(path: unknown): FieldPath<ModelAttribute> | PathFault {
    const { model, locale, referenced } = this.#scope
    const models = [model, ...referenced.values()]
    return fieldAt(pathObject(model, referenced), path, ({ slug: object }, slug) => {
      const known = models.find((one) => one.slug === object)?.attributes.keys() ?? []
      const told = toldNames(locale, 'attributes', [...known, ...FILTERED_RECORD_FIELDS])
      return unknownAttribute(object, typeof path !== 'string' || slug === '' ? path : slug, told)
    })
  }

  leaf({ attributeSlug, operator, value }: TreeNode, path: string): RecordFilter | undefined {
    const { operators } = this.#scope
    const found = this.#field(attributeSlug)
    if (isPathFault(found)) return this.note(path, found.code, found.message)
    const { field } = found
    const allowed = operatorsOf(field).filter((one) => operators.includes(one))
    const known = allowed.find((one) => one === operator)
    if (!known) {
      const code = operators.some((one) => one === operator) ? 'operator_not_defined' : 'unknown_operator'
      return this.note(
        path,
        code,
        `${nameOf(field)} has no operator ${sentName(operator)}: ${instead(operator, allowed)}`,
      )
    }
    const compiled = compilePath(this.#scope, found, { operator: known, value })
    if ('problem' in compiled) return this.note(path, compiled.problem.code, compiled.problem.message)
    return compiled
  }

  /** Free text, searched in every attribute with words and in phone numbers. */
  text(text: unknown, path: string): RecordFilter | undefined {
    const problem = textProblem(text)
    if (problem) return this.note(path, problem.code, problem.message)
    const { model, locale } = this.#scope
    return compileTextSearch([...model.attributes.values()], String(text), locale).filter
  }

  /** A filter or free text outside a tree. */
  single(node: TreeNode, path: string): RecordFilter | undefined {
    if (!this.limit.admit(path, this.note)) return undefined
    return 'q' in node ? this.text(node['q'], path) : this.leaf(node, path)
  }

  tree(tree: unknown, path: string): RecordFilter | undefined {
    const parsed = parseFilters(tree, path, this)
    return parsed && treeFilter(parsed)
  }

  /** @throws 400 invalid_filter */
  all(filters: readonly (RecordFilter | undefined)[]): RecordFilter[] {
    if (this.problems.length > 0) throw invalid('invalid_filter', this.problems)
    return filters.filter((one) => one !== undefined).flatMap(filterParts)
  }
}

interface QueryLeaf {
  /** The name of the parameter. */
  path: string
  leaf: TreeNode
}

const FILTER_PARAMETER = /^filter\[([^[\]]*)\]\[([^[\]]*)\]$/

/** Filters of query parameters `filter[slug][operator]=operand`; a parameter that is sent twice is two filters. */
const leavesOfQuery = ({ attributes }: ObjectModel, query: Record<string, unknown>): QueryLeaf[] =>
  Object.entries(query).flatMap(([path, value]) => {
    const [parameter, attributeSlug = '', operator] = FILTER_PARAMETER.exec(path) ?? []
    if (parameter === undefined) return []
    const type = attributes.get(attributeSlug)?.type
    const read = type && RECORD_TYPES[type].operandOfQuery
    return [value].flat().map((one) => ({
      path,
      leaf: { attributeSlug, operator, value: read && typeof one === 'string' ? read(one) : one },
    }))
  })

type Asking = Locale & { org: number }

/** Filters of the query parameters `filter[slug][operator]=operand` and `q`. @throws 400 invalid_filter */
export async function readQueryFilters(
  ctx: ModelContext,
  asking: Asking,
  model: ObjectModel,
  query: Record<string, unknown>,
): Promise<RecordFilter[]> {
  const leaves = leavesOfQuery(model, query)
  const locale = await withFilterMembers(ctx.db, asking, model, leaves)
  const referenced = await loadReferenced(ctx, model, leaves)
  const input = new FilterInput({ model, referenced, locale, operators: FILTER_OPERATORS })
  return input.all([
    ...(query['q'] === undefined ? [] : [input.single({ q: query['q'] }, 'q')]),
    ...leaves.map(({ path, leaf }) => input.single(leaf, path)),
  ])
}

/** The filters of a search: a record must match all of them. */
interface SearchFilters {
  filters?: readonly Filter[] | undefined
  /** A tree of filters. */
  filter?: unknown
  /** Free text. */
  q?: unknown
}

/** @param locale with the members that the filters name by email @throws 400 invalid_filter */
export function filtersOfSearch(
  body: SearchFilters,
  model: ObjectModel,
  locale: Locale,
  referenced = NONE_REFERENCED,
): RecordFilter[] {
  const input = new FilterInput({ model, referenced, locale, operators: SEARCH_OPERATORS })
  return input.all([
    ...(body.filters ?? []).map((filter, index) => input.single({ ...filter }, `filters[${index}]`)),
    ...(body.filter === undefined ? [] : [input.tree(body.filter, 'filter')]),
    ...(body.q === undefined ? [] : [input.single({ q: body.q }, 'q')]),
  ])
}

/**
 * Like filtersOfSearch. Also looks up the members that the filters name by email, and the referenced objects.
 * @throws 400 invalid_filter
 */
export async function readSearchFilters(
  ctx: ModelContext,
  asking: Asking,
  model: ObjectModel,
  body: SearchFilters,
): Promise<RecordFilter[]> {
  const asked = [body.filters, body.filter]
  const locale = await withFilterMembers(ctx.db, asking, model, asked)
  return filtersOfSearch(body, model, locale, await loadReferenced(ctx, model, asked))
}
