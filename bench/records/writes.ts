// Writes on both sides alternately, with the write-ahead log that each side needs per record.
import sql from 'sql-template-tag'
import { compare, type Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { atMost, p50, withRatio } from '../harness/rows.ts'
import { walBytes } from './disk.ts'
import { type Requests, type Setting, type Sides, scheduleOf } from './measure.ts'
import { questionsOf } from './questions.ts'
import { pageRequest } from './requests.ts'
import type { Stage } from './stage.ts'
import { type PageAnswer, send } from './verify.ts'
import { creating, creatingMany, type Make, patching } from './write-requests.ts'

interface Written {
  latenciesMs: number[]
  /** One value for each round. */
  recordsPerSecond: number[]
  walPerRecord: number[]
}

type Both = Record<keyof Sides, Written>

interface Work {
  make: Make
  /** Records that each request writes. */
  records: number
}

async function writeRound(
  { client, db, sides }: Setting,
  key: keyof Sides,
  requests: Requests,
  each: number,
) {
  const before = await walBytes(db)
  const times = requests[key].length
  const asking = { url: sides[key].url, requests: requests[key], clients: 1, times, seconds: 3600 }
  const { latenciesMs, elapsedMs } = await client.ask(asking)
  const written = times * each
  return {
    latenciesMs,
    recordsPerSecond: written / (elapsedMs / 1000),
    walPerRecord: ((await walBytes(db)) - before) / written,
  }
}

const WARM_REQUESTS = 4
const nothing = (): Written => ({ latenciesMs: [], recordsPerSecond: [], walPerRecord: [] })

async function measureWrites(setting: Setting, { make, records }: Work): Promise<Both> {
  const results: Both = { service: nothing(), limit: nothing() }
  const warm = make(WARM_REQUESTS)
  const limit = await writeRound(setting, 'limit', warm, records)
  const service = await writeRound(setting, 'service', warm, records)
  const slowestMs = Math.max(p50(limit.latenciesMs), p50(service.latenciesMs))
  const schedule = scheduleOf(slowestMs, setting.options)
  for (let number = 0; number < schedule.rounds; number++) {
    const requests = make(schedule.requests)
    for (const key of ['limit', 'service'] as const) {
      const round = await writeRound(setting, key, requests, records)
      results[key].latenciesMs.push(...round.latenciesMs)
      results[key].recordsPerSecond.push(round.recordsPerSecond)
      results[key].walPerRecord.push(round.walPerRecord)
    }
  }
  return results
}

/** Checks that both sides have the same number of records. @throws Error when they differ */
export async function requireSameTotal({ address, sides, ctx }: Stage, name: string): Promise<void> {
  const [all] = questionsOf(1, { email: '' })
  const request = all && pageRequest(address, all, { count: true })
  const answer = request && (await send<PageAnswer>(sides.service.url, request))
  const { total } = await ctx.db.one<{ total: number }>(sql`select count(*) as total from bench.people`)
  if (answer?.pagination.total !== total)
    throw new Error(`After ${name} there are ${answer?.pagination.total} records, in the limit ${total}`)
}

const latencies = ({ service, limit }: Both) => ({
  ours: p50(service.latenciesMs),
  limit: p50(limit.latenciesMs),
})

const walRow = (name: string, { service, limit }: Both): Row =>
  withRatio({
    case: name,
    unit: 'bytes of WAL per record',
    ours: p50(service.walPerRecord),
    limit: p50(limit.walPerRecord),
  })

async function write(lab: Lab, stage: Stage, name: string, work: Work): Promise<Both> {
  const both = await measureWrites(stage.setting, work)
  await requireSameTotal(stage, name)
  const figures = ({ latenciesMs, walPerRecord }: Written) =>
    `${p50(latenciesMs).toFixed(1)} ms, ${p50(walPerRecord).toFixed(0)} bytes of WAL per record`
  lab.tell(`${name}: service ${figures(both.service)}; limit ${figures(both.limit)}`)
  return both
}

const HTTP_UNIT = 'ms over HTTP, p50'

async function createOne(lab: Lab, stage: Stage): Promise<Row[]> {
  const name = 'create one record'
  const both = await write(lab, stage, name, { make: creating(stage), records: 1 })
  return [withRatio({ case: name, unit: HTTP_UNIT, ...latencies(both) }), walRow(name, both)]
}

const BULK = 100

async function createBulk(lab: Lab, stage: Stage): Promise<Row[]> {
  const name = 'bulk create 100 records'
  const both = await write(lab, stage, name, { make: creatingMany(stage, BULK), records: BULK })
  const [ours, limit] = [both.service.recordsPerSecond, both.limit.recordsPerSecond]
  return [compare({ case: name, unit: 'records/s', ours, limit, target: 1 }), walRow(name, both)]
}

const PATCH_TARGET = 1.2

async function patchOne(lab: Lab, stage: Stage): Promise<Row[]> {
  const name = 'patch one attribute'
  const both = await write(lab, stage, name, { make: patching(stage, stage.ids), records: 1 })
  return [atMost({ case: name, unit: HTTP_UNIT, ...latencies(both) }, PATCH_TARGET), walRow(name, both)]
}

export const WRITE_CASES = [
  { name: 'create one record', run: createOne },
  { name: 'bulk create 100 records', run: createBulk },
  { name: 'patch one attribute', run: patchOne },
]
