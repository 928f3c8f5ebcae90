import pino from 'pino'
import sql from 'sql-template-tag'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { readConfig } from '../config/config.ts'
import type { Context } from '../context.ts'
import { buildApi } from '../entry/api.ts'
import { createContext } from '../entry/open-context.ts'
import { announceStart } from '../entry/welcome.ts'
import { createAdmission } from '../identity/api-keys/admission.ts'
import { createTestDatabase } from '../test/database.ts'
import { DEMO_EMAIL, type DemoAccess, openDemo } from './service.ts'
import { announceDemo } from './welcome.ts'

const { pool, connection } = await createTestDatabase()
const log = pino({ level: 'silent' })
const { ctx, close } = createContext(
  {
    ...readConfig({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '100000' }),
    authSecret: 'x'.repeat(40),
    secretsKeys: [Buffer.alloc(32)],
  },
  { connection, isLocal: false, pool, admission: pool, enginePool: pool, readinessPool: pool },
  { log, db: pool },
)
const auth = await ctx.auth()
const admission = createAdmission(ctx)
const app = buildApi(ctx, admission, pool)
afterAll(async () => {
  await app.close()
  await admission.close()
  await close()
})

const open = (overrides: Partial<Context> = {}) => openDemo({ ...ctx, ...overrides }, async () => auth)

const count = async (table: 'organizations' | 'users' | 'records' | 'activities' | 'events') =>
  await pool.value<number>(
    table === 'organizations'
      ? sql`select count(*) from organizations`
      : table === 'users'
        ? sql`select count(*) from users`
        : table === 'records'
          ? sql`select count(*) from records`
          : table === 'activities'
            ? sql`select count(*) from activities`
            : sql`select count(*) from events`,
  )

const get = async (key: string, path: string) => {
  const reply = await app.inject({ url: `/api/v1${path}`, headers: { authorization: `Bearer ${key}` } })
  return { status: reply.statusCode, body: reply.json() }
}

const signIn = ({ email, password }: Pick<DemoAccess, 'email' | 'password'>) =>
  auth.api.signInEmail({ body: { email, password } })

function requireAccess(access: DemoAccess | undefined): DemoAccess {
  if (!access) throw new Error('There is no way into the demo')
  return access
}

beforeEach(async () => {
  await pool.run(sql`delete from activities`)
  await pool.run(sql`delete from api_keys`)
  await pool.run(sql`truncate records, links, uniques, events, attachments, record_pictures`)
  await pool.run(sql`delete from attributes`)
  await pool.run(sql`delete from organizations`)
  await pool.run(sql`delete from users`)
})

const COMMENTS = 1

test('the first start makes the demo organization and shows its access, later starts do nothing', async () => {
  const access = requireAccess(await open())
  await access.confirm()
  const totals = async (object: string) =>
    (await get(access.key, `/objects/${object}/records?limit=1`)).body.pagination.total
  expect(await totals('companies')).toBe(503 + 61)
  expect(await totals('people')).toBe(537 + 151)
  expect(await totals('deals')).toBe(200)
  expect((await get(access.key, '/activities?limit=1')).body.pagination.total).toBe(400 + 6 + 24)
  expect(await count('events')).toBe(564 + 688 + 200 + 430 + COMMENTS)
  expect((await signIn(access)).user.email).toBe(DEMO_EMAIL)
  expect(await open()).toBeUndefined()
  expect(await count('organizations')).toBe(1)
})

test('the demo has tasks of three members, a board, enabled workflows, and a dashboard with results', async () => {
  const { key } = requireAccess(await open())
  expect((await get(key, '/objects/deals/views')).body.views).toMatchObject([
    { name: 'Pipeline', kind: 'board', isShared: true },
  ])
  const tasks = (await get(key, '/activities?type=task&limit=100')).body.activities
  expect(new Set(tasks.map(({ assignee }: { assignee: string }) => assignee)).size).toBe(3)
  const { workflows } = (await get(key, '/workflows')).body
  expect(workflows.map(({ enabled }: { enabled: boolean }) => enabled)).toEqual([true, true])
  const { reports } = (await get(key, '/reports')).body
  expect(reports.map(({ name }: { name: string }) => name)).toEqual([
    'Open deals by owner',
    'Pipeline by stage',
    'Won and lost',
    'Won by month',
  ])
  for (const { id } of reports) {
    const { runs } = (await get(key, `/reports/${id}/runs`)).body
    expect(runs).toMatchObject([{ status: 'completed' }])
    expect(runs[0].resultCount).toBeGreaterThan(1)
  }
})

test('a failure half-way leaves nothing, and the next start makes the demo organization', async () => {
  // The pipeline reads the time after companies and people were created.
  const now = () => {
    throw new Error('half-way')
  }
  await expect(open({ clock: { now } })).rejects.toThrow('half-way')
  for (const table of ['organizations', 'users', 'records', 'activities', 'events'] as const)
    expect([table, await count(table)]).toEqual([table, 0])
  expect(await open()).toBeDefined()
})

test('a start succeeds although a killed start has left its user', async () => {
  const body = { name: 'Demo Owner', email: DEMO_EMAIL, password: 'an unknown password' }
  await auth.api.signUpEmail({ body })
  await signIn(requireAccess(await open()))
  expect(await count('users')).toBe(1 + 2)
})

test('a password and key that were not confirmed as shown are made again', async () => {
  const lost = requireAccess(await open())
  const access = requireAccess(await open())
  expect(access.key).not.toBe(lost.key)
  expect((await get(access.key, '/objects')).status).toBe(200)
  await signIn(access)
  await expect(signIn(lost)).rejects.toThrow()
  await access.confirm()
  expect(await open()).toBeUndefined()
  expect(await count('organizations')).toBe(1)
})

test('the welcome makes the demo organization only if the configuration says so', async () => {
  const written: string[] = []
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0)
  const config = readConfig({ LOG_LEVEL: 'silent', RAPPORT_DEMO: 'off', AUTH_SECRET: 'x'.repeat(40) })
  const welcome = (demo: boolean) =>
    announceStart({ config: { ...config, demo }, log }, (base) => announceDemo(ctx, base))
  await welcome(false)
  expect(await count('organizations')).toBe(0)
  await welcome(true)
  spy.mockRestore()
  expect(written[0]).toContain('running at   http://127.0.0.1:3000')
  expect(written.at(-1)).toMatch(/Sign in +demo@example\.com {2}\S{16}\n.*svc_.*\ncurl -s /s)
  expect(await open()).toBeUndefined()
})

test('no demo organization is made if any organization exists', async () => {
  await pool.run(sql`insert into organizations (id, name, slug) values (gen_random_uuid(), 'Acme', 'acme')`)
  expect(await open()).toBeUndefined()
  expect(await count('records')).toBe(0)
})
