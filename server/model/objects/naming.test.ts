// The attribute whose value names the records of an object, over HTTP.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Attribute } from '../../../contract/attributes.ts'
import { authorOf, expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { setAttributeActive } from '../attributes/service.ts'

const service = await sharedTestService()
const PROJECTS = '/objects/projects'
const NO_SUCH = '0198c0de-0000-7000-8000-00000000dead'

interface ObjectBody {
  id: string
  namingAttributeId: string | null
  attributes: Attribute[]
}

type Field = [slug: string, type: Attribute['type'], isList?: boolean]

async function build(fields: Field[]) {
  const org = await service.org()
  await org.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
  const made: Attribute[] = []
  for (const [slug, type, isList = false] of fields)
    made.push((await org.post<Attribute>(`${PROJECTS}/attributes`, { name: slug, slug, type, isList })).body)
  const idOf = (slug: string) => made.find((one) => one.slug === slug)?.id ?? ''
  return { org, made, idOf }
}

/** The slug of the naming attribute, checked in every response that contains it. */
async function namingOf(org: Org): Promise<string | null> {
  const { body } = await org.get<ObjectBody>(PROJECTS)
  const list = await org.get<{ attributes: Attribute[] }>(`${PROJECTS}/attributes?includeInactive=true`)
  const objects = await org.get<{ objects: ObjectBody[] }>('/objects')
  const named = list.body.attributes.filter(({ isNaming }) => isNaming)
  expect(body.attributes.filter(({ isNaming }) => isNaming)).toEqual(named)
  expect(named.map(({ id }) => id)).toEqual(body.namingAttributeId === null ? [] : [body.namingAttributeId])
  const listed = objects.body.objects.find(({ id }) => id === body.id)
  expect(listed?.namingAttributeId).toBe(body.namingAttributeId)
  return named[0]?.slug ?? null
}

const choose = (org: Org, namingAttributeId: string | null) => org.patch(PROJECTS, { namingAttributeId })

describe('without a choice it is', () => {
  test.each<[string, Field[], string | null]>([
    [
      'name of type text',
      [
        ['full', 'name'],
        ['name', 'text'],
      ],
      'name',
    ],
    [
      'name of type name',
      [
        ['title', 'text'],
        ['name', 'name'],
      ],
      'name',
    ],
    [
      'not name of another type',
      [
        ['name', 'number'],
        ['title', 'text'],
      ],
      'title',
    ],
    [
      'the first text, also before a name',
      [
        ['a', 'text'],
        ['b', 'name'],
      ],
      'a',
    ],
    [
      'the first name, also before a text',
      [
        ['b', 'name'],
        ['a', 'text'],
      ],
      'b',
    ],
    [
      'the first text',
      [
        ['mail', 'email'],
        ['a', 'text'],
        ['b', 'text'],
      ],
      'a',
    ],
    [
      'an email',
      [
        ['n', 'number'],
        ['mail', 'email'],
      ],
      'mail',
    ],
    [
      'no list',
      [
        ['name', 'text', true],
        ['mail', 'email'],
      ],
      'mail',
    ],
    ['none where none can name', [['n', 'number']], null],
  ])('%s', async (_, fields, expected) => {
    const { org } = await build(fields)
    expect(await namingOf(org)).toBe(expected)
  })

  test('part of the response that creates it', async () => {
    const { org, made } = await build([
      ['mail', 'email'],
      ['title', 'text'],
    ])
    expect(made.map(({ isNaming }) => isNaming)).toEqual([true, true])
    expect(await namingOf(org)).toBe('title')
  })
})

describe('PATCH /objects/:objectId with namingAttributeId', () => {
  test('chooses the attribute until it is inactive or deleted, and null restores the default', async () => {
    const { org, idOf } = await build([
      ['name', 'text'],
      ['code', 'text'],
      ['mail', 'email'],
    ])
    const { headers } = await org.get(PROJECTS)
    const chosen = await choose(org, idOf('mail'))
    expect(chosen.body).toMatchObject({ namingAttributeId: idOf('mail') })
    expect(chosen.headers['etag']).not.toBe(headers['etag'])
    expect(await namingOf(org)).toBe('mail')
    expect((await choose(org, idOf('code'))).body).toMatchObject({ namingAttributeId: idOf('code') })
    expect((await choose(org, null)).body).toMatchObject({ namingAttributeId: idOf('name') })
    await choose(org, idOf('code'))
    const active = { objectId: 'projects', attributeId: idOf('code') }
    await setAttributeActive(service.ctx, authorOf(org), { ...active, isActive: false })
    expect(await namingOf(org)).toBe('name')
    await setAttributeActive(service.ctx, authorOf(org), { ...active, isActive: true })
    expect(await namingOf(org)).toBe('code')
    await org.delete(`${PROJECTS}/attributes/${idOf('code')}`)
    expect(await namingOf(org)).toBe('name')
  })

  test('keeps a choice that equals the default', async () => {
    const { org, idOf } = await build([['title', 'text']])
    const before = await org.get(PROJECTS)
    await choose(org, idOf('title'))
    const after = await choose(org, idOf('title'))
    expect(after.headers['etag']).not.toBe(before.headers['etag'])
    expect((await choose(org, idOf('title'))).headers['etag']).toBe(after.headers['etag'])
    await org.post(`${PROJECTS}/attributes`, { name: 'Name', type: 'text' })
    expect(await namingOf(org)).toBe('title')
  })

  test.each<[string, (idOf: (slug: string) => string, org: Org) => string | Promise<string>]>([
    ['of another type', (idOf) => idOf('due')],
    ['that is a list', (idOf) => idOf('tags')],
    ['that does not exist', () => NO_SUCH],
    [
      'of another object',
      async (_, org) => (await org.get<ObjectBody>('/objects/people')).body.namingAttributeId ?? '',
    ],
    [
      'that is inactive',
      async (idOf, org) => {
        const attribute = { objectId: 'projects', attributeId: idOf('code'), isActive: false }
        await setAttributeActive(service.ctx, authorOf(org), attribute)
        return idOf('code')
      },
    ],
  ])('refuses an attribute %s, and keeps the choice', async (_, of) => {
    const { org, idOf } = await build([
      ['name', 'text'],
      ['mail', 'email'],
      ['due', 'date'],
      ['tags', 'text', true],
      ['code', 'text'],
    ])
    await choose(org, idOf('mail'))
    const reply = await choose(org, await of(idOf, org))
    expectError(reply, 'validation_error')
    expect(reply.body['details']).toMatchObject({
      errors: [
        {
          path: 'namingAttributeId',
          code: 'invalid_reference',
          message: expect.stringMatching(/text, name or email/),
        },
      ],
    })
    expect(await namingOf(org)).toBe('mail')
  })
})

test('the naming attribute of a standard object is fixed', async () => {
  const org = await service.org()
  const { body } = await org.get<ObjectBody>('/objects/people')
  const [name, email] = body.attributes
  expect(body.namingAttributeId).toBe(name?.id)
  for (const namingAttributeId of [email?.id, null])
    expectError(await org.patch('/objects/people', { namingAttributeId }), 'standard_object')
  const attribute = `/objects/people/attributes/${email?.id}`
  const refused = await org.patch(attribute, { isNaming: true })
  expectError(refused, 'validation_error')
  expect(refused.body).toMatchObject({ message: expect.stringContaining('namingAttributeId') })
  expect((await org.get<ObjectBody>('/objects/people')).body).toEqual(body)
})

test('a restored attribute that named records of a standard object is no longer the naming attribute', async () => {
  const org = await service.org()
  await org.post('/objects/people/attributes', { name: 'Nickname', type: 'text' })
  const before = (await org.get<ObjectBody>('/objects/people')).body
  await org.delete('/objects/people/attributes/nickname')
  const { db } = service.ctx
  await db.run(sql`
    update trash_attributes set attribute = attribute || '{"is_naming": true}' where org = ${org.org}`)
  expect((await org.post('/objects/people/trashed-attributes/nickname/restore')).status).toBe(200)
  const { body } = await org.get<ObjectBody>('/objects/people')
  expect(body.namingAttributeId).toBe(before.namingAttributeId)
  expect(body.attributes.map(({ isNaming }) => isNaming)).toEqual(
    before.attributes.map(({ isNaming }) => isNaming),
  )
})

test('a restored object has its naming attribute again', async () => {
  const { org, idOf } = await build([
    ['name', 'text'],
    ['code', 'text'],
  ])
  await choose(org, idOf('code'))
  const { body } = await org.get<ObjectBody>(PROJECTS)
  await org.delete(PROJECTS)
  await service.drain()
  const restored = await org.post(`/trashed-objects/${body.id}/restore`, {})
  expect(restored.body).toMatchObject({ object: { namingAttributeId: idOf('code') } })
})
