// Checks a view's state against its object: attributes of filters, sorts and groups must exist when the view is saved.

import type { Problem } from '../../contract/errors.ts'
import { summariesOf } from '../../contract/summary-kinds.ts'
import type { View, ViewState } from '../../contract/views.ts'
import type { Caller } from '../base/caller.ts'
import { AppError, invalid, invalidField } from '../base/errors.ts'
import { instead } from '../base/suggestions.ts'
import type { ModelContext, ObjectModel } from '../model/attributes/models.ts'
import { filtersOfSearch } from '../records/filters/input.ts'
import { withFilterMembers } from '../records/filters/named-members.ts'
import { loadReferenced, type Referenced } from '../records/filters/referenced.ts'
import { groupingOf } from '../records/groups/grouping.ts'
import { type AskedSort, sortOfAll } from '../records/rows/sorting.ts'
import type { Locale } from '../records/values/attribute.ts'

/** Columns of deleted attributes are allowed, and show nothing. */
function* columnProblems({ columns }: ViewState, { attributes }: ObjectModel): Generator<Problem> {
  const first = new Map<string, number>()
  for (const [index, { slug, summary }] of columns.entries()) {
    const attribute = attributes.get(slug)
    const allowed = attribute ? summariesOf(attribute) : []
    if (summary && attribute && !allowed.includes(summary))
      yield {
        path: `state.columns[${index}].summary`,
        code: 'not_allowed',
        message: `must be a summary of ${slug}, not "${summary}": ${instead(summary, allowed)}`,
      }
    const earlier = first.get(slug)
    if (earlier === undefined) first.set(slug, index)
    else
      yield {
        path: `state.columns[${index}]`,
        code: 'duplicate',
        message: `is the same as state.columns[${earlier}]: leave one out`,
      }
  }
}

interface Surroundings {
  model: ObjectModel
  locale: Locale
  /** The objects that references in the filter lead to. */
  referenced: Referenced
}

/** The data that a view is checked with. */
export const surroundingsOf = async (
  ctx: ModelContext,
  caller: Caller,
  model: ObjectModel,
  { filter }: ViewState,
): Promise<Surroundings> => ({
  model,
  locale: await withFilterMembers(ctx.db, caller, model, filter),
  referenced: await loadReferenced(ctx, model, filter),
})

/** Problems of a filter have paths within the filter. Here the paths begin with the state. */
function requireFilter(filter: unknown, { model, locale, referenced }: Surroundings): void {
  try {
    filtersOfSearch({ filter }, model, locale, referenced)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_filter') throw error
    const problems = (error.details?.['errors'] ?? []) as Problem[]
    throw invalid(
      'invalid_filter',
      problems.map((one) => ({ ...one, path: `state.${one.path}` })),
    )
  }
}

/** @throws 400 validation_error, invalid_parameter */
function requireSort({ sort, thenBy = [] }: ViewState, { model, locale: asking }: Surroundings): void {
  if (!sort) {
    if (thenBy.length === 0) return
    throw invalidField('state.sort', 'required', 'is required with thenBy: send what to sort by first')
  }
  const asked: AskedSort[] = [
    { ...sort, path: 'state.sort.field', asking },
    ...thenBy.map((one, index) => ({ ...one, path: `state.thenBy[${index}].field`, asking })),
  ]
  sortOfAll(model, asked)
}

/** @throws 400 validation_error, invalid_filter, invalid_parameter */
export function requireState(
  { kind, state }: Pick<View, 'kind' | 'state'>,
  surroundings: Surroundings,
): void {
  const { model, locale } = surroundings
  const problems = [...columnProblems(state, model)]
  if (problems.length > 0) throw invalid('validation_error', problems)
  if (kind === 'board' && !state.board)
    throw invalidField(
      'state.board',
      'required',
      'is required for a board: send the attribute that makes its columns',
    )
  if (state.filter !== undefined) requireFilter(state.filter, surroundings)
  requireSort(state, surroundings)
  if (state.board) {
    const { groupBy, sumOf } = state.board
    const paths = { by: 'state.board.groupBy', sumOf: 'state.board.sumOf' }
    groupingOf(model, { by: groupBy, sumOf }, paths, locale)
  }
}
