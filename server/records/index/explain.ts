// Which way a search goes, and what it takes: for whoever wonders why one is slow.
import type {
  ExplainedFilter,
  ExplainedWay,
  SearchExplanation,
} from '../../../contract/record-explanation.ts'
import type { SearchBody } from '../../../contract/records.ts'
import { type ObjectModel, STALE, withModel } from '../../attributes/models.ts'
import type { Caller, Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { type PageInput, pageQueryOf, searchInput } from '../reading.ts'
import type { Page, PageQuery } from '../store.ts'
import { type Indexed, type Measured, measure, type Prepared, prepare } from './measure.ts'
import { questionOf, type Step, stepsTo } from './page.ts'
import { isIndexed, selectPage } from './select-page.ts'
import { deepCost } from './unfiltered.ts'
import type { Question } from './ways.ts'

function explainedFilter(
  { filter: { leaf }, sum, probe }: Prepared,
  facts: Measured['facts'][number] | undefined,
): ExplainedFilter {
  return {
    attributeSlug: leaf?.attribute.slug ?? null,
    operator: leaf?.operator ?? null,
    found: facts?.found ?? null,
    isExact: facts?.isExact ?? false,
    countedBy: sum ? 'counters' : probe ? 'index' : 'nothing',
    hasIndex: probe !== undefined,
  }
}

const explainedWay = (way: Step): ExplainedWay => ({
  way: way.way,
  filter: 'filter' in way ? way.filter : null,
  bound: ('bound' in way ? way.bound : undefined) ?? null,
  cost: 'cost' in way ? Math.round(way.cost) : 0,
})

function explainedWays(
  model: Indexed,
  question: Question,
  { prepared, measured }: { prepared: readonly Prepared[]; measured: Measured },
): ExplainedWay[] {
  const cost = prepared.length === 0 ? deepCost(question, measured.records) : undefined
  if (cost !== undefined) return [{ way: 'ladder', filter: null, bound: null, cost: Math.round(cost) }]
  return stepsTo(model, question, { prepared, measured }).map(explainedWay)
}

type Plan = Pick<SearchExplanation, 'index' | 'records' | 'filters' | 'ways'>

async function planOf(db: Db, model: ObjectModel, query: PageQuery): Promise<Plan | typeof STALE> {
  const index = model.index?.state ?? 'none'
  if (!isIndexed(model)) {
    const filters = query.filters.map((filter) =>
      explainedFilter({ filter, sum: undefined, probe: undefined, proof: undefined }, undefined),
    )
    return { index, records: null, filters, ways: [{ way: 'scan', filter: null, bound: null, cost: 0 }] }
  }
  const prepared = prepare(model, query.filters)
  const measured = await measure(db, model, prepared)
  if (measured === STALE) return STALE
  return {
    index,
    records: measured.records,
    filters: prepared.map((one, place) => explainedFilter(one, measured.facts[place])),
    ways: explainedWays(model, questionOf(model, query), { prepared, measured }),
  }
}

async function timed(read: () => Promise<Page | typeof STALE>) {
  const from = performance.now()
  const page = await read()
  return page === STALE
    ? STALE
    : { total: page.total ?? null, milliseconds: Math.round((performance.now() - from) * 100) / 100 }
}

/** @throws what searchRecords throws */
export function explainSearch(
  ctx: Pick<Context, 'db' | 'models'>,
  caller: Caller,
  objectRef: string,
  body: SearchBody,
): Promise<SearchExplanation> {
  return withModel(ctx, caller.org, objectRef, async (model) => {
    const input: PageInput = searchInput(model, caller, body)
    const query = pageQueryOf(model, input)
    const plan = await planOf(ctx.db, model, query)
    if (plan === STALE) return STALE
    const result = await timed(() => selectPage(ctx.db, model, query))
    return result === STALE ? STALE : { ...plan, ...result }
  })
}
