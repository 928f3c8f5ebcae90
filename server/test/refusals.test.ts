// Messages that a trial found to be wrong or useless: each names what was sent, and what to send instead.
import { describe, expect, test } from 'vitest'
import { buildTestService } from './build-app.ts'
import type { Org } from './factories.ts'

const service = await buildTestService()

interface Refusal {
  message: string
  details: { errors: { path: string; message: string }[] }
}

const saidOf = ({ status, body }: { status: number; body: Refusal }) => {
  expect(status).toBe(400)
  return body.details.errors.map(({ path, message }) => `${path}: ${message}`)
}

const search = async (org: Org, body: object, object = 'deals') =>
  saidOf(await org.post<Refusal>(`/objects/${object}/records/search`, body))

describe('a filter', () => {
  test('by an attribute that is none names it, or what came in its place', async () => {
    const org = await service.org()
    expect(await search(org, { filter: { attributeSlug: 5, operator: 'equals', value: 'x' } })).toEqual([
      expect.stringMatching(
        /^filter: must be the slug of an attribute of deals, not a number: use name, amount, /,
      ),
    ])
    expect(await search(org, { filter: { operator: 'equals', value: 'x' } })).toEqual([
      expect.stringMatching(/^filter: must be the slug of an attribute of deals, not nothing: use name, /),
    ])
    expect(await search(org, { filter: { attributeSlug: 'Amount', operator: 'equals', value: 1 } })).toEqual([
      'filter: deals has no attribute "Amount": did you mean "amount"?',
    ])
    const reply = await org.get<Refusal>('/objects/deals/records?filter[closeDate][equals]=2026-01-01')
    expect(saidOf(reply)).toEqual([
      'filter[closeDate][equals]: deals has no attribute "closeDate": did you mean "close_date"?',
    ])
  })

  test('with an operator that the type lacks lists those it has, for this place', async () => {
    const org = await service.org()
    const reply = await org.get<Refusal>('/objects/people/records?filter[email][isTrue]=true')
    expect(saidOf(reply)).toEqual([
      'filter[email][isTrue]: email (email) has no operator "isTrue": use equals, notEquals, contains, notContains, startsWith, endsWith, isEmpty, isNotEmpty',
    ])
    expect(await search(org, { filters: [{ attributeSlug: 'name', operator: 'like', value: 'x' }] })).toEqual(
      [
        'filters[0]: name (text) has no operator "like": use equals, notEquals, contains, notContains, startsWith, endsWith, in, notIn, isEmpty, isNotEmpty',
      ],
    )
    expect(
      await search(org, { filters: [{ attributeSlug: 'name', operator: 'Contains', value: 'x' }] }),
    ).toEqual(['filters[0]: name (text) has no operator "Contains": did you mean "contains"?'])
    expect(
      await search(org, { filters: [{ attributeSlug: 'id', operator: 'contains', value: 'x' }] }),
    ).toEqual([expect.stringMatching(/^filters\[0\]: id has no operator "contains": use equals, /)])
  })

  test('with a value of another kind says what the attribute is compared with', async () => {
    const org = await service.org()
    const company = (value: unknown) => ({
      filter: { and: [{ attributeSlug: 'company', operator: 'equals', value }] },
    })
    expect(await search(org, company({}))).toEqual([
      expect.stringMatching(
        /^filter\.and\[0\]: equals on company: must be the id of a record, such as .*, not an object$/,
      ),
    ])
    expect(await search(org, company(null))).toEqual([
      expect.stringMatching(
        /must be the id of a record, such as .*; for records without a value use isEmpty$/,
      ),
    ])
    expect(
      await search(org, { filters: [{ attributeSlug: 'name', operator: 'equals', value: {} }] }),
    ).toEqual(['filters[0].value: must be text, a number, true, false or an array'])
  })

  test('with a group in capitals says how it is written', async () => {
    const org = await service.org()
    expect(await search(org, { filter: { AND: [] } })).toEqual([
      'filter: "AND" is not a known field: did you mean "and"?',
    ])
    expect(await search(org, { filter: { and: [], or: [] } })).toEqual([
      'filter: "and" must be the only field of its object: send the others in another object',
    ])
  })
})

test('a body of another kind is called the body', async () => {
  const org = await service.org()
  expect(saidOf(await org.post<Refusal>('/objects', 5))).toEqual([': The body must be an object'])
  const bulk = await org.post<{ failed: { error: string }[] }>('/objects/people/records/bulk', {
    records: [5],
  })
  expect(bulk.body.failed).toMatchObject([{ error: 'The row must be an object' }])
})

test('a name that is a little different is suggested wherever names are sent', async () => {
  const org = await service.org()
  expect(saidOf(await org.post<Refusal>('/objects', { pluralName: 'A', singularname: 'b' }))).toEqual([
    expect.stringMatching(/^singularName: is required/),
    'singularname: is not a known field: did you mean "singularName"?',
  ])
  expect(
    saidOf(await org.post<Refusal>('/objects/deals/records', { data: { name: 'x', Amount: 5 } })),
  ).toEqual(['data.Amount: is not an active attribute of the object: did you mean "amount"?'])
  expect(saidOf(await org.get<Refusal>('/objects/deals?Limit=5'))).toEqual([
    'Limit: is not a known query parameter: this route takes none, so leave it out',
  ])
  expect(saidOf(await org.get<Refusal>('/activities?Limit=5'))).toEqual([
    'Limit: is not a known query parameter: did you mean "limit"?',
  ])
  expect(saidOf(await org.get<Refusal>('/events?types=record.create'))).toEqual([
    'types: "record.create" is not an event type: did you mean "record.created"?',
  ])
  const { status, body } = await org.get<Refusal>('/objects/Deal/records')
  expect([status, body.message]).toEqual([404, 'No such object: did you mean "deals"?'])
})

test('a key that cannot see attributes is told no names of them', async () => {
  const org = await service.org()
  const authorization = `Bearer ${await org.keyWith(['records:write'])}`
  const sent = { data: { name: 'x', Amount: 5 } }
  expect(saidOf(await org.post<Refusal>('/objects/deals/records', sent, { authorization }))).toEqual([
    'data.Amount: is not an active attribute of the object: leave it out',
  ])
})

test('a part of an address that is wrong is part of the path', async () => {
  const org = await service.org()
  const data = { name: 'Acme', address: { city: 'Bern', country: 'Swizerlund' } }
  expect(saidOf(await org.post<Refusal>('/objects/companies/records', { data }))).toEqual([
    'data.address.country: must be the code of a country of two or three letters, such as "GB", or its name',
  ])
})

test('a list of choices is whole', async () => {
  const org = await service.org()
  const reply = await org.post<Refusal>('/objects/deals/attributes', { name: 'X', type: 'string' })
  const [said = ''] = saidOf(reply)
  for (const type of ['text', 'email', 'phone_number', 'select', 'reference', 'member', 'url'])
    expect(said).toContain(`"${type}"`)
})
