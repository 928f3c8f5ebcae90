import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { ENDPOINTS_MAX } from '../../../contract/webhook-states.ts'
import { buildTestService } from '../../test/build-app.ts'
import { expectError, type Org } from '../../test/factories.ts'
import {
  buildWorld,
  countListeners,
  idOf,
  iso,
  make,
  NO_SUCH,
  PATH,
  problemsOf,
  queueDue,
} from './endpoints.fixture.ts'

const service = await buildTestService()
const strict = await buildTestService({ egressAllowPrivate: false })
const { db } = service.ctx

const world = () => buildWorld(service)
const listeners = (org: Org) => countListeners(service, org)
const due = (org: Org, endpoint: string) => queueDue(service, org, endpoint)

describe('POST /webhooks/endpoints', () => {
  test('creates an enabled endpoint for all events, with a queue and a listener', async () => {
    const { org, olivia } = await world()
    const created = await olivia.post(PATH, { url: 'https://hooks.example.com/crm' })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({
      id: expect.any(String),
      url: 'https://hooks.example.com/crm',
      description: '',
      eventTypes: null,
      objectIds: null,
      changedAttributes: null,
      headers: [],
      rateLimit: null,
      areSecretsReadable: true,
      isEnabled: true,
      disabledReason: null,
      disabledAt: null,
      failingSince: null,
      waiting: 0,
      stats: {
        hours: expect.any(Array),
        succeeded: 0,
        failed: 0,
        successRate: null,
        medianMs: null,
        p95Ms: null,
      },
      createdAt: iso,
      updatedAt: iso,
    })
    expect(await due(org, created.body['id'] as string)).toBe('never')
    expect(await listeners(org)).toBe(1)
    expect((await olivia.get(`${PATH}/${created.body['id']}`)).body).toEqual(created.body)
  })

  test('stores every field: the URL in normalized form, and objects by id, also inactive ones', async () => {
    const { org, olivia } = await world()
    const [deals, people] = [await idOf(org, 'deals'), await idOf(org, 'people')]
    const { body: projects } = await org.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
    await org.patch('/objects/projects', { isActive: false })
    const fields = {
      description: 'Orders',
      eventTypes: ['record.updated', 'activity.created'],
      objectIds: [projects['id'], deals, people],
      changedAttributes: ['stage', 'amount'],
      headers: [
        { name: 'Authorization', value: 'Bearer hunter2' },
        { name: 'x-empty', value: '' },
      ],
      rateLimit: 5,
    }
    const given = { ...fields, objectIds: [projects['id'], deals.toUpperCase(), people, deals] }
    const { id, url } = await make(olivia, { ...given, url: ' HTTPS://Hooks.Example.com:443/a b?x=1#part' })
    expect(url).toBe('https://hooks.example.com/a%20b?x=1')
    expect((await olivia.get(`${PATH}/${id}`)).body).toMatchObject(fields)
  })

  test.each<[string, string[]]>([
    ['{}', ['url: required']],
    ['{"url":""}', ['url: minLength']],
    ['{"url":"hooks.example.com"}', ['url: invalid_url']],
    ['{"url":"https://"}', ['url: invalid_url']],
    ['{"url":"ftp://hooks.example.com/"}', ['url: refused_url']],
    [`{"url":"https://e.com/${'x'.repeat(2048)}"}`, ['url: maxLength']],
    [`{"url":"https://e.com/${'é'.repeat(1000)}"}`, ['url: maxLength']],
    ['{"url":"https://e.com","description":"a\\u0000"}', ['description: invalid_text']],
    ['{"url":"https://e.com","color":"red"}', ['color: unknown_field']],
    ['{"url":"https://e.com","isEnabled":false}', ['isEnabled: unknown_field']],
    ['{"url":"https://e.com","eventTypes":[]}', ['eventTypes: minItems']],
    ['{"url":"https://e.com","eventTypes":["record.read"]}', ['eventTypes[0]: enum']],
    ['{"url":"https://e.com","objectIds":["deals"]}', ['objectIds[0]: pattern']],
    [`{"url":"https://e.com","objectIds":["${NO_SUCH}"]}`, ['objectIds[0]: unknown_object']],
    ['{"url":"https://e.com","changedAttributes":["Stage"]}', ['changedAttributes[0]: pattern']],
    ['{"url":"https://e.com","rateLimit":0}', ['rateLimit: minimum']],
    ['{"url":"https://e.com","rateLimit":1001}', ['rateLimit: maximum']],
    ['{"url":"https://e.com","headers":[{"name":"","value":""}]}', ['headers[0].name: minLength']],
    [
      '{"url":"ftp://e.com","headers":[{"name":"Host","value":"é"},{"name":"a b","value":"x"}]}',
      [
        'headers[0].name: reserved_name',
        'headers[0].value: invalid_value',
        'headers[1].name: invalid_name',
        'url: refused_url',
      ],
    ],
  ])('rejects %#: %s', async (body, problems) => {
    const { org, olivia } = await world()
    const refused = await olivia.post(PATH, body)
    expectError(refused, 'validation_error')
    // The other alternatives of a union may report more problems.
    expect(problemsOf(refused)).toEqual(expect.arrayContaining(problems))
    expect((await olivia.get(PATH)).body).toMatchObject({ endpoints: [] })
    expect(await listeners(org)).toBe(0)
  })

  test.each([
    'http://hooks.example.com/',
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/',
    'https://ada:secret@hooks.example.com/',
  ])('an installation on the internet rejects %s, also for an existing endpoint', async (url) => {
    const olivia = await (await strict.org()).member('owner')
    const made = await make(olivia, { url: 'https://192.0.32.8/' })
    for (const refused of [
      await olivia.post(PATH, { url }),
      await olivia.patch(`${PATH}/${made.id}`, { url }),
    ]) {
      expectError(refused, 'validation_error')
      expect(problemsOf(refused)).toEqual(['url: refused_url'])
    }
  })

  test('rejects deleted objects and objects of other organizations, with their paths', async () => {
    const [{ org, olivia }, other] = [await world(), await world()]
    const { body: projects } = await org.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
    await org.delete('/objects/projects')
    const objectIds = [await idOf(org, 'deals'), await idOf(other.org, 'deals'), projects['id']]
    const refused = await olivia.post(PATH, { url: 'https://e.com', objectIds })
    expectError(refused, 'validation_error')
    expect(problemsOf(refused)).toEqual(['objectIds[1]: unknown_object', 'objectIds[2]: unknown_object'])
  })

  test(`rejects more than ${ENDPOINTS_MAX} endpoints, also for concurrent requests`, async () => {
    const { org, olivia } = await world()
    const { id } = await make(olivia)
    await db.run(sql`
      insert into webhook_endpoints (org, id, url, description, secret)
      select org, gen_random_uuid(), url, '', secret from webhook_endpoints, generate_series(3, ${ENDPOINTS_MAX - 1})
      where org = ${org.org} and id = ${id}`)
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => olivia.post(PATH, { url: 'https://e.com' })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409])
    for (const reply of replies.filter(({ status }) => status === 409)) expectError(reply, 'limit_reached')
    expect((await olivia.get<{ endpoints: unknown[] }>(PATH)).body.endpoints).toHaveLength(ENDPOINTS_MAX)
  })
})
