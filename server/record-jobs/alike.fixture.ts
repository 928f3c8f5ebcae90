// Imports one file in the dashboard and by a job, in two organizations.
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import type { ImportCheck } from '../../contract/imports.ts'
import type { Job } from '../../contract/jobs.ts'
import { openCsv } from '../imports/csv/open.ts'
import { get, post, uploaded } from '../imports/imports.fixture.ts'
import type { SignedInMember } from '../test/dashboard-client.ts'
import type { Org } from '../test/factories.ts'
import type { SharedService } from '../test/shared-service.ts'
import { createdJob, jobOf, resultsOf, sendPiece, work } from './jobs.fixture.ts'

const ATTRIBUTES = [
  { name: 'Name', type: 'text', isUnique: true },
  { name: 'Code', type: 'text' },
  { name: 'Amount', type: 'number' },
  { name: 'Price', type: 'currency' },
  { name: 'Day', type: 'date' },
  { name: 'Active', type: 'checkbox' },
  { name: 'Tags', type: 'list' },
  { name: 'Stage', type: 'select', config: { options: ['Lead', 'Won'] } },
]

type Data = Record<string, unknown>
type Choice = Pick<ImportCheck, 'matchOn' | 'empty'>

/** The result of reading a file. */
export interface Read {
  records: Data[]
  /** Lines of the rows that failed. */
  failed: number[]
  /** The cells of the rows that failed; undefined for a job, which does not keep them. */
  cells?: (readonly string[])[]
}

export interface Reader {
  org: Org
  read(file: Buffer, choice?: Choice): Promise<Read>
}

async function openOrg(service: SharedService, country: string): Promise<Org> {
  const org = await service.org()
  await service.ctx.db.run(sql`update organizations set country = ${country} where org = ${org.org}`)
  await org.post('/objects', { pluralName: 'Things', singularName: 'Thing' })
  for (const attribute of ATTRIBUTES)
    expect((await org.post('/objects/things/attributes', attribute)).status).toBe(201)
  return org
}

/** Returns the records of the object that were created since the last call. */
function newRecords(org: Org) {
  let seen = 0
  return async (): Promise<Data[]> => {
    const path = `/objects/things/records?order=asc&limit=100&offset=${seen}`
    const { body } = await org.get<{ records: { data: Data }[] }>(path)
    seen += body.records.length
    return body.records.map(({ data }) => data)
  }
}

const slugOf = (header: string) => header.trim().toLowerCase()
const isKnown = (header: string) => ATTRIBUTES.some(({ name }) => slugOf(name) === slugOf(header))

const cellsOf = (rows: readonly { line: number; cells: readonly string[] }[]) => ({
  failed: rows.map(({ line }) => line),
  cells: rows.map(({ cells }) => cells),
})

async function failedRows(service: SharedService, { org }: Org, importId: string) {
  const rows = await service.ctx.db.many<{ line: number; cells: string[] }>(
    sql`select line, cells from import_failures where org = ${org} and import = ${importId} order by row`,
  )
  return cellsOf(rows)
}

async function importInDashboard(
  service: SharedService,
  member: SignedInMember,
  file: Buffer,
  choice: Choice,
) {
  const { id, columns, guess } = await uploaded(member, file, '/objects/things/imports')
  const mapping = columns.flatMap(({ index, header }) =>
    isKnown(header) ? [{ index, attributeSlug: slugOf(header) }] : [],
  )
  await post(member, { id }, 'check', { mapping, format: guess.format, ...choice })
  await service.drain()
  await post(member, { id }, 'run')
  await service.drain()
  expect(await get(member, { id })).toMatchObject({ state: 'completed' })
  return id
}

export async function openDashboardReader(service: SharedService, country: string): Promise<Reader> {
  const org = await openOrg(service, country)
  const member = await org.member('member')
  const records = newRecords(org)
  return {
    org,
    async read(file, choice = {}) {
      const id = await importInDashboard(service, member, file, choice)
      return { records: await records(), ...(await failedRows(service, org, id)) }
    },
  }
}

async function* once(file: Buffer) {
  yield file
}

/** Sends the file in two pieces, cut in the middle. */
async function sendFile(org: Org, job: Job, file: Buffer): Promise<void> {
  const offset = Math.floor(file.length / 2)
  const type = 'text/csv'
  const first = await sendPiece(org, job, file.subarray(0, offset), { complete: '?0', type })
  expect(first.body).toMatchObject({ offset, isComplete: false })
  const last = await sendPiece(org, job, file.subarray(offset), { offset, type })
  expect(last.body).toMatchObject({ offset: file.length, isComplete: true })
}

export async function openJobReader(service: SharedService, country: string): Promise<Reader> {
  const org = await openOrg(service, country)
  const records = newRecords(org)
  return {
    org,
    async read(file, { matchOn, empty } = {}) {
      const { survey } = await openCsv(() => once(file))
      const others = survey.columns.filter(({ header }) => header.trim() !== '' && !isKnown(header))
      const job = await createdJob(org, {
        ...{ objectId: 'things', format: 'csv', dates: 'auto', decimal: 'auto' },
        columns: Object.fromEntries(others.map(({ header }) => [header.trim(), null])),
        ...(matchOn && { matchOn }),
        ...(empty && { emptyCells: empty }),
      })
      await sendFile(org, job, file)
      await work(service, org, job)
      expect(await jobOf(org, job)).toMatchObject({ status: 'completed' })
      const failed = (await resultsOf(service, org, job, 'failed')).map(({ line = 0 }) => line)
      return { records: await records(), failed }
    },
  }
}
