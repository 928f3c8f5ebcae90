// Rows of jobs that match a record, by unique values or by the duplicate rules of the object.
import { describe, expect, test } from 'vitest'
import type { NewJob } from '../../contract/jobs.ts'
import type { RecordList } from '../../contract/records.ts'
import { createRecord, expectError, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { createdJob, jobOf, linesOf, queuedJob, resultsOf, sendPiece, work } from './jobs.fixture.ts'

const service = await sharedTestService()
const PEOPLE = '/objects/people/records'
const CSV = [
  'name,email,job_title',
  // The same email, which is unique.
  'Ada King,ADA@example.com,Countess',
  // The same name, and no company.
  'Grace Hopper,grace@navy.example,Admiral',
  'Alan Turing,alan@example.com,Fellow',
  '',
].join('\n')

const create = async (org: Org, data: object, object = 'people'): Promise<string> =>
  (await createRecord(org, object, data)).id

async function withPeople() {
  const org = await service.org()
  const ada = await create(org, { name: 'Ada Lovelace', email: 'ada@example.com', job_title: 'Analyst' })
  const grace = await create(org, { name: 'Grace Hopper', email: 'grace@example.com', job_title: 'Captain' })
  return { org, ada, grace }
}

const dataOf = async (org: Org, object = 'people') =>
  (await org.get<RecordList>(`/objects/${object}/records?order=asc&limit=100`)).body.records.map(
    ({ data }) => data,
  )
const titles = async (org: Org) => (await dataOf(org)).map(({ email, job_title }) => [email, job_title])

async function run(org: Org, text: string, body: Partial<NewJob> = {}) {
  const job = await queuedJob(org, text, { format: 'csv', ...body })
  await work(service, org, job)
  return jobOf(org, job)
}

describe('with duplicateRules', () => {
  test('skip keeps matching records unchanged, and the results list them', async () => {
    const { org, ada, grace } = await withPeople()
    const job = await run(org, CSV, { duplicates: 'skip', duplicateRules: true })
    expect(job).toMatchObject({
      ...{ duplicates: 'skip', duplicateRules: true, matchOn: null },
      progress: { done: 3, created: 1, updated: 0, skipped: 2, failed: 0 },
    })
    expect(await resultsOf(service, org, job)).toMatchObject([
      { line: 2, id: ada, status: 'skipped' },
      { line: 3, id: grace, status: 'skipped' },
      { line: 4, status: 'created' },
    ])
    expect(await titles(org)).toEqual([
      ['ada@example.com', 'Analyst'],
      ['grace@example.com', 'Captain'],
      ['alan@example.com', 'Fellow'],
    ])
  })

  test('rows update matching records, and may lack values that a new record requires', async () => {
    const { org } = await withPeople()
    const job = await run(org, CSV, { duplicateRules: true })
    expect(job).toMatchObject({ duplicates: 'update', progress: { created: 1, updated: 2 } })
    expect(await titles(org)).toEqual([
      ['ADA@example.com', 'Countess'],
      ['grace@navy.example', 'Admiral'],
      ['alan@example.com', 'Fellow'],
    ])
    const text = 'email,job_title\nada@example.com,Poet\nnew@example.com,None\n'
    const nameless = await run(org, text, { duplicateRules: true })
    expect(nameless.progress).toMatchObject({ created: 0, updated: 1, failed: 1 })
    expect(await resultsOf(service, org, nameless, 'failed')).toMatchObject([{ line: 3, attribute: 'name' }])
  })

  test('matchOn is checked before other unique values, and unique values before the rules', async () => {
    const { org, ada } = await withPeople()
    await org.post('/objects/people/attributes', { name: 'Badge', type: 'text', isUnique: true })
    await org.patch(`${PEOPLE}/${ada}`, { data: { badge: 'A1' } })
    const other = await create(org, { name: 'Grace Murray', email: 'murray@example.com', badge: 'B2' })
    const text = 'name,email,badge\nGrace Hopper,ada@example.com,B2\n'
    const several = await run(org, text, { duplicates: 'skip', duplicateRules: true })
    expect(await resultsOf(service, org, several)).toMatchObject([
      { line: 2, status: 'failed', error: expect.stringContaining('several records by unique values') },
    ])
    const decided = await run(org, text, { duplicates: 'skip', duplicateRules: true, matchOn: 'badge' })
    expect(await resultsOf(service, org, decided)).toMatchObject([{ status: 'skipped', id: other }])
  })

  test('rows are compared with records from before the creation of the job', async () => {
    const { org } = await withPeople()
    const body = { format: 'csv', duplicates: 'skip', duplicateRules: true } as const
    const job = await createdJob(org, body)
    await create(org, { name: 'Alan Turing' })
    const twice = `${CSV}Alan Turing,other@example.com,Fellow\n`
    await sendPiece(org, job, twice)
    await work(service, org, job)
    expect((await jobOf(org, job)).progress).toMatchObject({ created: 2, skipped: 2 })
    const again = await run(org, twice, body)
    // Three people are now called Alan Turing, and two of them have the emails of the rows.
    expect(again.progress).toMatchObject({ created: 0, skipped: 4, failed: 0 })
  })

  test('no record is created for references in skipped rows', async () => {
    const org = await service.org()
    const acme = await create(org, { name: 'Acme' }, 'companies')
    await create(org, { name: 'Ada Lovelace', company: acme })
    await create(org, { name: 'Ada', email: 'ada@example.com' })
    const text = 'name,company,email\nAda Lovelace,Acme,\nAda Lovelace,Globex,\nX,Initech,ada@example.com\n'
    const job = await run(org, text, { duplicates: 'skip', duplicateRules: true, createMissing: true })
    expect(job.progress).toMatchObject({ created: 1, skipped: 2, failed: 0 })
    expect((await dataOf(org, 'companies')).map(({ name }) => name)).toEqual(['Acme', 'Globex'])
  })

  test('rows with the id of a record can be skipped too', async () => {
    const { org, ada } = await withPeople()
    const text = `id,job_title\n${ada.toUpperCase()},Poet\n`
    const job = await run(org, text, { matchOn: 'id', duplicates: 'skip', duplicateRules: true })
    expect(await resultsOf(service, org, job)).toMatchObject([{ line: 2, status: 'skipped', id: ada }])
    expect((await titles(org))[0]).toEqual(['ada@example.com', 'Analyst'])
  })
})

describe('with duplicateRules, JSON lines', () => {
  async function runLines(org: Org, rows: readonly object[], body: Partial<NewJob> = {}) {
    const job = await queuedJob(org, linesOf(rows), { duplicateRules: true, ...body })
    await work(service, org, job)
    return { ...(await jobOf(org, job)), results: await resultsOf(service, org, job) }
  }

  test('are skipped if they match a record, and fail if they are not valid rows', async () => {
    const { org, ada, grace } = await withPeople()
    const rows = [
      { data: { name: 'Ada King', email: 'ADA@example.com' } },
      { data: 'none' },
      { data: { name: 'Grace Hopper', email: 'grace@navy.example' } },
      { data: { name: 'Alan Turing' } },
    ]
    const job = await runLines(org, rows, { duplicates: 'skip' })
    expect(job).toMatchObject({ format: 'ndjson', duplicates: 'skip', duplicateRules: true })
    expect(job.results).toMatchObject([
      { line: 1, id: ada, status: 'skipped' },
      { line: 2, status: 'failed' },
      { line: 3, id: grace, status: 'skipped' },
      { line: 4, status: 'created' },
    ])
  })

  test('update matching records, also by a company that is given by its value', async () => {
    const org = await service.org()
    const [acme, globex] = [
      await create(org, { name: 'Acme', domain: 'acme.example' }, 'companies'),
      await create(org, { name: 'Globex', domain: 'globex.example' }, 'companies'),
    ]
    await create(org, { name: 'Ada Lovelace', company: acme })
    await create(org, { name: 'Ada Lovelace', company: globex })
    const of = (domain: string) => ({
      data: { name: 'Ada Lovelace', company: { domain }, job_title: domain },
    })
    const job = await runLines(org, [of('acme.example'), of('globex.example'), of('new.example')], {
      createMissing: true,
    })
    expect(job.results.map(({ status }) => status)).toEqual(['updated', 'updated', 'created'])
    expect((await dataOf(org)).map(({ job_title }) => job_title)).toEqual([
      ...['acme.example', 'globex.example', 'new.example'],
    ])
    const skipping = { createMissing: true, duplicates: 'skip' } as const
    const skipped = await runLines(org, [of('acme.example'), of('other.example')], skipping)
    expect(skipped.results.map(({ status }) => status)).toEqual(['skipped', 'created'])
  })

  test('fail if they match several records, and an id counts only if lines are matched on it', async () => {
    const { org, ada, grace } = await withPeople()
    await create(org, { name: 'Grace Hopper' })
    const several = await runLines(org, [{ data: { name: 'Grace Hopper' } }])
    expect(several.results).toMatchObject([
      { status: 'failed', error: expect.stringContaining('several records by') },
    ])
    const sent = { id: grace, data: { email: 'ada@example.com', job_title: 'Poet' } }
    expect((await runLines(org, [sent])).results).toMatchObject([{ id: ada, status: 'updated' }])
    const byId = await runLines(org, [sent], { matchOn: 'id', duplicates: 'skip' })
    expect(byId.results).toMatchObject([{ id: grace, status: 'skipped' }])
  })
})

test('no record is created for references in failed rows', async () => {
  const org = await service.org()
  const text = 'name,email,company\nAda,nonsense,Acme\nBob,bob@example.com,Globex\n'
  expect((await run(org, text, { createMissing: true })).progress).toMatchObject({ created: 1, failed: 1 })
  expect((await dataOf(org, 'companies')).map(({ name }) => name)).toEqual(['Globex'])
})

test('create makes a record for every line, in both formats', async () => {
  const org = await service.org()
  await create(org, { name: 'Grace Hopper' })
  const table = await run(org, 'name\nGrace Hopper\n', { duplicates: 'create' })
  expect(table).toMatchObject({ duplicates: 'create', duplicateRules: false, progress: { created: 1 } })
  const lines = linesOf([{ data: { name: 'Grace Hopper' } }])
  const job = await queuedJob(org, lines, { duplicates: 'create' })
  await work(service, org, job)
  expect(await dataOf(org)).toHaveLength(3)
})

const csv = { format: 'csv' }
test.each([
  ['create with matchOn', { duplicates: 'create', matchOn: 'email' }, 'matchOn', 'not_allowed'],
  ['create with an id', { ...csv, duplicates: 'create', matchOn: 'id' }, 'matchOn', 'not_allowed'],
  [
    'create with rules',
    { ...csv, duplicates: 'create', duplicateRules: true },
    'duplicateRules',
    'not_allowed',
  ],
  ['skip without matches', { ...csv, duplicates: 'skip' }, 'duplicates', 'not_allowed'],
  [
    'update without rules',
    { ...csv, duplicates: 'update', duplicateRules: false },
    'duplicates',
    'not_allowed',
  ],
])('%s is refused', async (_, body, path, code) => {
  const org = await service.org()
  const refused = await org.post('/jobs', { type: 'import', objectId: 'people', ...body })
  expectError(refused, 'validation_error')
  expect(refused.body).toMatchObject({ details: { errors: [{ path, code }] } })
})
