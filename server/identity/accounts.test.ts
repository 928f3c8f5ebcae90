import sql from 'sql-template-tag'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Session } from '../../contract/session.ts'
import { buildTestService } from '../test/build-app.ts'
import { expectError } from '../test/factories.ts'
import { cookieOf, mailTo, newAddress, person, setCookies, tokenIn, visitor } from './visitor.fixture.ts'

const service = await buildTestService()
const closed = await buildTestService({ signUp: 'closed' })
const proxied = await buildTestService({ trustProxy: 1 })
const secure = await buildTestService({ baseUrl: 'https://crm.example.com' })

const signUpOf = (someone: ReturnType<typeof person>) => ({ ...someone, organization: { name: 'Acme' } })

async function newUser(from = service) {
  const someone = person()
  const reply = await visitor(from).post<Session>('/sign-up', signUpOf(someone))
  expect(reply.status).toBe(201)
  return { ...someone, reply, cookie: cookieOf(reply), signedIn: visitor(from, { cookie: cookieOf(reply) }) }
}

describe('sign-up', () => {
  test('makes a signed-in user with their own organization', async () => {
    const someone = person()
    const organization = { name: ' Müller GmbH ', country: 'DE', currency: 'EUR', timeZone: 'Europe/Berlin' }
    const reply = await visitor(service).post<Session>('/sign-up', {
      ...someone,
      email: someone.email.toUpperCase(),
      organization,
    })
    expect(reply.status).toBe(201)
    expect(reply.body).toEqual({
      user: {
        id: expect.any(String),
        name: someone.name,
        email: someone.email,
        emailVerified: false,
        image: null,
      },
      organizations: [
        { ...organization, id: expect.any(String), slug: 'muller-gmbh', name: 'Müller GmbH', role: 'owner' },
      ],
    })
    const signedIn = visitor(service, { cookie: cookieOf(reply) })
    expect((await signedIn.get('/session')).body).toEqual(reply.body)
    const objects = await signedIn.get<{ objects: unknown[] }>('/organizations/muller-gmbh/objects')
    expect(objects.body.objects).toHaveLength(3)
  })

  test('refuses an email that has an account, with any password, and makes nothing', async () => {
    const { email } = await newUser()
    const count = () =>
      service.ctx.directory.one(sql`select (select count(*) from organizations) as organizations,
      (select count(*) from users) as users, (select count(*) from sessions) as sessions`)
    const before = await count()
    const again = { ...signUpOf(person()), email: email.toUpperCase() }
    const reply = await visitor(service).post('/sign-up', again)
    expectError(reply, 'email_taken')
    expect(setCookies(reply)).toEqual([])
    expect(await count()).toEqual(before)
  })

  test('makes one user from concurrent requests with one email', async () => {
    const someone = signUpOf(person())
    const replies = await Promise.all([1, 2, 3].map(() => visitor(service).post('/sign-up', someone)))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })

  test.each<[string, object]>([
    ['email', { email: 'ada' }],
    ['email', { email: 'ada\u0000@example.com' }],
    ['email', { email: 'ada..b@example.com' }],
    ['email', { email: 'änne@example.com' }],
    ['name', { name: ' ' }],
    ['name', { name: 'A\u0000' }],
    ['password', { password: 'short' }],
    ['password', { password: 'x'.repeat(129) }],
    ['organization.name', { organization: { name: '  ' } }],
    ['organization.country', { organization: { name: 'A', country: 'XX' } }],
    ['organization.currency', { organization: { name: 'A', currency: 'QQQ' } }],
    ['organization.timeZone', { organization: { name: 'A', timeZone: 'Mars' } }],
    ['organization.timeZone', { organization: { name: 'A', timeZone: 'AET' } }],
    ['organization', { organization: undefined }],
    ['role', { role: 'owner' }],
  ])('rejects a bad %s and names it: %j', async (path, change) => {
    const reply = await visitor(service).post('/sign-up', { ...signUpOf(person()), ...change })
    expectError(reply, 'validation_error')
    expect(reply.body).toMatchObject({ details: { errors: [{ path }] } })
  })

  test('is limited per address', async () => {
    const { email } = await newUser()
    const taken = { ...signUpOf(person()), email }
    const address = newAddress()
    const statuses: number[] = []
    for (let attempt = 1; attempt <= 11; attempt++)
      statuses.push((await visitor(service, { address }).post('/sign-up', taken)).status)
    expect(statuses).toEqual([...Array(10).fill(409), 429])
  })

  test('may be closed; then users cannot make organizations either', async () => {
    expectError(await visitor(closed).post('/sign-up', signUpOf(person())), 'sign_up_closed')
    const owner = await (await closed.org()).member('owner')
    expectError(await owner.session.post('/organizations', { name: 'Mine' }), 'sign_up_closed')
    expect((await visitor(closed).get('/installation')).body).toEqual({ signUp: 'closed', sendsMail: false })
    expect((await visitor(service).get('/installation')).body).toEqual({ signUp: 'open', sendsMail: false })
  })
})

