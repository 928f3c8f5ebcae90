// Explains how a search was run: its time, its statistics, and the access paths that the executor tried, with their
// costs.
import type {
  ExplainedFilter,
  ExplainedPath,
  SearchExplanation,
} from '../../../contract/record-explanation.ts'
import type { Db } from '../../db/pool.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { type PagePlan, preparePage, selectPage } from './executor.ts'
import type { Page, PageQuery } from './page-query.ts'
import type { PreparedFilter } from './sql/prepared-filters.ts'
import { rowSource } from './sql/row-source.ts'
import { isIndexed, readStatistics, type Statistics } from './statistics.ts'

function explainedFilter(
  { filter: { leaf, asked }, cardinality, indexCondition }: PreparedFilter,
  estimate: Statistics['estimates'][number] | undefined,
): ExplainedFilter {
  return {
    attributeSlug: leaf?.attribute.slug ?? asked?.attributeSlug ?? null,
    operator: leaf?.operator ?? asked?.operator ?? null,
    found: estimate?.found ?? null,
    isExact: estimate?.isExact ?? false,
    countedBy: cardinality ? 'counters' : indexCondition ? 'index' : 'nothing',
    hasIndex: indexCondition !== undefined,
  }
}

const explainedPath = ({ path, isTaken }: PagePlan[number]): ExplainedPath => ({
  path: path.path,
  filter: 'filter' in path ? path.filter : null,
  bound: ('bound' in path ? path.bound : undefined) ?? null,
  cost: Math.round(path.cost),
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

/** @param plan after the executor has run */
async function explained(
  db: Db,
  model: ObjectModel,
  { query, plan }: { query: PageQuery; plan: PagePlan },
): Promise<Explained> {
  if (!isIndexed(model)) return unindexed(model, query)
  const { request, prepared } = preparePage(model, query)
  const statistics = await readStatistics(rowSource(db, model), request.owner, prepared)
  return {
    index: model.index.state,
    records: statistics.records,
    filters: prepared.map((one, place) => explainedFilter(one, statistics.estimates[place])),
    paths: plan.map(explainedPath),
  }
}

async function timed(read: () => Promise<Page>) {
  const from = performance.now()
  const page = await read()
  return { total: page.total ?? null, milliseconds: Math.round((performance.now() - from) * 100) / 100 }
}

/** Reads the page, then explains how it was read. @throws StaleModel */
export async function explainPage(db: Db, model: ObjectModel, query: PageQuery): Promise<SearchExplanation> {
  const plan: PagePlan = []
  const result = await timed(() => selectPage(db, model, query, plan))
  const found = await explained(db, model, { query, plan })
  return { ...found, ...result }
}
