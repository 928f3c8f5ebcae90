import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type {
  AcceptedInvitation,
  Invitation,
  OpenedInvitation,
  SentInvitation,
} from '../../../contract/invitations.ts'
import { INVITATION_MAILS_PER_DAY } from '../../../contract/limits.ts'
import type { Member } from '../../../contract/members.ts'
import { buildTestService } from '../../test/build-app.ts'
import { bodyOf, expectError } from '../../test/factories.ts'
import { cookieOf, mailTo, person, setCookies, tokenIn, visitor } from '../visitor.fixture.ts'
import { forgetOldInvitations } from './jobs.ts'

const service = await buildTestService()
const closed = await buildTestService({ signUp: 'closed' })
// No server listens on that port.
const mute = await buildTestService({ smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'rapport@example.com' })
const org = await service.org({ name: 'Acme <& Söhne>' })
const [owner, admin, member] = await org.members('owner', 'admin', 'member')
const anonymous = visitor(service)

const tokenOf = ({ inviteUrl }: SentInvitation) => tokenIn(inviteUrl)

async function invited(role = 'member', email = person().email) {
  const body = bodyOf(await owner.post<SentInvitation>('/invitations', { email, role }), 201)
  return { ...body, token: tokenOf(body) }
}

const stateOf = async (token: string) =>
  (await anonymous.get<OpenedInvitation>(`/invitations/${token}`)).body.state

const expire = (id: string) =>
  service.ctx.directory.run(
    sql`update invitations set expires_at = now() - interval '1 second' where id = ${id}`,
  )

const newcomer = { name: 'Nina New', password: 'correct horse' }

describe('inviting', () => {
  test('sends a link, shows it to the inviter, and does not store its secret', async () => {
    const { email } = person()
    const { status, body } = await admin.post<SentInvitation>('/invitations', {
      email: ` ${email.toUpperCase()} `,
      role: 'admin',
    })
    expect(status).toBe(201)
    const time = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(body).toEqual({
      id: expect.any(String),
      email,
      role: 'admin',
      state: 'pending',
      invitedBy: { id: admin.userId, name: 'Mia Member', email: admin.email },
      createdAt: time,
      sentAt: time,
      expiresAt: time,
      inviteUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/invitation\/[\w-]{43}$/),
      mail: 'kept',
    })
    expect(Date.parse(body.expiresAt) - Date.parse(body.sentAt)).toBe(7 * 24 * 3600 * 1000)
    const mail = await mailTo(service, email, /^Mia Member invites you to Acme <& Söhne>/)
    expect(mail).toContain(body.inviteUrl)
    const { inviteUrl: _, mail: __, ...listed } = body
    const list = await admin.get<{ invitations: Invitation[] }>('/invitations')
    expect(list.body.invitations[0]).toEqual(listed)
    const rows = await service.ctx.directory.many(sql`select * from invitations where id = ${body.id}`)
    expect(JSON.stringify(rows)).not.toContain(tokenOf(body))
  })

  test('succeeds when the mail cannot be sent', async () => {
    const boss = await (await mute.org()).member('owner')
    const { email } = person()
    const { status, body } = await boss.post<SentInvitation>('/invitations', { email, role: 'member' })
    expect({ status, mail: body.mail }).toEqual({ status: 201, mail: 'failed' })
    const joined = await visitor(mute).post(`/invitations/${tokenOf(body)}/accept`, newcomer)
    expect(joined.status).toBe(200)
  })

  test('refuses a member and an address with an open invitation', async () => {
    const again = { email: member.email.toUpperCase(), role: 'member' }
    expectError(await admin.post('/invitations', again), 'already_member')
    const { id, email } = await invited()
    expectError(await admin.post('/invitations', { email, role: 'admin' }), 'already_invited')
    await expire(id)
    expect((await admin.post('/invitations', { email, role: 'admin' })).status).toBe(201)
    const elsewhere = await (await service.org()).member('owner')
    expect((await elsewhere.post('/invitations', { email, role: 'admin' })).status).toBe(201)
  })

  test('allows only owners to invite owners, and to resend or cancel such invitations', async () => {
    const { email } = person()
    const refused = await admin.post('/invitations', { email, role: 'owner' })
    expectError(refused, 'insufficient_role')
    expect(refused.body).toMatchObject({ details: { requiredRole: 'owner' } })
    const { id, token } = await invited('owner', email)
    expectError(await admin.post(`/invitations/${id}/resend`), 'insufficient_role')
    expectError(await admin.delete(`/invitations/${id}`), 'insufficient_role')
    expect(await stateOf(token)).toBe('pending')
  })

  test('refuses members, who cannot list, resend or cancel invitations either', async () => {
    const { id } = await invited()
    expectError(await member.get('/invitations'), 'insufficient_role')
    expectError(
      await member.post('/invitations', { email: person().email, role: 'member' }),
      'insufficient_role',
    )
    expectError(await member.post(`/invitations/${id}/resend`), 'insufficient_role')
    expectError(await member.delete(`/invitations/${id}`), 'insufficient_role')
  })

  test('invitations of other organizations and unknown ids are not found', async () => {
    const { id, token } = await invited()
    const elsewhere = await (await service.org()).member('owner')
    for (const which of [id, 'none']) {
      expectError(await elsewhere.post(`/invitations/${which}/resend`), 'not_found')
      expectError(await elsewhere.delete(`/invitations/${which}`), 'not_found')
    }
    expect((await elsewhere.get('/invitations')).body['invitations']).toEqual([])
    expect(await stateOf(token)).toBe('pending')
  })

  test.each<[string, object]>([
    ['email', { email: 'nina' }],
    ['email', { email: 'nina@example.com\r\nbcc: all@example.com' }],
    ['email', { email: '' }],
    ['role', { role: 'king' }],
    ['role', { role: undefined }],
    ['note', { note: 'hi' }],
  ])('rejects a bad %s and names it', async (path, change) => {
    const reply = await owner.post('/invitations', { email: person().email, role: 'member', ...change })
    expectError(reply, 'validation_error')
    expect(reply.body).toMatchObject({ details: { errors: [{ path }] } })
  })

  test('is limited to a number of mails a day per organization', async () => {
    const busy = await (await service.org()).member('owner')
    const first = await busy.post<SentInvitation>('/invitations', { email: person().email, role: 'member' })
    const { id } = first.body
    await service.ctx.directory.run(
      sql`update invitations set sends = ${INVITATION_MAILS_PER_DAY} where id = ${id}`,
    )
    const more = { email: person().email, role: 'member' }
    expectError(await busy.post('/invitations', more), 'rate_limit_exceeded')
    expectError(await busy.post(`/invitations/${id}/resend`), 'rate_limit_exceeded')
    await service.ctx.directory.run(
      sql`update invitations set sent_at = now() - interval '25 hours' where id = ${id}`,
    )
    expect((await busy.post('/invitations', more)).status).toBe(201)
  })
})

