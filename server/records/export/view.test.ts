import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Import } from '../../../contract/imports.ts'
import type { Caller } from '../../base/caller.ts'
import type { Requests } from '../../test/dashboard-client.ts'
import { bodyOf, createRecord, expectError } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { exportView } from './view.ts'

const service = await sharedTestService()

const exported = (member: Requests, body: object, object = 'people') =>
  member.post<string>(`/objects/${object}/records/export`, body)

const refused = (member: Requests, body: object, object = 'people') =>
  member.post<object>(`/objects/${object}/records/export`, body)

/** The lines of an export, without the byte order mark. */
async function csvOf(member: Requests, body: object, object?: string): Promise<string[]> {
  const text = bodyOf(await exported(member, body, object))
  expect(text[0]).toBe('\ufeff')
  return text.slice(1).trimEnd().split('\n')
}

const create = async (member: Requests, object: string, data: object): Promise<string> =>
  (await createRecord(member, object, data)).id

test('a view is exported with its columns, labels, names and order', async () => {
  const member = await (await service.org()).member('member')
  const company = await create(member, 'companies', { name: 'Acme, Inc.' })
  const ada = await create(member, 'people', {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    phone: '+1 202-555-0101',
    company,
  })
  await create(member, 'people', { name: 'Cher' })
  const { headers, body } = await exported(member, {
    columns: ['email', 'name', 'phone', 'company'],
    sort: { field: 'name', order: 'asc' },
    fileName: 'Leute – alle.csv',
  })
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(headers['content-disposition']).toBe(
    `attachment; filename="Leute _ alle.csv"; filename*=UTF-8''Leute%20%E2%80%93%20alle.csv`,
  )
  expect(body).toBe(
    '\ufeffEmail,Name: First name,Name: Last name,Phone,Company\nada@example.com,Ada,Lovelace,+1 202-555-0101,"Acme, Inc."\n,Cher,,,\n',
  )
  const filter = { or: [{ attributeSlug: 'email', operator: 'isNotEmpty', value: true }] }
  const [header, row, ...rest] = await csvOf(member, {
    columns: ['id', 'company', 'created_at', 'updated_at'],
    filter,
    references: 'id',
  })
  expect(header).toBe('id,Company,createdAt,updatedAt')
  expect(row).toMatch(new RegExp(`^${ada},${company},\\d{4}-.*Z,\\d{4}-.*Z$`))
  expect(rest).toEqual([])
  expect(await csvOf(member, { columns: ['email'], search: 'LOVEL' })).toEqual(['Email', 'ada@example.com'])
  expect(await csvOf(member, { columns: ['email'], search: 'nothing' })).toEqual(['Email'])
})

