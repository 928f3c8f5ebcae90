import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { purgeObject } from '../model/objects/purge.ts'
import type { SignedInMember } from '../test/dashboard-client.ts'
import { bodyOf, expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'

const service = await sharedTestService()
const VIEWS = '/objects/deals/views'
const state = {
  version: 1,
  columns: [
    { slug: 'name', width: 200 },
    { slug: 'stage', isHidden: true, summary: 'filled' },
  ],
}
const sorted = { ...state, sort: { field: 'amount', order: 'desc' } }
const whole = {
  ...sorted,
  filter: { and: [{ attributeSlug: 'stage', operator: 'equals', value: 'Won' }] },
  thenBy: [{ field: 'close_date', order: 'asc' }],
  search: 'acme',
  rowHeight: 'compact',
  board: { groupBy: 'stage', sumOf: 'amount' },
}

interface Body {
  id: string
  name: string
}

const create = async (who: SignedInMember, input: object = {}): Promise<string> =>
  bodyOf(await who.post<Body>(VIEWS, { name: 'View', state, ...input }), 201).id

const names = async (who: SignedInMember) =>
  (await who.get<{ views: Body[] }>(VIEWS)).body.views.map(({ name }) => name)

describe('POST /objects/:objectId/views', () => {
  test('stores the whole view', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    const deals = await org.get('/objects/deals')
    const input = { name: 'Pipeline', kind: 'board', isShared: true, state: whole }
    const body = bodyOf(await mia.post(VIEWS, input), 201)
    expect(body).toEqual({
      id: expect.any(String),
      objectId: deals.body['id'],
      ...input,
      createdBy: { id: mia.userId, name: 'Mia Member', email: mia.email },
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    })
    expect((await mia.get(VIEWS)).body).toMatchObject({ views: [body] })
  })

  test('sorts by parts of values', async () => {
    const mia = await (await service.org()).member('member')
    const parts = {
      ...{ version: 1, columns: [] },
      ...{ sort: { field: 'name.lastName', order: 'asc' } },
      thenBy: [{ field: 'name.firstName', order: 'desc' }],
    }
    const { status, body } = await mia.post('/objects/people/views', { name: 'By last name', state: parts })
    expect([status, body]).toMatchObject([201, { state: parts }])
  })

  test.each([
    [
      'state.sort.field: invalid_sort',
      { name: 'x', state: { ...state, sort: { field: 'amount.size', order: 'asc' } } },
    ],
    ['state: required', { name: 'x' }],
    ['name: minLength', { name: '', state }],
    ['name: maxLength', { name: 'x'.repeat(101), state }],
    ['name: invalid_text', { name: 'a\u0000', state }],
    ['state.version: enum', { name: 'x', state: { ...state, version: 2 } }],
    ['state.color: unknown_field', { name: 'x', state: { ...state, color: 'red' } }],
    [
      'state.columns[1]: duplicate',
      { name: 'x', state: { ...state, columns: [{ slug: 'a' }, { slug: 'a' }] } },
    ],
    [
      'state.columns[0].summary: not_allowed',
      { name: 'x', state: { ...state, columns: [{ slug: 'name', summary: 'sum' }] } },
    ],
    ['state.board: required', { name: 'x', kind: 'board', state }],
    ['state.board.groupBy: wrong_type', { name: 'x', state: { ...state, board: { groupBy: 'name' } } }],
    [
      'state.board.sumOf: unknown_attribute',
      { name: 'x', state: { ...state, board: { groupBy: 'stage', sumOf: 'x' } } },
    ],
    [
      'state.sort.field: invalid_sort',
      { name: 'x', state: { ...state, sort: { field: 'company', order: 'asc' } } },
    ],
    [
      'state.thenBy[0].field: invalid_sort',
      { name: 'x', state: { ...sorted, thenBy: [{ field: 'company', order: 'asc' }] } },
    ],
    [
      'state.thenBy[1].field: invalid_sort',
      {
        name: 'x',
        state: { ...sorted, thenBy: ['stage', 'amount'].map((field) => ({ field, order: 'asc' })) },
      },
    ],
    ['state.thenBy: minItems', { name: 'x', state: { ...sorted, thenBy: [] } }],
    [
      'state.thenBy: maxItems',
      {
        name: 'x',
        state: {
          ...sorted,
          thenBy: ['stage', 'name', 'close_date'].map((field) => ({ field, order: 'asc' })),
        },
      },
    ],
    [
      'state.sort: required',
      {
        name: 'x',
        state: { version: 1, columns: [], thenBy: [{ field: 'stage', order: 'asc' }] },
      },
    ],
    [
      'state.filter.or[0]: unknown_attribute',
      {
        name: 'x',
        state: { ...state, filter: { or: [{ attributeSlug: 'x', operator: 'equals', value: '1' }] } },
      },
    ],
  ])('refuses: %s', async (problem, input) => {
    const mia = await (await service.org()).member('member')
    const { status, body } = await mia.post(VIEWS, input)
    expect(status).toBe(400)
    const { errors } = body['details'] as { errors: { path: string; code: string }[] }
    expect(errors.map(({ path, code }) => `${path}: ${code}`)).toEqual([problem])
  })

  test('allows at most 200 views per user and object', async () => {
    const org = await service.org()
    const [mia, max] = await org.members('member', 'member')
    const id = await create(mia)
    await service.ctx.db.run(sql`
      insert into views (org, id, obj, name, kind, is_shared, state, created_by)
      select org, uuidv7(), obj, name, kind, is_shared, state, created_by
      from views, generate_series(1, 199) where org = ${org.org} and id = ${id}`)
    const reply = await mia.post(VIEWS, { name: 'One more', state })
    expectError(reply, 'validation_error')
    expect(reply.body['message']).toContain('200 views')
    await create(max)
  })
})

