import { describe, expect, test } from 'vitest'
import { buildTestService } from '../../test/build-app.ts'
import { bodyOf, createRecord, expectError } from '../../test/factories.ts'
import { insertWorkflow, step } from '../../workflows/workflow.fixture.ts'

const NO_SUCH = '0198c0de-0000-7000-8000-000000000001'

const service = await buildTestService()

interface Entry {
  id: string
  type: string
  at: string
  actor: { id: string } | null
  apiKey: { id: string; name: string | null } | null
  changes: Record<string, { from: unknown; to: unknown }> | null
}
interface History {
  entries: Entry[]
  pagination: { nextCursor?: string }
}

describe('GET /objects/:objectId/records/:recordId/history', () => {
  test('lists each change with its author, newest first', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    const { id } = await createRecord(mia, 'people', { name: 'Ada', job_title: 'Countess' })
    await org.patch(`/objects/people/records/${id}`, { data: { job_title: null, email: 'ada@example.com' } })
    const body = bodyOf(await mia.get<History>(`/objects/people/records/${id}/history`))
    const at = expect.stringMatching(/Z$/)
    expect(body).toEqual({
      pagination: { total: 2, limit: 50, offset: 0 },
      entries: [
        {
          id: expect.any(String),
          recordId: id,
          type: 'record.updated',
          version: 2,
          at,
          actor: { id: org.userId, name: 'Olivia Owner', email: `owner-${org.userId}@example.com` },
          apiKey: { id: org.keyId, name: 'test' },
          workflow: null,
          changes: {
            email: { from: null, to: 'ada@example.com' },
            job_title: { from: 'Countess', to: null },
          },
          restores: null,
          mergedIds: null,
        },
        {
          id: expect.any(String),
          recordId: id,
          type: 'record.created',
          version: 1,
          at,
          actor: { id: mia.userId, name: 'Mia Member', email: mia.email },
          apiKey: null,
          workflow: null,
          changes: null,
          restores: null,
          mergedIds: null,
        },
      ],
    })
  })

  test('names the workflow that made a change', async () => {
    const org = await service.org()
    const onCreation = { trigger: 'record/created' as const, triggerConfig: { objectId: 'people' } }
    const config = { object: 'people', recordId: '{{trigger.recordId}}', data: { job_title: 'Countess' } }
    const flow = await insertWorkflow(service.ctx, org, {
      ...onCreation,
      steps: [step('update_record', config)],
    })
    const { body: made } = await org.post<{ id: string }>('/objects/people/records', {
      data: { name: 'Ada' },
    })
    await service.runWorkflows()
    const { body } = await org.get<History>(`/objects/people/records/${made.id}/history`)
    const workflow = { id: flow.id, name: flow.name }
    expect(body.entries).toMatchObject([{ actor: { id: org.userId }, workflow }, { workflow: null }])
  })

  test('returns pages', async () => {
    const mia = await (await service.org()).member('member')
    const { id } = await createRecord(mia, 'people', { name: 'Ada' })
    for (const title of ['1', '2', '3', '4'])
      await mia.patch(`/objects/people/records/${id}`, { data: { job_title: title } })
    const path = `/objects/people/records/${id}/history`
    const all = (await mia.get<History>(path)).body.entries
    const paged: Entry[] = []
    let query = '?limit=2'
    for (;;) {
      const { body } = await mia.get<History>(`${path}${query}`)
      paged.push(...body.entries)
      expect(body).toMatchObject(body.pagination.nextCursor ? { nextCursor: body.pagination.nextCursor } : {})
      if (!body.pagination.nextCursor) break
      query = `?limit=2&cursor=${body.pagination.nextCursor}`
    }
    expect(all).toHaveLength(5)
    expect(paged).toEqual(all)
    const other = await createRecord(mia, 'people', { name: 'Bob' })
    expectError(await mia.get(`/objects/people/records/${other.id}/history${query}`), 'invalid_parameter')
    expectError(await mia.get(`${path}?limit=0`), 'invalid_parameter')
  })

  test('keeps every digit, and omits changes of deleted attributes', async () => {
    const org = await service.org()
    const mia = await org.member('member')
    const { body } = await org.post('/objects/people/attributes', { name: 'Secret', type: 'text' })
    await org.post('/objects/people/attributes', { name: 'Exact', type: 'number' })
    const { id } = await createRecord(mia, 'people', { name: 'Ada' })
    const data = '{"data":{"exact":123456789012345678.123,"secret":"x"}}'
    await mia.patch(`/objects/people/records/${id}`, data)
    await org.delete(`/objects/people/attributes/${body['id']}`)
    const response = await service.inject({
      url: `/dashboard/api/organizations/org-${org.id}/objects/people/records/${id}/history`,
      headers: { cookie: mia.cookie },
    })
    expect(response.payload).toContain('"to": 123456789012345678.123')
    expect(response.payload).not.toContain('secret')
  })

  test('returns not_found for a missing record, and for a record of another object or organization', async () => {
    const mia = await (await service.org()).member('member')
    const zoe = await (await service.org()).member('member')
    const theirs = await createRecord(zoe, 'people', { name: 'Ada' })
    const acme = await createRecord(mia, 'companies', { name: 'Acme' })
    for (const path of [
      `/objects/people/records/${NO_SUCH}/history`,
      '/objects/people/records/ada/history',
      `/objects/people/records/${acme.id}/history`,
      `/objects/people/records/${theirs.id}/history`,
      `/objects/${theirs.objectId}/records/${theirs.id}/history`,
    ])
      expectError(await mia.get(path), 'not_found')
  })
})
