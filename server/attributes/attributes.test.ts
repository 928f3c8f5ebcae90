import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import { expectError, type Org } from '../test/factories.ts'
import { setAttributeActive } from './service.ts'

const service = await buildTestService()

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
const NO_SUCH = '0198c0de-0000-7000-8000-000000000001'
const BUDGET = { name: 'Budget', type: 'number' }

interface Body {
  id: string
  objectId: string
  slug: string
  isActive: boolean
  displayOrder: number
  config: unknown
}

const problems = ({ body }: { body: Record<string, unknown> }) =>
  (body['details'] as { errors: { path: string; code: string }[] }).errors.map(
    ({ path, code }) => `${path}: ${code}`,
  )

/** An organization with a custom object. */
async function buildProjects() {
  const org = await service.org()
  const { body } = await org.post<{ id: string }>('/objects', {
    pluralName: 'Projects',
    singularName: 'Project',
  })
  return { org, objectId: body.id }
}

async function create(org: Org, input: object = BUDGET, object = 'projects') {
  const reply = await org.post<Body>(`/objects/${object}/attributes`, input)
  expect(reply).toMatchObject({ status: 201 })
  return reply
}

const list = async (org: Org, query = '') => {
  const { body } = await org.get<{ attributes: Body[] }>(`/objects/projects/attributes${query}`)
  return body.attributes
}

describe('GET /objects/:objectId/attributes', () => {
  test('lists active ones by displayOrder, inactive ones on request', async () => {
    const { org, objectId } = await buildProjects()
    expect(await list(org)).toEqual([])
    const budget = await create(org)
    const phase = await create(org, { name: 'Phase', type: 'text' })
    await setAttributeActive(service.ctx, org.org, { objectId, attributeId: budget.body.id, isActive: false })
    expect(await list(org)).toEqual([phase.body])
    expect(await list(org, '?includeInactive=false')).toEqual([phase.body])
    expect(await list(org, '?includeInactive=true')).toEqual([
      { ...budget.body, isActive: false, updatedAt: iso },
      phase.body,
    ])
  })

  test.each(['?includeInactive=yes', '?inactive=true'])('refuses %s', async (query) => {
    const { org } = await buildProjects()
    expectError(await org.get(`/objects/projects/attributes${query}`), 'invalid_parameter')
  })

  test('of an unknown or another organization’s object: not found', async () => {
    const [{ org }, other] = [await buildProjects(), await buildProjects()]
    for (const ref of [NO_SUCH, 'nothing', other.objectId])
      expectError(await org.get(`/objects/${ref}/attributes`), 'not_found')
  })
})

describe('GET /objects/:objectId/attributes/:attributeId', () => {
  test('answers one, inactive too', async () => {
    const { org, objectId } = await buildProjects()
    const { body, headers } = await create(org)
    const read = await org.get(`/objects/projects/attributes/${body.id}`)
    expect(read.body).toEqual(body)
    expect(read.headers['etag']).toBe(headers['etag'])
    await setAttributeActive(service.ctx, org.org, { objectId, attributeId: body.id, isActive: false })
    const inactive = await org.get(`/objects/${objectId}/attributes/${body.id}`)
    expect(inactive.body).toMatchObject({ id: body.id, isActive: false })
  })

  test('not found: malformed, unknown, of another object, of another organization', async () => {
    const [{ org }, other] = [await buildProjects(), await buildProjects()]
    const { body } = await create(org)
    const foreign = await create(other.org)
    for (const path of [
      '/objects/projects/attributes/budget',
      `/objects/projects/attributes/${NO_SUCH}`,
      `/objects/people/attributes/${body.id}`,
      `/objects/projects/attributes/${foreign.body.id}`,
      `/objects/${other.objectId}/attributes/${foreign.body.id}`,
    ])
      expectError(await org.get(path), 'not_found')
  })
})

