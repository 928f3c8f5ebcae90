// What callers send as filters → conditions: query parameters, search's list, search's tree.
import sql, { join } from 'sql-template-tag'
import type { Problem } from '../../contract/errors.ts'
import { FILTER_DEPTH_MAX, FILTERS_MAX, SEARCH_TEXT_MAX } from '../../contract/limits.ts'
import { FILTER_OPERATORS, type FilterOperator, SEARCH_OPERATORS } from '../../contract/operators.ts'
import type { Filter } from '../../contract/records.ts'
import { SEARCH_WORDS_MAX, searchWords } from '../../contract/search-text.ts'
import type { ObjectModel } from '../attributes/models.ts'
import { invalid } from '../errors.ts'
import { isStorable } from '../http/storable.ts'
import { compileFilter, conditionsOf, type RecordFilter } from './filters.ts'
import { compileTextSearch } from './text-search.ts'
import type { Locale } from './values.ts'

interface RawFilter {
  path: string
  slug: unknown
  operator: unknown
  value: unknown
}

interface Scope {
  model: ObjectModel
  locale: Locale
  operators: readonly FilterOperator[]
  problems: Problem[]
  count: number
}

const shown = (name: unknown) =>
  typeof name === 'string' ? `"${name.slice(0, 100)}"` : 'a value that is not text'

const operandText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined

function operandOf(value: unknown): string | string[] | undefined {
  if (!Array.isArray(value)) return operandText(value)
  const texts = value.map(operandText)
  return value.length >= 1 && value.length <= 100 && texts.every((text) => text !== undefined)
    ? texts
    : undefined
}

/** @returns undefined after noting what is wrong in `scope.problems` */
function compileOne({ path, slug, operator, value }: RawFilter, scope: Scope): RecordFilter | undefined {
  const note = (code: string, message: string) => void scope.problems.push({ path, code, message })
  if (++scope.count === FILTERS_MAX + 1) return note('too_many_filters', `at most ${FILTERS_MAX} filters`)
  const attribute = typeof slug === 'string' ? scope.model.attributes.get(slug) : undefined
  if (!attribute) return note('unknown_attribute', `${scope.model.slug} has no attribute ${shown(slug)}`)
  const known = scope.operators.find((one) => one === operator)
  if (!known)
    return note(
      'unknown_operator',
      `${attribute.slug}: no operator ${shown(operator)}; there are ${scope.operators.join(', ')}`,
    )
  if (Array.isArray(value) && value.length === 0)
    return note('wrong_operand', `${known} on ${attribute.slug} takes at least one value: send some`)
  const operand = operandOf(value)
  if (operand === undefined)
    return note(
      'wrong_operand',
      `${known} on ${attribute.slug} takes text, a number, true or false, or an array of 1 to 100 of them`,
    )
  const compiled = compileFilter({ attribute, operator: known, value: operand }, scope.locale)
  if ('problem' in compiled) return note(compiled.problem.code, compiled.problem.message)
  return compiled
}

/** What keeps a text from being searched for. */
function textProblem(text: unknown): Omit<Problem, 'path'> | undefined {
  if (typeof text !== 'string' || text.trim() === '')
    return { code: 'invalid_text', message: 'must be text to look for, such as "hopper grace"' }
  if (text.length > SEARCH_TEXT_MAX)
    return { code: 'invalid_text', message: `must be at most ${SEARCH_TEXT_MAX} characters` }
  if (!isStorable(text)) return { code: 'invalid_text', message: 'must be without the character U+0000' }
  if (searchWords(text).length > SEARCH_WORDS_MAX)
    return { code: 'invalid_text', message: `must be at most ${SEARCH_WORDS_MAX} different words` }
  return undefined
}

/** Free text in every attribute that holds words, and in phone numbers. */
function compileText(path: string, text: unknown, scope: Scope): RecordFilter | undefined {
  const problem = textProblem(text)
  if (problem) return void scope.problems.push({ path, ...problem })
  if (++scope.count === FILTERS_MAX + 1)
    return void scope.problems.push({
      path,
      code: 'too_many_filters',
      message: `at most ${FILTERS_MAX} filters`,
    })
  return compileTextSearch([...scope.model.attributes.values()], String(text), scope.locale).filter
}

const isRecord = (node: unknown): node is Record<string, unknown> =>
  typeof node === 'object' && node !== null && !Array.isArray(node)

