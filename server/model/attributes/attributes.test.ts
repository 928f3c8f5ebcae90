import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { type Body, BUDGET, buildProjects, create, iso, list } from './projects.fixture.ts'
import { setAttributeActive } from './service.ts'

const service = await sharedTestService()
const authorOf = ({ org }: Pick<Org, 'org'>) => ({ org, userId: null, keyId: null })

describe('GET /objects/:objectId/attributes', () => {
  test('lists active attributes by displayOrder, and inactive ones on request', async () => {
    const { org, objectId } = await buildProjects(service)
    expect(await list(org)).toEqual([])
    const budget = await create(org)
    const phase = await create(org, { name: 'Phase', type: 'text' })
    await setAttributeActive(service.ctx, authorOf(org), {
      objectId,
      attributeId: budget.body.id,
      isActive: false,
    })
    expect(await list(org)).toEqual([phase.body])
    expect(await list(org, '?includeInactive=false')).toEqual([phase.body])
    expect(await list(org, '?includeInactive=true')).toEqual([
      { ...budget.body, isActive: false, updatedAt: iso },
      phase.body,
    ])
  })

  test.each(['?includeInactive=yes', '?inactive=true'])('refuses %s', async (query) => {
    const { org } = await buildProjects(service)
    expectError(await org.get(`/objects/projects/attributes${query}`), 'invalid_parameter')
  })
})

describe('GET /objects/:objectId/attributes/:attributeId', () => {
  test('returns an attribute, even if it is inactive', async () => {
    const { org, objectId } = await buildProjects(service)
    const { body, headers } = await create(org)
    const read = await org.get(`/objects/projects/attributes/${body.id}`)
    expect(read.body).toEqual(body)
    expect(read.headers['etag']).toBe(headers['etag'])
    await setAttributeActive(service.ctx, authorOf(org), { objectId, attributeId: body.id, isActive: false })
    const inactive = await org.get(`/objects/${objectId}/attributes/${body.id}`)
    expect(inactive.body).toMatchObject({ id: body.id, isActive: false })
  })

  test('returns not_found under another object, and for a text that is neither an id nor a slug', async () => {
    const { org } = await buildProjects(service)
    const { body } = await create(org)
    for (const name of [body.id, 'budget', 'Budget', '%00', 'no slug'])
      expectError(await org.get(`/objects/people/attributes/${name}`), 'not_found')
  })

  test('accepts a slug instead of the id in every path', async () => {
    const { org } = await buildProjects(service)
    const { body } = await create(org, { name: 'Phase', type: 'select', config: { options: ['Planned'] } })
    const path = '/objects/projects/attributes/phase'
    const options = '/objects/projects/select-attributes/phase'
    expect((await org.get(path)).body).toEqual(body)
    expect((await org.patch(path, { name: 'Stage' })).body).toMatchObject({ id: body.id, name: 'Stage' })
    expect((await org.get(options)).body).toMatchObject({ options: [{ value: 'Planned' }] })
    const changed = await org.patch(options, { options: [{ value: 'Planned' }, { value: 'Done' }] })
    expect(changed.body).toMatchObject({ config: { options: ['Planned', 'Done'] } })
    expect((await org.delete(path)).body).toEqual({ id: body.id, deleted: true })
    const trash = '/objects/projects/trashed-attributes'
    const restored = await org.post(`${trash}/phase/restore`)
    expect(restored.body).toMatchObject({ attribute: { id: body.id, slug: 'phase' } })
    await org.delete(path)
    expect((await org.delete(`${trash}/phase`)).body).toEqual({ id: body.id, deleted: true })
    expectError(await org.post(`${trash}/phase/restore`), 'not_found')
  })

  test('a slug in the trash means the last deleted attribute that had it', async () => {
    const { org } = await buildProjects(service)
    const older = await create(org, { name: 'Phase', type: 'text' })
    await org.delete('/objects/projects/attributes/phase')
    const newer = await create(org, { name: 'Phase', type: 'number' })
    await org.delete('/objects/projects/attributes/phase')
    const restore = (body: object) => org.post('/objects/projects/trashed-attributes/phase/restore', body)
    expect((await restore({})).body).toMatchObject({ attribute: { id: newer.body.id } })
    expect((await restore({ slug: 'old_phase' })).body).toMatchObject({ attribute: { id: older.body.id } })
  })
})

