// Values of type member, over HTTP.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { CrmRecord } from '../../../contract/records.ts'
import { checked, imported, mapping } from '../../imports/imports.fixture.ts'
import { resultsOf } from '../../reports/reports.fixture.ts'
import { buildTestService } from '../../test/build-app.ts'
import { createRecord, expectError, type Org } from '../../test/factories.ts'
import { insertWorkflow, step } from '../../workflows/workflow.fixture.ts'
import { indexEmptyObject } from '../engine/indexed.fixture.ts'

const service = await buildTestService()
const RECORDS = '/objects/deals/records'
const NO_SUCH = '0198c0de-0000-7000-8000-00000000dead'

/** An organization whose deals have two attributes of type member: Seller, and Helpers as a list. */
async function build() {
  const org = await service.org()
  const created = await org.post('/objects/deals/attributes', { name: 'Seller', type: 'member' })
  expect(created).toMatchObject({ status: 201, body: { slug: 'seller', type: 'member', config: null } })
  await org.post('/objects/deals/attributes', { name: 'Helpers', type: 'member', isList: true })
  return org
}

const create = (org: Org, data: object) => createRecord(org, 'deals', { name: 'One', ...data })

/** Removes a member. */
async function leave(org: Org, userId: string) {
  const owner = await org.member('owner')
  const { body } = await org.get<{ members: { id: string; user: { id: string } }[] }>('/members')
  const membership = body.members.find(({ user }) => user.id === userId)
  expect((await owner.delete(`/members/${membership?.id}`)).status).toBe(200)
}

const namesOf = async (asker: Pick<Org, 'post'>, filter: object) => {
  const { body } = await asker.post<{ records: CrmRecord[]; pagination: { total: number } }>(
    `${RECORDS}/search`,
    { filter },
  )
  expect(body.pagination.total).toBe(body.records.length)
  return body.records.map(({ data }) => data['name']).sort()
}

