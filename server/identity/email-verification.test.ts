import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { SentInvitation } from '../../contract/invitations.ts'
import type { Session } from '../../contract/session.ts'
import { buildTestService } from '../test/build-app.ts'
import { expectError } from '../test/factories.ts'
import { forgetExpired } from './jobs.ts'
import { cookieOf, mailTo, person, tokenIn, visitor } from './visitor.fixture.ts'

const service = await buildTestService({ organizationsPerUser: 3 })

async function newUser() {
  const someone = person()
  const reply = await visitor(service).post<Session>('/sign-up', {
    ...someone,
    organization: { name: 'Acme' },
  })
  expect(reply.status).toBe(201)
  const signedIn = visitor(service, { cookie: cookieOf(reply) })
  const organization = `/organizations/${reply.body.organizations[0]?.slug}`
  return { ...someone, signedIn, organization }
}

const linkOf = async (email: string) => tokenIn(await mailTo(service, email, /^Confirm your email address/))
const confirm = (token: string) => visitor(service).post('/verify-email', { token })
const invitation = () => ({ email: person().email, role: 'member' })

describe('before the address is confirmed', () => {
  test('a new user can work with data, but cannot invite users or make another organization', async () => {
    const { signedIn, organization } = await newUser()
    expect((await signedIn.get<Session>('/session')).body.user.emailVerified).toBe(false)
    const record = { data: { name: 'Ada Lovelace' } }
    expect((await signedIn.post(`${organization}/objects/people/records`, record)).status).toBe(201)
    expectError(await signedIn.post(`${organization}/invitations`, invitation()), 'email_unverified')
    expectError(await signedIn.post('/organizations', { name: 'Second' }), 'email_unverified')
    expect((await signedIn.get(`${organization}/invitations`)).body).toEqual({
      invitations: [],
      pagination: { total: 0, limit: 1, offset: 0 },
    })
  })

  test('a user cannot resend the invitation of another user, but can cancel it', async () => {
    const org = await service.org()
    const [owner, admin] = await org.members('owner', 'admin')
    const { body } = await owner.post<SentInvitation>('/invitations', invitation())
    await service.ctx.directory.run(sql`update users set email_verified = false where id = ${admin.userId}`)
    expectError(await admin.post(`/invitations/${body.id}/resend`), 'email_unverified')
    expect((await admin.delete(`/invitations/${body.id}`)).status).toBe(200)
  })

  test('a new user who came by an invitation cannot invite, as the inviter has seen the link too', async () => {
    const owner = await (await service.org()).member('owner')
    const { body } = await owner.post<SentInvitation>('/invitations', { ...invitation(), role: 'admin' })
    const accepted = await visitor(service).post<Session>(`/invitations/${tokenIn(body.inviteUrl)}/accept`, {
      name: 'Nina New',
      password: 'correct horse',
    })
    const nina = visitor(service, { cookie: cookieOf(accepted) })
    const url = `/organizations/${accepted.body.organizations[0]?.slug}/invitations`
    expectError(await nina.post(url, invitation()), 'email_unverified')
    expect((await confirm(await linkOf(body.email))).status).toBe(200)
    expect((await nina.post(url, invitation())).status).toBe(201)
  })
})

describe('the link', () => {
  test('confirms the address, may be followed twice, and is stored as a hash', async () => {
    const { email, signedIn, organization } = await newUser()
    const token = await linkOf(email)
    const rows = await service.ctx.directory.many(sql`select * from email_verifications`)
    expect(JSON.stringify(rows)).not.toContain(token)
    for (let time = 0; time < 2; time++)
      expect(await confirm(token)).toMatchObject({ status: 200, body: { done: true } })
    expect((await signedIn.get<Session>('/session')).body.user.emailVerified).toBe(true)
    expect((await signedIn.post(`${organization}/invitations`, invitation())).status).toBe(201)
    expect((await signedIn.post('/organizations', { name: 'Second' })).status).toBe(201)
  })

  test('confirms only the address that it was sent to, and only for a day', async () => {
    const [moved, late] = [await newUser(), await newUser()]
    const { directory: db } = service.ctx
    await db.run(sql`update users set email = 'victim@example.com' where email = ${moved.email}`)
    await db.run(sql`
      update email_verifications set expires_at = now() - interval '1 second' where email = ${late.email}`)
    for (const token of [await linkOf(moved.email), await linkOf(late.email), 'x'.repeat(43)]) {
      const refused = await confirm(token)
      expectError(refused, 'validation_error')
      expect(refused.body).toMatchObject({ details: { errors: [{ path: 'token', code: 'invalid_token' }] } })
    }
    await forgetExpired(service.ctx, new AbortController().signal, new Date())
    expect(await db.many(sql`select from email_verifications where email = ${late.email}`)).toEqual([])
  })

  test('is sent again on request, at most three times an hour, and not to a confirmed address', async () => {
    const { email, signedIn } = await newUser()
    const first = await linkOf(email)
    for (let time = 0; time < 2; time++) expect((await signedIn.post('/verification-mail')).status).toBe(200)
    const refused = await signedIn.post('/verification-mail')
    expectError(refused, 'rate_limit_exceeded')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expectError(await visitor(service).post('/verification-mail'), 'unauthorized')
    expect((await confirm(first)).status).toBe(200)
    expect((await signedIn.post('/verification-mail')).status).toBe(200)
    const links = sql`select from email_verifications where email = ${email}`
    expect(await service.ctx.directory.many(links)).toHaveLength(3)
  })
})

test('a user can own at most ORGANIZATIONS_PER_USER organizations, also with concurrent requests', async () => {
  const { email, signedIn } = await newUser()
  await confirm(await linkOf(email))
  const make = () => signedIn.post('/organizations', { name: 'More' })
  const replies = await Promise.all([make(), make(), make(), make()])
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
  const refused = await make()
  expectError(refused, 'limit_reached')
  expect(refused.body['message']).toContain('ORGANIZATIONS_PER_USER')
})