const LEAF_FIELDS = new Set(['attributeSlug', 'operator', 'value'])

function compileNode(node: unknown, path: string, depth: number, scope: Scope): RecordFilter | undefined {
  const note = (code: string, message: string) => void scope.problems.push({ path, code, message })
  if (scope.count > FILTERS_MAX) return undefined
  if (!isRecord(node))
    return note('invalid_type', 'must be a filter, {"q": "text"}, {"and": […]} or {"or": […]}')
  if (depth > FILTER_DEPTH_MAX) return note('too_deep', `trees go to depth ${FILTER_DEPTH_MAX}`)
  const keys = Object.keys(node)
  const group = keys[0]
  if (keys.length === 1 && (group === 'and' || group === 'or'))
    return compileGroup(node[group], `${path}.${group}`, depth, scope)
  if (keys.length === 1 && group === 'q') return compileText(`${path}.q`, node['q'], scope)
  const unknown = keys.find((key) => !LEAF_FIELDS.has(key))
  if (unknown !== undefined) return note('unknown_field', `${shown(unknown)} is not known here`)
  return compileOne(
    { path, slug: node['attributeSlug'], operator: node['operator'], value: node['value'] },
    scope,
  )
}

function compileGroup(members: unknown, path: string, depth: number, scope: Scope): RecordFilter | undefined {
  if (!Array.isArray(members) || members.length === 0 || members.length > FILTERS_MAX) {
    scope.problems.push({
      path,
      code: 'invalid_group',
      message: `must be an array of 1 to ${FILTERS_MAX} filters`,
    })
    return undefined
  }
  const parts = members.map((member, index) => compileNode(member, `${path}[${index}]`, depth + 1, scope))
  const filters = parts.filter((part) => part !== undefined)
  if (filters.length <= 1) return filters[0]
  const isOr = path.endsWith('.or')
  const condition = sql`(${join(conditionsOf(filters), isOr ? ' or ' : ' and ')})`
  return { condition, leaf: undefined, ...(isOr ? { any: filters } : { parts: filters.flatMap(partsOf) }) }
}

const partsOf = (filter: RecordFilter): readonly RecordFilter[] => filter.parts ?? [filter]

function compileAll(scope: Scope, work: () => (RecordFilter | undefined)[]): RecordFilter[] {
  const conditions = work()
  if (scope.problems.length > 0) throw invalid('invalid_filter', scope.problems)
  return conditions.filter((condition) => condition !== undefined).flatMap(partsOf)
}

const FILTER_PARAMETER = /^filter\[([^[\]]*)\]\[([^[\]]*)\]$/

/** Query parameters `filter[slug][operator]=operand`, and `q`. @throws 400 invalid_filter */
export function filtersOfQuery(
  query: Record<string, unknown>,
  model: ObjectModel,
  locale: Locale,
): RecordFilter[] {
  const scope: Scope = { model, locale, operators: FILTER_OPERATORS, problems: [], count: 0 }
  return compileAll(scope, () => [
    ...(query['q'] === undefined ? [] : [compileText('q', query['q'], scope)]),
    ...Object.entries(query).flatMap(([path, value]) => {
      const parts = FILTER_PARAMETER.exec(path)
      if (!parts) return []
      const [, slug, operator] = parts
      // The same parameter twice is two filters.
      return [value].flat().map((one) => compileOne({ path, slug, operator, value: one }, scope))
    }),
  ])
}

/** Search's `filters`, `filter` tree and `q`, all of which must hold. @throws 400 invalid_filter */
export function filtersOfSearch(
  body: { filters?: readonly Filter[]; filter?: unknown; q?: unknown },
  model: ObjectModel,
  locale: Locale,
): RecordFilter[] {
  const scope: Scope = { model, locale, operators: SEARCH_OPERATORS, problems: [], count: 0 }
  return compileAll(scope, () => [
    ...(body.filters ?? []).map(({ attributeSlug, operator, value }, index) =>
      compileOne({ path: `filters[${index}]`, slug: attributeSlug, operator, value }, scope),
    ),
    ...(body.filter === undefined ? [] : [compileNode(body.filter, 'filter', 0, scope)]),
    ...(body.q === undefined ? [] : [compileText('q', body.q, scope)]),
  ])
}
