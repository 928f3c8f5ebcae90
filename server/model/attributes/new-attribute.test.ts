import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { BUDGET, buildProjects, create, iso, list, NO_SUCH } from './projects.fixture.ts'
import { setAttributeActive } from './service.ts'

const service = await sharedTestService()
const authorOf = ({ org }: Pick<Org, 'org'>) => ({ org, userId: null, keyId: null })

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)

const problems = ({ body }: { body: Record<string, unknown> }) =>
  (body['details'] as { errors: { path: string; code: string }[] }).errors.map(
    ({ path, code }) => `${path}: ${code}`,
  )

describe('POST /objects/:objectId/attributes', () => {
  test('returns the whole attribute with its defaults', async () => {
    const { org, objectId } = await buildProjects(service)
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
      isNaming: false,
      isActive: true,
      displayOrder: 0,
      defaultValue: null,
      config: null,
      createdAt: iso,
      updatedAt: iso,
    })
    expect(reply.headers['etag']).toMatch(/^"[0-9a-z]+\.[\w-]{11}"$/)
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
    const { org } = await buildProjects(service)
    const { body } = await create(org, { name: 'Field', type, isList: type !== 'list', config })
    expect(body).toMatchObject({ type, config, isList: type !== 'list' })
  })

  test('a reference accepts an id or slug, also of the same object, and stores the id', async () => {
    const { org, objectId } = await buildProjects(service)
    for (const ref of ['projects', objectId]) {
      const input = { name: `By ${ref.length}`, type: 'reference', config: { allowed_object_id: ref } }
      for (const object of ['people', 'projects'])
        expect((await create(org, input, object)).body.config).toEqual({ allowed_object_id: objectId })
    }
    const other = await service.org()
    const unknown = { name: 'X', type: 'reference', config: { allowed_object_id: 'projects' } }
    const refused = await other.post('/objects/people/attributes', unknown)
    expectError(refused, 'validation_error')
    const message = 'must be the id or slug of an object of this organization, not projects'
    expect(refused.body).toMatchObject({
      details: { errors: [{ path: 'config.allowed_object_id', code: 'invalid_reference', message }] },
    })
    const wrong = { ...unknown, config: { allowed_object_id: 'No slug' } }
    expect((await other.post('/objects/people/attributes', wrong)).body).toMatchObject({
      details: { errors: [{ path: 'config.allowed_object_id', code: 'pattern' }] },
    })
  })

  test('a reference stores the id of its object in lower case, and accepts only its records', async () => {
    const { org, objectId } = await buildProjects(service)
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
    const { org } = await buildProjects(service)
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

  test('derives slugs from names in any script, and keeps their digits', async () => {
    const { org } = await buildProjects(service)
    const names = ['Имя', '名前', '2nd phone', '😀', '!?']
    const created = []
    for (const name of names) created.push((await create(org, { name, type: 'text' })).body)
    expect(created.map(({ slug }) => slug)).toEqual([
      'imya',
      'ming_qian',
      'n_2nd_phone',
      'attribute',
      'attribute_2',
    ])
  })

  test.each([
    [{ type: 'text' }, ['name: required']],
    [{ name: 'x', type: 'color' }, ['type: enum']],
    [{ ...BUDGET, slug: 'Nope' }, ['slug: pattern']],
    [{ ...BUDGET, slug: 'created_at' }, ['slug: reserved']],
    [{ ...BUDGET, slug: 'updated_at' }, ['slug: reserved']],
    [{ ...BUDGET, slug: 'created_by' }, ['slug: reserved']],
    [{ ...BUDGET, slug: 'id' }, ['slug: reserved']],
    [{ ...BUDGET, size: 1 }, ['size: unknown_field']],
    [{ name: 'x\u0000', type: 'text' }, ['name: invalid_text']],
    [{ name: 'x', type: 'checkbox', isUnique: true }, ['isUnique: never_unique']],
    [{ name: 'x', type: 'address', isUnique: true }, ['isUnique: never_unique']],
    [{ name: 'x', type: 'currency', isUnique: true }, ['isUnique: never_unique']],
    [{ name: 'x', type: 'list', isUnique: true }, ['isUnique: never_unique']],
    [{ name: 'x', type: 'select' }, ['config: required']],
    [{ name: 'x', type: 'select', config: null }, ['config: required']],
    [
      { name: 'x', type: 'select', config: { allowed_object_id: NO_SUCH } },
      ['config.options: required', 'config.allowed_object_id: unknown_field'],
    ],
    [
      { name: 'x', type: 'select', config: { options: ['a', '\ud800'] } },
      ['config.options[1]: invalid_text'],
    ],
    [{ name: 'x', type: 'reference' }, ['config: required']],
    [
      { name: 'x', type: 'reference', config: { options: ['a'] } },
      ['config.allowed_object_id: required', 'config.options: unknown_field'],
    ],
    [{ name: 'x', type: 'member', config: { options: ['a'] } }, ['config: not_allowed']],
    [
      { name: 'x', type: 'reference', config: { allowed_object_id: NO_SUCH } },
      ['config.allowed_object_id: invalid_reference'],
    ],
    [{ name: 'x', type: 'text', config: { options: ['a'] } }, ['config: not_allowed']],
    [
      { name: 'x', slug: 'id', type: 'list', isUnique: true, config: { options: ['a'] } },
      ['slug: reserved', 'isUnique: never_unique', 'config: not_allowed'],
    ],
  ])('refuses %j', async (input, expected) => {
    const { org } = await buildProjects(service)
    const reply = await org.post('/objects/projects/attributes', input)
    expectError(reply, 'validation_error')
    expect(problems(reply)).toEqual(expected)
    expect(await list(org)).toEqual([])
  })

  test.each([[[]], [['']], [['a', 'a']], [[1]], [Array.from({ length: 501 }, (_, index) => `${index}`)]])(
    'refuses options unless they are 1 to 500 different texts',
    async (options) => {
      const { org } = await buildProjects(service)
      const reply = await org.post('/objects/projects/attributes', {
        name: 'x',
        type: 'select',
        config: { options },
      })
      expectError(reply, 'validation_error')
    },
  )

  test('accepts 500 options', async () => {
    const { org } = await buildProjects(service)
    const config = { options: Array.from({ length: 500 }, (_, index) => `${index}`) }
    expect((await create(org, { name: 'x', type: 'select', config })).body.config).toEqual(config)
  })

  test('refuses an object of another organization, or a deleted one, as the target', async () => {
    const [{ org, objectId }, other] = [await buildProjects(service), await buildProjects(service)]
    await org.delete('/objects/projects')
    for (const id of [objectId, other.objectId]) {
      const input = { name: 'x', type: 'reference', config: { allowed_object_id: id } }
      expectError(await org.post('/objects/people/attributes', input), 'validation_error')
    }
  })

  test('refuses a given slug that is taken', async () => {
    const { org, objectId } = await buildProjects(service)
    const { body } = await create(org)
    const input = { name: 'Other', type: 'text', slug: 'budget' }
    expectError(await org.post('/objects/projects/attributes', input), 'slug_conflict')
    await setAttributeActive(service.ctx, authorOf(org), { objectId, attributeId: body.id, isActive: false })
    expectError(await org.post('/objects/projects/attributes', input), 'slug_conflict')
  })

  test('of ten concurrent requests with one slug, one creates the attribute', async () => {
    const { org } = await buildProjects(service)
    const input = { ...BUDGET, slug: 'budget' }
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => org.post('/objects/projects/attributes', input)),
    )
    const refused = replies.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(9)
    for (const reply of refused) expectError(reply, 'slug_conflict')
  })

  test('an object has at most 200 attributes, including inactive but not deleted ones', async () => {
    const { org, objectId } = await buildProjects(service)
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

  test('standard objects accept custom attributes, which can be changed and deleted', async () => {
    const org = await service.org()
    const { body } = await create(org, { name: 'Nickname', type: 'text' }, 'people')
    expect(body.displayOrder).toBe(6)
    const path = `/objects/people/attributes/${body.id}`
    expect((await org.patch(path, { name: 'Alias' })).body).toMatchObject({ name: 'Alias', slug: 'nickname' })
    expect((await org.delete(path)).body).toEqual({ id: body.id, deleted: true })
  })

  test('concurrent requests may make two objects refer to each other', async () => {
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
