// The simulated Svix is as strict as the published API, and accepts requests of Svix's package.
import { Svix } from 'svix'
import { beforeEach, expect, test } from 'vitest'
import { startStandIn, TOKEN } from './stand-in.fixture.ts'

const standIn = await startStandIn()
beforeEach(() => {
  standIn.faults.length = 0
})

const MESSAGES = '/api/v1/app/acme/msg'
const message = { eventType: 'record.created', eventId: 'e1', payload: {} }

interface Request {
  method?: string
  body?: object | string
  headers?: Record<string, string>
}

async function ask(path: string, { method = 'POST', body = message, headers = {} }: Request = {}) {
  const response = await fetch(`${standIn.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
    ...(method !== 'GET' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return response.status
}

test("requests of Svix's package are accepted", async () => {
  const svix = new Svix(TOKEN, { serverUrl: standIn.url })
  await svix.application.getOrCreate({ uid: 'acme', name: 'Acme' })
  await svix.eventType.create({
    name: 'record.created',
    description: 'made',
    schemas: { '1': { type: 'object' } },
  })
  await svix.eventType.patch('record.created', { description: 'changed' })
  const created = await svix.message.create('acme', message, { idempotencyKey: 'e1', withContent: false })
  expect(created.eventId).toBe('e1')
  await expect(svix.message.create('acme', message)).rejects.toMatchObject({ code: 409 })
  const { url } = await svix.authentication.appPortalAccess('acme', { expiry: 3600 })
  expect(url).toContain('acme')
  expect(standIn.faults).toEqual([])
  expect(standIn.applications.get('acme')).toBe('Acme')
  expect(standIn.eventTypes.get('record.created')?.description).toBe('changed')
  expect(standIn.messages).toMatchObject([{ app: 'acme', eventId: 'e1', idempotencyKey: 'e1' }])
})

test.each<[string, Parameters<typeof ask>, RegExp]>([
  ['an unknown path', ['/api/v1/app/acme/messages'], /there is no POST/],
  ['a wrong method', [MESSAGES, { method: 'PUT' }], /there is no PUT/],
  ['a name with a space', ['/api/v1/app/a%20b/msg'], /the path names/],
  ['an unknown parameter', [`${MESSAGES}?wait=true`], /the query is/],
  ['an invalid value', [`${MESSAGES}?with_content=no`], /the query is/],
  ['a body that is not JSON', [MESSAGES, { body: '{' }], /no JSON/],
  ['a body of another type', [MESSAGES, { headers: { 'content-type': 'text/plain' } }], /content-type/],
  ['a misspelled field', [MESSAGES, { body: { ...message, eventID: 'e2' } }], /additional/],
  ['a missing field', [MESSAGES, { body: { eventType: 'a' } }], /required/],
  ['a payload that is no object', [MESSAGES, { body: { ...message, payload: [] } }], /body\/payload/],
  ['a link for a minute', ['/api/v1/auth/app-portal-access/acme', { body: { expiry: 60 } }], /body\/expiry/],
  [
    'a key where none is',
    ['/api/v1/event-type', { method: 'GET', headers: { 'idempotency-key': 'a' } }],
    /idempotency-key/,
  ],
])('%s is rejected and recorded', async (_, request, fault) => {
  expect([404, 422]).toContain(await ask(...request))
  expect(standIn.faults.join('\n')).toMatch(fault)
})

test('another token is rejected', async () => {
  expect(await ask(MESSAGES, { headers: { authorization: 'Bearer another' } })).toBe(401)
})
