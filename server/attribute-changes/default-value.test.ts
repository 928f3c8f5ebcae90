// The default value of an attribute: allowed values, and the effects of other changes.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { buildProjects, create, iso, list } from '../model/attributes/projects.fixture.ts'
import { expectError, type Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'

const service = await sharedTestService()
const OPTIONS = { type: 'select', config: { options: ['a', 'b', 'c'] } }
const PATH = '/objects/projects/attributes/field'

const problems = ({ body }: { body: object }) =>
  (body as { details: { errors: { path: string; code: string }[] } }).details.errors.map(
    ({ path, code }) => `${path}: ${code}`,
  )

const messageOf = ({ body }: { body: object }) =>
  (body as { details: { errors: { message: string }[] } }).details.errors[0]?.message

/** An object of projects with one attribute. */
async function setUp(definition: object = OPTIONS) {
  const { org, objectId } = await buildProjects(service)
  const { body: attribute, headers } = await create(org, { name: 'Field', ...definition })
  return { org, objectId, attribute, etag: String(headers['etag']) }
}

const set = (org: Org, defaultValue: unknown, headers?: Record<string, string>) =>
  org.patch(PATH, { defaultValue }, headers)

const dataOfNew = async (org: Org) =>
  (await org.post<{ data: Record<string, unknown> }>('/objects/projects/records', { data: {} })).body.data

describe('a default', () => {
  test.each([
    [{ type: 'text' }, 'Two\nlines', 'Two\nlines'],
    [{ type: 'email' }, 'ada@example.com', 'ada@example.com'],
    [{ type: 'number' }, '12.5', 12.5],
    [{ type: 'number' }, 0, 0],
    [{ type: 'phone_number' }, '+1 555 867 5309', '+1 555 867 5309'],
    [{ type: 'checkbox' }, false, false],
    [{ type: 'name' }, 'Ada Lovelace', { firstName: 'Ada', lastName: 'Lovelace' }],
    [{ type: 'address' }, { country: 'Germany' }, { country: 'DE' }],
    [{ type: 'currency' }, 5, { amount: 5, currency: 'USD' }],
    [{ type: 'date' }, '2026-11-20', '2026-11-20'],
    [{ type: 'url' }, 'example.com', 'https://example.com'],
    [{ type: 'domain' }, 'acme.com', 'acme.com'],
    [OPTIONS, 'b', 'b'],
    [{ ...OPTIONS, isList: true }, ['b', 'a', 'b'], ['b', 'a']],
    [{ type: 'number', isList: true }, 1, [1]],
    [{ type: 'list' }, ['vip'], ['vip']],
  ])('of %j may be %j', async (definition, sent, defaultValue) => {
    const { org, attribute } = await setUp({ ...definition, defaultValue: sent })
    expect(attribute).toMatchObject({ defaultValue })
    expect(await list(org)).toEqual([attribute])
    expect((await org.get('/objects/projects')).body['attributes']).toEqual([attribute])
    expect(await dataOfNew(org)).toEqual({ field: defaultValue })
  })

  test('is null if none was sent', async () => {
    const { attribute } = await setUp()
    expect(attribute).toMatchObject({ defaultValue: null })
    const { attribute: other } = await setUp({ ...OPTIONS, defaultValue: null })
    expect(other).toMatchObject({ defaultValue: null })
  })

  test('keeps all digits of a number', async () => {
    const { org } = await setUp({ type: 'number' })
    const digits = '123456789012345678901234567890'
    expect((await org.patch(PATH, `{"defaultValue":${digits}}`)).status).toBe(200)
    const headers = { authorization: `Bearer ${org.key}` }
    const answer = await service.inject({ url: `/api/v1${PATH}`, headers })
    expect(answer.payload).toContain(`"defaultValue":${digits}`)
    await org.delete(PATH)
    await org.post('/objects/projects/trashed-attributes/field/restore')
    await org.post('/objects/projects/records', { data: {} })
    const stored = await service.ctx.db.one(
      sql`select data->>'field' as field from records where org = ${org.org}`,
    )
    expect(stored).toEqual({ field: digits })
  })

  test('keeps the currency of the organization at the time when it was set', async () => {
    const { org } = await setUp({ type: 'currency', defaultValue: 5 })
    const owner = await org.member('owner')
    expect((await owner.patch('/organization', { currency: 'CHF' })).status).toBe(200)
    const { body } = await owner.post('/objects/projects/records', { data: {} })
    expect(body).toMatchObject({ data: { field: { amount: 5, currency: 'USD' } } })
    expect((await owner.patch(PATH, { defaultValue: 5 })).body).toMatchObject({
      defaultValue: { amount: 5, currency: 'CHF' },
    })
  })

  test.each([
    [{ ...OPTIONS, defaultValue: 'd' }, ['defaultValue: unknown_option']],
    [{ ...OPTIONS, isList: true, defaultValue: ['a', 'd'] }, ['defaultValue[1]: unknown_option']],
    [{ type: 'number', defaultValue: 'many' }, ['defaultValue: invalid_number']],
    [{ type: 'address', defaultValue: { country: 'Nowhere' } }, ['defaultValue.country: invalid_address']],
    [{ type: 'text', defaultValue: ' ' }, ['defaultValue: empty_text']],
    [{ type: 'email', defaultValue: '' }, ['defaultValue: empty_text']],
    [{ type: 'list', defaultValue: [] }, ['defaultValue: empty_text']],
    [{ type: 'text', defaultValue: 'x'.repeat(10_001) }, ['defaultValue: too_large']],
    [{ type: 'text', defaultValue: '\u0000' }, ['defaultValue: invalid_text']],
    [{ type: 'text', isUnique: true, defaultValue: 'a' }, ['defaultValue: not_allowed']],
    [{ type: 'member', defaultValue: 'me' }, ['defaultValue: not_allowed']],
  ])('is refused: %j', async (definition, expected) => {
    const { org } = await buildProjects(service)
    const { defaultValue, ...rest } = definition
    const refused = await org.post('/objects/projects/attributes', { name: 'Field', ...definition })
    expectError(refused, 'validation_error')
    expect(problems(refused)).toEqual(expected)
    await create(org, { name: 'Field', ...rest })
    const patched = await set(org, defaultValue)
    expectError(patched, 'validation_error')
    expect(problems(patched)).toEqual(expected)
    expect((await org.get(PATH)).body).toMatchObject({ defaultValue: null })
  })

  test('is refused with the message for a value, and with advice', async () => {
    const { org, objectId } = await setUp()
    expect(messageOf(await set(org, 'A'))).toBe('must be one of the options "a", "b", "c": did you mean "a"?')
    expect(messageOf(await set(org, ' '))).toBe('must not be empty text: send null to clear it')
    const config = { allowed_object_id: objectId }
    const reference = { name: 'Parent', type: 'reference', config, defaultValue: objectId }
    const refused = await org.post('/objects/projects/attributes', reference)
    expect(problems(refused)).toEqual(['defaultValue: not_allowed'])
    expect(messageOf(refused)).toBe(
      'must be null or omitted for an attribute of type reference, whose values name what can be deleted or depart',
    )
    await create(org, { name: 'Code', type: 'text', isUnique: true })
    const unique = await org.patch('/objects/projects/attributes/code', { defaultValue: 'a' })
    expect(messageOf(unique)).toBe(
      'must be null or omitted for a unique attribute, whose value only one record can have',
    )
    const none = await org.patch('/objects/projects/attributes/code', { defaultValue: null })
    expect(none).toMatchObject({ status: 200, body: { defaultValue: null } })
  })
})

describe('PATCH /objects/:objectId/attributes/:attributeId with defaultValue', () => {
  test('sets, changes and removes it, with the ETags of the attribute and its object', async () => {
    const { org, attribute, etag } = await setUp()
    const before = await org.get('/objects/projects')
    const first = await set(org, 'a')
    expect(first).toMatchObject({ status: 200, body: { ...attribute, defaultValue: 'a', updatedAt: iso } })
    expect(first.headers['etag']).not.toBe(etag)
    expect((await org.get('/objects/projects')).headers['etag']).not.toBe(before.headers['etag'])
    const same = await set(org, 'a')
    expect([same.body, same.headers['etag']]).toEqual([first.body, first.headers['etag']])
    expect(await dataOfNew(org)).toEqual({ field: 'a' })
    expect((await set(org, 'b')).body).toMatchObject({ defaultValue: 'b' })
    expect((await org.patch(PATH, { name: 'Phase' })).body).toMatchObject({ defaultValue: 'b' })
    expect(await dataOfNew(org)).toEqual({ field: 'b' })
    expect((await set(org, null)).body).toMatchObject({ defaultValue: null })
    expect(await dataOfNew(org)).toEqual({})
  })

  test('refuses a stale If-Match', async () => {
    const { org, etag } = await setUp()
    expect((await set(org, 'a', { 'if-match': etag })).status).toBe(200)
    expectError(await set(org, 'b', { 'if-match': etag }), 'precondition_failed')
  })

  test('can be set on built-in attributes, but not together with another change', async () => {
    const org = await service.org()
    const stage = '/objects/deals/attributes/stage'
    expect((await org.patch(stage, { defaultValue: 'Qualified' })).body).toMatchObject({
      defaultValue: 'Qualified',
    })
    expectError(await org.patch(stage, { defaultValue: 'Won', isRequired: true }), 'standard_object')
    expect((await org.get(stage)).body).toMatchObject({ defaultValue: 'Qualified', isRequired: false })
    const { body } = await org.post('/objects/deals/records', { data: { name: 'D' } })
    expect(body).toMatchObject({ data: { stage: 'Qualified' } })
  })

  test('prevents an attribute from becoming unique, and a change of both is refused', async () => {
    const { org } = await setUp({ type: 'text', defaultValue: 'a' })
    const unique = await org.patch(PATH, { isUnique: true })
    expectError(unique, 'validation_error')
    expect(problems(unique)).toEqual(['isUnique: not_allowed'])
    expect(messageOf(unique)).toBe(
      'must be false for an attribute with a default, which several records get: send {"defaultValue": null} first',
    )
    const both = await org.patch(PATH, { isUnique: true, defaultValue: null })
    expect(problems(both)).toEqual(['defaultValue: not_allowed'])
    expect((await org.get(PATH)).body).toMatchObject({ isUnique: false, defaultValue: 'a' })
    await set(org, null)
    expect((await org.patch(PATH, { isUnique: true })).body).toMatchObject({ isUnique: true })
    expect(problems(await set(org, 'a'))).toEqual(['defaultValue: not_allowed'])
    await org.patch(PATH, { isUnique: false })
    expect((await set(org, 'a')).body).toMatchObject({ isUnique: false, defaultValue: 'a' })
  })

  test('of an inactive attribute applies when the attribute is active again', async () => {
    const { org } = await setUp()
    await org.patch(`${PATH}/active`, { isActive: false })
    expect((await set(org, 'a')).body).toMatchObject({ defaultValue: 'a', isActive: false })
    expect(await dataOfNew(org)).toEqual({})
    await org.patch(`${PATH}/active`, { isActive: true })
    expect(await dataOfNew(org)).toEqual({ field: 'a' })
  })

  test('needs attributes:write and an attribute of the organization', async () => {
    const [{ org, attribute }, other] = [await setUp(), await buildProjects(service)]
    const authorization = `Bearer ${await org.keyWith(['attributes:read', 'records:write'])}`
    expectError(await set(org, 'a', { authorization }), 'insufficient_scope')
    const path = `/objects/projects/attributes/${attribute.id}`
    expectError(await other.org.patch(path, { defaultValue: 'a' }), 'not_found')
  })
})

describe('when options change, a default', () => {
  const change = (org: Org, body: object) =>
    org.patch<{ defaultValue: unknown }>('/objects/projects/select-attributes/field', body)

  test.each([
    ['follows a new name', { options: [{ value: 'A', from: ['a'] }, { value: 'b' }] }, 'A'],
    ['follows a merge', { options: [{ value: 'b', from: ['a'] }, { value: 'c' }] }, 'b'],
    ['stays with its option', { options: [{ value: 'a' }, { value: 'b' }] }, 'a'],
    ['goes with an option that is cleared', { options: [{ value: 'b' }], clear: ['a', 'c'] }, null],
    ['goes with an option that is removed', { options: [{ value: 'b' }] }, null],
  ])('%s', async (_, patch, expected) => {
    const { org } = await setUp({ ...OPTIONS, defaultValue: 'a' })
    expect((await change(org, patch)).body).toMatchObject({ defaultValue: expected })
    expect(await dataOfNew(org)).toEqual(expected === null ? {} : { field: expected })
  })

  test('that is a list keeps the remaining options', async () => {
    const { org } = await setUp({ ...OPTIONS, isList: true, defaultValue: ['a', 'b'] })
    const merged = { options: [{ value: 'B', from: ['a', 'b'] }, { value: 'c' }] }
    expect((await change(org, merged)).body).toMatchObject({ defaultValue: ['B'] })
    expect((await change(org, { options: [{ value: 'c' }] })).body).toMatchObject({ defaultValue: null })
  })
})

describe('the trash', () => {
  test('restores an attribute with its default', async () => {
    const { org } = await setUp({ type: 'currency', defaultValue: 5 })
    await org.delete(PATH)
    expect(await dataOfNew(org)).toEqual({})
    const restored = await org.post('/objects/projects/trashed-attributes/field/restore')
    const defaultValue = { amount: 5, currency: 'USD' }
    expect(restored.body).toMatchObject({ attribute: { defaultValue } })
    expect(await dataOfNew(org)).toEqual({ field: defaultValue })
  })

  test('restores an object with the defaults of its attributes', async () => {
    const { org, objectId } = await setUp({ ...OPTIONS, defaultValue: 'b' })
    await create(org, { name: 'None', type: 'text' })
    await org.delete('/objects/projects')
    expect((await org.post(`/trashed-objects/${objectId}/restore`)).status).toBe(200)
    expect(await list(org)).toMatchObject([{ defaultValue: 'b' }, { defaultValue: null }])
    expect(await dataOfNew(org)).toEqual({ field: 'b' })
  })
})