describe('a value', () => {
  test('is a user id or an email of a member, and is stored as the user id', async () => {
    const org = await build()
    const mia = await org.member('member')
    const deal = await create(org, {
      seller: mia.email.toUpperCase(),
      helpers: [org.userId.toUpperCase(), mia.email, mia.userId],
    })
    expect(deal.data).toEqual({ name: 'One', seller: mia.userId, helpers: [org.userId, mia.userId] })
    const patched = await org.patch<CrmRecord>(`${RECORDS}/${deal.id}`, { data: { seller: org.userId } })
    expect(patched.body.data['seller']).toBe(org.userId)
    const cleared = await org.patch<CrmRecord>(`${RECORDS}/${deal.id}`, { data: { seller: null } })
    expect(cleared.body.data).not.toHaveProperty('seller')
    const changes = (await org.events()).map((event) => event.changes?.['seller'])
    expect(changes).toEqual([undefined, { from: mia.userId, to: org.userId }, { from: org.userId, to: null }])
  })

  test('can be "me" for a signed-in user, not for an API key', async () => {
    const org = await build()
    const mia = await org.member('member')
    const data = { name: 'One', seller: 'Me', helpers: ['me'] }
    const { body } = await mia.post<CrmRecord>(RECORDS, { data })
    expect(body.data).toEqual({ name: 'One', seller: mia.userId, helpers: [mia.userId] })
    const byKey = await org.post(RECORDS, { data: { name: 'Two', seller: 'me' } })
    expectError(byKey, 'validation_error')
    expect(byKey.body['details']).toMatchObject({
      errors: [{ path: 'data.seller', message: expect.stringMatching(/user\.id or user\.email.*API key/) }],
    })
  })

  test.each([
    ['an unknown id', () => NO_SUCH, 'invalid_reference'],
    ['an unknown email', () => 'unknown@example.com', 'invalid_reference'],
    ['a name', () => 'Mia', 'invalid_reference'],
    ['a member of another organization', async () => (await service.org()).userId, 'invalid_reference'],
    ['a number', () => 5, 'invalid_type'],
    ['text with U+0000', () => 'a@b\u0000', 'invalid_text'],
    ['text with half of a surrogate pair', () => 'a@b\ud800', 'invalid_text'],
  ])('is rejected with its field and what to send: %s', async (_, value, code) => {
    const org = await build()
    const seller = await value()
    const reply = await org.post(RECORDS, { data: { name: 'One', seller } })
    expectError(reply, 'validation_error')
    const message = expect.stringMatching(code === 'invalid_text' ? /U\+0000/ : /member/)
    expect(reply.body['details']).toMatchObject({ errors: [{ path: 'data.seller', code, message }] })
    const { id } = await create(org, {})
    const patched = await org.patch(`${RECORDS}/${id}`, { data: { helpers: [org.userId, seller] } })
    expect(patched.body['details']).toMatchObject({ errors: [{ path: 'data.helpers[1]', code }] })
  })

  test('fails only its row of a bulk write if it is invalid', async () => {
    const org = await build()
    const mia = await org.member('member')
    const { id } = await create(org, {})
    const { body } = await org.post(`${RECORDS}/bulk`, {
      mode: 'upsert',
      records: [
        { data: { name: 'Two', seller: mia.email } },
        { data: { name: 'Three', seller: NO_SUCH } },
        { id, data: { seller: mia.userId } },
        { data: { name: 'Four', seller: 'a@b\u0000' } },
      ],
    })
    expect(body).toMatchObject({ created: 1, updated: 1, failed: [{ index: 1 }, { index: 3 }] })
    const filter = { attributeSlug: 'seller', operator: 'equals', value: mia.userId }
    expect(await namesOf(org, filter)).toEqual(['One', 'Two'])
  })

  test('of a former member stays in a record, and is rejected for new records', async () => {
    const org = await build()
    const mia = await org.member('member')
    const { id } = await create(org, { seller: mia.userId })
    await leave(org, mia.userId)
    const filter = { attributeSlug: 'seller', operator: 'equals', value: mia.userId }
    expect(await namesOf(org, filter)).toEqual(['One'])
    for (const seller of [mia.userId, mia.email])
      expectError(await org.post(RECORDS, { data: { name: 'Two', seller } }), 'validation_error')
    expectError(await org.patch(`${RECORDS}/${id}`, { data: { seller: mia.email } }), 'validation_error')
    expect((await org.patch(`${RECORDS}/${id}`, { data: { name: 'Same' } })).status).toBe(200)
  })

  test('of a former member is accepted if the whole record is sent back', async () => {
    const org = await build()
    const mia = await org.member('member')
    const { id, data } = await create(org, { seller: mia.userId, helpers: [mia.userId, org.userId] })
    await leave(org, mia.userId)
    expect((await org.patch<CrmRecord>(`${RECORDS}/${id}`, { data })).body.data).toEqual(data)
    const bulk = await org.post(`${RECORDS}/bulk`, {
      mode: 'upsert',
      records: [{ id, data }, { data: { name: 'Two', seller: mia.userId } }],
    })
    expect(bulk.body).toMatchObject({ created: 0, updated: 1, failed: [{ index: 1 }] })
  })

  test('of a former member of one organization is rejected in another organization', async () => {
    const [org, other] = [await build(), await build()]
    const mia = await org.member('member')
    await leave(org, mia.userId)
    const { id } = await create(other, {})
    expectError(await other.patch(`${RECORDS}/${id}`, { data: { seller: mia.userId } }), 'validation_error')
  })
})

