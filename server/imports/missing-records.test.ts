// Records that cells name and that do not exist: created once, and undone with the import.
import { expect, test } from 'vitest'
import type { Import } from '../../contract/imports.ts'
import type { RecordList } from '../../contract/records.ts'
import type { UndoneBatch } from '../../contract/undo.ts'
import type { SignedInMember } from '../test/dashboard-client.ts'
import { bodyOf, expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { get, imported, mapping, uploaded } from './imports.fixture.ts'
import { createNamed, creatingMissing } from './missing-records.ts'

const service = await sharedTestService()

const list = async (member: SignedInMember, object: string, query = '') =>
  (await member.get<RecordList>(`/objects/${object}/records${query}`)).body

const namesOf = async (member: SignedInMember) =>
  (await list(member, 'companies', '?order=asc&limit=100')).records.map(({ data }) => data['name'])

const newMember = async () => (await service.org()).member('member')

const creating = (...targets: string[]) =>
  mapping(...targets).map((column) =>
    column.attributeSlug === 'company' ? { ...column, onProblem: 'create' as const } : column,
  )

const PEOPLE = creating('name', 'email', 'company')
const people = (...rows: string[]) => ['Name,Email,Company', ...rows].join('\n')

async function undo(member: SignedInMember, { id }: Pick<Import, 'id'>): Promise<UndoneBatch[]> {
  const batches: UndoneBatch[] = []
  while (batches.at(-1)?.batchesLeft !== 0) {
    const body = bodyOf(await member.post<UndoneBatch>(`/imports/${id}/undo`))
    batches.push(body)
  }
  return batches
}

test('creates a missing company once for all spellings of its name', async () => {
  const member = await newMember()
  await member.post('/objects/companies/records', { data: { name: 'Old Company' } })
  const text = people(
    'Ada,a@example.com,Acme Inc',
    'Bo,b@example.com,ACME   inc',
    'Cy,c@example.com,old company',
    'Di,d@example.com,',
    'Ed,e@example.com, Globex ',
  )
  const file = await imported(service, member, { text, mapping: PEOPLE, matchOn: 'email' })
  const companies = (await member.get<{ id: string }>('/objects/companies')).body.id
  const related = [{ objectId: companies, created: 2, names: ['Acme Inc', 'Globex'] }]
  expect(file).toMatchObject({ check: { creates: 5, errors: 0, related }, related, undo: 'possible' })
  expect(await namesOf(member)).toEqual(['Old Company', 'Acme Inc', 'Globex'])
  const [, acme] = (await list(member, 'companies', '?order=asc')).records
  expect((await list(member, 'people', `?filter[company][equals]=${acme?.id}`)).pagination.total).toBe(2)
})

test('a company created from a domain gets the domain, and the check counts it once over all batches', async () => {
  const member = await newMember()
  const rows = Array.from({ length: 1200 }, (_, index) => {
    const company =
      index % 2 === 0 ? `firm${index % 6}.example` : `https://www.FIRM${(index - 1) % 6}.example/about`
    return `P ${index},p${index}@example.com,${company}`
  })
  const file = await imported(service, member, { text: people(...rows), mapping: PEOPLE })
  expect(file).toMatchObject({
    check: { creates: 1200, related: [{ created: 3 }] },
    related: [{ created: 3 }],
  })
  const { records } = await list(member, 'companies', '?order=asc')
  expect(records.map(({ data }) => data)).toMatchObject([
    { name: 'firm0.example', domain: 'firm0.example' },
    { name: 'firm2.example', domain: 'firm2.example' },
    { name: 'firm4.example', domain: 'firm4.example' },
  ])
})

test('creates no company for a row that fails, nor for a column that does not create records', async () => {
  const member = await newMember()
  const text = people('Ada,nowhere,Acme', 'Bo,b@example.com,Globex', ',c@example.com,Initech')
  const file = await imported(service, member, { text, mapping: PEOPLE })
  expect(file).toMatchObject({ check: { creates: 1, errors: 2, related: [{ created: 1 }] } })
  expect(file.check?.problems.map(({ column }) => column)).toEqual(['Email', 'Name'])
  expect(await namesOf(member)).toEqual(['Globex'])
  const strict = await imported(service, member, {
    text: people('Cy,cy@example.com,Hooli', 'Di,di@example.com,Globex'),
    mapping: mapping('name', 'email', 'company'),
  })
  expect(strict.check).toMatchObject({
    creates: 1,
    related: [],
    problems: [{ line: 2, column: 'Company', value: 'Hooli', message: 'No company is called "Hooli"' }],
  })
  expect(await namesOf(member)).toEqual(['Globex'])
})

test('creates no company for a row whose other reference names no record', async () => {
  const owner = await (await service.org()).member('owner')
  const deals = (await owner.get<{ id: string }>('/objects/deals')).body.id
  const deal = { name: 'Deal', type: 'reference', config: { allowed_object_id: deals } }
  expect((await owner.post('/objects/people/attributes', deal)).status).toBe(201)
  const text = 'Name,Company,Deal\nAda,Acme,Absent\nBo,Globex,\n'
  const file = await imported(service, owner, { text, mapping: creating('name', 'company', 'deal') })
  expect(file).toMatchObject({ check: { creates: 1, errors: 1, related: [{ created: 1 }] } })
  expect(file.progress).toMatchObject({ created: 1, failed: 1 })
  expect(await namesOf(owner)).toEqual(['Globex'])
})

test('creates no company for an unmatched row without the required values', async () => {
  const member = await newMember()
  await member.post('/objects/people/records', { data: { name: 'Old Name', email: 'a@example.com' } })
  const text = people(
    ',a@example.com,Acme',
    ',b@example.com,Globex',
    'Cy,c@example.com,',
    ',c@example.com,Hooli',
  )
  const file = await imported(service, member, { text, mapping: PEOPLE, matchOn: 'email' })
  expect(file.check).toMatchObject({ creates: 1, updates: 2, errors: 1, related: [{ created: 2 }] })
  expect(file.check?.problems.map(({ line, column }) => [line, column])).toEqual([[3, 'Name']])
  expect(file.progress).toMatchObject({ created: 1, updated: 2, failed: 1 })
  expect(await namesOf(member)).toEqual(['Acme', 'Hooli'])
})

test('undo removes the people and companies that an import created, and restores records that it updated', async () => {
  const member = await newMember()
  await member.post('/objects/people/records', { data: { name: 'Old Name', email: 'a@example.com' } })
  const rows = Array.from(
    { length: 600 },
    (_, index) => `P ${index},p${index}@example.com,Firm ${index % 40}`,
  )
  const text = people('New Name,a@example.com,Acme', ...rows)
  const file = await imported(service, member, { text, mapping: PEOPLE, matchOn: 'email' })
  expect(file.progress).toMatchObject({ created: 600, updated: 1, failed: 0 })
  const batches = await undo(member, file)
  const sum = (of: (one: UndoneBatch) => number) => batches.reduce((all, one) => all + of(one), 0)
  expect([sum((one) => one.restored), sum((one) => one.trashed), sum((one) => one.keptIds.length)]).toEqual([
    1, 641, 0,
  ])
  expect(await get(member, file)).toMatchObject({ undo: 'undone', state: 'completed' })
  expect((await list(member, 'companies')).pagination.total).toBe(0)
  const { records } = await list(member, 'people')
  expect(records.map(({ data }) => data)).toEqual([
    { name: { firstName: 'Old', lastName: 'Name' }, email: 'a@example.com' },
  ])
  expectError(await member.post(`/imports/${file.id}/undo`), 'wrong_state')
})

test('undo keeps a created company if remaining records refer to it', async () => {
  const member = await newMember()
  const text = people('Ada,a@example.com,Acme', 'Bo,b@example.com,Globex', 'Cy,c@example.com,Initech')
  const file = await imported(service, member, { text, mapping: PEOPLE })
  const [acme, globex] = (await list(member, 'companies', '?order=asc')).records
  const [ada] = (await list(member, 'people', '?order=asc')).records
  await member.patch(`/objects/people/records/${ada?.id}`, { data: { phone: '+12025550101' } })
  const di = { name: 'Di', company: globex?.id }
  expect((await member.post('/objects/people/records', { data: di })).status).toBe(201)
  const batches = await undo(member, file)
  expect(batches.flatMap(({ keptIds }) => keptIds)).toEqual([ada?.id, acme?.id, globex?.id])
  expect(await namesOf(member)).toEqual(['Acme', 'Globex'])
  const { records } = await list(member, 'people', '?order=asc')
  expect(records.map(({ data }) => data['company'])).toEqual([acme?.id, globex?.id])
})

test('rejects the undo of an import that has not run or that wrote nothing', async () => {
  const member = await newMember()
  const fresh = await uploaded(member, people('Ada,a@example.com,Acme'))
  expectError(await member.post(`/imports/${fresh.id}/undo`), 'wrong_state')
  const empty = await imported(service, member, { text: people('Ada,nowhere,'), mapping: PEOPLE }).catch(
    () => undefined,
  )
  expect(empty).toMatchObject({ undo: 'none', progress: { failed: 1 } })
  expectError(await member.post(`/imports/${empty?.id}/undo`), 'undo_expired')
})

test('rejects the creation of records for attributes that do not refer to another object', async () => {
  const owner = await (await service.org()).member('owner')
  const { id } = (await owner.get<{ id: string }>('/objects/people')).body
  const manager = { name: 'Manager', type: 'reference', config: { allowed_object_id: id } }
  expect((await owner.post('/objects/people/attributes', manager)).status).toBe(201)
  const file = await uploaded(owner, 'Name,Manager,Phone\nAda,Bo,1\n')
  for (const slug of ['manager', 'phone']) {
    const column = { index: 1, attributeSlug: slug, onProblem: 'create' }
    const reply = await owner.post(`/imports/${file.id}/check`, { mapping: [...mapping('name'), column] })
    expectError(reply, 'validation_error')
    expect(reply.body).toMatchObject({
      details: { errors: [{ path: 'mapping[1].onProblem', code: 'not_allowed' }] },
    })
  }
})

test('uses a record that another writer created after the look-up', async () => {
  const org = await service.org()
  const caller = { ...org, orgId: org.id, keyId: null, country: 'US', currency: 'USD' }
  const { ctx } = service
  const target = await ctx.models.get(ctx.db, org.org, 'companies')
  const names: string[] = []
  const onCreated = async (_: unknown, created: string[]) => void names.push(...created)
  const create = creatingMissing({ ctx, caller, onCreated })
  const acme = { name: 'Acme', domain: 'acme.example' }
  const { body } = await org.post<{ id: string }>('/objects/companies/records', { data: acme })
  const found = await createNamed({ caller, target, create }, ['acme.example', 'globex.example'])
  expect(found.get('acme.example')).toEqual({ id: body.id })
  expect(found.get('globex.example')).toEqual({ id: expect.any(String) })
  expect(names).toEqual(['globex.example'])
})
