// Types of activities, tasks, and their filters.
import { describe, expect, test } from 'vitest'
import { expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { create, type List, NO_SUCH, titles } from './activities.fixture.ts'

const service = await sharedTestService()
const DONE = '2026-11-20T11:00:00.000Z'

describe('PATCH /activities/:activityId', () => {
  test('completes a task and reopens it', async () => {
    const org = await service.org()
    const { body } = await create(org, { type: 'task' })
    const at = `/activities/${body.id}`
    expect((await org.patch(at, { completedAt: '2026-11-20T12:00:00+01:00' })).body['completedAt']).toBe(DONE)
    expect((await org.patch(at, { completedAt: null })).body).toMatchObject({
      type: 'task',
      completedAt: null,
    })
  })

  test('removes the completion of a task that becomes a call', async () => {
    const org = await service.org()
    const { body } = await create(org, { type: 'task', completedAt: DONE })
    const patched = await org.patch(`/activities/${body.id}`, { type: 'call' })
    expect(patched.body).toMatchObject({ type: 'call', completedAt: null })
  })

  test('refuses to complete an activity that is not a task', async () => {
    const org = await service.org()
    const { body } = await create(org, { type: 'call' })
    const reply = await org.patch(`/activities/${body.id}`, { completedAt: DONE })
    expectError(reply, 'validation_error')
    expect(reply.body).toMatchObject({ details: { errors: [{ path: 'completedAt', code: 'not_a_task' }] } })
    const both = { type: 'task', completedAt: DONE }
    expect((await org.patch(`/activities/${body.id}`, both)).body).toMatchObject(both)
  })
})

describe('a task without a date', () => {
  test('has no due date: it is dated at its creation, and never overdue', async () => {
    const org = await service.org()
    const { body } = await create(org, { type: 'task', title: 'Some time' })
    expect(body.activityDate).toBe((body as { createdAt?: string }).createdAt)
    await create(org, { type: 'task', title: 'Late', activityDate: '2026-01-01T00:00:00Z' })
    await create(org, { type: 'task', title: 'Later', activityDate: '2126-01-01T00:00:00Z' })
    await create(org, {
      type: 'task',
      title: 'Done',
      activityDate: '2026-01-01T00:00:00Z',
      completedAt: DONE,
    })
    expect(await titles(org, '?isOverdue=true')).toEqual(['Late'])
    expect((await titles(org, '?isOverdue=false')).toSorted()).toEqual(['Done', 'Later', 'Some time'])
  })

  test('can get a due date and lose it again', async () => {
    const org = await service.org()
    const { body } = await create(org, { type: 'task' })
    const at = `/activities/${body.id}`
    await org.patch(at, { activityDate: '2026-01-01T00:00:00Z' })
    expect(await titles(org, '?isOverdue=true')).toEqual(['Call'])
    await org.patch(at, { activityDate: body.activityDate })
    expect(await titles(org, '?isOverdue=true')).toEqual([])
  })
})

describe('GET /activities', () => {
  test('filters by type, creator, span, text and open tasks', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    await create(org, { title: 'Call Ada', type: 'call', activityDate: '2026-11-20T00:00:00Z' })
    await create(org, { title: 'Open', type: 'task', activityDate: '2026-11-21T00:00:00Z' })
    await create(org, {
      title: 'Done',
      type: 'task',
      completedAt: DONE,
      activityDate: '2026-11-22T00:00:00Z',
    })
    const mine = { title: 'Mine', summary: 'About ADA 100%', activityDate: '2026-11-23T00:00:00Z' }
    expect((await mia.post('/activities', mine)).status).toBe(201)
    for (const [query, expected] of [
      ['type=call', ['Call Ada']],
      ['type=task', ['Done', 'Open']],
      ['isOpen=true', ['Open']],
      ['isOpen=false', ['Done']],
      [`createdBy=${mia.userId.toUpperCase()}`, ['Mine']],
      [`createdBy=${org.userId}&type=task&isOpen=true`, ['Open']],
      ['from=2026-11-21T00:00:00Z', ['Mine', 'Done', 'Open']],
      ['from=2026-11-21T00:00:00Z&to=2026-11-23T00:00:00Z', ['Done', 'Open']],
      ['to=2026-11-20T00:00:00Z', []],
      ['search=ada', ['Mine', 'Call Ada']],
      ['search=100%25', ['Mine']],
      ['search=%25', ['Mine']],
      ['search=absent', []],
    ] as const)
      expect([query, await titles(org, `?${query}`)]).toEqual([query, expected])
  })

  test('accepts a cursor only with its filters, in any spelling', async () => {
    const org = await service.org()
    for (const title of ['a', 'b']) await create(org, { title, activityDate: '2026-11-20T00:00:00Z' })
    const { body } = await org.get<List>('/activities?limit=1&from=2026-11-20T00:00:00Z')
    const cursor = body.pagination.nextCursor
    expect(await titles(org, `?from=2026-11-20T00:00:00.000Z&cursor=${cursor}`)).toEqual(['a'])
    expectError(await org.get(`/activities?from=2026-11-19T00:00:00Z&cursor=${cursor}`), 'invalid_parameter')
  })

  test.each([
    'type=letter',
    'isOpen=maybe',
    'createdBy=me',
    'from=today',
    'to=2026-02-30T00:00:00Z',
    'search=',
    'search=%00',
    `search=${'x'.repeat(201)}`,
  ])('refuses ?%s', async (query) => {
    const org = await service.org()
    expectError(await org.get(`/activities?${query}`), 'invalid_parameter')
  })
})