describe('PATCH /objects/:objectId/attributes/:attributeId', () => {
  test('changes the name only', async () => {
    const { org } = await buildProjects(service)
    const { body, headers } = await create(org)
    const path = `/objects/projects/attributes/${body.id}`
    const renamed = await org.patch(path, { name: 'Cost' })
    expect(renamed.status).toBe(200)
    expect(renamed.body).toEqual({ ...body, name: 'Cost', updatedAt: iso })
    expect(renamed.headers['etag']).not.toBe(headers['etag'])
    const same = await org.patch(path, { name: 'Cost' })
    expect(same.body).toEqual(renamed.body)
    expect(same.headers['etag']).toBe(renamed.headers['etag'])
  })

  test.each([
    { slug: 'x' },
    { name: 'x', type: 'text' },
    { name: '' },
    { name: '\u0000' },
    { isActive: false },
  ])('refuses %j', async (patch) => {
    const { org } = await buildProjects(service)
    const { body } = await create(org)
    expectError(await org.patch(`/objects/projects/attributes/${body.id}`, patch), 'validation_error')
  })

  test('refuses a stale If-Match', async () => {
    const { org } = await buildProjects(service)
    const { body, headers } = await create(org)
    const path = `/objects/projects/attributes/${body.id}`
    const ifMatch = { 'if-match': String(headers['etag']) }
    expect((await org.patch(path, { name: 'Cost' }, ifMatch)).status).toBe(200)
    expectError(await org.patch(path, { name: 'Price' }, ifMatch), 'precondition_failed')
    expectError(await org.delete(path, undefined, ifMatch), 'precondition_failed')
  })

  test('changes the ETag of the object', async () => {
    const { org } = await buildProjects(service)
    const { body } = await create(org)
    const before = await org.get('/objects/projects')
    await org.patch(`/objects/projects/attributes/${body.id}`, { name: 'Cost' })
    const after = await org.get('/objects/projects')
    expect(after.headers['etag']).not.toBe(before.headers['etag'])
    expect(after.body['updatedAt']).toBe(before.body['updatedAt'])
  })
})

describe('built-in attributes of standard objects', () => {
  test.each(['people', 'companies', 'deals'])('of %s cannot be changed or deleted', async (slug) => {
    const org = await service.org()
    const { body } = await org.get<{ attributes: Body[] }>(`/objects/${slug}/attributes`)
    for (const { id } of body.attributes) {
      expectError(await org.patch(`/objects/${slug}/attributes/${id}`, { name: 'x' }), 'standard_object')
      expectError(await org.delete(`/objects/${slug}/attributes/${id}`), 'standard_object')
    }
  })
})

describe('DELETE /objects/:objectId/attributes/:attributeId', () => {
  test('removes the values, gives records their next version, and frees the slug', async () => {
    const { org } = await buildProjects(service)
    const { body } = await create(org, { ...BUDGET, isUnique: true })
    const phone = await create(org, { name: 'Phone', type: 'phone_number' })
    await create(org, { name: 'Title', type: 'text' })
    const data = { budget: 5, phone: '+1 555 867 5309', title: 'A' }
    const record = await org.post<{ id: string }>('/objects/projects/records', { data })
    const events = await org.events()
    const deleted = await org.delete(`/objects/projects/attributes/${body.id}`)
    expect(deleted.status).toBe(200)
    expect(deleted.body).toEqual({ id: body.id, deleted: true })
    await org.delete(`/objects/projects/attributes/${phone.body.id}`)
    const read = await org.get(`/objects/projects/records/${record.body.id}`)
    const { updatedAt } = read.body
    expect(read.body).toEqual({ ...record.body, data: { title: 'A' }, version: 3, updatedAt })
    expect(read.headers['etag']).not.toBe(record.headers['etag'])
    expect((await org.events()).slice(events.length)).toMatchObject([
      { data: { phone: data.phone, title: 'A' }, changes: { budget: { from: 5, to: null } } },
      { data: { title: 'A' }, changes: { phone: { from: expect.anything(), to: null } } },
    ])
    expect(
      await service.ctx.db.many(sql`select data, comparable from records where org = ${org.org}`),
    ).toEqual([{ data: { title: 'A' }, comparable: null }])
    expect(await service.ctx.db.many(sql`select id from uniques where org = ${org.org}`)).toEqual([])
    expectError(await org.get(`/objects/projects/attributes/${body.id}`), 'not_found')
    expectError(await org.delete(`/objects/projects/attributes/${body.id}`), 'not_found')
    const again = await create(org, { name: 'Budget', type: 'text' })
    expect(again.body.slug).toBe('budget')
    expect((await org.get(`/objects/projects/records/${record.body.id}`)).body['data']).toEqual({
      title: 'A',
    })
  })

  test('removes the links of a reference attribute', async () => {
    const { org, objectId } = await buildProjects(service)
    const config = { allowed_object_id: objectId }
    const { body } = await create(org, { name: 'Parts', type: 'reference', isList: true, config })
    const part = await org.post<{ id: string }>('/objects/projects/records', { data: {} })
    const whole = await org.post<{ id: string }>('/objects/projects/records', {
      data: { parts: [part.body.id] },
    })
    expect(whole.status).toBe(201)
    await org.delete(`/objects/projects/attributes/${body.id}`)
    expect(await service.ctx.db.many(sql`select id from links where org = ${org.org}`)).toEqual([])
    expect((await org.delete(`/objects/projects/records/${part.body.id}`)).status).toBe(200)
    expect((await org.get(`/objects/projects/records/${whole.body.id}`)).body).toMatchObject({
      data: {},
      version: 2,
    })
  })

  test('with an Idempotency-Key only hides the values: the slug is free once they are removed', async () => {
    const { org } = await buildProjects(service)
    const { body } = await create(org)
    const record = await org.post<{ id: string }>('/objects/projects/records', { data: { budget: 5 } })
    await org.delete(`/objects/projects/attributes/${body.id}`, undefined, { 'idempotency-key': 'k' })
    expect((await org.get(`/objects/projects/records/${record.body.id}`)).body['data']).toEqual({})
    const stored = sql`select data from records where org = ${org.org}`
    expect(await service.ctx.db.many(stored)).toEqual([{ data: { budget: 5 } }])
    expect((await create(org)).body.slug).toBe('budget')
    expect(await service.ctx.db.many(stored)).toEqual([{ data: {} }])
  })
})

