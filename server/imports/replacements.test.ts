import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Import } from '../../contract/imports.ts'
import type { SignedInMember } from '../test/dashboard-client.ts'
import { expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { checked, get, imported, mapping, post, uploaded } from './imports.fixture.ts'

const service = await sharedTestService()
const newMember = async () => (await service.org()).member('member')

const DEALS = '/objects/deals/imports'
const MAPPING = mapping('name', 'stage')
const deals = (stages: readonly string[]) =>
  ['Deal,Stage', ...stages.map((stage, row) => `Deal ${row},${stage}`)].join('\n')

interface Listed {
  records: { data: { stage?: string } }[]
}

async function stagesOf(member: SignedInMember): Promise<(string | undefined)[]> {
  const { body } = await member.get<Listed>('/objects/deals/records?order=asc')
  return body.records.map(({ data }) => data.stage)
}

const groupsOf = ({ check }: Import) =>
  check?.groups.map(({ column, index, value, code, rows, lines }) => ({
    column,
    index,
    value,
    code,
    rows,
    lines,
  }))

test('counts equal problems over all rows of the file', async () => {
  const member = await newMember()
  const stages = Array.from({ length: 1200 }, (_, row) => (row % 3 === 0 ? 'Won!' : ' Lost? '))
  const file = await checked(service, member, { path: DEALS, text: deals(stages), mapping: MAPPING })
  expect(file.check).toMatchObject({ errors: 1200, more: 0 })
  const same = { column: 'Stage', index: 1, code: 'unknown_option' }
  expect(groupsOf(file)).toEqual([
    { ...same, value: 'Won!', rows: 400, lines: [2, 5, 8] },
    { ...same, value: 'Lost?', rows: 800, lines: [3, 4, 6] },
  ])
})

test('keeps 200 different problems and counts the others', async () => {
  const member = await newMember()
  const stages = Array.from({ length: 700 }, (_, row) => `Stage ${row % 250}`)
  const { check } = await checked(service, member, { path: DEALS, text: deals(stages), mapping: MAPPING })
  expect(check?.groups).toHaveLength(200)
  expect(check?.groups[0]).toMatchObject({ value: 'Stage 0', rows: 3 })
  expect(check?.more).toBe(700 - 3 * 200)
})

test('counts a list with two problems as one row, and cuts off a value that is too long to be replaced', async () => {
  const owner = await (await service.org()).member('owner')
  await owner.post('/objects/deals/attributes', { name: 'Sizes', type: 'number', isList: true })
  const long = 'x'.repeat(201)
  const text = `Deal,Stage,Sizes\nA,Lead,a; b\nB,${long},1\n`
  const file = await checked(service, owner, {
    path: DEALS,
    text,
    mapping: mapping('name', 'stage', 'sizes'),
  })
  expect(groupsOf(file)).toEqual([
    { column: 'Sizes', index: 2, value: 'a; b', code: 'invalid_number', rows: 1, lines: [2] },
    { column: 'Stage', index: null, value: 'x'.repeat(200), code: 'unknown_option', rows: 1, lines: [3] },
  ])
})

test('reports the wrong column of a value in several columns', async () => {
  const owner = await (await service.org()).member('owner')
  const text = 'Name,Street,Land\nA,Main St,Atlantis\n'
  const file = await checked(service, owner, {
    path: '/objects/companies/imports',
    text,
    mapping: mapping('name', 'address.line1', 'address.country'),
  })
  expect(groupsOf(file)).toMatchObject([{ column: 'Land', index: 2, value: 'Atlantis' }])
  const money = await checked(service, owner, {
    path: DEALS,
    text: 'Name,Value,In\nA,much,USD\nB,12,Dollars\n',
    mapping: mapping('name', 'amount.amount', 'amount.currency'),
  })
  expect(groupsOf(money)).toMatchObject([
    { column: 'Value', value: 'much' },
    { column: 'In', value: 'Dollars' },
  ])
})

test('reads countries by code and by name, in English and in their languages', async () => {
  const owner = await (await service.org()).member('owner')
  const countries = ['germany', 'DEU', 'Deutschland', 'uk', 'U.S.A.', 'España']
  await imported(service, owner, {
    path: '/objects/companies/imports',
    text: ['Name,Land', ...countries.map((one, row) => `C ${row},${one}`)].join('\n'),
    mapping: mapping('name', 'address.country'),
  })
  const { body } = await owner.get<{ records: { data: { address?: { country: string } } }[] }>(
    '/objects/companies/records?order=asc',
  )
  expect(body.records.map(({ data }) => data.address?.country)).toEqual(['DE', 'DE', 'DE', 'GB', 'US', 'ES'])
})

test('the check and the run replace or clear a value in all rows', async () => {
  const member = await newMember()
  const stages = ['Won!', ' Won! ', 'none', 'Lead', '', 'Lost?']
  const replacements = [
    { index: 1, value: ' Won!', with: 'won' },
    { index: 1, value: 'none', with: null },
    { index: 1, value: '', with: 'Lead' },
  ]
  const file = await imported(service, member, {
    path: DEALS,
    text: deals(stages),
    mapping: MAPPING,
    replacements,
  })
  expect(file.check).toMatchObject({ creates: 5, errors: 1, groups: [{ value: 'Lost?', rows: 1 }] })
  expect(file.replacements).toEqual([{ ...replacements[0], value: 'Won!' }, ...replacements.slice(1)])
  expect(file.progress).toMatchObject({ created: 5, failed: 1 })
  expect(await stagesOf(member)).toEqual(['Won', 'Won', undefined, 'Lead', 'Lead'])
  const failed = await member.get<string>(`/imports/${file.id}/failed.csv`)
  expect(failed.body).toContain(',Deal 5,Lost?\n')
})

test('reports an invalid replacement with the value of the file', async () => {
  const member = await newMember()
  const file = await checked(service, member, {
    path: DEALS,
    text: deals(['Won!', 'Won!']),
    mapping: MAPPING,
    replacements: [{ index: 1, value: 'Won!', with: 'Wonn' }],
  })
  expect(groupsOf(file)).toMatchObject([{ value: 'Won!', rows: 2 }])
})

test('a check without replacements removes earlier replacements', async () => {
  const member = await newMember()
  const file = await checked(service, member, {
    path: DEALS,
    text: deals(['Won!']),
    mapping: MAPPING,
    replacements: [{ index: 1, value: 'Won!', with: 'Won' }],
  })
  expect(file.check).toMatchObject({ creates: 1, errors: 0, groups: [] })
  await post(member, file, 'check', { mapping: MAPPING })
  await service.drain()
  expect(await get(member, file)).toMatchObject({ replacements: [], check: { creates: 0, errors: 1 } })
})

test('shows each stored problem of a check of an earlier version', async () => {
  const member = await newMember()
  const file = await checked(service, member, { path: DEALS, text: deals(['Won!']), mapping: MAPPING })
  await service.ctx.db.run(sql`
    update imports set check_result = check_result - 'groups' - 'more', settings = settings - 'replacements'
    where id = ${file.id}`)
  const again = await get(member, file)
  expect(groupsOf(again)).toMatchObject([
    { column: 'Stage', index: null, value: 'Won!', rows: 1, lines: [2] },
  ])
  expect(again.replacements).toEqual([])
})

test('rejects replacements of unmapped columns, repeated or invalid values, and more than 500', async () => {
  const member = await newMember()
  const file = await uploaded(member, deals(['Won!']), DEALS)
  const one = { index: 1, value: 'Won!', with: 'Won' }
  const cases: [object[], string, string][] = [
    [[{ ...one, index: 7 }], 'replacements[0].index', 'unknown_column'],
    [[one, { ...one, value: ' Won! ', with: null }], 'replacements[1].value', 'duplicate'],
    [[{ ...one, value: 'x'.repeat(201) }], 'replacements[0].value', 'maxLength'],
    [[{ ...one, with: '\u0000' }], 'replacements[0].with', 'invalid_text'],
    [Array.from({ length: 501 }, (_, at) => ({ ...one, value: `${at}` })), 'replacements', 'maxItems'],
  ]
  for (const [replacements, path, code] of cases) {
    const reply = await member.post(`/imports/${file.id}/check`, { mapping: MAPPING, replacements })
    expectError(reply, 'validation_error')
    expect(reply.body).toMatchObject({ details: { errors: [{ path, code }] } })
  }
})