describe.each(['few', 'many'] as const)('filters of %s records', (size) => {
  async function filled() {
    const org = await build()
    if (size === 'many') {
      const { body } = await org.get<{ id: string }>('/objects/deals')
      await indexEmptyObject(service.ctx.db, body.id, { texts: 'values', keepsMissing: true })
    }
    const mia = await org.member('member')
    await create(org, { name: 'Of Mia', seller: mia.userId })
    await create(org, { name: 'Of Olivia', seller: org.userId, helpers: [mia.userId, org.userId] })
    await create(org, { name: 'Free' })
    return { org, mia }
  }

  test('compare with user ids, and with "me" for a signed-in user', async () => {
    const { org, mia } = await filled()
    const leaf = (attributeSlug: string, operator: string, value: unknown) => ({
      attributeSlug,
      operator,
      value,
    })
    expect(await namesOf(mia, leaf('seller', 'equals', 'me'))).toEqual(['Of Mia'])
    expect(await namesOf(mia, leaf('seller', 'notEquals', 'me'))).toEqual(['Free', 'Of Olivia'])
    expect(await namesOf(mia, leaf('seller', 'in', ['me', org.userId]))).toEqual(['Of Mia', 'Of Olivia'])
    expect(await namesOf(org, leaf('seller', 'notIn', [mia.userId]))).toEqual(['Free', 'Of Olivia'])
    expect(await namesOf(org, leaf('seller', 'isEmpty', true))).toEqual(['Free'])
    expect(await namesOf(org, leaf('seller', 'isNotEmpty', true))).toEqual(['Of Mia', 'Of Olivia'])
    expect(await namesOf(mia, leaf('helpers', 'equals', 'me'))).toEqual(['Of Olivia'])
    const listed = await mia.get<{ records: CrmRecord[] }>(`${RECORDS}?filter[seller][equals]=me`)
    expect(listed.body.records.map(({ data }) => data['name'])).toEqual(['Of Mia'])
  })

  test('compare with emails, also of former members', async () => {
    const { org, mia } = await filled()
    const max = await org.member('member')
    await create(org, { name: 'Of Max', seller: max.email })
    await leave(org, max.userId)
    const leaf = (operator: string, value: unknown) => ({ attributeSlug: 'seller', operator, value })
    expect(await namesOf(org, leaf('equals', mia.email.toUpperCase()))).toEqual(['Of Mia'])
    expect(await namesOf(org, leaf('in', [mia.email, max.email]))).toEqual(['Of Max', 'Of Mia'])
    expect(await namesOf(org, { or: [leaf('isEmpty', true), leaf('equals', max.email)] })).toEqual([
      'Free',
      'Of Max',
    ])
    const listed = await org.get<{ records: CrmRecord[] }>(`${RECORDS}?filter[seller][equals]=${mia.email}`)
    expect(listed.body.records.map(({ data }) => data['name'])).toEqual(['Of Mia'])
    const filters = [leaf('equals', mia.email)]
    const ids = await mia.post<{ ids: string[] }>(`${RECORDS}/ids`, { filters })
    expect(ids.body.ids).toHaveLength(1)
    const summaries = [{ attributeSlug: 'seller', summary: 'filled' }]
    const summary = await mia.post(`${RECORDS}/summaries`, { summaries, filters })
    expect(summary.body).toMatchObject({ count: 1 })
    const groups = await mia.post(`${RECORDS}/groups`, { by: 'seller', filters })
    expect(groups.body).toMatchObject({ groups: [{ value: mia.userId, count: 1 }] })
    const file = await mia.post<string>(`${RECORDS}/export`, { columns: ['name'], filters })
    expect(file.body.trim().split(/\r?\n/)).toEqual(['Name', 'Of Mia'])
  })

  test('reject more operands than a filter may have, even 30,000', async () => {
    const { org } = await filled()
    const value = Array.from({ length: 30_000 }, (_, index) => `${index}@example.com`)
    for (const filter of [{ attributeSlug: 'seller', operator: 'in', value }, { and: value }, value])
      expectError(await org.post(`${RECORDS}/search`, { filter }), 'invalid_filter')
  })

  test('reject an email of no member, and an email of a member of another organization', async () => {
    const { org } = await filled()
    const other = await (await service.org()).member('member')
    for (const email of ['unknown@example.com', other.email]) {
      const reply = await org.get(`${RECORDS}?filter[seller][equals]=${email}`)
      expectError(reply, 'invalid_filter')
      expect(reply.body['details']).toMatchObject({
        errors: [
          {
            code: 'wrong_operand',
            message: expect.stringContaining(`no member of the organization is "${email}"`),
          },
        ],
      })
    }
  })

  test('reject "me" for an API key, and a value that is not an id', async () => {
    const { org } = await filled()
    const byKey = await org.get(`${RECORDS}?filter[seller][equals]=me`)
    expectError(byKey, 'invalid_filter')
    expect(byKey.body['details']).toMatchObject({
      errors: [
        { path: 'filter[seller][equals]', code: 'wrong_operand', message: expect.stringMatching(/API key/) },
      ],
    })
    const other = await org.get(`${RECORDS}?filter[seller][equals]=Mia`)
    expect(other.body['details']).toMatchObject({ errors: [{ message: expect.stringMatching(/user\.id/) }] })
  })

  test('are not needed to group records by member', async () => {
    const { org, mia } = await filled()
    const { body } = await mia.post<{ groups: { value: string | null; count: number }[] }>(
      `${RECORDS}/groups`,
      { by: 'seller' },
    )
    const counts = new Map(body.groups.map(({ value, count }) => [value, count]))
    expect(counts).toEqual(
      new Map([
        [mia.userId, 1],
        [org.userId, 1],
        [null, 1],
      ]),
    )
  })
})

