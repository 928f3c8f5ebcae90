// Why a search takes what it takes: its statistics, the paths that the executor tried, and their costs.
import type { ExplainedFilter, ExplainedPath, SearchExplanation } from '../../contract/record-explanation.ts'
import type { ObjectModel } from '../attributes/models.ts'
import type { Db } from '../db/pool.ts'
import type { Page, PageQuery } from '../records/store.ts'
import { questionOf } from './executor.ts'
import { accessPathsFor, type PagePlan, type PlannedPath } from './page-plan.ts'
import { costOf, costOfSinglePass } from './planner.ts'
import { isIndexed, selectPage } from './select-page.ts'
import type { Question } from './sql/scans.ts'
import { type Prepared, prepare, readStatistics, type Statistics } from './statistics.ts'
import { costOfSeek } from './unfiltered-page.ts'

function explainedFilter(
  { filter: { leaf }, cardinality, indexCondition }: Prepared,
  estimate: Statistics['estimates'][number] | undefined,
): ExplainedFilter {
  return {
    attributeSlug: leaf?.attribute.slug ?? null,
    operator: leaf?.operator ?? null,
    found: estimate?.found ?? null,
    isExact: estimate?.isExact ?? false,
    countedBy: cardinality ? 'counters' : indexCondition ? 'index' : 'nothing',
    hasIndex: indexCondition !== undefined,
  }
}

/** Microseconds, also of paths that were taken before there were statistics. */
function costOfPath(path: PlannedPath['path'], question: Question, statistics: Statistics): number {
  if ('cost' in path) return path.cost
  const [only] = statistics.estimates
  if (path.path === 'empty') return 0
  if (path.path === 'single_pass') return only ? costOfSinglePass(only) : 0
  if (path.path === 'offset_seek') return costOfSeek(question, statistics.records)
  const [scan] = accessPathsFor(question, statistics)
  return scan ? costOf(scan) : 0
}

const explainedPath = (
  { path, isTaken }: PlannedPath,
  question: Question,
  statistics: Statistics,
): ExplainedPath => ({
  path: path.path,
  filter: 'filter' in path ? path.filter : null,
  bound: ('bound' in path ? path.bound : undefined) ?? null,
  cost: Math.round(costOfPath(path, question, statistics)),
  isTaken,
})

type Explained = Pick<SearchExplanation, 'index' | 'records' | 'filters' | 'paths'>

function unindexed({ index }: ObjectModel, { filters }: PageQuery): Explained {
  const nothing = { cardinality: undefined, indexCondition: undefined, proof: undefined }
  return {
    index: index?.state ?? 'none',
    records: null,
    filters: filters.map((filter) => explainedFilter({ filter, ...nothing }, undefined)),
    paths: [{ path: 'full_scan', filter: null, bound: null, cost: 0, isTaken: true }],
  }
}

/** @param plan as the executor left it */
async function explained(
  db: Db,
  model: ObjectModel,
  { query, plan }: { query: PageQuery; plan: PagePlan },
): Promise<Explained> {
  if (!isIndexed(model)) return unindexed(model, query)
  const prepared = prepare(model, query.filters)
  const statistics = await readStatistics(db, model, prepared)
  const question = questionOf(model, query)
  return {
    index: model.index.state,
    records: statistics.records,
    filters: prepared.map((one, place) => explainedFilter(one, statistics.estimates[place])),
    paths: plan.map((one) => explainedPath(one, question, statistics)),
  }
}

async function timed(read: () => Promise<Page>) {
  const from = performance.now()
  const page = await read()
  return { total: page.total ?? null, milliseconds: Math.round((performance.now() - from) * 100) / 100 }
}

/** Reads the page, then explains how. @throws StaleModel */
export async function explainPage(db: Db, model: ObjectModel, query: PageQuery): Promise<SearchExplanation> {
  const plan: PagePlan = []
  const result = await timed(() => selectPage(db, model, query, plan))
  const found = await explained(db, model, { query, plan })
  return { ...found, ...result }
}
