import { expect, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import { person, visitor } from './visitor.fixture.ts'

const service = await buildTestService()
const org = await service.org()
const owner = await org.member('owner')

const COOKIES = [
  'rapport.session_token=',
  'rapport.session_token=%E0%A4%A',
  'rapport.session_token=a.b.c',
  'rapport.session_token=%00.%00',
  'rapport.session_token=ÿÿ; rapport.session_token=x',
  '__Secure-rapport.session_token=x.y',
]

test.each(COOKIES)('the cookie %j does not sign in', async (cookie) => {
  const { get, post } = visitor(service, { cookie })
  expect((await get('/session')).status).toBe(401)
  expect((await get(`/organizations/org-${org.id}/organization`)).status).toBe(401)
  expect((await post('/sign-out')).status).toBe(200)
  expect((await post(`/invitations/x/accept`, {})).status).toBe(404)
  expect((await post('/sign-in', { email: person().email, password: 'correct horse' })).status).toBe(401)
})

const ROUTES = [
  ['post', '/sign-up'],
  ['post', '/sign-in'],
  ['post', '/forgot-password'],
  ['post', '/reset-password'],
  ['post', '/verify-email'],
  ['post', '/change-password'],
  ['patch', '/profile'],
  ['post', '/organizations'],
  ['post', '/invitations/x/accept'],
] as const
const OWN_ROUTES = [
  ['patch', '/organization'],
  ['post', '/invitations'],
  ['patch', '/members/x'],
  ['post', '/api-keys'],
  ['delete', '/api-keys/x'],
] as const
const BODIES = ['null', '[]', '"text"', '{', '{"a":1}', '{"__proto__":{"name":"A"}}', '{"name":"\\ud800"}']

/** These routes require no field, so a missing body counts as an empty one. */
const WITHOUT_BODY = ['/profile', '/invitations/x/accept', '/organization', '/members/x']
const needsBody = ([, path]: readonly [string, string]) => !WITHOUT_BODY.includes(path)

test('a missing body is answered with 400 where a field is required', async () => {
  for (const [method, path] of ROUTES.filter(needsBody))
    expect([path, (await owner.session[method](path, '')).status]).toEqual([path, 400])
  for (const [method, path] of OWN_ROUTES.filter(needsBody))
    expect([path, (await owner[method](path, '')).status]).toEqual([path, 400])
})

test.each(BODIES)('the body %j is answered with 400', async (body) => {
  for (const [method, path] of ROUTES)
    expect([path, (await owner.session[method](path, body)).status]).toEqual([path, 400])
  for (const [method, path] of OWN_ROUTES)
    expect([path, (await owner[method](path, body)).status]).toEqual([path, 400])
})

test.each(['%00', '%ff', 'a%00b', '%F0%9F%98%80', 'x'.repeat(5000)])(
  'an unknown address with %j is answered with 404',
  async (odd) => {
    for (const path of [`/organizations/${odd}/organization`, `/invitations/${odd}`])
      expect([path, (await owner.session.get(path)).status]).toEqual([path, 404])
    expect((await owner.session.delete(`/sessions/${odd}`)).status).toBe(404)
    expect((await owner.patch(`/members/${odd}`, { role: 'admin' })).status).toBe(404)
    expect((await owner.delete(`/members/${odd}`)).status).toBe(404)
    expect((await owner.delete(`/invitations/${odd}`)).status).toBe(404)
    expect((await owner.post(`/invitations/${odd}/resend`)).status).toBe(404)
    expect((await owner.delete(`/api-keys/${odd}`, { confirmName: 'a' })).status).toBe(404)
  },
)

test('unknown parameters are answered with 400', async () => {
  expect((await owner.session.get('/sessions?all=true')).status).toBe(400)
  expect((await owner.get('/invitations?state=expired')).status).toBe(400)
})
