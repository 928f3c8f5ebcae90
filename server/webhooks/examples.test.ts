import { Check } from 'typebox/value'
import { expect, test } from 'vitest'
import { EVENT_BODIES } from '../../contract/event-bodies.ts'
import { EVENT_TYPES, type EventType } from '../../contract/events.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { exampleBody } from './examples.ts'

const service = await sharedTestService()
const types = Object.keys(EVENT_TYPES) as EventType[]

const occasion = {
  organizationId: '0198c0de-0000-7000-8000-00000000000a',
  id: '0198c0de-0000-7000-8000-00000000000b',
  now: new Date('2026-11-20T10:00:00.090Z'),
}

const dataOf = (type: EventType) => exampleBody(type, occasion)['data'] as Record<string, unknown>

test.each(types)('%s: the example matches the schema of its type and of no other type', (type) => {
  const body = exampleBody(type, occasion)
  const fitting = types.filter((one) => Check(EVENT_BODIES[one], body))
  expect(fitting).toEqual([type])
  expect(Object.entries(body).slice(0, 4)).toEqual([
    ['id', occasion.id],
    ['type', type],
    ['timestamp', '2026-11-20T10:00:00.090Z'],
    ['organizationId', occasion.organizationId],
  ])
})

test('the service accepts the example of a deal', async () => {
  const org = await service.org()
  const { company: _, contact: __, ...data } = dataOf('record.created')
  const created = await org.post('/objects/deals/records', { data })
  expect([created.status, created.body['data']]).toEqual([201, data])
  const attributes = await org.get<{ attributes: { slug: string }[] }>('/objects/deals')
  expect(attributes.body.attributes.map(({ slug }) => slug)).toEqual(
    expect.arrayContaining(Object.keys(dataOf('record.updated'))),
  )
})

test('the example of an activity has the fields of an activity', async () => {
  const org = await service.org()
  const created = await org.post('/activities', { title: 'Call' })
  expect(created.status).toBe(201)
  expect(Object.keys(dataOf('activity.created')).sort()).toEqual(Object.keys(created.body).sort())
})
