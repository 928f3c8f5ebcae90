import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { bodyOf, expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()

const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
const NO_SUCH = '0198c0de-0000-7000-8000-000000000001'

const PROJECTS = { pluralName: 'Projects', singularName: 'Project' }

const paths = ({ body }: { body: Record<string, unknown> }) =>
  (body['details'] as { errors: { path: string; code: string }[] }).errors.map(
    ({ path, code }) => `${path}: ${code}`,
  )

const slugs = (body: unknown) => (body as { objects: { slug: string }[] }).objects.map(({ slug }) => slug)

async function create(org: Org, input: object = PROJECTS) {
  const reply = await org.post<{ id: string; slug: string; updatedAt: string }>('/objects', input)
  expect(reply.status).toBe(201)
  return reply
}

describe('GET /objects', () => {
  test('lists active objects by creation time', async () => {
    const org = await service.org()
    await create(org, { pluralName: 'Zebras', singularName: 'Zebra' })
    const hidden = await create(org, { pluralName: 'Ants', singularName: 'Ant' })
    await create(org, { pluralName: 'Bees', singularName: 'Bee' })
    await org.patch(`/objects/${hidden.body.id}`, { isActive: false })
    const body = bodyOf(await org.get('/objects'))
    expect(slugs(body)).toEqual(['people', 'companies', 'deals', 'zebras', 'bees'])
    expect((body['objects'] as unknown[])[0]).toEqual({
      id: uuid,
      type: 'standard',
      pluralName: 'People',
      singularName: 'Person',
      description: 'Everyone the organization is in touch with',
      slug: 'people',
      isActive: true,
      namingAttributeId: uuid,
      createdAt: iso,
      updatedAt: iso,
    })
  })
})

describe('GET /objects/:objectId', () => {
  test('finds an object by id and by slug, with its active attributes by displayOrder', async () => {
    const org = await service.org()
    const bySlug = await org.get<{ id: string; attributes: object[] }>('/objects/people')
    const byId = await org.get(`/objects/${bySlug.body.id.toUpperCase()}`)
    expect(bySlug.body).toEqual(byId.body)
    expect(bySlug.headers['etag']).toMatch(/^"[0-9a-z]+\.[\w-]{11}"$/)
    const companies = await org.get('/objects/companies')
    const attribute = (slug: string, name: string, type: string, rest: object = {}) => ({
      ...{ id: uuid, objectId: bySlug.body.id, name, slug, type },
      ...{
        isRequired: false,
        isUnique: false,
        isList: false,
        isActive: true,
        isNaming: false,
        config: null,
        defaultValue: null,
      },
      ...{ createdAt: iso, updatedAt: iso, displayOrder: expect.any(Number) },
      ...rest,
    })
    expect(bySlug.body.attributes).toEqual([
      attribute('name', 'Name', 'name', { isRequired: true, isNaming: true, displayOrder: 0 }),
      attribute('email', 'Email', 'email', { isUnique: true, displayOrder: 1 }),
      attribute('phone', 'Phone', 'phone_number', { displayOrder: 2 }),
      attribute('job_title', 'Job title', 'text', { displayOrder: 3 }),
      attribute('company', 'Company', 'reference', {
        displayOrder: 4,
        config: { allowed_object_id: companies.body['id'] },
      }),
      attribute('owner', 'Owner', 'member', { displayOrder: 5 }),
    ])
  })

  test.each([
    ['companies', ['name*', 'domain!', 'industry', 'employees', 'address', 'owner']],
    ['deals', ['name*', 'amount', 'stage', 'close_date', 'company', 'contact', 'owner']],
  ])('%s has its standard attributes', async (slug, expected) => {
    const org = await service.org()
    const { body } = await org.get<{
      attributes: { slug: string; isRequired: boolean; isUnique: boolean; config: unknown }[]
    }>(`/objects/${slug}`)
    const shown = body.attributes.map(
      (one) => `${one.slug}${one.isRequired ? '*' : ''}${one.isUnique ? '!' : ''}`,
    )
    expect(shown).toEqual(expected)
    const stage = body.attributes.find((one) => one.slug === 'stage')
    if (stage) expect(stage.config).toEqual({ options: ['Lead', 'Qualified', 'Proposal', 'Won', 'Lost'] })
  })

  test('finds an inactive object', async () => {
    const org = await service.org()
    const { body } = await create(org)
    await org.patch('/objects/projects', { isActive: false })
    expect((await org.get('/objects/projects')).body).toEqual({
      ...body,
      isActive: false,
      updatedAt: iso,
      attributes: [],
    })
  })

  test.each([NO_SUCH, 'nothing', 'Not-A-Slug', '%00', 'x'.repeat(150)])('%s is not found', async (ref) => {
    const org = await service.org()
    expectError(await org.get(`/objects/${ref}`), 'not_found')
  })
})

describe('POST /objects', () => {
  test('creates a custom object with a slug from its plural name', async () => {
    const org = await service.org()
    const reply = await org.post('/objects', { ...PROJECTS, pluralName: 'Große Projekte' })
    expect(reply.status).toBe(201)
    expect(reply.body).toEqual({
      id: uuid,
      type: 'custom',
      pluralName: 'Große Projekte',
      singularName: 'Project',
      description: '',
      slug: 'grosse_projekte',
      isActive: true,
      namingAttributeId: null,
      createdAt: iso,
      updatedAt: iso,
    })
    const read = await org.get('/objects/grosse_projekte')
    const versions = [reply, read].map(({ headers }) => String(headers['etag']).split('.')[0])
    expect(versions[0]).toBe(versions[1])
  })

  test('names in any script make slugs; a name without a letter or digit makes a numbered slug', async () => {
    const org = await service.org()
    const made = []
    for (const pluralName of ['Проекты', '2026', '!?', '😀'])
      made.push((await create(org, { ...PROJECTS, pluralName })).body.slug)
    expect(made).toEqual(['proekty', 'n_2026', 'object', 'object_2'])
  })

  test('accepts a description and a slug', async () => {
    const org = await service.org()
    const { body } = await create(org, { ...PROJECTS, description: 'Ours', slug: 'work_items' })
    expect(body).toMatchObject({ description: 'Ours', slug: 'work_items' })
  })

  test.each([
    [{ singularName: 'x' }, ['pluralName: required']],
    [{ ...PROJECTS, pluralName: '' }, ['pluralName: minLength']],
    [{ ...PROJECTS, slug: 'Not a slug' }, ['slug: pattern']],
    [{ ...PROJECTS, color: 'red' }, ['color: unknown_field']],
    [{ ...PROJECTS, pluralName: 7 }, ['pluralName: type']],
    [
      { pluralName: 'a\u0000', singularName: '\ud800' },
      ['pluralName: invalid_text', 'singularName: invalid_text'],
    ],
  ])('refuses %j', async (input, expected) => {
    const org = await service.org()
    const reply = await org.post('/objects', input)
    expectError(reply, 'validation_error')
    expect(paths(reply)).toEqual(expected)
    expect(slugs((await org.get('/objects')).body)).toHaveLength(3)
  })

  test('a taken slug conflicts, but not a slug of another organization', async () => {
    const [org, other] = [await service.org(), await service.org()]
    await create(org)
    await create(other)
    expectError(await org.post('/objects', PROJECTS), 'slug_conflict')
    expectError(await org.post('/objects', { ...PROJECTS, slug: 'people' }), 'slug_conflict')
  })

  test('of twenty concurrent requests with one slug, one creates the object', async () => {
    const org = await service.org()
    const replies = await Promise.all(Array.from({ length: 20 }, () => org.post('/objects', PROJECTS)))
    const refused = replies.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(19)
    for (const reply of refused) expectError(reply, 'slug_conflict')
  })

  test('a conflict does not use up the Idempotency-Key', async () => {
    const org = await service.org()
    await create(org)
    const key = { 'idempotency-key': 'k' }
    expectError(await org.post('/objects', PROJECTS, key), 'slug_conflict')
    const corrected = await org.post('/objects', { ...PROJECTS, slug: 'work_items' }, key)
    expect(corrected.status).toBe(201)
    expect(corrected.headers['idempotent-replayed']).toBeUndefined()
  })
})

describe('PATCH /objects/:objectId', () => {
  test('changes the sent fields only', async () => {
    const org = await service.org()
    const { body, headers } = await create(org)
    const patched = await org.patch<{ updatedAt: string }>(`/objects/${body.id}`, { description: 'New' })
    expect(patched.status).toBe(200)
    expect(patched.body).toEqual({ ...body, description: 'New', updatedAt: iso })
    expect(patched.headers['etag']).not.toBe(headers['etag'])
    const renamed = await org.patch('/objects/projects', { pluralName: 'Undertakings', isActive: false })
    expect(renamed.body).toEqual({
      ...body,
      description: 'New',
      pluralName: 'Undertakings',
      isActive: false,
      updatedAt: iso,
    })
  })

  test.each([{}, { pluralName: 'Projects', isActive: true }])('%j changes nothing', async (patch) => {
    const org = await service.org()
    const { body, headers } = await create(org)
    const patched = await org.patch('/objects/projects', patch)
    expect(patched.body).toEqual(body)
    expect(patched.headers['etag']).toBe(headers['etag'])
  })

  test('refuses writes of records of an inactive object, and allows reads', async () => {
    const org = await service.org()
    await create(org)
    await org.get('/objects/projects/records')
    await org.patch('/objects/projects', { isActive: false })
    expectError(await org.post('/objects/projects/records', { data: {} }), 'object_inactive')
    expect((await org.get('/objects/projects/records')).status).toBe(200)
    await org.patch('/objects/projects', { isActive: true })
    expect((await org.get('/objects/projects/records')).status).toBe(200)
    expect((await org.post('/objects/projects/records', { data: {} })).status).toBe(201)
  })

  test.each(['people', 'companies', 'deals'])('refuses %s, a standard object', async (slug) => {
    const org = await service.org()
    expectError(await org.patch(`/objects/${slug}`, { description: 'mine' }), 'standard_object')
  })

  test('a stale If-Match is refused, and a current one is accepted', async () => {
    const org = await service.org()
    const { headers } = await create(org)
    const etag = String(headers['etag'])
    expect((await org.patch('/objects/projects', { description: 'a' }, { 'if-match': etag })).status).toBe(
      200,
    )
    expectError(
      await org.patch('/objects/projects', { description: 'b' }, { 'if-match': etag }),
      'precondition_failed',
    )
    expect((await org.get('/objects/projects')).body['description']).toBe('a')
  })

  test.each([{ slug: 'other' }, { singularName: 'x' }, { isActive: null }, { pluralName: '\u0000' }])(
    'refuses %j',
    async (patch) => {
      const org = await service.org()
      await create(org)
      expectError(await org.patch('/objects/projects', patch), 'validation_error')
    },
  )
})

describe('DELETE /objects/:objectId', () => {
  test('hides the object immediately, and frees its slug', async () => {
    const org = await service.org()
    const { body } = await create(org)
    const record = await org.post<{ id: string }>('/objects/projects/records', { data: {} })
    const deleted = await org.delete('/objects/projects')
    expect(deleted.status).toBe(200)
    expect(deleted.body).toEqual({ id: body.id, deleted: true })
    for (const path of [
      '/objects/projects',
      `/objects/${body.id}`,
      `/objects/${body.id}/attributes`,
      `/objects/${body.id}/records`,
      `/objects/projects/records/${record.body.id}`,
    ])
      expectError(await org.get(path), 'not_found')
    expectError(await org.post(`/objects/${body.id}/records`, { data: {} }), 'not_found')
    expectError(await org.delete('/objects/projects'), 'not_found')
    expect(slugs((await org.get('/objects')).body)).not.toContain('projects')
    const again = await create(org)
    expect(again.body.id).not.toBe(body.id)
    expect((await org.get('/objects/projects/records')).body['records']).toEqual([])
  })

  test('is refused while other objects refer to the object, and the error names their attributes', async () => {
    const org = await service.org()
    const projects = await create(org)
    const tasks = await create(org, { pluralName: 'Tasks', singularName: 'Task' })
    const config = { allowed_object_id: projects.body.id }
    const attribute = await org.post<{ id: string }>('/objects/tasks/attributes', {
      name: 'Project',
      type: 'reference',
      config,
    })
    await org.post('/objects/projects/attributes', { name: 'Parent', type: 'reference', config })
    const refused = await org.delete('/objects/projects')
    expectError(refused, 'object_referenced')
    expect(refused.body['details']).toEqual({
      references: [
        {
          objectId: tasks.body.id,
          objectSlug: 'tasks',
          attributeId: attribute.body.id,
          attributeSlug: 'project',
        },
      ],
    })
    await org.delete(`/objects/tasks/attributes/${attribute.body.id}`)
    expect((await org.delete('/objects/projects')).status).toBe(200)
  })

  test('never leaves an attribute that refers to a deleted object', async () => {
    const org = await service.org()
    await create(org, { pluralName: 'Tasks', singularName: 'Task' })
    for (let round = 0; round < 10; round++) {
      const projects = await create(org)
      const config = { allowed_object_id: projects.body.id }
      const [created, deleted] = await Promise.all([
        org.post<{ id: string }>('/objects/tasks/attributes', { name: 'Project', type: 'reference', config }),
        org.delete('/objects/projects'),
      ])
      expect([created.status, deleted.status].sort()).toSatisfy(
        ([low, high]: number[]) => (low === 201 && high === 409) || (low === 200 && high === 400),
      )
      if (created.status !== 201) continue
      await org.delete(`/objects/tasks/attributes/${created.body.id}`)
      expect((await org.delete('/objects/projects')).status).toBe(200)
    }
    const dangling = await service.ctx.db.many(sql`
      select a.id from attributes a join objects t on t.org = a.org and t.obj = a.target_obj
      where a.org = ${org.org} and a.deleted_at is null and t.deleted_at is not null`)
    expect(dangling).toEqual([])
  })

  test.each(['people', 'companies', 'deals'])('refuses %s, a standard object', async (slug) => {
    const org = await service.org()
    expectError(await org.delete(`/objects/${slug}`), 'standard_object')
  })

  test('refuses a stale If-Match', async () => {
    const org = await service.org()
    await create(org)
    expectError(
      await org.delete('/objects/projects', undefined, { 'if-match': '"0"' }),
      'precondition_failed',
    )
    expect((await org.delete('/objects/projects', undefined, { 'if-match': '*' })).status).toBe(200)
  })
})