describe('the assignee of a task', () => {
  test('can be set, changed and removed, and is in events', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    const { body } = await create(org, { type: 'task', assignee: mia.userId.toUpperCase() })
    expect(body).toMatchObject({ assignee: mia.userId })
    const at = `/activities/${body.id}`
    expect((await org.patch(at, { assignee: org.userId })).body).toMatchObject({ assignee: org.userId })
    expect((await mia.patch(at, { assignee: null })).body).toMatchObject({ assignee: null })
    const events = await org.events()
    expect(events.map(({ data }) => data['assignee'])).toEqual([mia.userId, org.userId, null])
  })

  test('can be named by email, or as `me` by a signed-in user', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    const task = { type: 'task', title: 'Call', assignee: mia.email.toUpperCase() }
    const { body } = await org.post<{ id: string }>('/activities', task)
    expect(body).toMatchObject({ assignee: mia.userId })
    expect((await mia.post('/activities', { ...task, assignee: 'me' })).body).toMatchObject({
      assignee: mia.userId,
    })
    const listed = await org.get<List>(`/activities?assignee=${mia.email}&createdBy=${mia.email}`)
    expect(listed.body.pagination.total).toBe(1)
    for (const named of ['me', 'unknown@example.com', 'Mia']) {
      const reply = await org.patch(`/activities/${body.id}`, { assignee: named })
      expectError(reply, 'validation_error')
      expect(reply.body['details']).toMatchObject({
        errors: [{ path: 'assignee', message: expect.stringMatching(/user id|user\.id/) }],
      })
      expectError(await org.get(`/activities?createdBy=${named}`), 'invalid_parameter')
    }
  })

  test('is removed when the task changes its type', async () => {
    const org = await service.org()
    const { body } = await create(org, { type: 'task', assignee: org.userId })
    const patched = await org.patch(`/activities/${body.id}`, { type: 'call' })
    expect(patched.body).toMatchObject({ type: 'call', assignee: null })
  })

  test.each(['a member of another organization', 'no user'])('cannot be %s', async (who) => {
    const org = await service.org()
    const assignee = who === 'no user' ? NO_SUCH : (await service.org()).userId
    const reply = await org.post('/activities', { type: 'task', title: 'Call', assignee })
    expectError(reply, 'validation_error')
    expect(reply.body['details']).toMatchObject({
      errors: [{ path: 'assignee', code: 'invalid_reference', message: expect.stringMatching(/member/) }],
    })
    const { body } = await create(org, { type: 'task' })
    expectError(await org.patch(`/activities/${body.id}`, { assignee }), 'validation_error')
  })

  test('is refused for an activity that is not a task', async () => {
    const org = await service.org()
    const reply = await org.post('/activities', { type: 'call', title: 'Call', assignee: org.userId })
    expect(reply.body).toMatchObject({ details: { errors: [{ path: 'assignee', code: 'not_a_task' }] } })
  })

  test('filters the list, also as `me`', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    await create(org, { type: 'task', title: 'Of Mia', assignee: mia.userId })
    await create(org, { type: 'task', title: 'Done', assignee: mia.userId, completedAt: DONE })
    await create(org, { type: 'task', title: 'Of Olivia', assignee: org.userId })
    await create(org, { type: 'task', title: 'Free' })
    expect(await titles(org, `?assignee=${org.userId.toUpperCase()}`)).toEqual(['Of Olivia'])
    const mine = await mia.get<List>('/activities?assignee=me&isOpen=true')
    expect(mine.body.activities.map(({ title }) => title)).toEqual(['Of Mia'])
    expect(mine.body.pagination.total).toBe(1)
    const byKey = await org.get('/activities?assignee=me')
    expectError(byKey, 'invalid_parameter')
    expect(byKey.body['details']).toMatchObject({ errors: [{ path: 'assignee', code: 'wrong_operand' }] })
    expectError(await org.get('/activities?assignee=mia'), 'invalid_parameter')
  })
})