describe('GET /objects/:objectId/views', () => {
  test('lists own and shared views, by name', async () => {
    const org = await service.org()
    const [mia, max] = await org.members('member', 'owner')
    await create(mia, { name: 'mine' })
    await create(max, { name: 'Shared', isShared: true })
    await create(max, { name: 'hidden' })
    expect(await names(mia)).toEqual(['mine', 'Shared'])
    expect(await names(max)).toEqual(['hidden', 'Shared'])
    const zoe = await (await service.org()).member('owner')
    expect(await names(zoe)).toEqual([])
    expectError(await zoe.get('/objects/nothing/views'), 'not_found')
  })

  test('deleting an object deletes its views', async () => {
    const org = await service.org()
    const olivia = await org.member('owner')
    await olivia.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
    const input = { name: 'All', state: { version: 1, columns: [] } }
    await olivia.post('/objects/projects/views', input)
    await olivia.delete('/objects/projects')
    expectError(await olivia.post('/objects/projects/views', input), 'not_found')
    expectError(await olivia.get('/objects/projects/views'), 'not_found')
    const { db } = service.ctx
    const object = await db.one<{ org: number; obj: number }>(
      sql`select org, obj from objects where org = ${org.org} and deleted_at is not null`,
    )
    await expect.poll(() => purgeObject(service.ctx, object, AbortSignal.timeout(20_000))).toBe(true)
    expect(await db.many(sql`select id from views where org = ${org.org}`)).toEqual([])
  })
})

describe('PATCH /objects/:objectId/views/:viewId', () => {
  test('changes the sent fields', async () => {
    const mia = await (await service.org()).member('member')
    const id = await create(mia)
    const patch = { name: 'Board', kind: 'board', state: whole }
    const body = bodyOf(await mia.patch(`${VIEWS}/${id}`, patch))
    expect(body).toMatchObject({ id, isShared: false, ...patch })
    expectError(await mia.patch(`${VIEWS}/${id}`, { state: { version: 1 } }), 'validation_error')
    expectError(await mia.patch(`${VIEWS}/${id}`, { state }), 'validation_error')
  })

  test('renames a view that uses a deleted attribute', async () => {
    const olivia = await (await service.org()).member('owner')
    const { body } = await olivia.post<Body>('/objects/deals/attributes', { name: 'Seats', type: 'number' })
    const id = await create(olivia, { state: { ...state, sort: { field: 'seats', order: 'asc' } } })
    await olivia.delete(`/objects/deals/attributes/${body.id}`)
    expect((await olivia.patch(`${VIEWS}/${id}`, { name: 'Renamed' })).status).toBe(200)
  })

  test('lets the creator, admins and owners change shared views, and only the creator personal ones', async () => {
    const org = await service.org()
    const [mia, max, admin] = await org.members('member', 'member', 'admin')
    const shared = await create(mia, { isShared: true })
    const personal = await create(mia)
    for (const [who, id, status] of [
      [mia, shared, 200],
      [admin, shared, 200],
      [max, shared, 403],
      [mia, personal, 200],
      [admin, personal, 404],
    ] as const)
      expect((await who.patch(`${VIEWS}/${id}`, { name: 'New' })).status).toBe(status)
    expectError(await max.delete(`${VIEWS}/${shared}`), 'insufficient_role')
    expectError(await admin.delete(`${VIEWS}/${personal}`), 'not_found')
    expect((await admin.delete(`${VIEWS}/${shared}`)).body).toEqual({ id: shared, deleted: true })
    expect(await names(mia)).toEqual(['New'])
  })

  test('returns not_found for a view of another object or organization, and for an invalid id', async () => {
    const mia = await (await service.org()).member('owner')
    const zoe = await (await service.org()).member('owner')
    const id = await create(zoe, { isShared: true })
    for (const path of [`${VIEWS}/${id}`, `${VIEWS}/x`]) {
      expectError(await mia.patch(path, { name: 'x' }), 'not_found')
      expectError(await mia.delete(path), 'not_found')
    }
    expectError(await zoe.patch(`/objects/people/views/${id}`, { name: 'x' }), 'not_found')
  })
})

describe('an API key', () => {
  test('reads shared views and views of its creator, and changes any of them', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    const shared = await create(mia, { name: 'Shared', isShared: true })
    await create(mia, { name: 'Personal' })
    const own = await org.post(VIEWS, { name: 'Own', state })
    const { body } = await org.get<{ views: Body[] }>(VIEWS)
    expect(body.views.map(({ name }) => name)).toEqual(['Own', 'Shared'])
    expect(own.body['createdBy']).toMatchObject({ id: org.userId })
    const renamed = await org.patch<Body>(`${VIEWS}/${shared}`, { name: 'Everyone' })
    expect(renamed.body.name).toBe('Everyone')
    expect(await names(mia)).toEqual(['Everyone', 'Personal'])
  })

  test('does not overwrite a view that changed since it was read', async () => {
    const org = await service.org()
    const made = await org.post<Body>(VIEWS, { name: 'First', state })
    const path = `${VIEWS}/${made.body.id}`
    const { headers } = await org.get(path)
    const ifMatch = { 'if-match': String(headers['etag']) }
    expect((await org.patch(path, { name: 'Second' }, ifMatch)).status).toBe(200)
    expectError(await org.patch(path, { name: 'Third' }, ifMatch), 'precondition_failed')
    expectError(await org.delete(path, undefined, ifMatch), 'precondition_failed')
    expect((await org.get<Body>(path)).body.name).toBe('Second')
  })
})
