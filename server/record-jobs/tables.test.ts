import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { NewJob } from '../../contract/jobs.ts'
import type { CrmRecord } from '../../contract/records.ts'
import type { Caller } from '../base/caller.ts'
import { exportRecords } from '../records/export/service.ts'
import type { Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { importTable } from './tables.fixture.ts'

const service = await sharedTestService()
const { ctx } = service

const callerOf = ({ org, id, userId }: Org): Caller => ({
  org,
  orgId: id,
  userId,
  keyId: null,
  country: 'US',
  currency: 'USD',
})

const importText = (org: Org, text: string, body: Partial<NewJob> = {}) =>
  importTable(service, org, text, body)

async function exported(org: Org, objectRef: string, format: 'csv' | 'ndjson'): Promise<string> {
  let text = ''
  const write = async (piece: string) => {
    text += piece
  }
  await exportRecords(ctx, callerOf(org), { objectRef, format, write })
  return text
}

const listed = async (org: Org, query: string) =>
  (await org.get<{ records: CrmRecord[]; pagination: { total: number } }>(query)).body

const COMPANIES = fileURLToPath(new URL('../../samples/companies.csv', import.meta.url))
const OTHERS = ['GICS Sub-Industry', 'Headquarters Location', 'CIK', 'Founded']
const COLUMNS = { Security: 'name', ...Object.fromEntries(OTHERS.map((header) => [header, null])) }

async function buildCompanies(): Promise<Org> {
  const org = await service.org()
  for (const attribute of [
    { name: 'Symbol', type: 'text', isUnique: true },
    { name: 'GICS Sector', type: 'text' },
    { name: 'Date added', type: 'date' },
  ])
    expect((await org.post('/objects/companies/attributes', attribute)).status).toBe(201)
  return org
}

const importCompanies = async (org: Org) =>
  importText(org, await readFile(COMPANIES, 'utf8'), {
    ...{ objectId: 'companies', columns: COLUMNS, matchOn: 'symbol' },
  })

test('the sample companies are created once, even if they are imported again', async () => {
  const org = await buildCompanies()
  expect(await importCompanies(org)).toEqual({
    ...{ created: 503, updated: 0, unchanged: 0, failed: 0 },
    related: {},
    skipped: 0,
    skippedRows: [],
    failures: [],
  })
  expect(await importCompanies(org)).toMatchObject({
    ...{ created: 0, updated: 0, unchanged: 503, failed: 0 },
  })
  const page = await listed(org, '/objects/companies/records?filter[symbol][equals]=MMM')
  expect(page.records).toMatchObject([
    { data: { name: '3M', symbol: 'MMM', gics_sector: 'Industrials', date_added: '1957-03-04' } },
  ])
  expect((await listed(org, '/objects/companies/records?limit=1')).pagination.total).toBe(503)
  // The second import changed nothing, so it made no events.
  expect(await org.events()).toHaveLength(503)
})

test('rows that fail are skipped and reported by line', async () => {
  const org = await service.org()
  const csv = [
    'First Name,last_name,Email,Phone,Shoe size',
    'Ada,Lovelace,ada@example.com,202-555-0101,36',
    ',,absent@example.com,,',
    'Bob,Broken,"bob"@example.com,,',
    'Cy,"Young, Jr.",CY@example.com,12,',
    '"Di\nana",Doe,di@example.com,,',
    'Ada,Again,ADA@example.com,,',
    'Short,Row',
  ].join('\r\n')
  const { failures, ...outcome } = await importText(org, csv, { columns: { 'Shoe size': null } })
  expect(outcome).toEqual({
    ...{ created: 2, updated: 0, unchanged: 0, failed: 5 },
    related: {},
    skipped: 0,
    skippedRows: [],
  })
  expect(failures).toMatchObject([
    { line: 3, error: expect.stringContaining('data.name: is required') },
    {
      line: 4,
      error: expect.stringContaining('a quote ends inside the cell'),
      cells: ['Bob', 'Broken', '"bob"@example.com', '', ''],
    },
    {
      line: 5,
      error: expect.stringContaining('data.phone'),
      cells: ['Cy', 'Young, Jr.', 'CY@example.com', '12', ''],
    },
    { line: 8, error: expect.stringContaining('email: this value is taken') },
    { line: 9, error: 'The row has 2 cells, the header has 5.' },
  ])
  const { records } = await listed(org, '/objects/people/records?order=asc')
  expect(records.map(({ data }) => data)).toEqual([
    { name: { firstName: 'Ada', lastName: 'Lovelace' }, email: 'ada@example.com', phone: '202-555-0101' },
    { name: { firstName: 'Di ana', lastName: 'Doe' }, email: 'di@example.com' },
  ])
})

test('names, countries and blank cells are read in their usual notation', async () => {
  const org = await service.org()
  const people = 'name,email,phone\n"Lovelace, Ada",\u00a0ada@example.com,\u200b\n'
  expect(await importText(org, people)).toMatchObject({ created: 1, failed: 0 })
  const [ada] = (await listed(org, '/objects/people/records')).records
  expect(ada?.data).toEqual({ name: { firstName: 'Ada', lastName: 'Lovelace' }, email: 'ada@example.com' })
  const companies = 'name,address.city,address.country\nA,Bonn,Deutschland\nB,\u200b,USA\nC, , \n'
  expect(await importText(org, companies, { objectId: 'companies' })).toMatchObject({
    created: 3,
    failed: 0,
  })
  const { records } = await listed(org, '/objects/companies/records?order=asc')
  expect(records.map(({ data }) => data['address'])).toEqual([
    { city: 'Bonn', country: 'DE' },
    { country: 'US' },
    undefined,
  ])
})

test('an update keeps values whose cells are empty, and the last row for a record wins', async () => {
  const org = await service.org()
  await importText(org, 'name,email,job_title\nAda,ada@example.com,Analyst\n')
  const csv = 'email,name,job_title\nADA@example.com,,\nada@example.com,,Countess\nbea@example.com,Bea,\n'
  const outcome = await importText(org, csv, { matchOn: 'email' })
  expect(outcome).toMatchObject({ created: 1, updated: 2, failed: 0 })
  const { records } = await listed(org, '/objects/people/records?order=asc')
  expect(records.map(({ data }) => data)).toEqual([
    { name: { firstName: 'Ada' }, email: 'ada@example.com', job_title: 'Countess' },
    { name: { firstName: 'Bea' }, email: 'bea@example.com' },
  ])
})

test('references are found by name, and a row with an unknown name is reported', async () => {
  const org = await service.org()
  const acme = await org.post<{ id: string }>('/objects/companies/records', { data: { name: 'Acme' } })
  const csv = 'name,company\nAda,Acme\nBob,Nowhere\n"Cy" Young,Acme\nDi,\n'
  const { failures, ...outcome } = await importText(org, csv)
  expect(outcome).toMatchObject({ created: 2, failed: 2 })
  expect(failures).toMatchObject([
    { line: 3, error: expect.stringContaining('no company is called "Nowhere"'), cells: ['Bob', 'Nowhere'] },
    { line: 4, cells: ['"Cy" Young', 'Acme'] },
  ])
  const { records } = await listed(org, '/objects/people/records?order=asc')
  expect(records.map(({ data }) => data['company'])).toEqual([acme.body.id, undefined])
})

const ID = '0198c0de-0000-7000-8000-000000000001'

/** Creates one attribute of every type, single and as a list, and records with values that are difficult in CSV. */
async function buildThings(): Promise<{ org: Org; data: Record<string, unknown>[] }> {
  const org = await service.org()
  const target = await org.post<{ id: string }>('/objects/companies/records', { data: { name: 'Target' } })
  const { body: companies } = await org.get<{ id: string }>('/objects/companies')
  await org.post('/objects', { pluralName: 'Things', singularName: 'Thing' })
  const options = ['plain', 'a;b', '[x]']
  const values: Record<string, [unknown, unknown]> = {
    text: ['=1+1\r\n"q", é漢', ['a;b', ' c']],
    email: ['Ada@example.com', ['b@example.com']],
    number: [JSON.rawJSON('123456789012345678901234567.125'), [1, -0.5]],
    phone_number: [' 202-555-0101 ', [' +1 202-555-0102']],
    checkbox: [false, [true, false]],
    name: [{ firstName: 'Ludwig', lastName: 'van Beethoven' }, [{ lastName: 'X' }, { firstName: 'Y' }]],
    address: [{ line1: '1 Main St; rear', city: 'Bonn', country: 'DE' }, [{ line1: 'x' }]],
    currency: [{ amount: 12.5, currency: 'EUR' }, [{ amount: -1, currency: 'USD' }]],
    date: ['0001-01-01', ['2026-11-20', '2024-02-29']],
    select: ['a;b', ['plain', '[x]']],
    list: [['[1', 'b'], undefined],
    reference: [target.body.id, [target.body.id]],
  }
  const filled: Record<string, unknown> = {}
  for (const [type, [single, list]] of Object.entries(values))
    for (const [slug, value, isList] of [
      [type, single, false],
      [`${type}_list`, list, true],
    ] as const) {
      if (value === undefined) continue
      const config =
        type === 'select' ? { options } : type === 'reference' ? { allowed_object_id: companies.id } : null
      const reply = await org.post('/objects/things/attributes', { name: slug, slug, type, isList, config })
      expect(reply.status, JSON.stringify(reply.body)).toBe(201)
      filled[slug] = value
    }
  const data = [filled, { text: ' ' }, { checkbox: true, name: { lastName: 'Only' } }]
  for (const one of data) {
    const reply = await org.post('/objects/things/records', { data: one })
    expect(reply.status, JSON.stringify(reply.body)).toBe(201)
  }
  return { org, data }
}

const dataOfLines = (ndjson: string) =>
  ndjson
    .trimEnd()
    .split('\n')
    .map((line) => JSON.stringify(Object.entries(JSON.parse(line).data).sort()))

test('values of every attribute type are equal after an export and an import', async () => {
  const { org } = await buildThings()
  const before = await exported(org, 'things', 'ndjson')
  const csv = await exported(org, 'things', 'csv')
  expect(csv.split('\n')[0]).toMatch(
    /^id,text,text_list,.*,address.line1,.*,reference_list,createdAt,updatedAt$/,
  )
  const created = await importText(org, csv, { objectId: 'things' })
  expect(created).toMatchObject({ created: 3, failed: 0 })
  const [first, second] = [dataOfLines(before), dataOfLines(await exported(org, 'things', 'ndjson'))]
  expect(second).toEqual([...first, ...first])
  expect(await importText(org, csv, { objectId: 'things', matchOn: 'id' })).toMatchObject({
    updated: 0,
    unchanged: 3,
    failed: 0,
  })
  // 1 target, 3 records, 3 copies; the update by id changed nothing.
  expect(await org.events()).toHaveLength(7)
})

test('an unknown id never creates a record', async () => {
  const org = await service.org()
  const csv = `id,name\n${ID},Ada\n,Bea\n`
  const outcome = await importText(org, csv, { matchOn: 'id' })
  expect(outcome).toMatchObject({
    created: 1,
    updated: 0,
    failed: 1,
    failures: [{ line: 2, error: 'No such record: check the id, it may have been deleted' }],
  })
})

test('an export is a snapshot, in pages, without inactive attributes and other organizations', async () => {
  const org = await service.org()
  await service.org()
  const rows = Array.from({ length: 2500 }, (_, index) => `Person ${index},${index}@example.com`)
  await importText(org, ['name,email', ...rows].join('\n'))
  const lines: string[] = []
  const progress: number[] = []
  const records = await exportRecords(ctx, callerOf(org), {
    objectRef: 'people',
    format: 'ndjson',
    write: async (text) => {
      lines.push(...text.trimEnd().split('\n'))
      // A record that is created during the export is not part of it.
      await org.post('/objects/people/records', { data: { name: 'Late' } })
    },
    onProgress: ({ records, total }) => {
      expect(total).toBe(2500)
      progress.push(records)
    },
  })
  expect(records).toBe(2500)
  expect(lines).toHaveLength(2500)
  expect(new Set(lines.map((line) => JSON.parse(line).data.email)).size).toBe(2500)
  expect(progress).toEqual([1000, 2000, 2500])
  expect(Object.keys(JSON.parse(lines[0] ?? ''))).toEqual([
    'id',
    'objectId',
    'data',
    'createdAt',
    'updatedAt',
    'version',
  ])
})

test('an export of an unknown object is refused', async () => {
  const org = await service.org()
  await expect(exported(org, 'nothing', 'csv')).rejects.toThrow('No such object')
})
