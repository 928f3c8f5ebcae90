import { describe, expect, test } from 'vitest'
import type { SentInvitation } from '../../contract/invitations.ts'
import { buildTestService } from '../test/build-app.ts'
import { expectError } from '../test/factories.ts'
import { commonPasswordProblem } from './guessable-password.ts'
import { createOrganization } from './service.ts'
import { cookieOf, mailTo, person, tokenIn, visitor } from './visitor.fixture.ts'

const service = await buildTestService()

const known = { name: 'Grace Hopper', email: 'grace.h@navy.example' }

test.each([
  ['password', /most used passwords/],
  ['PASSWORD', /most used passwords/],
  ['P@ssw0rd', /most used passwords/],
  ['Password1!', /most used passwords/],
  ['12345678', /most used passwords/],
  ['qwertyuiop', /most used passwords/],
  ['Dragon2026!', /most used passwords/],
  ['!!monkey99', /most used passwords/],
  ['aaaaaaaa', /repeats only a few characters/],
  ['ababababab', /repeats only a few characters/],
  ['gracehopper', /your name or email/],
  ['Hopper1906', /your name or email/],
  ['grace.h@navy.example', /your name or email/],
])('%j is refused with the reason in the message', async (password, why) => {
  const problem = await commonPasswordProblem(password, known)
  expect(problem).toMatchObject({ path: 'password', code: expect.stringMatching(/_password$/) })
  expect(problem?.message).toMatch(why)
  expect(problem?.message).toContain('choose a longer one')
})

test.each(['correct horse', 'battery staple', 'zj4Kp0qTx', 'monkey eats nineteen pears', 'пароль и слово'])(
  '%j is accepted',
  async (password) => {
    expect(await commonPasswordProblem(password, known)).toBeUndefined()
  },
)

describe('a common password is refused', () => {
  const refused = (path: string, code = 'common_password') => ({
    details: { errors: [{ path, code, message: expect.any(String) }] },
  })

  async function newUser() {
    const someone = person()
    const reply = await visitor(service).post('/sign-up', { ...someone, organization: { name: 'Acme' } })
    expect(reply.status).toBe(201)
    return { ...someone, signedIn: visitor(service, { cookie: cookieOf(reply) }) }
  }

  test('at sign-up, where nothing is made', async () => {
    const someone = { ...person(), organization: { name: 'Acme' } }
    const reply = await visitor(service).post('/sign-up', { ...someone, password: 'password' })
    expectError(reply, 'validation_error')
    expect(reply.body).toMatchObject(refused('password'))
    expect((await visitor(service).post('/sign-up', someone)).status).toBe(201)
  })

  test('by a link for a new password, which then still works with a better password', async () => {
    const { email } = await newUser()
    await visitor(service).post('/forgot-password', { email })
    const token = tokenIn(await mailTo(service, email, /^Reset your/))
    const reply = await visitor(service).post('/reset-password', { token, password: 'iloveyou1' })
    expectError(reply, 'validation_error')
    expect(reply.body).toMatchObject(refused('password'))
    const better = { token, password: 'battery staple' }
    expect((await visitor(service).post('/reset-password', better)).status).toBe(200)
  })

  test('when the password is changed', async () => {
    const { password, signedIn } = await newUser()
    const change = { currentPassword: password, newPassword: 'Lovelace1' }
    const reply = await signedIn.post('/change-password', change)
    expectError(reply, 'validation_error')
    expect(reply.body).toMatchObject(refused('newPassword', 'personal_password'))
    expect((await signedIn.get('/session')).status).toBe(200)
  })

  test('when an invitation is accepted, which stays open', async () => {
    const owner = await (await service.org()).member('owner')
    const { body } = await owner.post<SentInvitation>('/invitations', {
      email: person().email,
      role: 'member',
    })
    const accept = (password: string) =>
      visitor(service).post(`/invitations/${tokenIn(body.inviteUrl)}/accept`, { name: 'Nina New', password })
    const reply = await accept('password1')
    expectError(reply, 'validation_error')
    expect(reply.body).toMatchObject(refused('password'))
    expect((await accept('correct horse')).status).toBe(200)
  })

  test('for the owner on the command line', async () => {
    const auth = await service.ctx.auth()
    const ctx = { ...service.ctx, auth, seedStandardObjects: async () => undefined }
    const owner = { ...person(), password: 'password' }
    await expect(createOrganization(ctx, { name: 'Acme', owner })).rejects.toMatchObject({
      details: { errors: [{ path: 'owner.password', code: 'common_password' }] },
    })
    const better = { ...owner, password: 'correct horse' }
    expect(await createOrganization(ctx, { name: 'Acme', owner: better })).toMatchObject({
      ownerUserId: expect.any(String),
    })
  })
})