test('no exported cell is a formula, and an import restores the same values', async () => {
  const org = await service.org()
  const owner = await org.member('owner')
  for (const attribute of [
    { name: 'Note', type: 'text' },
    { name: 'Tags', type: 'list' },
    { name: '=Size', type: 'number' },
    { name: 'Budget', type: 'currency' },
  ])
    expect((await owner.post('/objects/companies/attributes', attribute)).status).toBe(201)
  const data = [
    {
      name: '=cmd()',
      note: "'=quoted",
      tags: ['-a', 'b;c'],
      size: -5,
      budget: { amount: '-1200.5', currency: 'EUR' },
    },
    { name: '+a', note: '@x\n=y;-z', tags: ['+one', 'two'], address: { line1: '-b', country: 'DE' } },
    { name: "o'clock", note: '\tx' },
  ]
  const ids: string[] = []
  for (const one of data) ids.push(await create(owner, 'companies', one))
  const columns = ['id', 'name', 'note', 'tags', 'size', 'budget', 'address']
  const sort = { field: 'created_at', order: 'asc' }
  const { body: text } = await exported(owner, { columns, sort }, 'companies')
  for (const cell of [
    "'=cmd()",
    "''=quoted",
    "'@x\n'=y;'-z",
    "'+a",
    "'+one",
    "'\tx",
    "'-b",
    "'=Size",
    ',-5,-1200.5,EUR',
  ])
    expect(text).toContain(cell)

  const before = (await owner.get<{ records: object[] }>('/objects/companies/records')).body.records
  for (const id of ids)
    await owner.patch(`/objects/companies/records/${id}`, {
      data: { name: 'changed', note: 'changed', tags: ['changed'], size: 1, budget: 1, address: 'changed' },
    })
  const file = (await owner.post<Import>('/objects/companies/imports', text, { 'content-type': 'text/csv' }))
    .body
  expect(
    file.guess.columns.map(({ attributeSlug, part }) => (part ? `${attributeSlug}.${part}` : attributeSlug)),
  ).toEqual([
    'id',
    'name',
    'note',
    'tags',
    'size',
    'budget.amount',
    'budget.currency',
    'address.line1',
    'address.line2',
    'address.city',
    'address.state',
    'address.postalCode',
    'address.country',
  ])
  const { columns: guessed, matchOn, format } = file.guess
  const mapping = guessed.map(({ index, attributeSlug, part }) => ({
    index,
    attributeSlug,
    ...(part && { part }),
  }))
  await owner.post(`/imports/${file.id}/check`, { mapping, matchOn, format })
  await service.drain()
  await owner.post(`/imports/${file.id}/run`)
  await service.drain()
  expect((await owner.get<Import>(`/imports/${file.id}`)).body.progress).toMatchObject({
    updated: 3,
    failed: 0,
  })
  const after = (await owner.get<{ records: object[] }>('/objects/companies/records')).body.records
  const given = (records: object[]) =>
    records.map((record) => (record as { data: Record<string, unknown> }).data)
  // An empty cell is no value: the import keeps the value of the record.
  for (const [place, one] of given(before).entries()) expect(given(after)[place]).toMatchObject(one)
})

test('an export with an unknown column, filter, sort or object is rejected', async () => {
  const member = await (await service.org()).member('member')
  expectError(await refused(member, { columns: ['name', 'nothing'] }), 'validation_error')
  expectError(await refused(member, { columns: [] }), 'validation_error')
  expectError(await refused(member, { columns: ['name'], sort: { field: 'company' } }), 'validation_error')
  expectError(
    await refused(member, {
      columns: ['name'],
      filters: [{ attributeSlug: 'x', operator: 'equals', value: '1' }],
    }),
    'invalid_filter',
  )
  expectError(await refused(member, { columns: ['name'], search: '\u0000' }), 'validation_error')
  expectError(await refused(member, { columns: ['name'] }, 'ships'), 'not_found')
  const stranger = await service.org()
  await create(await stranger.member('member'), 'people', { name: 'Hidden' })
  expect(await csvOf(member, { columns: ['name'] })).toHaveLength(1)
})

test('an export reads one snapshot page by page, and ends when the client disconnects', async () => {
  const org = await service.org()
  const { ctx } = service
  const member = await org.member('member')
  await ctx.db.run(sql`
    insert into records (org, obj, id, updated_at, data)
    select ${org.org}, obj, uuidv7(), now(), jsonb_build_object('name', 'C ' || n)
    from objects, generate_series(1, 2500) as n where org = ${org.org} and slug = 'companies'`)
  const caller: Caller = {
    org: org.org,
    orgId: org.id,
    userId: org.userId,
    keyId: null,
    country: 'US',
    currency: 'USD',
  }
  const pieces: string[] = []
  const options = {
    objectRef: 'companies',
    body: { columns: ['name'] },
    signal: new AbortController().signal,
  }
  await exportView(ctx, caller, {
    ...options,
    write: async (text) => {
      if (pieces.length === 1) await create(member, 'companies', { name: 'Late' })
      pieces.push(text)
    },
  })
  const rows = pieces.map((piece) => piece.split('\n').length - 1)
  expect(rows.slice(0, 4)).toEqual([1, 8, 16, 32])
  expect(rows.reduce((sum, count) => sum + count)).toBe(2501)
  expect(pieces.join('')).not.toContain('Late')

  const disconnected = new AbortController()
  const write = async () => disconnected.abort(new Error('closed'))
  await expect(exportView(ctx, caller, { ...options, write, signal: disconnected.signal })).rejects.toThrow(
    'closed',
  )
})
