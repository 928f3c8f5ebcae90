// bench jobs: rows per second of a job and of its undo, and how much a job slows another organization.
import type { Job } from '../../contract/jobs.ts'
import type { UndoJob } from '../../contract/undo-jobs.ts'
import type { Context } from '../../server/context.ts'
import type { Bench, BenchOptions } from '../harness/bench.ts'
import { compare, median, type Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { allowed, atMost } from '../harness/rows.ts'
import { attach, type Service, startService } from '../harness/service.ts'
import { timed } from '../harness/timed.ts'
import { makeOrganization } from '../http/fixture.ts'
import { during, type Meanwhile, openMeanwhile, usual } from '../meanwhile/meanwhile.ts'
import { type JobsClient, openJobsClient } from './client.ts'

const QUICK_RECORDS = 50_000
const ROWS_PER_SECOND = 15_000
const P99_TIMES_MAX = 2
const UNDONE_ROWS = 100_000
const UNDO_SECONDS_MAX = 60
/** Rows in each chunk of the file. */
const PIECE = 1000

function* fileOf(rows: number, title: string): Generator<Uint8Array> {
  for (let start = 0; start < rows; start += PIECE) {
    let text = ''
    for (let n = start; n < Math.min(rows, start + PIECE); n++)
      text += `{"data":{"name":"Person ${n}","email":"person${n}@example.com","job_title":"${title} ${n % 40}","phone":"+15558675309"}}\n`
    yield Buffer.from(text)
  }
}

interface Party {
  client: JobsClient
  meanwhile: Meanwhile
}

async function openParties(lab: Lab, service: Service, ctx: Context): Promise<Party> {
  const busy = await makeOrganization(ctx, 0)
  return {
    client: openJobsClient(service.url, busy.keys[0] ?? ''),
    meanwhile: await openMeanwhile(lab, service, ctx),
  }
}

interface Imports {
  client: JobsClient
  rows: number
}

interface ImportedFile {
  /** An upsert with another title changes each record. */
  title: string
  matchOn?: 'email'
}

async function imported({ client, rows }: Imports, { title, matchOn }: ImportedFile): Promise<string> {
  const { id } = await client.importFile(matchOn ? { matchOn } : {}, fileOf(rows, title))
  const { progress } = await client.completed<Job>(`/jobs/${id}`)
  if ((matchOn ? progress.updated : progress.created) !== rows)
    throw new Error(`The import wrote ${JSON.stringify(progress)}`)
  return id
}

/** Undoes an import whose records were not changed later. @throws Error when a record is not in the trash */
async function undone({ client, rows }: Imports, id: string): Promise<void> {
  const started = await client.undo({ kind: 'changeSet', id })
  const { trashed } = await client.completed<UndoJob>(`/undo-jobs/${started.id}`)
  if (trashed !== rows) throw new Error(`The undo moved ${trashed} of ${rows} records to the trash`)
}

const rate = (name: string, rows: number, seconds: number): Row =>
  compare({ case: name, unit: 'rows/s', ours: [rows / seconds], limit: [ROWS_PER_SECOND], target: 1 })

async function run(lab: Lab, { isQuick, records, rounds }: BenchOptions): Promise<Row[]> {
  const service = await startService(lab)
  const { ctx, close } = await attach(lab, service)
  lab.onClose(close)
  const rows = isQuick ? QUICK_RECORDS : records
  const { client, meanwhile } = await openParties(lab, service, ctx)
  const imports = { client, rows }
  const created = await timed(() => imported(imports, { title: 'Title' }))
  lab.tell(`imported in ${created.seconds.toFixed(1)} s`)
  const takenBack = await timed(() => undone(imports, created.result))
  lab.tell(`undone in ${takenBack.seconds.toFixed(1)} s`)
  const baseline = await usual(meanwhile, rounds)
  const p99 = (name: string, ours: readonly number[]): Row =>
    atMost(
      { case: `a list during ${name}`, unit: 'ms p99', ours: median(ours), limit: baseline },
      P99_TIMES_MAX,
    )
  const duringImport = await during(meanwhile, () => imported(imports, { title: 'Title' }))
  const upserted = await timed(() => imported(imports, { title: 'Changed', matchOn: 'email' }))
  lab.tell(`upserted in ${upserted.seconds.toFixed(1)} s`)
  const duringUpsert = await during(meanwhile, () => imported(imports, { title: 'Again', matchOn: 'email' }))
  return [
    rate('import', rows, created.seconds),
    rate('upsert by email', rows, upserted.seconds),
    allowed(
      'undo of an import of 100,000 rows',
      's',
      (takenBack.seconds / rows) * UNDONE_ROWS,
      UNDO_SECONDS_MAX,
    ),
    p99('an import', duringImport),
    p99('an upsert', duringUpsert),
  ]
}

export const jobsBench: Bench = {
  name: 'jobs',
  summary: 'rows per second of a job, the undo of an import, and what others feel meanwhile',
  run,
}