describe('sign-in', () => {
  test('returns the session and a cookie that works', async () => {
    const { email, password, reply: signedUp } = await newUser()
    const reply = await visitor(service).post('/sign-in', { email: email.toUpperCase(), password })
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual(signedUp.body)
    expect((await visitor(service, { cookie: cookieOf(reply) }).get('/session')).body).toEqual(signedUp.body)
  })

  test('answers a wrong password and an unknown email alike', async () => {
    const { email } = await newUser()
    const wrong = await visitor(service).post('/sign-in', { email, password: 'wrong horse' })
    const unknown = await visitor(service).post('/sign-in', { ...person(), name: undefined })
    expectError(wrong, 'wrong_credentials')
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' })
    expect([...setCookies(wrong), ...setCookies(unknown)]).toEqual([])
  })

  test('logs a refusal with account and address, and no text that may be a password', async () => {
    const warn = vi.spyOn(service.ctx.cells.of(0).log, 'warn')
    onTestFinished(() => warn.mockRestore())
    const { email } = await newUser()
    const address = newAddress()
    const from = visitor(service, { address })
    await from.post('/sign-in', { email: email.toUpperCase(), password: 'wrong horse' })
    for (let time = 0; time < 11; time++)
      await from.post('/sign-in', { email: 'my-p4ssword', password: 'wrong horse' })
    const lines = warn.mock.calls.map(([fields, message]) => ({ ...(fields as object), message }))
    expect(lines[0]).toEqual({
      ...{ account: email, address, reason: 'wrong_credentials' },
      message: 'a sign-in was refused',
    })
    expect(lines.slice(1)).toContainEqual(
      expect.objectContaining({ account: 'not an email address', address, reason: 'rate_limit_exceeded' }),
    )
    expect(JSON.stringify(lines)).not.toMatch(/my-p4ssword|wrong horse/)
  })

  test('is limited per address, also for the right password, and says until when', async () => {
    const { email, password } = await newUser()
    const address = newAddress()
    const attempt = (word: string) =>
      visitor(service, { address }).post('/sign-in', { email, password: word })
    for (let count = 1; count <= 10; count++) expectError(await attempt('wrong horse'), 'wrong_credentials')
    const refused = await attempt(password)
    expectError(refused, 'rate_limit_exceeded')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.body).toMatchObject({ details: { retryAfter: Number(refused.headers['retry-after']) } })
    const forwarded = { 'x-forwarded-for': '203.0.113.9', 'x-rapport-client-address': '203.0.113.9' }
    const evading = visitor(service, { address }).post('/sign-in', { email, password }, forwarded)
    expectError(await evading, 'rate_limit_exceeded')
    expect((await visitor(service).post('/sign-in', { email, password })).status).toBe(200)
  })

  test('behind a proxy is limited by the address that the proxy saw', async () => {
    const { email } = person()
    const attempt = (forwarded: string) =>
      visitor(proxied).post('/sign-in', { email, password: 'wrong horse' }, { 'x-forwarded-for': forwarded })
    const seen = newAddress()
    for (let count = 1; count <= 10; count++)
      expectError(await attempt(`203.0.113.${count}, ${seen}`), 'wrong_credentials')
    expectError(await attempt(`203.0.113.11, ${seen}`), 'rate_limit_exceeded')
    expectError(await attempt(newAddress()), 'wrong_credentials')
  })

  test.each<[string, object]>([
    ['email', { email: 'no address', password: 'correct horse' }],
    ['email', { email: ['a@example.com'], password: 'correct horse' }],
    ['password', { email: 'a@example.com' }],
    ['rememberMe', { email: 'a@example.com', password: 'correct horse', rememberMe: true }],
  ])('rejects a bad %s and names it', async (path, body) => {
    const reply = await visitor(service).post('/sign-in', body)
    expectError(reply, 'validation_error')
    expect(reply.body).toMatchObject({ details: { errors: [{ path }] } })
  })

  test('is refused if the request comes from another site', async () => {
    const { email, password } = await newUser()
    const reply = await visitor(service).post(
      '/sign-in',
      { email, password },
      { origin: 'https://evil.example' },
    )
    expectError(reply, 'foreign_origin')
  })
})

