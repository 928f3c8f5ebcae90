// The access paths to a page in the order in which they are tried. The executor tries this list; explain prints it.

import { type AccessPath, accessPaths, costOf } from './planner.ts'
import { type IndexOnlyPage, indexOnlyPageOf } from './sql/index-only-scan.ts'
import { orderOf, type Question } from './sql/scans.ts'
import type { Indexed, Prepared, Statistics } from './statistics.ts'

/** The page of one filter out of indexes alone. */
export interface IndexOnlyScan {
  path: 'index_only_scan'
  filter: 0
  cost: number
  page: IndexOnlyPage
}

/** The first records in the order of the sort, without knowing how many match. */
export interface HeadScan {
  path: 'head_scan'
  /** Records that are read at most. */
  bound: number
  cost: number
}

/** The path to a page without filters. */
export interface ListPath {
  /** offset_seek: from the histogram bucket in which the offset ends. */
  path: 'ordered_scan' | 'full_scan' | 'offset_seek'
}

/** All that a filter finds, for the page and for the total. */
export interface SinglePass {
  path: 'single_pass'
  filter: 0
}

/** ListPath and SinglePass are chosen without statistics: they have no cost until they are explained. */
export interface PlannedPath {
  path: AccessPath | IndexOnlyScan | HeadScan | SinglePass | ListPath
  isTaken: boolean
}

/** Planned paths are appended in the order in which they are tried. */
export type PagePlan = PlannedPath[]

/** Appends a path that is tried now. */
export const take = (plan: PagePlan, path: PlannedPath['path']): void =>
  void plan.push({ path, isTaken: true })

export const accessPathsFor = (question: Question, { records, estimates }: Statistics): AccessPath[] =>
  accessPaths({
    records,
    filters: estimates,
    order: orderOf(question),
    until: question.offset + question.rows,
  })

/** The cheapest first; the last finds everything. */
export function pagePaths(
  model: Indexed,
  question: Question,
  { prepared, statistics }: { prepared: readonly Prepared[]; statistics: Statistics },
): (AccessPath | IndexOnlyScan)[] {
  const paths = accessPathsFor(question, statistics)
  const page = indexOnlyPageOf(model, question, { prepared, statistics })
  const sure = paths.at(-1)
  if (!page || !sure || page.cost >= costOf(sure)) return paths
  const cheaper = paths.filter((path) => costOf(path) <= page.cost)
  const indexOnly: IndexOnlyScan = { path: 'index_only_scan', filter: 0, cost: page.cost, page }
  return [...cheaper, indexOnly, ...(page.isProven ? [sure] : [])]
}
