// Unusable cells are left out if their column is set to skip them, and the rest of the row is imported.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { makeEarlierRun } from '../record-jobs/earlier-run.fixture.ts'
import type { SignedInMember } from '../test/dashboard-client.ts'
import { expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { checked, get, imported, mapping, post, uploaded } from './imports.fixture.ts'

const service = await sharedTestService()

const dataOf = async (member: SignedInMember, object: string) =>
  (
    await member.get<{ records: { data: Record<string, unknown> }[] }>(
      `/objects/${object}/records?order=asc&limit=100`,
    )
  ).body.records.map(({ data }) => data)

const skipping = (...targets: string[]) =>
  mapping(...targets).map((column, place) =>
    place === 0 ? column : { ...column, onProblem: 'skip' as const },
  )

test('imports a row without its unusable cells', async () => {
  const member = await (await service.org()).member('member')
  const text = [
    'Name,Email,Phone,Company',
    'Ada,ada@example.com,nonsense,',
    'Bo,nowhere,+1 202 555 0101,Absent',
    ',c@example.com,,',
  ].join('\n')
  const file = await imported(service, member, {
    text,
    mapping: skipping('name', 'email', 'phone', 'company'),
  })
  expect(file.check).toMatchObject({ creates: 2, errors: 1, problems: [{ line: 4, column: 'Name' }] })
  const groups = file.check?.groups.map(({ column, value, isSkipped }) => [column, value, isSkipped])
  expect(groups).toEqual([
    ['Phone', 'nonsense', true],
    ['Email', 'nowhere', true],
    ['Company', 'Absent', true],
    ['Name', '', false],
  ])
  expect(await dataOf(member, 'people')).toMatchObject([
    { email: 'ada@example.com' },
    { name: { firstName: 'Bo' } },
  ])
  expect(file.progress).toMatchObject({ created: 2, failed: 1 })
})

test('leaves out only the invalid part of an address, but the whole of an amount', async () => {
  const owner = await (await service.org()).member('owner')
  const companies = 'Name,City,Country\nAcme,Berlin,Nowhereland\n'
  await imported(service, owner, {
    text: companies,
    mapping: skipping('name', 'address.city', 'address.country'),
    path: '/objects/companies/imports',
  })
  expect(await dataOf(owner, 'companies')).toEqual([{ name: 'Acme', address: { city: 'Berlin' } }])
  const deals = 'Name,Amount,Currency\nBig,5,XXQ\nSmall,7,EUR\n'
  await imported(service, owner, {
    text: deals,
    mapping: skipping('name', 'amount.amount', 'amount.currency'),
    path: '/objects/deals/imports',
  })
  const amounts = (await dataOf(owner, 'deals')).map(({ amount }) => amount)
  expect(amounts).toEqual([undefined, { amount: 7, currency: 'EUR' }])
})

test('a cell that is left out does not clear the value of a record', async () => {
  const member = await (await service.org()).member('member')
  const data = { name: 'Ada', email: 'a@example.com', phone: '+12025550101' }
  await member.post('/objects/people/records', { data })
  const text = 'Email,Phone\na@example.com,nonsense\n'
  await imported(service, member, {
    text,
    mapping: skipping('email', 'phone'),
    matchOn: 'email',
    empty: 'clear',
  })
  const [ada] = await dataOf(member, 'people')
  expect(JSON.stringify(ada?.['phone'])).toContain('+12025550101')
})

test('every row gets the fixed values, such as one owner', async () => {
  const org = await service.org()
  const [member, other] = await org.members('member', 'member')
  const fixedValues = [{ attributeSlug: 'owner', value: other.userId }]
  const file = await imported(service, member, {
    text: 'Name\nAda\nBo\n',
    mapping: mapping('name'),
    fixedValues,
  })
  expect(file).toMatchObject({ fixedValues, progress: { created: 2 } })
  expect((await dataOf(member, 'people')).map(({ owner }) => owner)).toEqual([other.userId, other.userId])
})

test.each([
  [[{ attributeSlug: 'nothing', value: 'x' }], 'fixedValues[0].attributeSlug', 'unknown_attribute'],
  [[{ attributeSlug: 'name', value: 'x' }], 'fixedValues[0]', 'duplicate_column'],
  [[{ attributeSlug: 'owner', value: '' }], 'fixedValues[0].value', 'minLength'],
])('the fixed values %j are refused', async (fixedValues, path, code) => {
  const member = await (await service.org()).member('member')
  const file = await uploaded(member, 'Name\nAda\n')
  const reply = await member.post(`/imports/${file.id}/check`, { mapping: mapping('name'), fixedValues })
  expectError(reply, 'validation_error')
  expect(reply.body).toMatchObject({ details: { errors: [{ path, code }] } })
})

test('ignores rows without values, and reads yes and no in other languages', async () => {
  const owner = await (await service.org()).member('owner')
  await owner.post('/objects/people/attributes', { name: 'VIP', type: 'checkbox' })
  const text = 'Name;VIP\n;\nAda;WAHR\n ; \nBo;nein\n;;\n'.replace(';;', ';')
  const file = await imported(service, owner, { text, mapping: mapping('name', 'vip') })
  expect(file).toMatchObject({ rows: 2, check: { creates: 2, errors: 0 } })
  expect((await dataOf(owner, 'people')).map(({ vip }) => vip)).toEqual([true, false])
})

test('continues a run of an earlier version, whose progress counts rows without values', async () => {
  const org = await service.org()
  const member = await org.member('member')
  const text = 'Name,Email\nAda,\n,\n,\nBo,\n,\nCy,\n'
  const file = await checked(service, member, { text, mapping: mapping('name', 'email') })
  expect(file).toMatchObject({ rows: 3, progress: { rows: 3 }, check: { creates: 3, errors: 0 } })
  await post(member, file, 'run')
  // An earlier version counted rows without values, and refused them.
  await service.ctx.db.run(sql`
    update imports set rows = 6, rows_done = 3, created = 1, failed = 2 where org = ${org.org} and id = ${file.id}`)
  await makeEarlierRun(service, { org: org.org, id: file.id })
  await service.drain()
  expect(await get(member, file)).toMatchObject({
    state: 'completed',
    rows: 5,
    progress: { rows: 5, created: 3, failed: 2 },
  })
  expect((await dataOf(member, 'people')).map(({ name }) => name)).toEqual([
    { firstName: 'Bo' },
    { firstName: 'Cy' },
  ])
})