describe('an invitation', () => {
  test('that is sent again has a new link and a new week, and the old link no longer works', async () => {
    const { id, email, token } = await invited()
    await expire(id)
    expect(await stateOf(token)).toBe('expired')
    const body = bodyOf(await admin.post<SentInvitation>(`/invitations/${id}/resend`))
    expect(body).toMatchObject({ id, email, state: 'pending', invitedBy: { id: admin.userId }, mail: 'kept' })
    expect(Date.parse(body.expiresAt) - Date.parse(body.sentAt)).toBe(7 * 24 * 3600 * 1000)
    expect(await stateOf(tokenOf(body))).toBe('pending')
    expectError(await anonymous.get(`/invitations/${token}`), 'not_found')
    expectError(await visitor(service).post(`/invitations/${token}/accept`, newcomer), 'not_found')
  })

  test('that is cancelled cannot be accepted, and is no longer listed', async () => {
    const { id, token } = await invited()
    expect(await admin.delete(`/invitations/${id}`)).toMatchObject({
      status: 200,
      body: { id, deleted: true },
    })
    const refused = await visitor(service).post(`/invitations/${token}/accept`, newcomer)
    expectError(refused, 'invitation_closed')
    expect(refused.body).toMatchObject({ details: { state: 'cancelled' } })
    const { invitations } = (await admin.get<{ invitations: Invitation[] }>('/invitations')).body
    expect(invitations.map((one) => one.id)).not.toContain(id)
    expectError(await admin.delete(`/invitations/${id}`), 'not_found')
    expectError(await admin.post(`/invitations/${id}/resend`), 'not_found')
  })

  test('that has expired cannot be accepted, and is listed as expired', async () => {
    const { id, token } = await invited()
    await expire(id)
    const refused = await visitor(service).post(`/invitations/${token}/accept`, newcomer)
    expectError(refused, 'invitation_closed')
    expect(refused.body).toMatchObject({ details: { state: 'expired' } })
    const { invitations } = (await admin.get<{ invitations: Invitation[] }>('/invitations')).body
    expect(invitations.find((one) => one.id === id)?.state).toBe('expired')
  })

  test('that ended a month ago is deleted', async () => {
    const [old, recent] = [await invited(), await invited()]
    await expire(recent.id)
    await service.ctx.directory.run(
      sql`update invitations set expires_at = now() - interval '31 days' where id = ${old.id}`,
    )
    await forgetOldInvitations(service.ctx, new AbortController().signal, new Date())
    expectError(await anonymous.get(`/invitations/${old.token}`), 'not_found')
    expect(await stateOf(recent.token)).toBe('expired')
  })
})

