// bench reports: how long large reports take compared with hand-written SQL, and how a running report slows requests.
import sql, { type Sql } from 'sql-template-tag'
import type { ReportContext } from '../../server/reports/context.ts'
import { execute } from '../../server/reports/execution.ts'
import { type Bench, type BenchOptions, chosen } from '../harness/bench.ts'
import { compare, type Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { attach, startService } from '../harness/service.ts'
import { serverMs } from '../harness/usage.ts'
import { requestsDuringReports } from './during.ts'
import { makeReportsFixture, type ReportsFixture } from './fixture.ts'
import { QUESTIONS, type Question, SUMMED } from './questions.ts'

interface Ready extends ReportsFixture {
  ctx: ReportContext
  url: string
  postgresPid: number
}

async function prepare(lab: Lab, deals: number): Promise<Ready> {
  const service = await startService(lab)
  const { ctx, close } = await attach(lab, service)
  lab.onClose(close)
  lab.tell(`Making ${deals} deals and their companies …`)
  const fixture = await makeReportsFixture(ctx, deals, (line) => lab.tell(line))
  return { ctx, url: service.url, postgresPid: service.postgresPid, ...fixture }
}

interface Took {
  seconds: number
  cpuMs: number
}

async function measure(work: () => Promise<number>, { postgresPid }: Ready, rows: number): Promise<Took> {
  const startedAt = performance.now()
  const before = await serverMs(postgresPid)
  const found = await work()
  if (found !== rows) throw new Error(`${found} rows were answered, not ${rows}`)
  const cpuMs = (await serverMs(postgresPid)) - before
  return { seconds: (performance.now() - startedAt) / 1000, cpuMs }
}

async function report({ ctx, caller }: Ready, { definition }: Question): Promise<number> {
  const outcome = await execute(ctx, caller, { definition })
  if ('failure' in outcome) throw new Error(outcome.failure)
  return outcome.resultCount
}

/** Uses the connections of reports, so that the settings are the same. */
const byHand = async ({ ctx }: Ready, statement: Sql): Promise<number> =>
  (await ctx.reports.pool.many(statement)).length

interface Asked {
  question: Question
  rounds: number
}

/** @returns the times of the report in all rounds, then the times of each limit */
async function inTurn(lab: Lab, ready: Ready, { question, rounds }: Asked): Promise<Took[][]> {
  const { limits, name, rows } = question
  const all = [
    () => report(ready, question),
    ...limits.map(
      ({ statement }) =>
        () =>
          byHand(ready, statement(ready.numbers)),
    ),
  ]
  for (const work of all) await work()
  const taken = all.map((): Took[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, work] of all.entries()) taken[index]?.push(await measure(work, ready, rows))
    const seconds = taken.map((one) => one.at(-1)?.seconds.toFixed(2)).join(' s, ')
    lab.tell(`${name}, by ${limits.map(({ of }) => of).join(', by ')}: ${seconds} s`)
  }
  return taken
}

async function askQuestion(lab: Lab, ready: Ready, asked: Asked): Promise<Row[]> {
  const [ours = [], ...byLimit] = await inTurn(lab, ready, asked)
  const speeds = (all: readonly Took[]) => all.map((one) => ready.deals / one.seconds)
  const times = (all: readonly Took[]) => all.map(({ cpuMs }) => cpuMs)
  return asked.question.limits.flatMap(({ of, target }, index) => {
    const limit = byLimit[index] ?? []
    const name = `${asked.question.name}, by ${of}`
    return [
      compare({
        ...{ case: name, unit: 'records/s', ours: speeds(ours), limit: speeds(limit) },
        ...(target !== undefined && { target }),
      }),
      compare({ case: name, unit: 'CPU ms of PostgreSQL', ours: times(ours), limit: times(limit) }),
    ]
  })
}

async function selectIds({ ctx, caller }: Ready): Promise<string[]> {
  const rows = await ctx.db.many<{ id: string }>(sql`
    select r.id from records r join objects o using (org, obj)
    where r.org = ${caller.org} and o.slug = 'deals' limit 1000`)
  return rows.map(({ id }) => id)
}

async function measureRequests(lab: Lab, ready: Ready, { rounds }: BenchOptions): Promise<Row[]> {
  const target = { url: ready.url, key: ready.key, ids: await selectIds(ready) }
  return requestsDuringReports(lab, target, { rounds, report: () => report(ready, SUMMED) })
}

const CASES = [
  ...QUESTIONS.map((question) => ({
    name: question.name,
    run: (lab: Lab, ready: Ready, { rounds }: BenchOptions) => askQuestion(lab, ready, { question, rounds }),
  })),
  { name: 'requests during reports', run: measureRequests },
]

async function run(lab: Lab, options: BenchOptions): Promise<Row[]> {
  const cases = chosen(CASES, options.only)
  const ready = await prepare(lab, options.records)
  const rows: Row[] = []
  for (const one of cases) rows.push(...(await one.run(lab, ready, options)))
  return rows
}

export const reportsBench: Bench = {
  name: 'reports',
  summary: 'reports over a million records, compared with SQL by hand, and requests during a running report',
  run,
}
