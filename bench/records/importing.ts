// CSV import by `rapport import` into a new object or the indexed one, compared with COPY of the same people.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { newId } from '../../server/base/id.ts'
import { compare, type Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { allowed, withRatio } from '../harness/rows.ts'
import { companyId } from './companies.ts'
import { openCopy } from './copy.ts'
import { walBytes } from './disk.ts'
import { LIMIT_COLUMNS, LIMIT_TABLE, limitLine } from './limit-table.ts'
import { makeObject, ORGANIZATION } from './objects.ts'
import { type Person, personAt } from './people.ts'
import type { Stage } from './stage.ts'
import { requireSameTotal } from './writes.ts'

const CLI = fileURLToPath(new URL('../../cli/main.ts', import.meta.url))
const MILLION = 1_000_000

const COLUMNS = [
  ...['name', 'email', 'phone', 'company', 'industry', 'employees', 'revenue', 'is_customer'],
  ...['last_contacted', 'notes', 'city', 'job_title', 'linkedin', 'website', 'score', 'source'],
]

/** Escapes nothing, because no value has a comma or a quote. */
export function csvLine({ name, revenue, ...rest }: Person): string {
  const cells: Record<string, unknown> = {
    ...rest,
    name: `${name.firstName} ${name.lastName}`,
    revenue: `${revenue.currency} ${revenue.amount}`,
  }
  return `${COLUMNS.map((column) => cells[column] ?? '').join(',')}\n`
}

export interface Import {
  name: string
  /** Slug of the object that receives the rows, and prefix of their email addresses. */
  slug: string
  rows: number
  /** The rows go into the object that all cases read; unset: into a new object. */
  isIndexed?: boolean
  /** Maximum for a million rows. */
  allowedSeconds: number
}

function* importedPeople(stage: Stage, { slug, rows }: Import): Generator<Person> {
  const companies = { count: stage.companies, idOf: companyId }
  for (let n = 0; n < rows; n++) yield personAt(n, { mark: `${slug}-`, companies })
}

async function writeFile(path: string, people: Iterable<Person>): Promise<void> {
  const file = createWriteStream(path)
  file.write(`${COLUMNS.join(',')}\n`)
  for (const person of people) if (!file.write(csvLine(person))) await once(file, 'drain')
  file.end()
  await once(file, 'close')
}

interface Took {
  seconds: number
  wal: number
}

async function measured({ ctx }: Stage, work: () => Promise<void>): Promise<Took> {
  const [startedAt, before] = [performance.now(), await walBytes(ctx.db)]
  await work()
  return {
    seconds: (performance.now() - startedAt) / 1000,
    wal: (await walBytes(ctx.db)) - before,
  }
}

/** @throws Error when a row was not imported */
async function runImport({ service }: Stage, path: string, { slug, rows }: Import) {
  const args = [CLI, 'import', path, '--org', ORGANIZATION, '--object', slug, '--strict', '--json']
  const env = { ...process.env, DATA_DIR: service.dataDir, DATABASE_URL: '' }
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  const { created } = JSON.parse(stdout) as { created: number }
  if (created !== rows) throw new Error(`${created} rows were imported, not ${rows}: ${stdout}`)
}

async function copyToLimit({ connection }: Stage, people: Iterable<Person>): Promise<void> {
  const { copy, close } = await openCopy(connection, `${LIMIT_TABLE} (${LIMIT_COLUMNS})`)
  try {
    for (const person of people) {
      const now = new Date().toISOString()
      await copy.write(limitLine({ id: newId(), createdAt: now, updatedAt: now }, person))
    }
    await copy.end()
  } finally {
    await close()
  }
}

/** Imports into the limit first, with its indexes in place, then into the service. */
export async function measureImport(lab: Lab, stage: Stage, one: Import): Promise<Row[]> {
  const { owner, service, ctx } = stage
  const { name, slug, rows, isIndexed, allowedSeconds } = one
  const path = join(lab.folder, `${slug}.csv`)
  if (!isIndexed) await makeObject(ctx, { url: service.url, owner, slug })
  await writeFile(path, importedPeople(stage, one))
  const limit = await measured(stage, () => copyToLimit(stage, importedPeople(stage, one)))
  lab.tell(`${name}: limit ${limit.seconds.toFixed(1)} s for ${rows} rows`)
  const ours = await measured(stage, () => runImport(stage, path, one))
  lab.tell(`${name}: service ${ours.seconds.toFixed(1)} s`)
  if (isIndexed) await requireSameTotal(stage, name)
  const perSecond = ({ seconds }: Took) => rows / seconds
  const forMillion = (ours.seconds / rows) * MILLION
  return [
    compare({ case: name, unit: 'rows/s', ours: [perSecond(ours)], limit: [perSecond(limit)] }),
    allowed(name, 's for a million rows, allowed', forMillion, allowedSeconds),
    withRatio({ case: name, unit: 'bytes of WAL per row', ours: ours.wal / rows, limit: limit.wal / rows }),
  ]
}
