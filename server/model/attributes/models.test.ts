import { describe, expect, test } from 'vitest'
import { buildTestService } from '../../test/build-app.ts'
import { expectError } from '../../test/factories.ts'

const service = await buildTestService()

/** An organization whose model of companies is already cached. */
async function orgWithCachedModel() {
  const org = await service.org()
  await org.post('/objects/companies/records', { data: { name: 'First' } })
  return org
}

describe('a change of the model applies to the next request', () => {
  test('if an attribute is added, in a create, a bulk write and a filter', async () => {
    for (const use of [
      { path: '/objects/companies/records', body: { data: { name: 'A', budget: 5 } }, status: 201 },
      {
        path: '/objects/companies/records/bulk',
        body: { records: [{ data: { name: 'A', budget: 5 } }] },
        status: 200,
      },
      {
        path: '/objects/companies/records/search',
        body: { filters: [{ attributeSlug: 'budget', operator: 'isEmpty', value: 'true' }] },
        status: 200,
      },
    ]) {
      const org = await orgWithCachedModel()
      await org.post('/objects/companies/attributes', { name: 'Budget', type: 'number' })
      const reply = await org.post<{ failed?: unknown[] }>(use.path, use.body)
      expect(reply.status).toBe(use.status)
      expect(reply.body.failed ?? []).toEqual([])
    }
  })

  test('if a required attribute is added or deleted, and if an object is switched off and on', async () => {
    const org = await orgWithCachedModel()
    const { body } = await org.post('/objects/companies/attributes', {
      name: 'Budget',
      type: 'number',
      isRequired: true,
    })
    expectError(await org.post('/objects/companies/records', { data: { name: 'B' } }), 'validation_error')
    await org.delete(`/objects/companies/attributes/${body['id']}`)
    expect((await org.post('/objects/companies/records', { data: { name: 'B' } })).status).toBe(201)
    const object = await org.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
    expect((await org.post('/objects/projects/records', { data: {} })).status).toBe(201)
    await org.patch(`/objects/${object.body['id']}`, { isActive: false })
    expectError(await org.post('/objects/projects/records', { data: {} }), 'object_inactive')
    await org.patch(`/objects/${object.body['id']}`, { isActive: true })
    expect((await org.post('/objects/projects/records', { data: {} })).status).toBe(201)
    await org.delete(`/objects/${object.body['id']}`)
    expectError(await org.post('/objects/projects/records', { data: {} }), 'not_found')
  })

  test('on another node, which receives no message about the change', async () => {
    const org = await orgWithCachedModel()
    const elsewhere = await service.node()
    const headers = { authorization: `Bearer ${org.key}`, 'content-type': 'application/json' }
    const create = (data: unknown) =>
      elsewhere.inject({
        method: 'POST',
        url: '/api/v1/objects/companies/records',
        headers,
        payload: JSON.stringify({ data }),
      })
    expect((await create({ name: 'There' })).statusCode).toBe(201)
    await org.post('/objects/companies/attributes', { name: 'Budget', type: 'number' })
    expect((await create({ name: 'There', budget: 7 })).statusCode).toBe(201)
  })
})

test('a request whose model is always outdated is answered with 503 and changes nothing', async () => {
  const other = await buildTestService()
  const org = await other.org()
  const { models } = other.ctx
  const get = models.get.bind(models)
  models.get = async (...asked) => ({ ...(await get(...asked)), version: -1 })
  try {
    for (const reply of [
      await org.post('/objects/companies/records', { data: { name: 'A' } }),
      await org.post('/objects/companies/records/bulk', { records: [{ data: { name: 'A' } }] }),
    ]) {
      expectError(reply, 'unavailable')
      expect(reply.headers['retry-after']).toBe('2')
      expect(reply.body).toMatchObject({
        message: 'The object is being changed by others: try again shortly',
        details: { committed: 'no' },
      })
    }
  } finally {
    models.get = get
  }
})
