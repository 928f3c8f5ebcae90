import { describe, expect, test } from 'vitest'
import type { Reply } from '../../test/dashboard-client.ts'
import { expectError } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { type Body, buildProjects, create, list, NO_SUCH } from './projects.fixture.ts'

const service = await sharedTestService()
const problems = ({ body }: Reply) =>
  (body['details'] as { errors: { path: string; code: string }[] }).errors.map(
    ({ path, code }) => `${path}: ${code}`,
  )

async function setUp() {
  const { org } = await buildProjects(service)
  return { org, admin: await org.member('admin') }
}

describe('PATCH /objects/:objectId/attributes/:attributeId/active', () => {
  test('hides the values of an attribute and shows them again', async () => {
    const { org, admin } = await setUp()
    const { body: budget } = await create(org)
    const { body: record } = await org.post('/objects/projects/records', { data: { budget: 5 } })
    const path = `/objects/projects/attributes/${budget.id}/active`
    const dataNow = async () => (await org.get(`/objects/projects/records/${record['id']}`)).body['data']
    const off = await admin.patch<Body>(path, { isActive: false })
    expect(off).toMatchObject({ status: 200, body: { id: budget.id, isActive: false } })
    expect(await dataNow()).toEqual({})
    expect((await admin.patch(path, { isActive: true })).body).toMatchObject({ isActive: true })
    expect(await dataNow()).toEqual({ budget: 5 })
  })

  test('refuses a required built-in attribute, a missing attribute and a missing isActive', async () => {
    const { org, admin } = await setUp()
    const { body } = await org.get<{ attributes: Body[] }>('/objects/people/attributes')
    const name = body.attributes.find(({ slug }) => slug === 'name')
    const off = { isActive: false }
    expectError(await admin.patch(`/objects/people/attributes/${name?.id}/active`, off), 'standard_object')
    expectError(await admin.patch(`/objects/people/attributes/${NO_SUCH}/active`, off), 'not_found')
    expectError(await admin.patch(`/objects/people/attributes/${name?.id}/active`, {}), 'validation_error')
  })
})

describe('PUT /objects/:objectId/attribute-order', () => {
  test('moves the named attributes to the front, including inactive ones, in lists and in Get Object', async () => {
    const { org, admin } = await setUp()
    const [a, b, c] = [
      (await create(org, { name: 'A', type: 'text' })).body,
      (await create(org, { name: 'B', type: 'text' })).body,
      (await create(org, { name: 'C', type: 'text' })).body,
    ]
    await admin.patch(`/objects/projects/attributes/${b.id}/active`, { isActive: false })
    const path = '/objects/projects/attribute-order'
    const { status, body } = await admin.put<{ attributes: Body[] }>(path, {
      ids: [c.id, b.id.toUpperCase()],
    })
    expect(status).toBe(200)
    expect(body.attributes.map(({ slug, displayOrder }) => [slug, displayOrder])).toEqual([
      ['c', 0],
      ['b', 1],
      ['a', 2],
    ])
    expect((await list(org)).map(({ slug }) => slug)).toEqual(['c', 'a'])
    await create(org, { name: 'D', type: 'text' })
    expect((await list(org)).map(({ slug }) => slug)).toEqual(['c', 'a', 'd'])
    const again = await admin.put(path, { ids: [a.id, a.id, NO_SUCH] })
    expectError(again, 'validation_error')
    expect(problems(again)).toEqual(['ids[1]: duplicate', 'ids[2]: invalid_reference'])
    expectError(await admin.put(path, { ids: [] }), 'validation_error')
    expectError(await admin.put('/objects/nothing/attribute-order', { ids: [a.id] }), 'not_found')
  })
})

describe('requests that administer attributes', () => {
  test('find no attribute of another organization', async () => {
    const [{ org }, { admin: other }] = [await setUp(), await setUp()]
    const { body: stage } = await create(org)
    for (const object of ['projects', stage.objectId]) {
      const path = `/objects/${object}/attributes/${stage.id}`
      expectError(await other.patch(`${path}/active`, { isActive: false }), 'not_found')
    }
    expectError(await other.put('/objects/projects/attribute-order', { ids: [stage.id] }), 'validation_error')
  })
})