describe('setAttributeActive', () => {
  test('hides the values of an inactive attribute and shows them again', async () => {
    const { org, objectId } = await buildProjects(service)
    const { body } = await create(org)
    const record = await org.post<{ id: string }>('/objects/projects/records', { data: { budget: 5 } })
    const path = `/objects/projects/records/${record.body.id}`
    const change = { objectId, attributeId: body.id }
    const off = await setAttributeActive(service.ctx, authorOf(org), { ...change, isActive: false })
    expect(off).toMatchObject({ id: body.id, isActive: false })
    expect((await org.get(path)).body).toMatchObject({ version: 2, data: {} })
    expect((await org.get('/objects/projects')).body['attributes']).toEqual([])
    expectError(await org.post('/objects/projects/records', { data: { budget: 1 } }), 'validation_error')
    await setAttributeActive(service.ctx, authorOf(org), { ...change, isActive: true })
    expect((await org.get(path)).body).toMatchObject({ version: 3, data: { budget: 5 } })
  })

  test('responses to writes do not contain the values of an inactive attribute', async () => {
    const { org, objectId } = await buildProjects(service)
    const { body } = await create(org)
    await create(org, { name: 'Title', type: 'text' })
    const record = await org.post<{ id: string }>('/objects/projects/records', { data: { budget: 5 } })
    const path = `/objects/projects/records/${record.body.id}`
    const change = { objectId, attributeId: body.id }
    await setAttributeActive(service.ctx, authorOf(org), { ...change, isActive: false })
    // The first request changes the record, the second has no effect.
    for (const _ of [1, 2])
      expect((await org.patch(path, { data: { title: 'T' } })).body['data']).toEqual({ title: 'T' })
    await setAttributeActive(service.ctx, authorOf(org), { ...change, isActive: true })
    expect((await org.get(path)).body['data']).toEqual({ title: 'T', budget: 5 })
  })

  test('an inactive attribute may be deleted', async () => {
    const { org, objectId } = await buildProjects(service)
    const { body } = await create(org)
    await setAttributeActive(service.ctx, authorOf(org), { objectId, attributeId: body.id, isActive: false })
    expect((await org.delete(`/objects/projects/attributes/${body.id}`)).status).toBe(200)
    const hidden = sql`select hidden_slugs as slugs from objects where org = ${org.org} and id = ${objectId}`
    expect(await service.ctx.db.one(hidden)).toEqual({ slugs: [] })
  })

  test.each([
    ['name', false],
    ['email', true],
  ])('built-in %s may be switched off: %s', async (slug, isAllowed) => {
    const org = await service.org()
    const { body } = await org.get<{ attributes: Body[] }>('/objects/people/attributes')
    const attributeId = body.attributes.find((one) => one.slug === slug)?.id ?? ''
    const switched = setAttributeActive(service.ctx, authorOf(org), {
      objectId: 'people',
      attributeId,
      isActive: false,
    })
    if (isAllowed) expect(await switched).toMatchObject({ isActive: false })
    else await expect(switched).rejects.toMatchObject({ code: 'standard_object' })
  })
})
