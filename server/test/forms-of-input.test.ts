// The answers to unusual or malformed input.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { expectError, type Org } from './factories.ts'
import { sharedTestService } from './shared-service.ts'

const service = await sharedTestService()

interface Body {
  id: string
  updatedAt: string
  details: { errors: { path: string; code: string; message: string }[] }
}

const NAMES = { pluralName: 'Projects', singularName: 'Project' }

async function made(org: Org, path: string, body: object): Promise<string> {
  const reply = await org.post<Body>(path, body)
  expect(reply.status).toBe(201)
  return `${path}/${reply.body.id}`
}

test('PATCH {} changes nothing and returns 200, also for built-in objects and attributes', async () => {
  const org = await service.org()
  const people = await org.get<{ attributes: { id: string }[] }>('/objects/people')
  const paths = [
    await made(org, '/objects', NAMES),
    await made(org, '/objects/projects/attributes', { name: 'Budget', type: 'text' }),
    await made(org, '/objects/people/records', { data: { name: 'Ada' } }),
    await made(org, '/activities', { title: 'Call' }),
    '/objects/people',
    `/objects/people/attributes/${people.body.attributes[0]?.id}`,
  ]
  const events = await org.events()
  for (const path of paths) {
    const before = (await org.get<Body>(path)).body
    const reply = await org.patch<Body>(path, {})
    expect([path, reply.status, reply.body.updatedAt]).toEqual([path, 200, before.updatedAt])
  }
  expect(await org.events()).toEqual(events)
})

test.each([
  ['/objects', { ...NAMES, pluralName: ' \t' }, 'pluralName'],
  ['/objects', { ...NAMES, singularName: '\u00a0' }, 'singularName'],
  ['/objects/people/attributes', { name: '  ', type: 'text' }, 'name'],
  ['/activities', { title: ' \n ' }, 'title'],
  ['/objects/companies/records', { data: { name: '  ' } }, 'data.name'],
  [
    '/objects/people/attributes',
    { name: 'Stage', type: 'select', config: { options: ['Lead', ' '] } },
    'config.options[1]',
  ],
])('POST %s refuses the blank %j', async (path, body, field) => {
  const org = await service.org()
  const reply = await org.post<Body>(path, body)
  expectError(reply, 'validation_error')
  expect(reply.body.details.errors.map((problem) => problem.path)).toContain(field)
})

test('names and titles are stored without the spaces around them', async () => {
  const org = await service.org()
  const object = await org.post('/objects', { pluralName: ' Projects ', singularName: ' Project' })
  expect(object.body).toMatchObject(NAMES)
  expect((await org.post('/activities', { title: ' Call \n' })).body).toMatchObject({ title: 'Call' })
})

test('new options are stored without the spaces around them, and existing options keep theirs', async () => {
  const org = await service.org()
  const path = '/objects/people/attributes'
  const stage = { name: 'Stage', type: 'select' }
  const twice = await org.post<Body>(path, { ...stage, config: { options: ['Lead', 'Lead '] } })
  expectError(twice, 'validation_error')
  expect(twice.body.details.errors).toMatchObject([{ path: 'config.options[1]', code: 'uniqueItems' }])
  const made = await org.post<Body>(path, { ...stage, config: { options: [' Lead '] } })
  expect(made.body).toMatchObject({ config: { options: ['Lead'] } })
  await service.ctx.db.run(sql`
    update attributes set config = '{"options": [" Old "]}' where org = ${org.org} and id = ${made.body.id}`)
  const options = [{ value: ' Old ' }, { value: ' New ' }]
  const set = await org.patch<Body>(`/objects/people/select-attributes/${made.body.id}`, { options })
  expect(set.status).toBe(200)
  const { body } = await org.get<Body>(`${path}/${made.body.id}`)
  expect(body).toMatchObject({ config: { options: [' Old ', 'New'] } })
})

test('a parameter sent twice is refused, and the message states that', async () => {
  const org = await service.org()
  const reply = await org.get<Body>('/objects/people/records?limit=5&limit=6')
  expectError(reply, 'invalid_parameter')
  expect(reply.body.details.errors).toEqual([
    { path: 'limit', code: 'given_twice', message: 'is sent more than once: send it once' },
  ])
})

test.each(['%', '100%', '%zz', '%ff', 'a%2'])('a filter by the malformed %j returns 400', async (operand) => {
  const org = await service.org()
  const reply = await org.get<Body>(`/objects/companies/records?filter[name][equals]=${operand}`)
  expectError(reply, 'invalid_parameter')
  expect(reply.body.details.errors).toMatchObject([
    { path: 'filter[name][equals]', code: 'malformed_encoding' },
  ])
})

test.each([
  ['reference', {}, ['config.allowed_object_id']],
  ['reference', { allowed_object_id: 'x' }, ['config.allowed_object_id']],
  ['reference', 5, ['config']],
  ['select', { options: [] }, ['config.options']],
  ['select', { options: ['a'], colour: 'red' }, ['config.colour']],
])('a %s with the config %j gets only errors of the rules of its type', async (type, config, paths) => {
  const org = await service.org()
  const reply = await org.post<Body>('/objects/people/attributes', { name: 'X', type, config })
  expectError(reply, 'validation_error')
  expect(reply.body.details.errors.map(({ path }) => path)).toEqual(paths)
  const other = type === 'reference' ? 'options' : 'allowed_object_id'
  expect(JSON.stringify(reply.body)).not.toContain(other)
})

test('the error for an unknown part of an address names it and the valid parts', async () => {
  const org = await service.org()
  const address = { city: 'London', zip: 'W1' }
  const reply = await org.post<Body>('/objects/companies/records', { data: { name: 'Acme', address } })
  expect(reply.body.details.errors.map(({ message }) => message)).toEqual([
    'has no part "zip": use line1, line2, city, state, postalCode, country',
  ])
})

test('the error for an in filter without values states the allowed number', async () => {
  const org = await service.org()
  const filter = { attributeSlug: 'name', operator: 'in', value: [] }
  for (const body of [{ filter }, { filters: [filter] }]) {
    const reply = await org.post<Body>('/objects/people/records/search', body)
    expect(reply.status).toBe(400)
    expect(JSON.stringify(reply.body)).toMatch(/at least one|an array of 1 to 100 values/)
  }
})
