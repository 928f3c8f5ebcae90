// Measures the costs of server/records/engine/plan/cost-model.ts: microseconds of PostgreSQL for one more row.
import sql, { type Sql } from 'sql-template-tag'
import type { SearchBody } from '../../contract/records.ts'
import * as model from '../../server/records/engine/plan/cost-model.ts'
import { explainSearch } from '../../server/records/read/service.ts'
import type { Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { INDUSTRIES } from './people.ts'
import { RARE_WORD } from './questions.ts'
import type { Stage } from './stage.ts'

export const COST_MODEL_NAME = 'cost model'
const TIMES = 25
/** Two numbers of rows. Only the difference of their times counts, so the start of a statement is left out. */
const [FEW, MANY] = [1000, 21_000]

type Measure = (rows: number) => Sql

/** The minimum of several runs: other load on the machine only makes a run slower. */
async function leastOf(measure: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < TIMES; time++) least = Math.min(least, await measure())
  return least
}

const executionMs = async ({ ctx }: Stage, query: Sql): Promise<number> => {
  const analyze = sql`explain (analyze, timing off, summary on, format json) ${query}`
  const plan = await ctx.db.one<{ 'QUERY PLAN': [{ 'Execution Time': number }] }>(analyze)
  return plan['QUERY PLAN'][0]['Execution Time']
}

async function perRow(stage: Stage, measure: Measure): Promise<number> {
  const few = await leastOf(() => executionMs(stage, measure(FEW)))
  const many = await leastOf(() => executionMs(stage, measure(MANY)))
  return (1000 * (many - few)) / (MANY - FEW)
}

const searchMs = (stage: Stage, body: SearchBody): Promise<number> =>
  leastOf(async () => {
    const { milliseconds } = await explainSearch(stage.ctx, stage.owner.caller, stage.object.slug, body)
    return milliseconds
  })

/** The statements of the access paths, on the object's rows. */
function rowMeasures({ object: { org, obj } }: Stage): Record<string, Measure> {
  const attr = (slug: string) =>
    sql`(select attr from attributes where org = ${org} and obj = ${obj} and slug = ${slug})`
  const own = sql`r.org = ${org} and r.obj = ${obj}`
  const unmatched = sql`r.data->>'city' = 'none'`
  const numbers = (rows: number) => sql`
    select t.id from index_number t where t.org = ${org} and t.attr = ${attr('employees')} order by t.value, t.id limit ${rows}`
  const inOrder = (rows: number) => sql`
    select t.id from index_text t where t.org = ${org} and t.attr = ${attr('industry')}
      and t.value = ${INDUSTRIES[0]?.toLowerCase()} order by t.id limit ${rows}`
  return {
    RECORD_IN_ORDER: (rows) => sql`
      select count(*) from (select r.* from records r where ${own} order by r.id limit ${rows}) as r where ${unmatched}`,
    RECORD_FETCHED: (rows) => sql`
      select count(*) from (${numbers(rows)}) as i cross join lateral (
        select r.* from records r where ${own} and r.id = i.id offset 0) as r where ${unmatched}`,
    ID_IN_ORDER: (rows) => sql`select count(*) from (${inOrder(rows)}) as i`,
    ID_SORTED: (rows) => sql`select i.id from (${numbers(rows)}) as i order by i.id limit 51`,
    INDEX_ROW_SKIPPED: (rows) => sql`${numbers(1)} offset ${rows}`,
    INDEX_ROW_MATCHED: (rows) => sql`
      select s.id from (${numbers(rows)}) as l full join (${inOrder(rows)}) as s on s.id = l.id
      where case when l.id is null then false else s.id is null end order by s.id limit 51`,
  }
}

/** Times of whole pages, minus the time of a first page without filters. */
async function pageMeasures(stage: Stage): Promise<Record<string, number>> {
  const pageMs = (body: SearchBody) => searchMs(stage, { count: false, ...body })
  const first = await pageMs({})
  const filters = [{ attributeSlug: 'notes', operator: 'contains', value: RARE_WORD } as const]
  const { total } = await explainSearch(stage.ctx, stage.owner.caller, stage.object.slug, { filters })
  const rare = [{ attributeSlug: 'linkedin', operator: 'isEmpty', value: 'true' } as const]
  const us = (ms: number) => 1000 * (ms - first)
  return {
    SEARCH_MATCH: us(await searchMs(stage, { filters })) / (total ?? 1),
    OFFSET_SEEK: us(await pageMs({ offset: stage.records / 2 })),
    NULL_BUCKETS: us(await pageMs({ filters: rare, offset: stage.records / 2 })),
    SEEK_OFFSET_MIN: us(await pageMs({ offset: model.SEEK_OFFSET_MIN })),
  }
}

export async function measureCosts(_lab: Lab, stage: Stage): Promise<Row[]> {
  const costs = await pageMeasures(stage)
  for (const [name, measure] of Object.entries(rowMeasures(stage))) costs[name] = await perRow(stage, measure)
  const constants: Readonly<Record<string, number>> = { ...model }
  return Object.entries(costs).map(([name, figure]) => {
    const limit = constants[name] ?? null
    return { case: name, figure, unit: 'µs', limit, ratio: limit && figure / limit, target: null, met: null }
  })
}
