import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { buildTestService } from '../test/build-app.ts'
import { expectError } from '../test/factories.ts'
import { forgetExpired } from './jobs.ts'
import { startAttempt } from './sign-in-throttle.ts'
import { mailTo, newAddress, person, tokenIn, visitor } from './visitor.fixture.ts'

const service = await buildTestService()
const { directory: db } = service.ctx

async function newUser() {
  const someone = person()
  const address = newAddress()
  const body = { ...someone, organization: { name: 'Acme' } }
  expect((await visitor(service, { address }).post('/sign-up', body)).status).toBe(201)
  return { ...someone, home: address }
}

type Known = Pick<ReturnType<typeof person>, 'email' | 'password'>

const signIn = ({ email, password }: Known, address = newAddress()) =>
  visitor(service, { address }).post('/sign-in', { email, password })

const guess = ({ email }: Pick<Known, 'email'>, address?: string) =>
  signIn({ email, password: 'wrong horse' }, address)

/** As if a minute had passed: the limit of attempts from one address starts again. */
const forgetRates = () => db.run(sql`delete from sign_in_windows`)

/** As if the account had waited long enough. */
const endWait = () =>
  db.run(sql`
    update sign_in_attempts set blocked_until = now() - interval '1 second' where blocked_until is not null`)

/** Extends the current waits, so that they do not end during a slow test. */
const holdWaits = () =>
  db.run(sql`
    update sign_in_attempts set blocked_until = now() + interval '1 hour' where blocked_until is not null`)

/** The account's waits in seconds, from the last attempt. */
const waitsOf = ({ email }: Pick<Known, 'email'>) =>
  db.many<{ address: string; seconds: number }>(sql`
    select address, round(extract(epoch from blocked_until - last_at))::int as seconds from sign_in_attempts
    where account = sha256(convert_to(${email}, 'UTF8')) and blocked_until is not null order by address`)

async function guessTimes(times: number, someone: Pick<Known, 'email'>, address?: string) {
  for (let time = 0; time < times; time++) {
    await forgetRates()
    expectError(await guess(someone, address), 'wrong_credentials')
  }
}

/** As guessTimes, but only the last attempt is a request, because checking a password is slow by design. */
async function guessLast(times: number, someone: Pick<Known, 'email'>, address?: string) {
  const { email } = someone
  for (let time = 1; time < times; time++) await startAttempt(db, { email, address: address ?? newAddress() })
  await guessTimes(1, someone, address)
}

describe('wrong passwords from one address', () => {
  test('make the account wait at this address only, longer each time', async () => {
    const someone = await newUser()
    const address = newAddress()
    await guessLast(10, someone, address)
    const seconds: (number | undefined)[] = []
    for (let round = 0; round < 8; round++) {
      seconds.push((await waitsOf(someone))[0]?.seconds)
      await holdWaits()
      await forgetRates()
      const refused = await signIn(someone, address)
      expectError(refused, 'rate_limit_exceeded')
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      await endWait()
      await guessTimes(1, someone, address)
    }
    expect(seconds).toEqual([15, 30, 60, 120, 240, 480, 900, 900])
    await forgetRates()
    expect((await signIn(someone)).status).toBe(200)
  })

  test('that are concurrent are not all checked', async () => {
    const someone = await newUser()
    const address = newAddress()
    await guessLast(9, someone, address)
    await forgetRates()
    const replies = await Promise.all([1, 2, 3, 4].map(() => guess(someone, address)))
    expect(replies.map(({ status }) => status).sort()).toEqual([401, 429, 429, 429])
  })

  test('are forgotten after the right password, and after a day', async () => {
    const someone = await newUser()
    const address = newAddress()
    await guessLast(9, someone, address)
    await forgetRates()
    expect((await signIn(someone, address)).status).toBe(200)
    await guessLast(9, someone, address)
    await db.run(sql`update sign_in_attempts set last_at = now() - interval '25 hours'`)
    await guessLast(9, someone, address)
    expect(await waitsOf(someone)).toEqual([])
  })
})