describe('POST /objects/:objectId/attributes', () => {
  test('answers the whole attribute with its defaults', async () => {
    const { org, objectId } = await buildProjects()
    const reply = await create(org)
    expect(reply.body).toEqual({
      id: uuid,
      objectId,
      name: 'Budget',
      slug: 'budget',
      type: 'number',
      isRequired: false,
      isUnique: false,
      isList: false,
      isActive: true,
      displayOrder: 0,
      config: null,
      createdAt: iso,
      updatedAt: iso,
    })
    expect(reply.headers['etag']).toMatch(/^"[0-9a-z]+"$/)
  })

  test.each([
    ['text', null],
    ['email', null],
    ['number', null],
    ['phone_number', null],
    ['checkbox', null],
    ['name', null],
    ['address', null],
    ['currency', null],
    ['date', null],
    ['select', { options: ['b', 'a'] }],
    ['list', null],
  ])('type %s', async (type, config) => {
    const { org } = await buildProjects()
    const { body } = await create(org, { name: 'Field', type, isList: type !== 'list', config })
    expect(body).toMatchObject({ type, config, isList: type !== 'list' })
  })

  test('a reference keeps the id of its object in lower case, and takes records of it only', async () => {
    const { org, objectId } = await buildProjects()
    const config = { allowed_object_id: objectId.toUpperCase() }
    const { body } = await create(org, { name: 'Project', type: 'reference', config }, 'people')
    expect(body.config).toEqual({ allowed_object_id: objectId })
    const project = await org.post<{ id: string }>('/objects/projects/records', { data: {} })
    const data = { name: 'Ada', project: project.body.id }
    expect((await org.post('/objects/people/records', { data })).status).toBe(201)
    const wrong = await org.post('/objects/companies/records', { data: { name: 'C' } })
    const refused = { name: 'Ada', project: wrong.body['id'] }
    expectError(await org.post('/objects/people/records', { data: refused }), 'validation_error')
  })

  test('displayOrder counts up, and a taken default slug gets a suffix', async () => {
    const { org } = await buildProjects()
    const names = ['Budget', 'Budget!', 'budget', 'ID', 'Created at']
    const created = []
    for (const name of names) created.push((await create(org, { name, type: 'text' })).body)
    expect(created.map(({ slug }) => slug)).toEqual([
      'budget',
      'budget_2',
      'budget_3',
      'id_2',
      'created_at_2',
    ])
    expect(created.map(({ displayOrder }) => displayOrder)).toEqual([0, 1, 2, 3, 4])
  })

  test.each([
    [{ type: 'text' }, ['name: required']],
    [{ name: 'x', type: 'color' }, ['type: enum']],
    [{ name: '名前', type: 'text' }, ['slug: required']],
    [{ ...BUDGET, slug: 'Nope' }, ['slug: pattern']],
    [{ ...BUDGET, slug: 'created_at' }, ['slug: reserved']],
    [{ ...BUDGET, slug: 'updated_at' }, ['slug: reserved']],
    [{ ...BUDGET, slug: 'id' }, ['slug: reserved']],
    [{ ...BUDGET, size: 1 }, ['size: unknown_field']],
    [{ name: 'x\u0000', type: 'text' }, ['name: invalid_text']],
    [{ name: 'x', type: 'checkbox', isUnique: true }, ['isUnique: never_unique']],
    [{ name: 'x', type: 'address', isUnique: true }, ['isUnique: never_unique']],
    [{ name: 'x', type: 'currency', isUnique: true }, ['isUnique: never_unique']],
    [{ name: 'x', type: 'list', isUnique: true }, ['isUnique: never_unique']],
    [{ name: 'x', type: 'select' }, ['config: required']],
    [{ name: 'x', type: 'select', config: null }, ['config: required']],
    [{ name: 'x', type: 'select', config: { allowed_object_id: NO_SUCH } }, ['config: required']],
    [
      { name: 'x', type: 'select', config: { options: ['a', '\ud800'] } },
      ['config.options[1]: invalid_text'],
    ],
    [{ name: 'x', type: 'reference' }, ['config: required']],
    [{ name: 'x', type: 'reference', config: { options: ['a'] } }, ['config: required']],
    [
      { name: 'x', type: 'reference', config: { allowed_object_id: NO_SUCH } },
      ['config.allowed_object_id: invalid_reference'],
    ],
    [{ name: 'x', type: 'text', config: { options: ['a'] } }, ['config: not_allowed']],
    [
      { name: '名前', type: 'list', isUnique: true, config: { options: ['a'] } },
      ['slug: required', 'isUnique: never_unique', 'config: not_allowed'],
    ],
  ])('refuses %j', async (input, expected) => {
    const { org } = await buildProjects()
    const reply = await org.post('/objects/projects/attributes', input)
    expectError(reply, 'validation_error')
    expect(problems(reply)).toEqual(expected)
    expect(await list(org)).toEqual([])
  })

  test.each([[[]], [['']], [['a', 'a']], [[1]], [Array.from({ length: 501 }, (_, index) => `${index}`)]])(
    'refuses other options than 1 to 500 different texts',
    async (options) => {
      const { org } = await buildProjects()
      const reply = await org.post('/objects/projects/attributes', {
        name: 'x',
        type: 'select',
        config: { options },
      })
      expectError(reply, 'validation_error')
    },
  )

  test('takes 500 options', async () => {
    const { org } = await buildProjects()
    const config = { options: Array.from({ length: 500 }, (_, index) => `${index}`) }
    expect((await create(org, { name: 'x', type: 'select', config })).body.config).toEqual(config)
  })

  test('refuses an object of another organization, or a deleted one, as the target', async () => {
    const [{ org, objectId }, other] = [await buildProjects(), await buildProjects()]
    await org.delete('/objects/projects')
    for (const id of [objectId, other.objectId]) {
      const input = { name: 'x', type: 'reference', config: { allowed_object_id: id } }
      expectError(await org.post('/objects/people/attributes', input), 'validation_error')
    }
  })

  test('a given slug that is taken conflicts', async () => {
    const { org, objectId } = await buildProjects()
    const { body } = await create(org)
    const input = { name: 'Other', type: 'text', slug: 'budget' }
    expectError(await org.post('/objects/projects/attributes', input), 'slug_conflict')
    await setAttributeActive(service.ctx, org.org, { objectId, attributeId: body.id, isActive: false })
    expectError(await org.post('/objects/projects/attributes', input), 'slug_conflict')
  })

  test('of ten at once with one slug, one is created', async () => {
    const { org } = await buildProjects()
    const input = { ...BUDGET, slug: 'budget' }
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => org.post('/objects/projects/attributes', input)),
    )
    const refused = replies.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(9)
    for (const reply of refused) expectError(reply, 'slug_conflict')
  })

  test('an object has at most 200, inactive ones counted, deleted ones not', async () => {
    const { org, objectId } = await buildProjects()
    const { body } = await create(org)
    await service.ctx.db.run(sql`
      insert into attributes (org, obj, id, name, slug, type, is_required, is_unique, is_list, display_order, is_active)
      select ${org.org}, o.obj, gen_random_uuid(), 'n', 'n' || i, 'text', false, false, false, i, i > 100
      from objects o, generate_series(1, 199) i where o.org = ${org.org} and o.id = ${objectId}`)
    const refused = await org.post('/objects/projects/attributes', { name: 'One more', type: 'text' })
    expectError(refused, 'validation_error')
    expect(problems(refused)).toEqual([': too_many_attributes'])
    await org.delete(`/objects/projects/attributes/${body.id}`)
    await create(org, { name: 'One more', type: 'text' })
  })

  test('standard objects take custom attributes, which may change and go', async () => {
    const org = await service.org()
    const { body } = await create(org, { name: 'Nickname', type: 'text' }, 'people')
    expect(body.displayOrder).toBe(5)
    const path = `/objects/people/attributes/${body.id}`
    expect((await org.patch(path, { name: 'Alias' })).body).toMatchObject({ name: 'Alias', slug: 'nickname' })
    expect((await org.delete(path)).body).toEqual({ id: body.id, deleted: true })
  })

  test('an unknown or another organization’s object is not found', async () => {
    const [{ org }, other] = [await buildProjects(), await buildProjects()]
    for (const ref of [NO_SUCH, 'nothing', other.objectId])
      expectError(await org.post(`/objects/${ref}/attributes`, BUDGET), 'not_found')
  })

  test('two objects may come to refer to each other at once', async () => {
    const org = await service.org()
    const ids: string[] = []
    for (const pluralName of ['A', 'B'])
      ids.push((await org.post<{ id: string }>('/objects', { pluralName, singularName: 'x' })).body.id)
    const refer = (from?: string, to?: string) =>
      org.post(`/objects/${from}/attributes`, {
        name: 'x',
        type: 'reference',
        config: { allowed_object_id: to },
      })
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, index) => (index % 2 ? refer(ids[0], ids[1]) : refer(ids[1], ids[0]))),
    )
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201])
  })
})

