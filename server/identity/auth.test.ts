import pino from 'pino'
import sql, { raw } from 'sql-template-tag'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../test/database.ts'
import { createAuth } from './auth.ts'
import { createSessions } from './sessions.ts'

const { pool, connection } = await createTestDatabase()
const complaints: string[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => complaints.push(line) })
const BASE = 'http://127.0.0.1:3000'
const secret = 'k3J9x-Tq7Wm2_Zc8Rb5Vn1Lp6Hd4Gf0SyA'
const auth = createAuth({ connection, secret, baseUrl: BASE, log })
afterAll(() => auth.close())

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const ada = { name: 'Ada', email: 'Ada@Example.com', password: 'correct horse' }

const cookieOf = (headers: Headers) => new Headers({ cookie: headers.get('set-cookie')?.split(';')[0] ?? '' })

test('better-auth finds the tables and columns that it requires', async () => {
  const { checkSchema } = await auth.context
  if (!checkSchema) throw new Error('better-auth no longer checks its schema')
  await checkSchema()
  expect(complaints).toEqual([])
})

test('signs up, signs in and reads the session on our tables', async () => {
  const { user } = await auth.api.signUpEmail({ body: ada })
  expect(user).toMatchObject({ name: 'Ada', email: 'ada@example.com', emailVerified: false })
  expect(user.id).toMatch(UUID_V7)

  const { headers, response } = await auth.api.signInEmail({
    body: { email: 'ADA@example.com', password: ada.password },
    returnHeaders: true,
  })
  expect(response.user.id).toBe(user.id)
  const cookie = cookieOf(headers)
  const session = await auth.api.getSession({ headers: cookie })
  expect(session?.user.email).toBe('ada@example.com')
  expect(session?.session.expiresAt).toBeInstanceOf(Date)

  expect(complaints).toEqual([])
})

test('a password is stored as a hash, and a wrong password is refused', async () => {
  const { password } = await pool.one<{ password: string }>(
    sql`select password from accounts join users u on u.id = user_id where u.email = 'ada@example.com'`,
  )
  expect(password).not.toContain(ada.password)
  await expect(auth.api.signInEmail({ body: { email: ada.email, password: 'wrong horse' } })).rejects.toThrow(
    /password/i,
  )
})

describe('while the database cannot be reached', () => {
  const nowhere = { ...connection, host: '127.0.0.1', port: 1 }
  const away = createAuth({ connection: nowhere, secret, baseUrl: BASE, log: pino({ level: 'silent' }) })
  afterAll(() => away.close())
  const refused = { code: 'ECONNREFUSED' }
  const signedIn = async () => {
    const { headers } = await auth.api.signInEmail({ body: ada, returnHeaders: true })
    return cookieOf(headers)
  }

  test('reading a session throws the error of the database', async () => {
    await expect(away.readSession(await signedIn(), true)).rejects.toMatchObject(refused)
  })

  test.each(['/sign-up/email', '/sign-in/email', '/request-password-reset', '/change-password', '/sign-out'])(
    '%s throws the error of the database, not an answer of better-auth',
    async (path) => {
      const passwords = { currentPassword: ada.password, newPassword: 'wrong horse' }
      const headers = await signedIn()
      headers.set('content-type', 'application/json')
      headers.set('origin', BASE)
      const body = JSON.stringify({ ...ada, ...passwords, email: 'bob@example.com' })
      const request = new Request(`${BASE}/api/auth${path}`, { method: 'POST', headers, body })
      await expect(away.handler(request)).rejects.toMatchObject(refused)
    },
  )
})

test('with a read-only database, an expired session counts as no session', async () => {
  const { headers } = await auth.api.signInEmail({ body: ada, returnHeaders: true })
  const cookie = cookieOf(headers).get('cookie') ?? ''
  const token = decodeURIComponent(cookie).split('=')[1]?.split('.')[0]
  await pool.run(sql`update sessions set expires_at = now() - interval '1 day' where token = ${token}`)
  await pool.run(raw(`alter database ${connection.database} set default_transaction_read_only = on`))
  const readOnly = createAuth({ connection, secret, baseUrl: BASE, log: pino({ level: 'silent' }) })
  onTestFinished(async () => {
    await readOnly.close()
    await pool.run(raw(`alter database ${connection.database} reset all`))
  })
  const sessions = createSessions({
    ...{ auth: async () => readOnly, admission: pool },
    diskSpace: { shortage: undefined },
  } as unknown as Parameters<typeof createSessions>[0])
  const found = await sessions.find({ ip: '198.51.100.7', headers: { cookie } })
  expect(found).toEqual({ signedIn: undefined, cookies: [] })
})

test('a connection that breaks in use fails its request, not the process', async () => {
  const waiting = sql`
    select pid from pg_stat_activity
    where datname = current_database() and application_name = 'rapport-auth' and wait_event_type = 'Lock'`
  await pool.transaction(async (tx) => {
    await tx.run(sql`lock table users in access exclusive mode`)
    const signIn = auth.api.signInEmail({ body: { email: 'eve@example.com', password: 'correct horse' } })
    const failed = expect(signIn).rejects.toThrow()
    // Outside the transaction, in which pg_stat_activity would not change.
    while ((await pool.many(waiting)).length === 0);
    await pool.run(sql`select pg_terminate_backend(pid) from (${waiting}) as w`)
    await failed
  })
  const isBack = () => auth.api.signInEmail({ body: ada }).then(Boolean, () => false)
  while (!(await isBack()));
})