test('a report groups by members, with their names, and rejects a filter by "me"', async () => {
  const org = await build()
  const mia = await org.member('member')
  await create(org, { name: 'Of Mia', seller: mia.userId })
  await create(org, { name: 'Free' })
  const report = {
    source: { objectId: 'deals', alias: 'deal' },
    groupBy: [{ key: 'seller', field: 'deal.seller' }],
    measures: [{ key: 'count', op: 'count' as const }],
  }
  const { columns, rows } = await resultsOf(service.ctx, org, report)
  expect(columns[0]).toEqual({
    key: 'seller',
    label: 'Seller',
    type: 'member',
    role: 'dimension',
    attributeId: expect.any(String),
  })
  expect(rows).toContainEqual({ seller: { id: mia.userId, name: 'Mia Member' }, count: 1 })
  const listed = await resultsOf(service.ctx, org, {
    source: report.source,
    columns: [{ key: 'seller', field: 'deal.seller' }],
    sort: [{ key: 'seller', order: 'asc' }],
  })
  expect(listed.rows).toEqual([{ seller: { id: mia.userId, name: 'Mia Member' } }, { seller: null }])
  const problemsOf = async (more: object) => {
    const definition = { name: 'Sellers', ...report, ...more }
    const { body } = await mia.post<{ problems: object[] }>('/reports/check', { definition })
    return body.problems
  }
  expect(await problemsOf({})).toEqual([])
  const byEmail = { field: 'deal.seller', operator: 'equals' as const, value: mia.email }
  const found = await resultsOf(service.ctx, org, { ...report, filters: byEmail })
  expect(found.rows).toEqual([{ seller: { id: mia.userId, name: 'Mia Member' }, count: 1 }])
  const filters = { field: 'deal.seller', operator: 'equals', value: 'me' }
  expect(await problemsOf({ filters })).toMatchObject([{ path: 'filters.value', code: 'wrong_operand' }])
  const joins = [{ alias: 'member', via: 'deal.seller' }]
  expect(await problemsOf({ joins })).toMatchObject([{ path: 'joins[0].via', code: 'not_a_reference' }])
})

test('an import reads members by email, and fails rows with an email of no member', async () => {
  const org = await build()
  const mia = await org.member('member')
  const text = `Name,Seller\nOne,${mia.email.toUpperCase()}\nTwo,x@example.com\n`
  const path = '/objects/deals/imports?fileName=deals.csv'
  const check = { text, path, mapping: mapping('name', 'seller') }
  expect(await checked(service, mia, check)).toMatchObject({ progress: { created: 1, failed: 1 } })
  expect(await imported(service, mia, check)).toMatchObject({ progress: { created: 1, failed: 1 } })
  const filter = { attributeSlug: 'seller', operator: 'equals', value: 'me' }
  expect(await namesOf(mia, filter)).toEqual(['One'])
  const body = { columns: ['name', 'seller'] }
  const file = await mia.post<string>('/objects/deals/records/export', body)
  expect(file.body).toContain(`One,${mia.email}`)
})

test('a workflow step sets a member, and workflow conditions compare user ids, but reject "me"', async () => {
  const org = await build()
  const mia = await org.member('member')
  const condition = (value: string) => ({ attributeSlug: 'seller', operator: 'equals', value })
  const definition = (value: string) => ({
    trigger: 'record/created' as const,
    triggerConfig: { objectId: 'deals', filter: condition(value) },
    steps: [
      step('update_record', {
        object: 'deals',
        recordId: '{{trigger.recordId}}',
        data: { helpers: mia.email },
      }),
    ],
  })
  for (const named of [mia.userId, mia.email]) {
    await insertWorkflow(service.ctx, org, definition(named))
    const { id } = await create(org, { seller: mia.userId })
    await create(org, { seller: org.userId })
    await service.runWorkflows()
    const { body } = await org.get<CrmRecord>(`${RECORDS}/${id}`)
    expect(body.data['helpers']).toEqual([mia.userId])
    expect(await namesOf(org, { attributeSlug: 'helpers', operator: 'isEmpty', value: true })).toEqual([
      'One',
    ])
    await service.ctx.db.run(sql`delete from workflows where org = ${org.org}`)
    await service.ctx.db.run(sql`delete from records where org = ${org.org}`)
  }
  const valid = await mia.post<{ problems: unknown[] }>('/workflow-check', {
    definition: definition(mia.email),
  })
  expect(valid.body).toMatchObject({ problems: [] })
  const { body: check } = await mia.post('/workflow-check', { definition: definition('me') })
  expect(JSON.stringify(check)).toContain('or a workflow')
})

test('a reference attribute requires the object that it refers to, and cannot refer to members', async () => {
  const org = await service.org()
  const attempt = async (input: object) => {
    const reply = await org.post('/objects/deals/attributes', { name: 'X', ...input })
    expectError(reply, 'validation_error')
    return reply.body['details']
  }
  for (const config of [{ target: 'members' }, {}])
    expect(await attempt({ type: 'reference', config })).toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ path: 'config.allowed_object_id' })]),
    })
  const both = { target: 'members', allowed_object_id: NO_SUCH }
  expect(await attempt({ type: 'reference', config: both })).toMatchObject({
    errors: [{ path: 'config.target' }],
  })
  expect(await attempt({ type: 'member', config: { target: 'members' } })).toMatchObject({
    errors: [{ path: 'config', code: 'not_allowed' }],
  })
})
