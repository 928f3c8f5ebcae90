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
import type { Db } from '../../db/pool.ts'
import { isStorable, NOT_STORABLE } from '../../http/storable.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { RECORD_TYPES } from '../types/types.ts'
import type { Locale } from '../values/attribute.ts'
import type { FilteredAttribute } from './check.ts'
import { withFilterMembers } from './named-members.ts'
import { type Grammar, LeafLimit, parseFilters, type TreeNode } from './parse.ts'
import { attributeAt, isPartFault } from './parts.ts'
import {
  checkRecordField,
  FILTERED_RECORD_FIELDS,
  isRecordField,
  operatorsOfField,
  type RecordField,
  recordFieldSql,
} from './record-fields.ts'
import { compileTextSearch } from './text-search.ts'
import { type Compiled, compileFilter, filterParts, type RecordFilter, treeFilter } from './to-sql.ts'

interface Scope {
  model: ObjectModel
  locale: Locale
  operators: readonly FilterOperator[]
}

/** Why a text cannot be searched for. */
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

  /** An attribute, a part of one, or a field that every record has. */
  #field(slug: unknown, path: string): Field | undefined {
    const { model, locale } = this.#scope
    const found = attributeAt((one) => model.attributes.get(one), slug)
    if (isPartFault(found)) return this.note(path, found.code, found.message)
    if (found !== undefined) return found
    if (isRecordField(slug)) return slug
    const names = [...model.attributes.keys(), ...FILTERED_RECORD_FIELDS]
    const told = toldNames(locale, 'attributes', names)
    return this.note(path, 'unknown_attribute', unknownAttribute(model.slug, slug, told))
  }

  leaf({ attributeSlug: slug, operator, value }: TreeNode, path: string): RecordFilter | undefined {
    const { locale, operators } = this.#scope
    const field = this.#field(slug, path)
    if (field === undefined) return undefined
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
    const compiled =
      typeof field === 'string'
        ? compileRecordField(field, { operator: known, value }, locale)
        : compileFilter({ attribute: field, operator: known, value }, locale)
    if ('problem' in compiled) return this.note(path, compiled.problem.code, compiled.problem.message)
    return compiled
  }

  /** Free text in every attribute with words, and in phone numbers. */
  text(text: unknown, path: string): RecordFilter | undefined {
    const problem = textProblem(text)
    if (problem) return this.note(path, problem.code, problem.message)
    const { model, locale } = this.#scope
    return compileTextSearch([...model.attributes.values()], String(text), locale).filter
  }

  /** A filter or free text that is not in a tree. */
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
  db: Db,
  asking: Asking,
  model: ObjectModel,
  query: Record<string, unknown>,
): Promise<RecordFilter[]> {
  const leaves = leavesOfQuery(model, query)
  const locale = await withFilterMembers(db, asking, model, leaves)
  const input = new FilterInput({ model, locale, operators: FILTER_OPERATORS })
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
export function filtersOfSearch(body: SearchFilters, model: ObjectModel, locale: Locale): RecordFilter[] {
  const input = new FilterInput({ model, locale, operators: SEARCH_OPERATORS })
  return input.all([
    ...(body.filters ?? []).map((filter, index) => input.single({ ...filter }, `filters[${index}]`)),
    ...(body.filter === undefined ? [] : [input.tree(body.filter, 'filter')]),
    ...(body.q === undefined ? [] : [input.single({ q: body.q }, 'q')]),
  ])
}

/** As filtersOfSearch; looks up the members that the filters name by email. @throws 400 invalid_filter */
export const readSearchFilters = async (
  db: Db,
  asking: Asking,
  model: ObjectModel,
  body: SearchFilters,
): Promise<RecordFilter[]> =>
  filtersOfSearch(body, model, await withFilterMembers(db, asking, model, [body.filters, body.filter]))