test('cookies are hidden from scripts and other sites, and from http where the service uses https', async () => {
  const { reply } = await newUser()
  expect(setCookies(reply)).toEqual([
    expect.stringMatching(/^rapport\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/),
  ])
  const { reply: onHttps, signedIn } = await newUser(secure)
  expect(setCookies(onHttps)).toEqual([
    expect.stringMatching(
      /^__Secure-rapport\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
  ])
  expect((await signedIn.get('/session')).status).toBe(200)
})

test('sign-out ends the session, deletes the cookie, and may be repeated', async () => {
  const { signedIn } = await newUser()
  expectError(
    await signedIn.post('/sign-out', undefined, { 'sec-fetch-site': 'cross-site' }),
    'foreign_origin',
  )
  expect((await signedIn.get('/session')).status).toBe(200)
  const reply = await signedIn.post('/sign-out')
  expect(reply).toMatchObject({ status: 200, body: { done: true } })
  expect(setCookies(reply)).toContainEqual(expect.stringMatching(/^rapport\.session_token=; Max-Age=0;/))
  expectError(await signedIn.get('/session'), 'unauthorized')
  expect((await signedIn.post('/sign-out')).status).toBe(200)
  expect((await visitor(service).post('/sign-out')).status).toBe(200)
})

describe('a forgotten password', () => {
  test('is replaced through the link in the mail, which works once, and every session ends', async () => {
    const { email, password, signedIn } = await newUser()
    const asked = await visitor(service).post('/forgot-password', { email: email.toUpperCase() })
    expect(asked).toMatchObject({ status: 200, body: { done: true } })
    const mail = await mailTo(service, email, /^Reset your/)
    expect(mail).toContain('Hello Ada Lovelace')
    expect(mail).toMatch(/^http:\/\/127\.0\.0\.1:3000\/reset-password\?token=[\w-]+$/m)
    const token = tokenIn(mail)
    const stored = await service.ctx.directory.many(sql`select * from verifications`)
    expect(JSON.stringify(stored)).not.toContain(token)

    const short = await visitor(service).post('/reset-password', { token, password: 'short' })
    expectError(short, 'validation_error')
    const fresh = 'battery staple'
    expect(await visitor(service).post('/reset-password', { token, password: fresh })).toMatchObject({
      status: 200,
      body: { done: true },
    })
    expectError(await signedIn.get('/session'), 'unauthorized')
    expectError(await visitor(service).post('/sign-in', { email, password }), 'wrong_credentials')
    expect((await visitor(service).post('/sign-in', { email, password: fresh })).status).toBe(200)
    expect(await mailTo(service, email, /was changed$/)).toContain('/forgot-password')

    const again = await visitor(service).post('/reset-password', { token, password: 'third password' })
    expectError(again, 'validation_error')
    expect(again.body).toMatchObject({ details: { errors: [{ path: 'token', code: 'invalid_token' }] } })
  })

  test('gets the same answer for an unknown email, and nothing is sent', async () => {
    const { email } = person()
    const reply = await visitor(service).post('/forgot-password', { email })
    expect(reply).toMatchObject({ status: 200, body: { done: true } })
    const kept = sql`select from outgoing_mail where recipient = ${email}`
    expect(await service.ctx.db.many(kept)).toEqual([])
  })

  test('may be reported a limited number of times per address, and an expired link does not work', async () => {
    const { email } = await newUser()
    const address = newAddress()
    const ask = () => visitor(service, { address }).post('/forgot-password', { email })
    for (let count = 1; count <= 3; count++) expect((await ask()).status).toBe(200)
    const refused = await ask()
    expectError(refused, 'rate_limit_exceeded')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)

    const token = tokenIn(await mailTo(service, email, /^Reset your/))
    await service.ctx.directory.run(sql`update verifications set expires_at = now() - interval '1 second'`)
    expectError(
      await visitor(service).post('/reset-password', { token, password: 'battery staple' }),
      'validation_error',
    )
  })

  test.each([{ email: 'no address' }, {}, { email: 'a@example.com', redirectTo: 'https://evil.example' }])(
    'with the body %j is refused',
    async (body) => {
      expectError(await visitor(service).post('/forgot-password', body), 'validation_error')
    },
  )
})