describe('PATCH /objects/:objectId/attributes/:attributeId', () => {
  test('changes the name only', async () => {
    const { org } = await buildProjects()
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
    {},
    { slug: 'x' },
    { name: 'x', type: 'text' },
    { name: '' },
    { name: '\u0000' },
    { isActive: false },
  ])('refuses %j', async (patch) => {
    const { org } = await buildProjects()
    const { body } = await create(org)
    expectError(await org.patch(`/objects/projects/attributes/${body.id}`, patch), 'validation_error')
  })

  test('a stale If-Match is refused', async () => {
    const { org } = await buildProjects()
    const { body, headers } = await create(org)
    const path = `/objects/projects/attributes/${body.id}`
    const ifMatch = { 'if-match': String(headers['etag']) }
    expect((await org.patch(path, { name: 'Cost' }, ifMatch)).status).toBe(200)
    expectError(await org.patch(path, { name: 'Price' }, ifMatch), 'precondition_failed')
    expectError(await org.delete(path, undefined, ifMatch), 'precondition_failed')
  })

  test('changes the ETag of the object', async () => {
    const { org } = await buildProjects()
    const { body } = await create(org)
    const before = await org.get('/objects/projects')
    await org.patch(`/objects/projects/attributes/${body.id}`, { name: 'Cost' })
    const after = await org.get('/objects/projects')
    expect(after.headers['etag']).not.toBe(before.headers['etag'])
    expect(after.body['updatedAt']).toBe(before.body['updatedAt'])
  })
})