describe('accepting', () => {
  test('makes the invited person a user with the invited address, once', async () => {
    const { email, token, expiresAt } = await invited('admin')
    expect((await anonymous.get(`/invitations/${token}`)).body).toEqual({
      organization: 'Acme <& Söhne>',
      invitedBy: 'Mia Member',
      email,
      role: 'admin',
      hasAccount: false,
      state: 'pending',
      expiresAt,
    })
    const reply = await visitor(service).post<AcceptedInvitation>(`/invitations/${token}/accept`, newcomer)
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({
      organization: `org-${org.id}`,
      user: { id: expect.any(String), name: 'Nina New', email, emailVerified: false, image: null },
      organizations: [expect.objectContaining({ id: org.id, role: 'admin' })],
    })
    const nina = visitor(service, { cookie: cookieOf(reply) })
    expect((await nina.get(`/organizations/org-${org.id}/api-keys`)).status).toBe(200)
    expect(await stateOf(token)).toBe('accepted')
    for (const who of [visitor(service), nina])
      expectError(await who.post(`/invitations/${token}/accept`, newcomer), 'invitation_closed')
  })

  test('works where sign-up is closed', async () => {
    const boss = await (await closed.org()).member('owner')
    const { email } = person()
    const { body } = await boss.post<SentInvitation>('/invitations', { email, role: 'member' })
    const reply = await visitor(closed).post(`/invitations/${tokenOf(body)}/accept`, newcomer)
    expect(reply.status).toBe(200)
  })

  test('requires an existing user to sign in, who then joins', async () => {
    const stranger = await (await service.org()).member('owner')
    const { token } = await invited('member', stranger.email)
    expect((await anonymous.get(`/invitations/${token}`)).body).toMatchObject({ hasAccount: true })
    expectError(await visitor(service).post(`/invitations/${token}/accept`, newcomer), 'sign_in_required')
    const reply = await stranger.session.post<AcceptedInvitation>(`/invitations/${token}/accept`, {})
    expect(reply.status).toBe(200)
    expect(reply.body.organization).toBe(`org-${org.id}`)
    expect(reply.body.organizations).toHaveLength(2)
    expect(setCookies(reply)).toEqual([])
  })

  test('is refused to another user', async () => {
    const { token } = await invited()
    const stranger = await (await service.org()).member('owner')
    expectError(await stranger.session.post(`/invitations/${token}/accept`, {}), 'wrong_user')
    const foreign = { origin: 'https://evil.example' }
    expectError(await stranger.session.post(`/invitations/${token}/accept`, {}, foreign), 'foreign_origin')
    expect(await stateOf(token)).toBe('pending')
  })

  test('keeps the role of a user who became a member in between', async () => {
    const { email, token } = await invited('member')
    const someone = await org.member('admin')
    await service.ctx.directory.run(sql`update users set email = ${email} where id = ${someone.userId}`)
    expect((await someone.session.post(`/invitations/${token}/accept`, {})).status).toBe(200)
    const { members } = (await owner.get<{ members: Member[] }>('/members')).body
    expect(members.find(({ user }) => user.id === someone.userId)?.role).toBe('admin')
    expect(await stateOf(token)).toBe('accepted')
  })

  test('three times concurrently makes one user and one membership', async () => {
    const { token, email } = await invited()
    const accept = () => visitor(service).post(`/invitations/${token}/accept`, newcomer)
    const replies = await Promise.all([accept(), accept(), accept()])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(2)
    const { members } = (await owner.get<{ members: Member[] }>('/members')).body
    expect(members.filter(({ user }) => user.email === email)).toHaveLength(1)
  })

  test.each<[string[], object]>([
    [['name', 'password'], {}],
    [['password'], { name: 'Nina' }],
    [['name'], { name: ' ', password: 'correct horse' }],
    [['password'], { name: 'Nina', password: 'short' }],
    [['email'], { ...newcomer, email: 'other@example.com' }],
  ])('rejects a bad body and names the fields: %j', async (paths, body) => {
    const { token } = await invited()
    const reply = await visitor(service).post(`/invitations/${token}/accept`, body)
    expectError(reply, 'validation_error')
    expect(reply.body).toMatchObject({ details: { errors: paths.map((path) => ({ path })) } })
    expect(await stateOf(token)).toBe('pending')
  })

  test('answers an unknown link with not_found', async () => {
    expectError(await anonymous.get('/invitations/x'), 'not_found')
    expectError(await visitor(service).post(`/invitations/${'x'.repeat(43)}/accept`, newcomer), 'not_found')
  })
})
