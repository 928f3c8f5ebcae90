// By choice, rows that match a record are left out, update it, or create another one.
import { expect, test } from 'vitest'
import type { DuplicateChoice, Import, ImportCheck } from '../../contract/imports.ts'
import type { NewJob } from '../../contract/jobs.ts'
import { importTable } from '../record-jobs/tables.fixture.ts'
import { indexEmptyObject } from '../records/engine/indexed.fixture.ts'
import { createRecord, expectError, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { checked, get, imported, mapping, post, uploaded } from './imports.fixture.ts'

const service = await sharedTestService()

type Data = Record<string, unknown>
interface Listed {
  records: { id: string; data: Data }[]
}

const listed = async (org: Org, object = 'people') =>
  (await org.get<Listed>(`/objects/${object}/records?order=asc&limit=100`)).body.records
const titles = async (org: Org) =>
  (await listed(org)).map(({ data: { email, job_title } }) => [email, job_title])

const create = async (org: Org, data: Data, object = 'people'): Promise<string> =>
  (await createRecord(org, object, data)).id

async function indexAll(org: Org): Promise<void> {
  for (const object of ['people', 'companies']) {
    const { body } = await org.get<{ id: string }>(`/objects/${object}`)
    await indexEmptyObject(service.ctx.db, body.id, { texts: 'presence', keepsMissing: false })
  }
}

const CSV = [
  'Name,Email,Title',
  // The same email, which is unique.
  'Ada King,ADA@example.com,Countess',
  // The same name, and no company.
  'Grace Hopper,grace@navy.example,Admiral',
  'Alan Turing,alan@example.com,Fellow',
].join('\n')
const PEOPLE = mapping('name', 'email', 'job_title')

async function withPeople() {
  const org = await service.org()
  const member = await org.member('member')
  const ada = await create(org, { name: 'Ada Lovelace', email: 'ada@example.com', job_title: 'Analyst' })
  const grace = await create(org, { name: 'Grace Hopper', email: 'grace@example.com', job_title: 'Captain' })
  return { org, member, ada, grace }
}

const numbers = ({ check }: Import) => {
  const { creates, updates, skips, matches, errors } = check ?? {}
  return { creates, updates, skips, matches, errors }
}
const counts = ({ progress: { rows, created, updated, skipped, failed } }: Import) => ({
  ...{ rows, created, updated, skipped, failed },
})

const asText = (duplicates: DuplicateChoice, text = CSV) => ({ text, mapping: PEOPLE, duplicates })

test('skip leaves matching records unchanged and lists the skipped rows', async () => {
  const { org, member, ada, grace } = await withPeople()
  const file = await checked(service, member, asText('skip'))
  expect(numbers(file)).toEqual({ creates: 1, updates: 0, skips: 2, matches: 2, errors: 0 })
  const skippedRows = [
    { line: 2, recordId: ada },
    { line: 3, recordId: grace },
  ]
  expect(file).toMatchObject({ duplicates: 'skip', skippedRows })

  await post(member, file, 'run')
  await service.drain()
  const done = await get(member, file)
  expect(counts(done)).toEqual({ rows: 3, created: 1, updated: 0, skipped: 2, failed: 0 })
  expect(done).toMatchObject({ rows: 3, skippedRows, undo: 'possible' })
  expect(await titles(org)).toEqual([
    ['ada@example.com', 'Analyst'],
    ['grace@example.com', 'Captain'],
    ['alan@example.com', 'Fellow'],
  ])
})

test('update changes matching records, and undo restores their values', async () => {
  const { org, member } = await withPeople()
  const before = await titles(org)
  const file = await imported(service, member, asText('update'))
  expect(numbers(file)).toEqual({ creates: 1, updates: 2, skips: 0, matches: 2, errors: 0 })
  expect(counts(file)).toEqual({ rows: 3, created: 1, updated: 2, skipped: 0, failed: 0 })
  expect(await titles(org)).toEqual([
    ['ADA@example.com', 'Countess'],
    ['grace@navy.example', 'Admiral'],
    ['alan@example.com', 'Fellow'],
  ])
  const undo = async () => (await member.post(`/imports/${file.id}/undo`)).body
  expect(await undo()).toMatchObject({ restored: 2, conflicts: [], batchesLeft: 1 })
  expect(await undo()).toMatchObject({ trashed: 1, conflicts: [], batchesLeft: 0 })
  expect(await titles(org)).toEqual(before)
})

test('create makes another record, except where a unique value forbids it', async () => {
  const { org, member } = await withPeople()
  const file = await imported(service, member, asText('create'))
  expect(numbers(file)).toEqual({ creates: 2, updates: 0, skips: 0, matches: 2, errors: 1 })
  expect(counts(file)).toEqual({ rows: 3, created: 2, updated: 0, skipped: 0, failed: 1 })
  expect((await listed(org)).map(({ data }) => data['email'])).toEqual([
    'ada@example.com',
    'grace@example.com',
    'grace@navy.example',
    'alan@example.com',
  ])
})

test('without a choice, only matchOn decides, and matches are not counted', async () => {
  const { member } = await withPeople()
  const file = await checked(service, member, { text: CSV, mapping: PEOPLE, matchOn: 'email' })
  expect(numbers(file)).toEqual({ creates: 2, updates: 1, skips: 0, matches: null, errors: 0 })
  expect(file).toMatchObject({ duplicates: null, skippedRows: [] })
})

test.each(['skip', 'update'] as const)(
  'with %s, a row that matches several records fails and lists them',
  async (duplicates) => {
    const { org, member, grace } = await withPeople()
    const other = await create(org, { name: 'Grace Hopper', email: 'other@example.com' })
    const file = await imported(service, member, asText(duplicates))
    expect(numbers(file)).toMatchObject({ matches: 1, errors: 1 })
    const problem = {
      line: 3,
      column: null,
      message: expect.stringMatching(
        `^The row matches several records by Similar name.*, Grace Hopper \\(${grace}\\), Grace Hopper \\(${other}\\): `,
      ),
    }
    expect(file.check?.problems).toEqual([problem])
    const { body } = await member.get<string>(`/imports/${file.id}/failed.csv`)
    expect(body).toContain(grace)
    expect(body).toContain(other)
  },
)

test('unique values take precedence over rules, and the value of matchOn over other unique values', async () => {
  const { org, member, ada } = await withPeople()
  await org.post('/objects/people/attributes', { name: 'Badge', type: 'text', isUnique: true })
  await org.patch(`/objects/people/records/${ada}`, { data: { badge: 'A1' } })
  const grace = await create(org, { name: 'Grace Murray', email: 'murray@example.com', badge: 'B2' })
  const all = {
    text: 'Name,Email,Badge\nGrace Hopper,ada@example.com,B2\n',
    mapping: mapping('name', 'email', 'badge'),
  }
  const several = await checked(service, member, { ...all, duplicates: 'skip' })
  expect(several.check?.problems[0]?.message).toContain('matches several records by unique values')
  const decided = await checked(service, member, { ...all, duplicates: 'skip', matchOn: 'badge' })
  expect(decided.skippedRows).toEqual([{ line: 2, recordId: grace }])
})

test('compares rows with records from before the import, not with each other', async () => {
  const { org, member } = await withPeople()
  const text = 'Name,Email,Title\nAlan Turing,a@example.com,One\nAlan Turing,b@example.com,Two\n'
  const file = await imported(service, member, asText('skip', text))
  expect(counts(file)).toMatchObject({ created: 2, skipped: 0 })
  const again = await imported(service, member, asText('skip', text))
  expect(counts(again)).toMatchObject({ created: 0, skipped: 2 })
  expect(await listed(org)).toHaveLength(4)
})

test.each(['a small', 'a large'])(
  'in %s object, rules on similar names compare companies, and a skipped row creates no company',
  async (size) => {
    const org = await service.org()
    if (size === 'a large') await indexAll(org)
    const member = await org.member('member')
    const acme = await create(org, { name: 'Acme' }, 'companies')
    const ada = await create(org, { name: 'Ada Lovelace', company: acme })
    const text = 'Name,Company,Email\nAda Lovelace,Acme,\nAda Lovelace,Globex,\nX,Initech,ada@example.com\n'
    await create(org, { name: 'Ada', email: 'ada@example.com' })
    const [name, company, email] = mapping('name', 'company', 'email')
    const columns = [name, { ...company, onProblem: 'create' }, email] as ImportCheck['mapping']
    const file = await imported(service, member, { text, mapping: columns, duplicates: 'skip' })
    expect(counts(file)).toMatchObject({ created: 1, skipped: 2, failed: 0 })
    expect(file.skippedRows[0]).toEqual({ line: 2, recordId: ada })
    expect((await listed(org, 'companies')).map(({ data }) => data['name'])).toEqual(['Acme', 'Globex'])
    const sites = { text: 'Name\nAcme, Inc.\nGlobexx\nHooli\n', path: '/objects/companies/imports' }
    const read = await imported(service, member, { ...sites, mapping: mapping('name'), duplicates: 'skip' })
    expect(counts(read)).toMatchObject({ created: 1, skipped: 2 })
  },
)

test('rows with the ID of a record are skipped too', async () => {
  const { org, member, ada } = await withPeople()
  const text = `ID,Title\n${ada.toUpperCase()},Poet\n`
  const columns = { mapping: mapping('id', 'job_title'), matchOn: 'id' }
  const file = await imported(service, member, { text, ...columns, duplicates: 'skip' })
  expect(file.skippedRows).toEqual([{ line: 2, recordId: ada }])
  expect((await titles(org))[0]).toEqual(['ada@example.com', 'Analyst'])
})

test('rejects create with matchOn, and an unknown choice', async () => {
  const { member } = await withPeople()
  const file = await uploaded(member, CSV)
  const check = (body: object) => member.post(`/imports/${file.id}/check`, { mapping: PEOPLE, ...body })
  expectError(await check({ duplicates: 'create', matchOn: 'email' }), 'validation_error')
  expectError(await check({ duplicates: 'merge' }), 'validation_error')
})

test('a job of the command line applies the choice as the dashboard does', async () => {
  const { org, ada, grace } = await withPeople()
  const read = (body: Partial<NewJob>) => importTable(service, org, CSV.replace('Title', 'job_title'), body)
  expect(await read({ duplicates: 'skip', duplicateRules: true })).toMatchObject({
    ...{ created: 1, updated: 0, unchanged: 0, skipped: 2, failed: 0 },
    skippedRows: [
      { line: 2, recordId: ada },
      { line: 3, recordId: grace },
    ],
  })
  expect(await read({ duplicates: 'update', duplicateRules: true, matchOn: 'email' })).toMatchObject({
    ...{ created: 0, updated: 2, unchanged: 1, skipped: 0, failed: 0 },
  })
  expect(await read({ duplicates: 'create' })).toMatchObject({
    ...{ created: 0, updated: 0, skipped: 0, failed: 3 },
  })
})
