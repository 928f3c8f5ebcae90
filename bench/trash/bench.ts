// bench trash: how long it takes to delete and restore many records, and how much a large trash slows reads.
import type { Context } from '../../server/context.ts'
import type { Bench, BenchOptions } from '../harness/bench.ts'
import { compare, median, type Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { type LoadGenerator, startLoadGenerator } from '../harness/load.ts'
import { allowed } from '../harness/rows.ts'
import { attach, type Service, startService } from '../harness/service.ts'
import { processMs, serverMs } from '../harness/usage.ts'
import { BATCH, fillTrash, makeParties, type Party } from './fixture.ts'
import { READS, type Read, type Side } from './requests.ts'

const RECORDS = 10_000
const QUICK_RECORDS = 2000
const TRASH_PER_RECORD = 10
const SECONDS_MAX = 10
const TARGET = 0.97
/** Few enough to leave CPU time free: at full load, all activities slow each other. */
const CONNECTIONS = 8
/**
 * Other load on the machine changes within seconds. Short rounds of both sides alternate, so that it affects both
 * equally, and the median of many rounds is reported.
 */
const ROUND_SECONDS = 1
const PAIRS_PER_ROUND = 4

async function send(
  { url }: Service,
  { key }: Party,
  method: string,
  path: string,
  body: object,
): Promise<void> {
  const response = await fetch(`${url}/api/v1/objects/people/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok || !/"(deleted|restored)":100\b/.test(text))
    throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`)
}

/** @returns seconds for 10,000 records */
async function inBulk(
  service: Service,
  party: Party,
  [method, path]: readonly [string, string],
): Promise<number> {
  const { personIds } = party
  const startedAt = performance.now()
  for (let start = 0; start < personIds.length; start += BATCH)
    await send(service, party, method, path, { ids: personIds.slice(start, start + BATCH) })
  return ((performance.now() - startedAt) / 1000) * (RECORDS / personIds.length)
}

const DELETE = ['DELETE', 'records/bulk'] as const
const RESTORE = ['POST', 'trash/bulk/restore'] as const

async function measureWrites(lab: Lab, service: Service, party: Party, rounds: number): Promise<Row[]> {
  const [deleting, restoring]: number[][] = [[], []]
  for (let round = 1; round <= rounds; round++) {
    deleting?.push(await inBulk(service, party, DELETE))
    restoring?.push(await inBulk(service, party, RESTORE))
    lab.tell(
      `round ${round}: deleted in ${deleting?.at(-1)?.toFixed(1)} s, restored in ${restoring?.at(-1)?.toFixed(1)} s`,
    )
  }
  return [
    allowed('delete 10,000 records', 's', median(deleting ?? []), SECONDS_MAX),
    allowed('restore 10,000 records', 's', median(restoring ?? []), SECONDS_MAX),
  ]
}

interface Round {
  requestsPerSecond: number
  cpuMs: number
}

async function measureRound(
  { url, pid, postgresPid }: Service,
  generator: LoadGenerator,
  stream: string,
): Promise<Round> {
  const cpu = async () => (await processMs(pid)) + (await serverMs(postgresPid))
  const before = await cpu()
  const { requests, requestsPerSecond } = await generator.run({
    url,
    connections: CONNECTIONS,
    seconds: ROUND_SECONDS,
    stream,
  })
  return { requestsPerSecond, cpuMs: ((await cpu()) - before) / requests }
}

async function measureRead(
  lab: Lab,
  service: Service,
  { generator, read, options }: { generator: LoadGenerator; read: Read; options: BenchOptions },
): Promise<Row[]> {
  const rounds: Record<Side, Round[]> = { without: [], with: [] }
  const run = (side: Side) => measureRound(service, generator, `${read}, ${side}`)
  for (const side of ['without', 'with'] as const) await run(side)
  for (let pair = 0; pair < options.rounds * PAIRS_PER_ROUND; pair++)
    // Alternates which side is first.
    for (const side of pair % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)) {
      const one = await run(side)
      rounds[side].push(one)
      lab.tell(
        `${read}, ${side} a trash: ${one.requestsPerSecond.toFixed(0)}/s, ${one.cpuMs.toFixed(3)} CPU ms`,
      )
    }
  const both = (of: (round: Round) => number) => ({
    ours: rounds.with.map(of),
    limit: rounds.without.map(of),
  })
  const name = `${read} with a trash`
  return [
    compare({ case: name, unit: 'requests/s', ...both((one) => one.requestsPerSecond), target: TARGET }),
    compare({ case: name, unit: 'CPU ms of both per request', ...both((one) => one.cpuMs) }),
  ]
}

const readable = ({ key, personIds, companyIds }: Party) => ({ key, personIds, companyIds })

async function measureReads(
  lab: Lab,
  service: Service,
  { ctx, parties, options }: { ctx: Context; parties: Record<Side, Party>; options: BenchOptions },
): Promise<Row[]> {
  await fillTrash(ctx, parties.with, TRASH_PER_RECORD)
  const params = { without: readable(parties.without), with: readable(parties.with) }
  const module = new URL('./requests.ts', import.meta.url)
  const generator = await startLoadGenerator(lab, { module, params })
  const rows: Row[] = []
  for (const read of READS) rows.push(...(await measureRead(lab, service, { generator, read, options })))
  return rows
}

async function run(lab: Lab, options: BenchOptions): Promise<Row[]> {
  const service = await startService(lab)
  const { ctx, close } = await attach(lab, service)
  lab.onClose(close)
  const records = options.isQuick ? QUICK_RECORDS : RECORDS
  lab.tell(`Making 3 organizations with ${records} people …`)
  const parties = await makeParties(ctx, service.url, records)
  return [
    ...(await measureWrites(lab, service, parties.changed, options.rounds)),
    ...(await measureReads(lab, service, { ctx, parties, options })),
  ]
}

export const trashBench: Bench = {
  name: 'trash',
  summary: 'deleting and restoring 10,000 records, and reads with a large trash',
  run,
}