describe('wrong passwords from many addresses', () => {
  test('make the account wait at most a minute at new addresses, and never at a known address', async () => {
    const someone = await newUser()
    await guessLast(20, someone)
    for (const seconds of [5, 10, 20, 40, 60, 60]) {
      expect(await waitsOf(someone)).toEqual([{ address: '', seconds }])
      await holdWaits()
      await forgetRates()
      expectError(await signIn(someone), 'rate_limit_exceeded')
      await endWait()
      await guessTimes(1, someone)
    }
    await holdWaits()
    expectError(await signIn(someone), 'rate_limit_exceeded')
    expect((await signIn(someone, someone.home)).status).toBe(200)
  })
})

test('accounts that do not exist wait as long as others, with the same answer', async () => {
  const someone = await newUser()
  const answers = []
  for (const target of [someone, person()]) {
    const address = newAddress()
    await guessLast(10, { email: target.email.toUpperCase() }, address)
    await holdWaits()
    await forgetRates()
    const { status, body } = await guess(target, address)
    answers.push({ status, error: body['error'], message: String(body['message']).replace(/\d+/, 'N') })
  }
  expect(answers[0]).toMatchObject({ status: 429, error: 'rate_limit_exceeded' })
  expect(answers[1]).toEqual(answers[0])
})

async function resetLink({ email }: Pick<Known, 'email'>): Promise<string> {
  await db.run(sql`delete from outgoing_mail where recipient = ${email}`)
  await visitor(service).post('/forgot-password', { email })
  return tokenIn(await mailTo(service, email, /^Reset your/))
}

const reset = (token: string, password: string, address = newAddress()) =>
  visitor(service, { address }).post('/reset-password', { token, password })

test('a new password by mail ends every wait, and makes its address a known one', async () => {
  const someone = await newUser()
  const address = newAddress()
  await guessLast(10, someone, address)
  await guessLast(10, someone)
  expect(await waitsOf(someone)).toHaveLength(2)
  await holdWaits()
  const fresh = { ...someone, password: 'battery staple' }
  expect((await reset(await resetLink(someone), fresh.password, address)).status).toBe(200)
  expect(await waitsOf(someone)).toEqual([])
  await guessLast(20, someone)
  await forgetRates()
  expect((await signIn(fresh, address)).status).toBe(200)
})

describe('links for a new password', () => {
  const expectDead = async (token: string) => {
    const refused = await reset(token, 'third password')
    expectError(refused, 'validation_error')
    expect(refused.body).toMatchObject({ details: { errors: [{ path: 'token', code: 'invalid_token' }] } })
  }

  test('all stop working when one is used', async () => {
    const someone = await newUser()
    const links = [await resetLink(someone), await resetLink(someone), await resetLink(someone)]
    const others = await resetLink(await newUser())
    expect((await reset(links[1] ?? '', 'battery staple')).status).toBe(200)
    for (const link of links) await expectDead(link)
    expect((await reset(others, 'battery staple')).status).toBe(200)
  })

  test('all stop working when the password is changed', async () => {
    const someone = await newUser()
    const links = [await resetLink(someone), await resetLink(someone)]
    const entered = await signIn(someone)
    const cookie = [entered.headers['set-cookie'] ?? []]
      .flat()
      .map((one) => one.split(';')[0])
      .join('; ')
    const change = { currentPassword: someone.password, newPassword: 'battery staple' }
    expect((await visitor(service, { cookie }).post('/change-password', change)).status).toBe(200)
    for (const link of links) await expectDead(link)
    expect((await signIn({ ...someone, password: 'battery staple' })).status).toBe(200)
  })

  test('confirm the email address when they are used', async () => {
    const someone = await newUser()
    await reset(await resetLink(someone), 'battery staple')
    const { body } = await signIn({ ...someone, password: 'battery staple' })
    expect(body).toMatchObject({ user: { emailVerified: true } })
  })
})

test('known addresses are kept after a day, and deleted after 90 days', async () => {
  const someone = await newUser()
  await guessTimes(1, someone)
  const rows = () => db.many(sql`select from sign_in_attempts`)
  await db.run(
    sql`delete from sign_in_attempts where entered_at is null and last_at < now() - interval '1 minute'`,
  )
  await db.run(sql`update sign_in_attempts set last_at = now() - interval '25 hours'`)
  await forgetExpired(service.ctx, new AbortController().signal, new Date())
  expect((await rows()).length).toBeGreaterThan(0)
  await db.run(sql`update sign_in_attempts set entered_at = now() - interval '91 days'`)
  await forgetExpired(service.ctx, new AbortController().signal, new Date())
  expect(await rows()).toEqual([])
})
