// null clears optional fields in activities, objects, workflows and endpoints, as in records.
import { expect, test } from 'vitest'
import { createWorkflow } from '../workflows/service.ts'
import { expectError } from './factories.ts'
import { sharedTestService } from './shared-service.ts'

const service = await sharedTestService()

test('null clears optional fields of activities', async () => {
  const org = await service.org()
  const person = await org.post<{ id: string }>('/objects/people/records', { data: { name: 'Ada' } })
  const linkedRecords = [{ objectId: 'people', recordId: person.body.id }]
  const participants = [{ type: 'person', id: person.body.id }]
  const { body } = await org.post<{ id: string; createdAt: string }>('/activities', {
    ...{ type: 'task', title: 'Call', summary: 'Ask', activityDate: '2026-11-20T10:00:00Z' },
    ...{ completedAt: '2026-11-20T11:00:00Z', assignee: org.userId, linkedRecords, participants },
  })
  const cleared = {
    ...{ summary: null, activityDate: null, completedAt: null, assignee: null },
    ...{ linkedRecords: null, participants: null },
  }
  const empty = {
    ...{ type: 'task', title: 'Call', summary: '', completedAt: null, assignee: null },
    ...{ linkedRecords: [], participants: [] },
  }
  const patched = await org.patch(`/activities/${body.id}`, cleared)
  expect(patched).toMatchObject({ status: 200, body: { ...empty, activityDate: body.createdAt } })
  const made = await org.post('/activities', { type: 'task', title: 'Call', ...cleared })
  expect(made).toMatchObject({ status: 201, body: { ...empty, activityDate: made.body['createdAt'] } })
  for (const name of ['title', 'type'])
    expectError(await org.patch(`/activities/${body.id}`, { [name]: null }), 'validation_error')
})

test('null clears the description of objects', async () => {
  const org = await service.org()
  const projects = { pluralName: 'Projects', singularName: 'Project', description: 'What we do' }
  await org.post('/objects', projects)
  const cleared = await org.patch('/objects/projects', { description: null })
  expect(cleared).toMatchObject({ status: 200, body: { description: '' } })
  const made = await org.post('/objects', { ...projects, slug: 'others', description: null })
  expect(made).toMatchObject({ status: 201, body: { description: '' } })
})

test('null clears the description of workflows', async () => {
  const org = await service.org()
  const definition = { trigger: 'manual', steps: [] }
  const { id } = await createWorkflow(service.ctx, org, {
    name: 'A',
    definition,
    description: 'What it does',
  })
  const cleared = await org.patch(`/workflows/${id}`, { description: null })
  expect(cleared).toMatchObject({ status: 200, body: { name: 'A', description: '' } })
})

test('null clears optional fields of webhook endpoints', async () => {
  const org = await service.org()
  const endpoint = {
    url: 'http://127.0.0.1:9/hooks',
    description: 'Ours',
    headers: [{ name: 'X-Token', value: 'secret' }],
  }
  const { body } = await org.post<{ id: string }>('/webhooks/endpoints', endpoint)
  const cleared = await org.patch(`/webhooks/endpoints/${body.id}`, { description: null, headers: null })
  expect(cleared).toMatchObject({ status: 200, body: { description: '', headers: [] } })
  const made = await org.post('/webhooks/endpoints', { ...endpoint, description: null, headers: null })
  expect(made).toMatchObject({ status: 201, body: { description: '', headers: [] } })
})
