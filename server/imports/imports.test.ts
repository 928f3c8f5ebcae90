import { readFileSync } from 'node:fs'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { RecordList } from '../../contract/records.ts'
import type { SignedInMember } from '../test/dashboard-client.ts'
import { expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { checked, get, imported, mapping, post, uploaded } from './imports.fixture.ts'

const service = await sharedTestService()

const records = async (member: SignedInMember, path: string) =>
  (await member.get<RecordList>(`/objects/${path}`)).body

const newMember = async () => (await service.org()).member('member')

const PEOPLE = mapping('name.firstName', 'name.lastName', 'email')
const people = (...rows: string[]) => ['First,Last,Email', ...rows].join('\n')

test('imports the sample companies, from the upload to the file of failed rows', async () => {
  const org = await service.org()
  const owner = await org.member('owner')
  for (const attribute of [
    { name: 'Symbol', type: 'text', isUnique: true },
    { name: 'GICS Sector', type: 'text' },
    { name: 'Date added', type: 'date' },
  ])
    expect((await owner.post('/objects/companies/attributes', attribute)).status).toBe(201)
  const member = await org.member('member')
  const sample = readFileSync(new URL('../../samples/companies.csv', import.meta.url), 'utf8')
  const broken = `${sample.trimEnd()}\nBAD,Bad Date,Industrials,x,y,someday,1,1\nRAG,Ragged\n`

  const file = await uploaded(member, broken, '/objects/companies/imports?fileName=companies.csv')
  expect(file).toMatchObject({
    fileName: 'companies.csv',
    rows: 505,
    bytes: Buffer.byteLength(broken),
    encoding: 'utf-8',
    delimiter: ',',
    hasFile: true,
    createdBy: { id: member.userId },
  })
  expect(file.preview).toHaveLength(20)
  expect(file.columns[0]).toMatchObject({
    index: 0,
    header: 'Symbol',
    samples: expect.arrayContaining(['MMM', 'AOS']),
  })
  expect(file.guess).toMatchObject({ matchOn: 'symbol', format: { dates: 'ymd', decimal: '.' } })
  expect(file.guess.columns.map(({ attributeSlug }) => attributeSlug)).toEqual([
    'symbol',
    null,
    'gics_sector',
    null,
    'address',
    'date_added',
    null,
    null,
  ])
  expect(file.guess.columns[7]?.newAttribute).toEqual({ name: 'Founded', type: 'text' })

  const body = {
    mapping: mapping('symbol', 'name', 'gics_sector', '', 'address', 'date_added'),
    matchOn: 'symbol',
  }
  await post(member, file, 'check', body)
  await service.drain()
  const { state, check, progress } = await get(member, file)
  expect({ state, check }).toEqual({
    state: 'checked',
    check: {
      creates: 503,
      updates: 0,
      errors: 2,
      skips: 0,
      matches: null,
      related: [],
      problems: [
        {
          line: 505,
          column: 'Date added',
          value: 'someday',
          message: '"someday" is not a date',
        },
        { line: 506, column: null, message: 'The row has 2 cells, the header has 8.' },
      ],
      groups: [
        {
          column: 'Date added',
          index: 5,
          value: 'someday',
          code: 'invalid_date',
          message: '"someday" is not a date',
          isSkipped: false,
          rows: 1,
          lines: [505],
        },
        {
          column: null,
          index: null,
          code: 'broken_row',
          message: 'The row has 2 cells, the header has 8.',
          isSkipped: false,
          rows: 1,
          lines: [506],
        },
      ],
      more: 0,
    },
  })
  expect(progress).toMatchObject({ rows: 505, created: 503, failed: 2 })
  expect((await records(member, 'companies/records')).pagination.total).toBe(0)
  expect(await org.events()).toEqual([])

  await post(member, file, 'run')
  await service.drain()
  const done = await get(member, file)
  expect(done).toMatchObject({ state: 'completed', error: null, finishedAt: expect.any(String) })
  expect(done.progress).toMatchObject({
    rows: 505,
    created: 503,
    updated: 0,
    failed: 2,
    rowsPerSecond: expect.any(Number),
  })
  const found = await records(member, 'companies/records?filter[symbol][equals]=MMM')
  expect(found.records).toMatchObject([
    { data: { name: '3M', date_added: '1957-03-04', address: { line1: 'Saint Paul, Minnesota' } } },
  ])
  const actors = await service.ctx.db.many(
    sql`select distinct type, actor from events where org = ${org.org}`,
  )
  expect(actors).toEqual([{ type: 'record.created', actor: member.userId }])

  const failed = await member.get<string>(`/imports/${file.id}/failed.csv`)
  expect(failed.headers['content-disposition']).toContain('companies-failed.csv')
  const [header, bad, ragged] = failed.body.split('\n')
  expect(header).toBe(`\ufeffline,error,${sample.slice(0, sample.indexOf('\n')).trim()}`)
  expect(bad).toMatch(/^505,"?Date added: .*,BAD,Bad Date,Industrials,x,y,someday,1,1$/)
  expect(ragged).toBe('506,"The row has 2 cells, the header has 8.",RAG,Ragged')

  const list = (await member.get('/objects/companies/imports')).body
  expect(list).toMatchObject({
    imports: [{ id: file.id, state: 'completed', rows: 505 }],
    maxBytes: 100 * 1024 * 1024,
  })
})

describe('the check', () => {
  test('counts the same results as the run', async () => {
    const member = await newMember()
    for (const email of ['old@example.com', 'other@example.com'])
      await member.post('/objects/people/records', { data: { name: 'Old', email } })
    const text = people(
      'New,One,new@example.com',
      'Old,One,OLD@example.com',
      'New,Again,new@example.com',
      ',,absent@example.com',
      'No,Mail,',
      'Bad,Mail,nowhere',
    )
    const file = await imported(service, member, { text, mapping: PEOPLE, matchOn: 'email' })
    expect(file.check).toMatchObject({ creates: 1, updates: 2, errors: 3 })
    expect(file.check?.problems.map(({ line, column }) => [line, column])).toEqual([
      [5, 'First'],
      [6, 'Email'],
      [7, 'Email'],
    ])
    expect(file.check?.problems.map(({ message }) => message)).toEqual([
      'First is empty, and every record must have it',
      'Email is empty, so this row cannot be matched',
      '"nowhere" is not an email address',
    ])
    expect(file.progress).toMatchObject({ created: 1, updated: 2, failed: 3 })
    const failed = (await member.get<string>(`/imports/${file.id}/failed.csv`)).body
    expect(failed).toContain('\n6,"Email is empty, so this row cannot be matched",No,Mail,\n')
    expect(failed).toContain('\n7,"Email: ""nowhere"" is not an email address",Bad,Mail,nowhere\n')
  })

  test('names the problems of all columns of a row', async () => {
    const member = await newMember()
    const text = 'Name,Email,Phone,Company\nAda,nowhere,none,Absent\n'
    const file = await imported(service, member, {
      text,
      mapping: mapping('name', 'email', 'phone', 'company'),
    })
    expect(file.check?.problems.map(({ column, message }) => [column, message])).toEqual([
      ['Company', 'No company is called "Absent"'],
      ['Email', '"nowhere" is not an email address'],
      ['Phone', '"none" is not a phone number'],
    ])
    expect(file.progress.failed).toBe(1)
  })

  test('reports unique values that are twice in the file or that another record has', async () => {
    const member = await newMember()
    await member.post('/objects/people/records', { data: { name: 'Old', email: 'old@example.com' } })
    const rows = Array.from({ length: 600 }, (_, index) => `P,${index},p${index}@example.com`)
    const text = people(...rows, 'Twice,X,P0@example.com', 'Taken,X,old@example.com')
    const file = await imported(service, member, { text, mapping: PEOPLE })
    expect(file.check).toMatchObject({
      creates: 600,
      errors: 2,
      problems: [
        { line: 602, column: 'Email', message: 'Line 2 has the same value: change one of them' },
        { line: 603, column: 'Email', message: 'Another record has this value already' },
      ],
    })
    expect(file.progress).toMatchObject({ created: 600, failed: 2 })
  })

  test('accepts a unique value that an earlier row releases', async () => {
    const org = await service.org()
    const owner = await org.member('owner')
    const badge = { name: 'Badge', type: 'text', isUnique: true }
    await owner.post('/objects/people/attributes', badge)
    await owner.post('/objects/people/records', { data: { name: 'Ada', email: 'a@example.com', badge: '1' } })
    const text = ['Mail,Name,Badge', 'a@example.com,Ada,2', 'b@example.com,Bo,1', 'c@example.com,Cy,2'].join(
      '\n',
    )
    const file = await imported(service, owner, {
      text,
      mapping: mapping('email', 'name', 'badge'),
      matchOn: 'email',
    })
    expect(file.check).toMatchObject({ creates: 1, updates: 1, errors: 1 })
    expect(file.progress).toMatchObject({ created: 1, updated: 1, failed: 1 })
  })

  test('can be repeated with another mapping, also after a cancellation', async () => {
    const member = await newMember()
    const text = people('Ada,Lovelace,nowhere')
    const file = await checked(service, member, { text, mapping: PEOPLE })
    expect(file.check).toMatchObject({ creates: 0, errors: 1 })
    const again = mapping('name.firstName', 'name.lastName')
    await post(member, file, 'check', { mapping: again })
    expect(await post(member, file, 'cancel')).toMatchObject({ state: 'uploaded', check: null })
    await post(member, file, 'check', { mapping: again })
    await service.drain()
    expect(await get(member, file)).toMatchObject({
      state: 'checked',
      mapping: again,
      check: { creates: 1, errors: 0 },
    })
  })

  test('keeps the first hundred problems', async () => {
    const member = await newMember()
    const rows = Array.from({ length: 1200 }, (_, index) => `P,${index},nowhere`)
    const { check } = await checked(service, member, { text: people(...rows), mapping: PEOPLE })
    expect(check).toMatchObject({ creates: 0, errors: 1200 })
    expect(check?.problems).toHaveLength(100)
    expect(check?.problems.at(-1)?.line).toBe(101)
  })
})

describe('values', () => {
  test('of references are found by name or unique value, if exactly one record matches', async () => {
    const member = await newMember()
    const company = async (data: object) =>
      (await member.post<{ id: string }>('/objects/companies/records', { data })).body.id
    const acme = await company({ name: 'Acme', domain: 'acme.example' })
    await company({ name: 'Twin' })
    await company({ name: 'Twin' })
    const text = [
      'Name,Company',
      'By Name,ACME',
      'By Domain,acme.example',
      `By Id,${acme}`,
      'By Nothing,',
      'None,Nowhere',
      'Two,Twin',
    ].join('\n')
    const file = await imported(service, member, { text, mapping: mapping('name', 'company') })
    expect(file.check).toMatchObject({
      creates: 4,
      problems: [
        {
          line: 6,
          column: 'Company',
          value: 'Nowhere',
          message: 'No company is called "Nowhere"',
        },
        { line: 7, column: 'Company', message: expect.stringContaining('Several companies match "Twin"') },
      ],
    })
    expect(file.progress).toMatchObject({ created: 4, failed: 2 })
    const page = await records(member, `people/records?filter[company][equals]=${acme}`)
    expect(page.pagination.total).toBe(3)
  })

  test('are read in the format of the file', async () => {
    const member = await newMember()
    const text = 'Deal;Value;Stage;Closes\nBig;1.234,50 €;won;31.12.2026\nSmall;99,5;LEAD;1.2.26\n'
    const file = await uploaded(member, text, '/objects/deals/imports')
    expect(file).toMatchObject({ delimiter: ';', fileName: 'import.csv' })
    const { guess } = file
    expect(guess.format).toEqual({ dates: 'dmy', decimal: ',' })
    const body = { mapping: mapping('name', 'amount', 'stage', 'close_date'), format: guess.format }
    await post(member, file, 'check', body)
    await service.drain()
    await post(member, file, 'run')
    await service.drain()
    const { records: deals } = await records(member, 'deals/records?order=asc')
    expect(deals.map(({ data }) => data)).toEqual([
      { name: 'Big', amount: { amount: 1234.5, currency: 'EUR' }, stage: 'Won', close_date: '2026-12-31' },
      { name: 'Small', amount: { amount: 99.5, currency: 'USD' }, stage: 'Lead', close_date: '2026-02-01' },
    ])
  })

  test('in an id column match rows with records', async () => {
    const member = await newMember()
    const { id } = (await member.post<{ id: string }>('/objects/people/records', { data: { name: 'Old' } }))
      .body
    const text = `id,Name\n${id},New Name\n0198c0de-0000-7000-8000-000000000001,Stranger\n`
    const file = await imported(service, member, { text, mapping: mapping('id', 'name'), matchOn: 'id' })
    expect(file.check).toMatchObject({ creates: 0, updates: 1, errors: 1 })
    expect(file.progress).toMatchObject({ created: 0, updated: 1, failed: 1 })
  })

  test('can fill an attribute that was created after the upload', async () => {
    const owner = await (await service.org()).member('owner')
    const file = await uploaded(owner, 'Name,Shoe size\nAda,36\n')
    expect(file.guess.columns[1]).toMatchObject({
      attributeSlug: null,
      newAttribute: { name: 'Shoe size', type: 'number' },
    })
    await owner.post('/objects/people/attributes', file.guess.columns[1]?.newAttribute)
    expect((await get(owner, file)).guess.columns[1]).toMatchObject({ attributeSlug: 'shoe_size' })
    await post(owner, file, 'check', { mapping: mapping('name', 'shoe_size') })
    await service.drain()
    expect(await get(owner, file)).toMatchObject({ check: { creates: 1, errors: 0 } })
  })
})

test('a mapping must fit the file and the object', async () => {
  const member = await newMember()
  const file = await uploaded(member, people('Ada,L,a@example.com'))
  const cases: [object, string, string][] = [
    [{ mapping: mapping('nothing') }, 'mapping[0].attributeSlug', 'unknown_attribute'],
    [{ mapping: [{ index: 9, attributeSlug: 'name' }] }, 'mapping[0].index', 'unknown_column'],
    [{ mapping: mapping('name.nickName') }, 'mapping[0].part', 'unknown_part'],
    [{ mapping: mapping('name', 'name.lastName') }, 'mapping[1]', 'duplicate_column'],
    [{ mapping: mapping('', '', 'email') }, 'mapping', 'required'],
    [{ mapping: PEOPLE, matchOn: 'phone' }, 'matchOn', 'not_unique'],
    [{ mapping: mapping('name'), matchOn: 'email' }, 'matchOn', 'unknown_column'],
    [{ mapping: PEOPLE, matchOn: 'id' }, 'matchOn', 'unknown_column'],
    [{ mapping: mapping('id', 'name') }, 'mapping', 'not_matched'],
    [{ mapping: [] }, 'mapping', 'minItems'],
  ]
  for (const [body, path, code] of cases) {
    const reply = await member.post(`/imports/${file.id}/check`, body)
    expectError(reply, 'validation_error')
    expect(reply.body).toMatchObject({ details: { errors: [{ path, code }] } })
  }
})
