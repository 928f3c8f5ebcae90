import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Session, Visitor } from '../../contract/session.ts'
import { dashboardRequests } from '../test/dashboard-client.ts'
import { bodyOf, expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'

const service = await sharedTestService()
const org = await service.org({ name: 'Acme' })
const [owner, member] = await org.members('owner', 'member')
const anonymous = dashboardRequests(service.inject, '/dashboard/api')

test('GET /session returns the signed-in user and their organizations', async () => {
  const body = bodyOf(await member.session.get<Session>('/session'))
  expect(body.user).toEqual({
    id: member.userId,
    name: 'Mia Member',
    email: member.email,
    emailVerified: true,
    image: null,
  })
  expect(body.organizations).toEqual([
    {
      id: org.id,
      slug: `org-${org.id}`,
      name: 'Acme',
      role: 'member',
      country: 'US',
      currency: 'USD',
      timeZone: 'UTC',
    },
  ])
})

test('GET /visitor returns the session, or null without one', async () => {
  const { session } = (await member.session.get<Visitor>('/visitor')).body
  expect(session).toEqual((await member.session.get('/session')).body)
  expect(await anonymous.get('/visitor')).toMatchObject({ status: 200, body: { session: null } })
})

test('requests without a session, or with a forged one, get a 401', async () => {
  expectError(await anonymous.get('/session'), 'unauthorized')
  const forged = dashboardRequests(service.inject, '/dashboard/api', `${member.cookie.slice(0, -9)}AAAAA%3D`)
  expectError(await forged.get('/session'), 'unauthorized')
  expectError(await anonymous.get(`/organizations/org-${org.id}/objects`), 'unauthorized')
})

test('an API key is not accepted as a session, nor a session as a key', async () => {
  const headers = { authorization: `Bearer ${org.key}` }
  expectError(await anonymous.get(`/organizations/org-${org.id}/objects`, headers), 'unauthorized')
  const withCookie = dashboardRequests(service.inject, '/api/v1', owner.cookie)
  expectError(await withCookie.get('/objects'), 'unauthorized')
})

test('the routes of the API act as the signed-in user', async () => {
  const created = await member.post<{ id: string }>('/objects/companies/records', {
    data: { name: 'Initech' },
  })
  expect(created.status).toBe(201)
  expect((await member.get(`/objects/companies/records/${created.body.id}`)).body).toEqual(created.body)
  const { actor } = await service.ctx.db.one<{ actor: string }>(
    sql`select actor from events where org = ${org.org} and subject = ${created.body.id}`,
  )
  expect(actor).toBe(member.userId)
})

test('an organization is hidden from users who are not members', async () => {
  const stranger = await (await service.org()).member('owner')
  const elsewhere = dashboardRequests(
    service.inject,
    `/dashboard/api/organizations/org-${org.id}`,
    stranger.cookie,
  )
  expectError(await elsewhere.get('/objects'), 'not_found')
  expectError(await elsewhere.post('/objects', { pluralName: 'Ships', singularName: 'Ship' }), 'not_found')
})

test('members without the role admin cannot change the data model', async () => {
  const ships = { pluralName: 'Ships', singularName: 'Ship' }
  const refused = await member.post('/objects', ships)
  expectError(refused, 'insufficient_role')
  expect(refused.body).toMatchObject({ details: { requiredRole: 'admin' } })
  expect((await owner.post('/objects', ships)).status).toBe(201)
})

test.each([
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['a sister site', { 'sec-fetch-site': 'same-site' }],
  ['another origin', { origin: 'https://evil.example' }],
  ['a null origin', { origin: 'null' }],
])('changes from %s are refused', async (_, headers) => {
  const body = { data: { name: 'Forged' } }
  expectError(await owner.post('/objects/companies/records', body, headers), 'foreign_origin')
  expect((await owner.get('/objects', headers)).status).toBe(200)
})

test('changes from the dashboard itself are accepted', async () => {
  const body = { data: { name: 'Own' } }
  for (const headers of [
    { 'sec-fetch-site': 'same-origin' },
    { origin: 'http://localhost:80', host: 'localhost:80' },
  ])
    expect((await owner.post('/objects/companies/records', body, headers)).status).toBe(201)
})
