import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Caller } from '../base/caller.ts'
import { exportRecords } from '../records/export/service.ts'
import { buildTestService } from '../test/build-app.ts'
import type { Org } from '../test/factories.ts'
import { openCsv } from './csv/open.ts'
import { readCsv } from './csv/read.ts'
import type { FailedFileRow } from './failed-file.ts'
import { type ImportOptions, type ImportOutcome, importRecords } from './import-records.ts'

const service = await buildTestService()
const { ctx } = service

const callerOf = ({ org, id, userId }: Org): Caller => ({
  org,
  orgId: id,
  userId,
  keyId: null,
  country: 'US',
  currency: 'USD',
})

async function* pieces(text: string) {
  yield text
}

type Imported = ImportOutcome & { failures: FailedFileRow[] }

async function importText(org: Org, text: string, options: ImportOptions): Promise<Imported> {
  const failures: FailedFileRow[] = []
  const onFailedRow = (row: FailedFileRow) => void failures.push(row)
  const outcome = await importRecords(ctx, callerOf(org), readCsv(pieces(text)), { ...options, onFailedRow })
  return { ...outcome, failures }
}

async function exported(org: Org, objectRef: string, format: 'csv' | 'ndjson'): Promise<string> {
  let text = ''
  const write = async (piece: string) => {
    text += piece
  }
  await exportRecords(ctx, callerOf(org), { objectRef, format, write })
  return text
}

interface ListedRecord {
  id: string
  data: Record<string, unknown>
}

const listed = async (org: Org, query: string) =>
  (await org.get<{ records: ListedRecord[]; pagination: { total: number } }>(query)).body

const COMPANIES = fileURLToPath(new URL('../../samples/companies.csv', import.meta.url))
const MAP = new Map([['Security', 'name']])

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

async function importCompanies(org: Org): Promise<ImportOutcome> {
  const { rows } = await openCsv(() => createReadStream(COMPANIES))
  return importRecords(ctx, callerOf(org), rows(), { objectRef: 'companies', map: MAP, matchOn: 'symbol' })
}

test('the sample companies come in once, however often they are imported', async () => {
  const org = await buildCompanies()
  expect(await importCompanies(org)).toEqual({
    ...{ created: 503, updated: 0, unchanged: 0, failed: 0 },
    related: {},
    lastLine: 504,
    skipped: 0,
    skippedRows: [],
    skippedColumns: ['GICS Sub-Industry', 'Headquarters Location', 'CIK', 'Founded'],
  })
  expect(await importCompanies(org)).toMatchObject({
    ...{ created: 0, updated: 0, unchanged: 503, failed: 0 },
  })
  const page = await listed(org, '/objects/companies/records?filter[symbol][equals]=MMM')
  expect(page.records).toMatchObject([
    { data: { name: '3M', symbol: 'MMM', gics_sector: 'Industrials', date_added: '1957-03-04' } },
  ])
  expect((await listed(org, '/objects/companies/records?limit=1')).pagination.total).toBe(503)
  // The second time nothing changed, so nothing was announced.
  expect(await org.events()).toHaveLength(503)
})

