// Messages of refusals: each names the sent value and a valid one in its place.
import { describe, expect, test } from 'vitest'
import type { Scope } from '../../contract/scopes.ts'
import { createWorkflow } from '../workflows/service.ts'
import type { Org } from './factories.ts'
import { sharedTestService } from './shared-service.ts'

const service = await sharedTestService()

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
  test('by an unknown attribute is refused with the sent value and the valid attributes', async () => {
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

  test('with an operator that the type lacks is refused with the valid operators', async () => {
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

  test('with a value of a wrong type is refused with the expected type', async () => {
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

  test('with a misspelled or invalid group is refused with the correct form', async () => {
    const org = await service.org()
    expect(await search(org, { filter: { AND: [] } })).toEqual([
      'filter: "AND" is not a known field: did you mean "and"?',
    ])
    expect(await search(org, { filter: { and: [], or: [] } })).toEqual([
      'filter: "and" must be the only field of its object: send the others in another object',
    ])
  })
})

test('the message for a body that is not an object names the body or the row', async () => {
  const org = await service.org()
  expect(saidOf(await org.post<Refusal>('/objects', 5))).toEqual([': The body must be an object'])
  const bulk = await org.post<{ failed: { error: string }[] }>('/objects/people/records/bulk', {
    records: [5],
  })
  expect(bulk.body.failed).toMatchObject([{ error: 'The row must be an object' }])
})

test('the message for a misspelled name suggests a similar name', async () => {
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

test('messages to a key that may not read attributes contain no names of attributes', async () => {
  const org = await service.org()
  const authorization = `Bearer ${await org.keyWith(['records:write'])}`
  const sent = { data: { name: 'x', Amount: 5 } }
  expect(saidOf(await org.post<Refusal>('/objects/deals/records', sent, { authorization }))).toEqual([
    'data.Amount: is not an active attribute of the object: leave it out',
  ])
})

describe('messages to a key that may not read attributes and objects contain no names of them', () => {
  const CUSTOM = 'margin_2026'

  /** An organization with a custom attribute and object, and requests with a key for the scopes. */
  async function toldTo(scopes: readonly Scope[]) {
    const org = await service.org()
    await org.post('/objects/deals/attributes', { name: CUSTOM, slug: CUSTOM, type: 'number' })
    await org.post('/objects', { singularName: 'Bottle', pluralName: 'Bottles', slug: 'bottles' })
    const authorization = `Bearer ${await org.keyWith(scopes)}`
    const ask = <Body>(path: string, body: object) => org.post<Body>(path, body, { authorization })
    return { org, authorization, ask }
  }

  const filter = { attributeSlug: 'margin_202', operator: 'equals', value: 1 }
  const columns = [{ slug: 'name' }]
  const states = [
    {
      kind: 'table',
      state: { version: 1, columns, sort: { field: 'margin_202', order: 'asc' } },
      said: 'state.sort.field: must be an attribute that can be sorted by, not "margin_202": send created_at, updated_at or the slug of an attribute of deals',
    },
    {
      kind: 'table',
      state: { version: 1, columns, filter },
      said: 'state.filter: deals has no attribute "margin_202": send the slug of an attribute of deals',
    },
    {
      kind: 'board',
      state: { version: 1, columns, board: { groupBy: 'margin_202' } },
      said: 'state.board.groupBy: deals has no attribute "margin_202": send the slug of an attribute of deals',
    },
    {
      kind: 'board',
      state: { version: 1, columns, board: { groupBy: 'stage', sumOf: 'margin_202' } },
      said: 'state.board.sumOf: deals has no attribute "margin_202": send the slug of an attribute of deals',
    },
  ]

  test.each(states)('for a view: $said', async ({ kind, state, said }) => {
    const { ask } = await toldTo(['views:write'])
    const view = { name: 'Mine', kind, isShared: false, state }
    expect(saidOf(await ask<Refusal>('/objects/deals/views', view))).toEqual([said])
    const seeing = await toldTo(['views:write', 'attributes:read'])
    const [named] = saidOf(await seeing.ask<Refusal>('/objects/deals/views', view))
    expect(named).toMatch(new RegExp(`: did you mean "${CUSTOM}"\\?$`))
  })

  const note = {
    key: 'a',
    type: 'create_activity',
    config: { type: 'note', title: '{{trigger.data.margin_202}}' },
  }
  const find = { key: 'b', type: 'find_records', config: { object: 'deals', filter, fields: ['margin_202'] } }
  const get = {
    key: 'c',
    type: 'get_record',
    config: { object: 'bottle', recordId: '{{trigger.recordId}}' },
  }
  const write = {
    key: 'd',
    type: 'update_record',
    config: { object: 'deals', recordId: '{{trigger.recordId}}', data: { margin_202: 1 } },
  }

  /** The messages to a key when it enables a workflow of a member. */
  async function enabling(scopes: readonly Scope[]) {
    const { org, authorization } = await toldTo(scopes)
    const objectId = (await org.get<{ id: string }>('/objects/deals')).body.id
    const definition = {
      trigger: 'record/updated',
      triggerConfig: { objectId, watch: ['margin_202'], filter },
      steps: [note, find, get, write],
    }
    const draft = await createWorkflow(
      service.ctx,
      { org: org.org, userId: org.userId },
      { name: 'W', definition },
    )
    const enabled = { enabled: true }
    return saidOf(await org.patch<Refusal>(`/workflows/${draft.id}`, enabled, { authorization }))
  }

  test('for a workflow', async () => {
    const said = await enabling(['workflows:write'])
    expect(said).toHaveLength(7)
    expect(said.join()).not.toMatch(/margin_2026|bottles|close_date|people/)
    const seeing = await enabling(['workflows:write', 'objects:read'])
    expect(seeing.filter((one) => one.endsWith(`did you mean "${CUSTOM}"?`))).toHaveLength(6)
    expect(seeing.filter((one) => one.endsWith('did you mean "bottles"?'))).toHaveLength(1)
  })

  test('for an option', async () => {
    const option = { data: { name: 'x', stage: 'Qualifid' } }
    const blind = await toldTo(['records:write'])
    expect(saidOf(await blind.ask<Refusal>('/objects/deals/records', option))).toEqual([
      'data.stage: must be one of the options of the attribute',
    ])
    const seeing = await toldTo(['records:write', 'records:read'])
    expect(saidOf(await seeing.ask<Refusal>('/objects/deals/records', option))).toEqual([
      expect.stringMatching(/: did you mean "Qualified"\?$/),
    ])
  })
})

test('the message for a wrong part of an address has the path of that part', async () => {
  const org = await service.org()
  const data = { name: 'Acme', address: { city: 'Bern', country: 'Swizerlund' } }
  expect(saidOf(await org.post<Refusal>('/objects/companies/records', { data }))).toEqual([
    'data.address.country: must be the code of a country of two or three letters, such as "GB", or its name',
  ])
})

test('the message for an unknown type lists all types', async () => {
  const org = await service.org()
  const reply = await org.post<Refusal>('/objects/deals/attributes', { name: 'X', type: 'string' })
  const [said = ''] = saidOf(reply)
  for (const type of ['text', 'email', 'phone_number', 'select', 'reference', 'member', 'url'])
    expect(said).toContain(`"${type}"`)
})