describe('built-in attributes of standard objects', () => {
  test.each(['people', 'companies', 'deals'])('of %s neither change nor go', async (slug) => {
    const org = await service.org()
    const { body } = await org.get<{ attributes: Body[] }>(`/objects/${slug}/attributes`)
    for (const { id } of body.attributes) {
      expectError(await org.patch(`/objects/${slug}/attributes/${id}`, { name: 'x' }), 'standard_object')
      expectError(await org.delete(`/objects/${slug}/attributes/${id}`), 'standard_object')
    }
  })
})

describe('DELETE /objects/:objectId/attributes/:attributeId', () => {
  test('takes the values with it, touches no record’s version, and frees the slug', async () => {
    const { org } = await buildProjects()
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
    expect(read.body).toEqual({ ...record.body, data: { title: 'A' } })
    expect(read.headers['etag']).toBe(record.headers['etag'])
    expect(await org.events()).toEqual(events)
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

  test('of a reference takes its links', async () => {
    const { org, objectId } = await buildProjects()
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
    expect((await org.get(`/objects/projects/records/${whole.body.id}`)).body).toEqual({
      ...whole.body,
      data: {},
    })
  })

  test('with an Idempotency-Key hides the values; the slug is free once they are removed', async () => {
    const { org } = await buildProjects()
    const { body } = await create(org)
    const record = await org.post<{ id: string }>('/objects/projects/records', { data: { budget: 5 } })
    await org.delete(`/objects/projects/attributes/${body.id}`, undefined, { 'idempotency-key': 'k' })
    expect((await org.get(`/objects/projects/records/${record.body.id}`)).body['data']).toEqual({})
    const stored = sql`select data from records where org = ${org.org}`
    expect(await service.ctx.db.many(stored)).toEqual([{ data: { budget: 5 } }])
    expect((await create(org)).body.slug).toBe('budget')
    expect(await service.ctx.db.many(stored)).toEqual([{ data: {} }])
  })

  test('another organization’s attribute is not found', async () => {
    const [{ org }, other] = [await buildProjects(), await buildProjects()]
    const { body } = await create(other.org)
    for (const path of [
      `/objects/projects/attributes/${body.id}`,
      `/objects/${other.objectId}/attributes/${body.id}`,
    ]) {
      expectError(await org.delete(path), 'not_found')
      expectError(await org.patch(path, { name: 'x' }), 'not_found')
    }
    expect(await list(other.org)).toEqual([body])
  })
})

describe('setAttributeActive', () => {
  test('hides the values of an inactive attribute and shows them again', async () => {
    const { org, objectId } = await buildProjects()
    const { body } = await create(org)
    const record = await org.post<{ id: string }>('/objects/projects/records', { data: { budget: 5 } })
    const path = `/objects/projects/records/${record.body.id}`
    const change = { objectId, attributeId: body.id }
    const off = await setAttributeActive(service.ctx, org.org, { ...change, isActive: false })
    expect(off).toMatchObject({ id: body.id, isActive: false })
    expect((await org.get(path)).body).toEqual({ ...record.body, data: {} })
    expect((await org.get('/objects/projects')).body['attributes']).toEqual([])
    expectError(await org.post('/objects/projects/records', { data: { budget: 1 } }), 'validation_error')
    await setAttributeActive(service.ctx, org.org, { ...change, isActive: true })
    expect((await org.get(path)).body).toEqual(record.body)
  })

  test('an inactive attribute may be deleted', async () => {
    const { org, objectId } = await buildProjects()
    const { body } = await create(org)
    await setAttributeActive(service.ctx, org.org, { objectId, attributeId: body.id, isActive: false })
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
    const switched = setAttributeActive(service.ctx, org.org, {
      objectId: 'people',
      attributeId,
      isActive: false,
    })
    if (isAllowed) expect(await switched).toMatchObject({ isActive: false })
    else await expect(switched).rejects.toMatchObject({ code: 'standard_object' })
  })
})

test.each([
  ['GET', '', 'attributes:read'],
  ['GET', `/${NO_SUCH}`, 'attributes:read'],
  ['POST', '', 'attributes:write'],
  ['PATCH', `/${NO_SUCH}`, 'attributes:write'],
  ['DELETE', `/${NO_SUCH}`, 'attributes:write'],
] as const)('%s /objects/people/attributes%s needs %s', async (method, path, scope) => {
  const org = await service.org({
    scopes: [scope === 'attributes:read' ? 'attributes:write' : 'attributes:read'],
  })
  const url = `/objects/people/attributes${path}`
  const send = { GET: org.get, POST: org.post, PATCH: org.patch, DELETE: org.delete }[method]
  const reply = await (method === 'GET' ? org.get(url) : send(url, {}))
  expectError(reply, 'insufficient_scope')
  expect(reply.body['details']).toEqual({ requiredScope: scope })
})