describe('changing the password', () => {
  test('ends the other sessions and keeps this one under a new cookie', async () => {
    const { email, password, signedIn, cookie } = await newUser()
    const other = await visitor(service).post('/sign-in', { email, password })
    const change = { currentPassword: password, newPassword: 'battery staple' }
    const reply = await signedIn.post('/change-password', change)
    expect(reply).toMatchObject({ status: 200, body: { done: true } })
    expect(setCookies(reply)).toHaveLength(1)
    for (const old of [cookie, cookieOf(other)]) {
      const refused = await visitor(service, { cookie: old }).get('/session')
      expectError(refused, 'unauthorized')
      // The response may arrive after the new cookie, which it must not replace.
      expect(setCookies(refused)).toEqual([])
      expect(setCookies(await visitor(service, { cookie: old }).get('/visitor'))).toEqual([])
    }
    expect((await visitor(service, { cookie: cookieOf(reply) }).get('/session')).status).toBe(200)
    expect((await visitor(service).post('/sign-in', { email, password: 'battery staple' })).status).toBe(200)
    expect(await mailTo(service, email, /was changed$/)).toContain('Hello Ada Lovelace')
  })

  test('requires the current password and a session', async () => {
    const { password, signedIn } = await newUser()
    const wrong = await signedIn.post('/change-password', {
      currentPassword: 'wrong horse',
      newPassword: 'battery staple',
    })
    expectError(wrong, 'validation_error')
    expect(wrong.body).toMatchObject({
      details: { errors: [{ path: 'currentPassword', code: 'wrong_password' }] },
    })
    const change = { currentPassword: password, newPassword: 'short' }
    expectError(await signedIn.post('/change-password', change), 'validation_error')
    expectError(
      await visitor(service).post('/change-password', { ...change, newPassword: 'battery staple' }),
      'unauthorized',
    )
    expect((await signedIn.get('/session')).status).toBe(200)
  })
})

test('clients cannot reach the addresses of better-auth', async () => {
  for (const url of ['/api/auth/sign-in/email', '/api/auth/get-session', '/dashboard/api/auth/ok']) {
    const { statusCode } = await service.inject({ method: 'POST', url, payload: {} })
    expect(statusCode).toBe(404)
  }
})