test('rows that fail are left out and reported, by line', async () => {
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
  const { failures, ...outcome } = await importText(org, csv, { objectRef: 'people' })
  expect(outcome).toEqual({
    ...{ created: 2, updated: 0, unchanged: 0, failed: 5 },
    related: {},
    lastLine: 9,
    skipped: 0,
    skippedRows: [],
    skippedColumns: ['Shoe size'],
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

test('names, countries and blank cells are read as people write them', async () => {
  const org = await service.org()
  const people = 'name,email,phone\n"Lovelace, Ada",\u00a0ada@example.com,\u200b\n'
  expect(await importText(org, people, { objectRef: 'people' })).toMatchObject({ created: 1, failed: 0 })
  const [ada] = (await listed(org, '/objects/people/records')).records
  expect(ada?.data).toEqual({ name: { firstName: 'Ada', lastName: 'Lovelace' }, email: 'ada@example.com' })
  const companies = 'name,address.city,address.country\nA,Bonn,Deutschland\nB,\u200b,USA\nC, , \n'
  expect(await importText(org, companies, { objectRef: 'companies' })).toMatchObject({
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

test('an update leaves what its empty cells name as it is; the last row wins', async () => {
  const org = await service.org()
  await importText(org, 'name,email,job_title\nAda,ada@example.com,Analyst\n', { objectRef: 'people' })
  const csv = 'email,name,job_title\nADA@example.com,,\nada@example.com,,Countess\nbea@example.com,Bea,\n'
  const outcome = await importText(org, csv, { objectRef: 'people', matchOn: 'email' })
  expect(outcome).toMatchObject({ created: 1, updated: 2, failed: 0 })
  const { records } = await listed(org, '/objects/people/records?order=asc')
  expect(records.map(({ data }) => data)).toEqual([
    { name: { firstName: 'Ada' }, email: 'ada@example.com', job_title: 'Countess' },
    { name: { firstName: 'Bea' }, email: 'bea@example.com' },
  ])
})

test.each<[string, string, Partial<ImportOptions>, RegExp]>([
  ['nothing', '', {}, /the file is empty/],
  ['no column that fits', 'a;b\n1;2\n', {}, /no column has the name of an attribute of people/],
  ['no column for a required attribute', 'email\na@example.com\n', {}, /no column fills name/],
  ['a map of an unknown column', 'name\nA\n', { map: new Map([['x', 'name']]) }, /has no column "x"/],
  ['a map to an unknown attribute', 'name\nA\n', { map: new Map([['name', 'x']]) }, /no attribute "x"/],
  ['two columns for one attribute', 'name,Name\nA,B\n', {}, /both "name" and "Name" fill name/],
  ['a value beside its parts', 'name,First name\nA,B\n', {}, /fill name.firstName/],
  ['matching on what is not unique', 'name\nA\n', { matchOn: 'name' }, /must be id or a unique attribute/],
  ['matching on what is not given', 'name\nA\n', { matchOn: 'email' }, /no column fills email/],
  ['matching on an id that is not given', 'name\nA\n', { matchOn: 'id' }, /no column "id"/],
  ['a column too many, when strict', 'name,shoe\nA,B\n', { strict: true }, /filled by "shoe"/],
  ['a broken header', 'na"me\nA\n', {}, /the header on line 1 cannot be read/],
])('%s is refused before anything is written', async (_, csv, options, message) => {
  const org = await service.org()
  await expect(importText(org, csv, { objectRef: 'people', ...options })).rejects.toThrow(message)
  expect(await org.events()).toEqual([])
})

test('references are found by name, and a row whose name no record has is reported', async () => {
  const org = await service.org()
  const acme = await org.post<{ id: string }>('/objects/companies/records', { data: { name: 'Acme' } })
  const csv = 'name,company\nAda,Acme\nBob,Nowhere\n"Cy" Young,Acme\nDi,\n'
  const { failures, ...outcome } = await importText(org, csv, { objectRef: 'people' })
  expect(outcome).toMatchObject({ created: 2, failed: 2 })
  expect(failures).toMatchObject([
    { line: 3, error: expect.stringContaining('no company is called "Nowhere"'), cells: ['Bob', 'Nowhere'] },
    { line: 4, cells: ['"Cy" Young', 'Acme'] },
  ])
  const { records } = await listed(org, '/objects/people/records?order=asc')
  expect(records.map(({ data }) => data['company'])).toEqual([acme.body.id, undefined])
})

test('a dry run writes nothing', async () => {
  const org = await service.org()
  const outcome = await importText(org, 'name\nAda\n', { objectRef: 'people', isDryRun: true })
  expect(outcome).toMatchObject({ created: 0, updated: 0, failed: 0, lastLine: 0 })
  expect(await org.events()).toEqual([])
})

test('an interrupted import says how far it came', async () => {
  const org = await service.org()
  const controller = new AbortController()
  const rows = Array.from({ length: 5000 }, (_, index) => `Person ${index}`)
  const outcome = await importText(org, ['name', ...rows].join('\n'), {
    objectRef: 'people',
    signal: controller.signal,
    onProgress: () => controller.abort(new Error('stopped')),
  })
  const { total } = (await listed(org, '/objects/people/records?limit=1')).pagination
  expect(outcome.stopped).toEqual(new Error('stopped'))
  expect(outcome.created).toBe(total)
  expect(outcome.lastLine).toBe(total + 1)
  expect(total).toBeGreaterThan(0)
  expect(total).toBeLessThan(5000)
})

test('a database that goes away leaves a precise account', async () => {
  const org = await service.org()
  let batches = 0
  const broken = new Proxy(ctx.db, {
    get(db, name, receiver) {
      if (name === 'attempt' && ++batches === 3)
        return () => Promise.reject(new Error('Connection terminated'))
      return Reflect.get(db, name, receiver)
    },
  })
  const rows = Array.from({ length: 5000 }, (_, index) => `Person ${index}`)
  const table = readCsv(pieces(['name', ...rows].join('\n')))
  const outcome = await importRecords({ ...ctx, db: broken }, callerOf(org), table, { objectRef: 'people' })
  expect(outcome).toMatchObject({
    stopped: new Error('Connection terminated'),
    lost: { isUnsure: true },
  })
  // Two batches are in flight, and each may overtake the one before it: the third statement is of the second to fourth.
  const { first, last } = outcome.lost ?? { first: 0, last: 0 }
  expect([1002, 2002, 3002]).toContain(first)
  expect(last).toBe(first + 999)
  const countOf = async (name: string) =>
    (
      await listed(
        org,
        `/objects/people/records?limit=1&${new URLSearchParams({ 'filter[name][equals]': name })}`,
      )
    ).pagination.total
  for (const line of [first, last]) expect(await countOf(`Person ${line - 2}`)).toBe(0)
  expect(await countOf(`Person ${first - 3}`)).toBe(1)
  const { total } = (await listed(org, '/objects/people/records?limit=1')).pagination
  expect(outcome.created).toBe(total)
})

test('failures that cannot be reported end the import, and its counts are right', async () => {
  const org = await service.org()
  const rows = Array.from({ length: 3000 }, (_, index) =>
    index === 500 ? 'Bad,nowhere' : `Person ${index},`,
  )
  const outcome = await importRecords(
    ctx,
    callerOf(org),
    readCsv(pieces(['name,email', ...rows].join('\n'))),
    { objectRef: 'people', onFailedRow: () => Promise.reject(new Error('disk full')) },
  )
  expect(outcome).toMatchObject({ stopped: new Error('disk full'), failed: 1 })
  const { total } = (await listed(org, '/objects/people/records?limit=1')).pagination
  expect(outcome.created).toBe(total)
  expect(outcome.lastLine).toBe(total + 2)
})

const ID = '0198c0de-0000-7000-8000-000000000001'

/** One attribute of every type, single and as a list, and records that hold what is awkward in CSV. */
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

test('every attribute type goes out and comes back equal', async () => {
  const { org } = await buildThings()
  const before = await exported(org, 'things', 'ndjson')
  const csv = await exported(org, 'things', 'csv')
  expect(csv.split('\n')[0]).toMatch(
    /^id,text,text_list,.*,address.line1,.*,reference_list,createdAt,updatedAt$/,
  )
  const created = await importText(org, csv, { objectRef: 'things' })
  expect(created).toMatchObject({ created: 3, failed: 0, skippedColumns: ['id', 'createdAt', 'updatedAt'] })
  const [first, second] = [dataOfLines(before), dataOfLines(await exported(org, 'things', 'ndjson'))]
  expect(second).toEqual([...first, ...first])
  expect(await importText(org, csv, { objectRef: 'things', matchOn: 'id' })).toMatchObject({
    updated: 0,
    unchanged: 3,
    failed: 0,
  })
  // 1 target, 3 records, 3 copies; the update by id changed nothing.
  expect(await org.events()).toHaveLength(7)
})

test('a record that is not there is never made by its id', async () => {
  const org = await service.org()
  const csv = `id,name\n${ID},Ada\n,Bea\n`
  const outcome = await importText(org, csv, { objectRef: 'people', matchOn: 'id' })
  expect(outcome).toMatchObject({
    created: 1,
    updated: 0,
    failed: 1,
    failures: [{ line: 2, error: 'No such record: check the id, it may have been deleted' }],
  })
})

test('an export is of one moment, in pages, and hides inactive attributes and other organizations', async () => {
  const org = await service.org()
  await service.org()
  const rows = Array.from({ length: 2500 }, (_, index) => `Person ${index},${index}@example.com`)
  await importText(org, ['name,email', ...rows].join('\n'), { objectRef: 'people' })
  const lines: string[] = []
  const progress: number[] = []
  const records = await exportRecords(ctx, callerOf(org), {
    objectRef: 'people',
    format: 'ndjson',
    write: async (text) => {
      lines.push(...text.trimEnd().split('\n'))
      // Written while the export runs, so not part of it.
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

test('an export of an object that is not there is refused', async () => {
  const org = await service.org()
  await expect(exported(org, 'nothing', 'csv')).rejects.toThrow('No such object')
})
