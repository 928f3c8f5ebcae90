// bench reports: how long large reports take beside SQL by hand, and what requests feel of a report that runs.
import sql from 'sql-template-tag'
import { readConfig } from '../../server/config.ts'
import type { Context } from '../../server/context.ts'
import { createLog, openContext } from '../../server/open-context.ts'
import { execute } from '../../server/reports/execution.ts'
import { type Bench, type BenchOptions, chosen } from '../harness/bench.ts'
import { compare, type Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { startLoadGenerator } from '../harness/load.ts'
import { startService } from '../harness/service.ts'
import { DEALS, makeReportsFixture, type ReportsFixture } from './fixture.ts'
import { JOINED, QUESTIONS, type Question } from './questions.ts'
import { startReports } from './running.ts'

interface Ready extends ReportsFixture {
  ctx: Context
  url: string
}

async function prepare(lab: Lab): Promise<Ready> {
  const service = await startService(lab)
  const config = readConfig({ DATA_DIR: service.dataDir, LOG_LEVEL: 'error' })
  const onNotice = (line: string) => lab.tell(line)
  const { ctx, close } = await openContext(config, { mode: 'attach', log: createLog(config), onNotice })
  lab.onClose(close)
  lab.tell('Making 1,000,000 deals and 100,000 companies …')
  const fixture = await makeReportsFixture(ctx, (line) => lab.tell(line))
  return { ctx, url: service.url, ...fixture }
}

async function seconds(work: () => Promise<number>, rows: number): Promise<number> {
  const startedAt = performance.now()
  const found = await work()
  if (found !== rows) throw new Error(`${found} rows were answered, not ${rows}`)
  return (performance.now() - startedAt) / 1000
}

async function report({ ctx, caller }: Ready, { definition }: Question): Promise<number> {
  const outcome = await execute(ctx, caller, { definition })
  if ('failure' in outcome) throw new Error(outcome.failure)
  return outcome.resultCount
}

/** On the same connections, so with the same settings. */
const byHand = async ({ ctx }: Ready, question: Question): Promise<number> =>
  (await ctx.reports.pool.many(question.byHand)).length

/** At most twice as long. */
const TARGET = 0.5

async function askQuestion(
  lab: Lab,
  ready: Ready,
  { question, rounds }: { question: Question; rounds: number },
) {
  const { rows } = question
  const [ours, limit]: number[][] = [[], []]
  await report(ready, question)
  await byHand(ready, question)
  for (let round = 0; round < rounds; round++) {
    const took = await seconds(() => report(ready, question), rows)
    const tookByHand = await seconds(() => byHand(ready, question), rows)
    lab.tell(`${question.name}: ${took.toFixed(2)} s, by hand ${tookByHand.toFixed(2)} s`)
    ours?.push(DEALS / took)
    limit?.push(DEALS / tookByHand)
  }
  return [
    compare({ case: question.name, unit: 'records/s', ours: ours ?? [], limit: limit ?? [], target: TARGET }),
  ]
}

async function selectIds({ ctx, caller }: Ready): Promise<string[]> {
  const rows = await ctx.db.many<{ id: string }>(sql`
    select r.id from records r join objects o using (org, obj)
    where r.org = ${caller.org} and o.slug = 'deals' limit 1000`)
  return rows.map(({ id }) => id)
}

/** A rise of less than 30 %. */
const BESIDE_TARGET = 0.77
/** What the machine has to spare: at full load everything takes from everything. */
const BESIDE_CONNECTIONS = 8

async function measureBeside(
  lab: Lab,
  ready: Ready,
  { seconds: length, rounds }: BenchOptions,
): Promise<Row[]> {
  const params = { key: ready.key, ids: await selectIds(ready) }
  const generator = await startLoadGenerator(lab, {
    module: new URL('./requests.ts', import.meta.url),
    params,
  })
  const load = { url: ready.url, connections: BESIDE_CONNECTIONS, seconds: length, stream: 'get' }
  await generator.run(load)
  const alone: number[] = []
  const beside: number[] = []
  for (let round = 0; round < rounds; round++) {
    alone.push((await generator.run(load)).p99Ms)
    const reports = startReports(() => report(ready, JOINED))
    beside.push((await generator.run(load)).p99Ms)
    const count = await reports.stop()
    lab.tell(
      `p99 ${alone.at(-1)?.toFixed(1)} ms alone, ${beside.at(-1)?.toFixed(1)} ms beside ${count} reports`,
    )
  }
  const name = 'p99 of GET one record without reports, by that beside them'
  return [compare({ case: name, unit: 'ms', ours: alone, limit: beside, target: BESIDE_TARGET })]
}

const CASES = [
  ...QUESTIONS.map((question) => ({
    name: question.name,
    run: (lab: Lab, ready: Ready, { rounds }: BenchOptions) => askQuestion(lab, ready, { question, rounds }),
  })),
  { name: 'beside', run: measureBeside },
]

async function run(lab: Lab, options: BenchOptions): Promise<Row[]> {
  const cases = chosen(CASES, options.only)
  const ready = await prepare(lab)
  const rows: Row[] = []
  for (const one of cases) rows.push(...(await one.run(lab, ready, options)))
  return rows
}

export const reportsBench: Bench = {
  name: 'reports',
  summary: 'reports over a million records beside SQL by hand, and requests beside reports',
  run,
}
