// Dependencies in a definition: removes parts that refer to removed parts.
import type { ReportDefinition } from '../../../../contract/reports.ts'
import { isBackward, viaOf } from '../words/joins.ts'
import { definitionTree, type FieldCondition, type MeasureCondition, pruned, treeIn } from './conditions.ts'
import { keysOf } from './names.ts'

type Draft = ReportDefinition

const aliasOf = (field: string): string => field.split('.')[0] ?? ''

/** Removes undefined properties and empty lists from the definition. */
export function tidy(draft: { [Key in keyof Draft]: Draft[Key] | undefined }): Draft {
  const lists = ['joins', 'groupBy', 'measures', 'sort']
  const entries = Object.entries(draft).filter(
    ([name, value]) =>
      value !== undefined && !(lists.includes(name) && Array.isArray(value) && value.length === 0),
  )
  return Object.fromEntries(entries) as Draft
}

function withoutKeys(chart: Draft['chart'], isKept: (key: string) => boolean): Draft['chart'] {
  if (!chart) return undefined
  const y = chart.y?.filter(isKept)
  return {
    type: chart.type,
    ...(chart.x !== undefined && isKept(chart.x) && { x: chart.x }),
    ...(y && y.length > 0 && { y }),
    ...(chart.series !== undefined && isKept(chart.series) && { series: chart.series }),
  }
}

/** Removes references to missing columns. */
export function withoutLostKeys(draft: Draft): Draft {
  const keys = new Set(keysOf(draft))
  const measures = new Set((draft.measures ?? []).map(({ key }) => key))
  const isKept = (key: string) => keys.has(key)
  return tidy({
    ...draft,
    having: definitionTree(pruned(treeIn<MeasureCondition>(draft.having), ({ key }) => measures.has(key))),
    sort: draft.sort?.filter(({ key }) => isKept(key)),
    chart: withoutKeys(draft.chart, isKept),
  })
}

/** The aliases that removing the join at `index` also removes: its own, and those of joins that depend on it. */
export function aliasesWith(
  draft: Pick<Draft, 'joins'>,
  index: number,
  parents: readonly (string | undefined)[],
) {
  const removed = new Set<string>()
  for (const [place, join] of (draft.joins ?? []).entries()) {
    const from = isBackward(join) ? (join.to ?? parents[place]) : viaOf(join).alias
    if (place === index || (from !== undefined && removed.has(from))) removed.add(join.alias)
  }
  return removed
}

/** Removes objects and everything that reads them. */
export function withoutAliases(draft: Draft, removed: ReadonlySet<string>): Draft {
  const stays = ({ field }: { field?: string | undefined }) =>
    field === undefined || !removed.has(aliasOf(field))
  const columns = draft.columns?.filter(stays)
  return withoutLostKeys(
    tidy({
      ...draft,
      joins: draft.joins?.filter(({ alias }) => !removed.has(alias)),
      filters: definitionTree(pruned(treeIn<FieldCondition>(draft.filters), stays)),
      groupBy: draft.groupBy?.filter(stays),
      measures: draft.measures?.filter(stays),
      columns,
    }),
  )
}
