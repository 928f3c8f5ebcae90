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
import { type Measured, measure, type Prepared, prepare } from './measure.ts'
import { type Listener, questionOf, waysFor } from './page.ts'
import { costOfAll } from './planner.ts'
import { isIndexed, selectPage } from './select-page.ts'
import { deepCost } from './unfiltered.ts'
import { orderOf, type Question } from './ways.ts'

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

/** A way as it was told of. */
interface Told {
  way: Parameters<Listener>[0]
  isTaken: boolean
}

function explainedWay(
  question: Question,
  { way, isTaken }: Told,
  facts: Measured['facts'] = [],
): ExplainedWay {
  const [only] = facts
  const cost = way.way === 'once' && only ? costOfAll(only) : 'cost' in way ? way.cost : 0
  return {
    way: way.way === 'walk' && orderOf(question) === 'none' ? 'scan' : way.way,
    filter: 'filter' in way ? way.filter : null,
    bound: ('bound' in way ? way.bound : undefined) ?? null,
    cost: Math.round(cost),
    isTaken,
  }
}

/** Of all records: there is one way. */
function waysOfAll(question: Question, measured: Measured): ExplainedWay[] {
  const cost = deepCost(question, measured.records)
  if (cost !== undefined)
    return [{ way: 'ladder', filter: null, bound: null, cost: Math.round(cost), isTaken: true }]
  const [way] = waysFor(question, measured)
  return way ? [{ ...explainedWay(question, { way, isTaken: true }), bound: null }] : []
}

type Plan = Pick<SearchExplanation, 'index' | 'records' | 'filters' | 'ways'>

function unindexed({ index }: ObjectModel, { filters }: PageQuery): Plan {
  const nothing = { sum: undefined, probe: undefined, proof: undefined }
  return {
    index: index?.state ?? 'none',
    records: null,
    filters: filters.map((filter) => explainedFilter({ filter, ...nothing }, undefined)),
    ways: [{ way: 'scan', filter: null, bound: null, cost: 0, isTaken: true }],
  }
}

/** @param told of the ways while the page was read: they depend on what is found on them */
async function planOf(
  db: Db,
  model: ObjectModel,
  { query, told }: { query: PageQuery; told: readonly Told[] },
): Promise<Plan | typeof STALE> {
  if (!isIndexed(model)) return unindexed(model, query)
  const prepared = prepare(model, query.filters)
  const measured = await measure(db, model, prepared)
  if (measured === STALE) return STALE
  const { records, facts } = measured
  const question = questionOf(model, query)
  return {
    index: model.index.state,
    records,
    filters: prepared.map((one, place) => explainedFilter(one, facts[place])),
    ways:
      prepared.length === 0
        ? waysOfAll(question, measured)
        : told.map((one) => explainedWay(question, one, facts)),
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
    const told: Told[] = []
    const tell: Listener = (way, isTaken) => void told.push({ way, isTaken })
    const result = await timed(() => selectPage(ctx.db, model, query, tell))
    if (result === STALE) return STALE
    const plan = await planOf(ctx.db, model, { query, told })
    return plan === STALE ? STALE : { ...plan, ...result }
  })
}
