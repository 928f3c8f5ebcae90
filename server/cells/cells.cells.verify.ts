// The service on a directory and two cells, over HTTP.
import sql, { type Sql } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Webhooks } from '../../contract/webhooks.ts'
import { newId } from '../base/id.ts'
import type { Context } from '../context.ts'
import { newAddress, person, visitor } from '../identity/visitor.fixture.ts'
import { seedStandardObjects } from '../model/objects/standard.ts'
import { buildTestService } from '../test/build-app.ts'
import { createTestCells } from '../test/cells.ts'
import { createTestDatabase } from '../test/database.ts'
import { expectError, type Org } from '../test/factories.ts'
import { tokenOf, visitPortal } from '../test/portal-client.ts'
import { insertWorkflow, step } from '../workflows/workflow.fixture.ts'
import type { OpenedCells } from './cells.ts'
import { CellBehindError } from './copies.ts'
import { clearFailedSignUps } from './failed-sign-ups.ts'
import { addCell, listCells, setState } from './service.ts'
import { cellStatus } from './status.ts'

const databases = await createTestCells()
const service = await buildTestService({}, undefined, databases)
const { cells } = service.ctx
const known = cells as OpenedCells<Context>
const directory = databases.pool
const [one, two] = [cells.of(1), cells.of(2)]
const PEOPLE = '/objects/people/records'

const inCell = (ctx: Context) => service.org({ ctx })
const create = async (org: Org, data: object) => (await org.post<{ id: string }>(PEOPLE, { data })).body.id
const recordsIn = ({ db }: Pick<Context, 'db'>, org: Org) =>
  db.value<number>(sql`select count(*)::int as records from records where org = ${org.org}`)

/** Signs up, and returns requests of the new owner. */
async function signUp() {
  const body = { ...person(), organization: { name: `Acme ${newId()}` } }
  const address = newAddress()
  const reply = await visitor(service, { address }).post<{ organizations: { id: string; slug: string }[] }>(
    '/sign-up',
    body,
  )
  expect(reply.status).toBe(201)
  const [organization] = reply.body.organizations
  return { id: organization?.id ?? '', slug: organization?.slug ?? '' }
}

const cellOf = (id: string) => directory.value<number>(sql`select cell from organizations where id = ${id}`)

describe('an organization', () => {
  test('is made with its objects in the cell with the fewest organizations', async () => {
    const { id } = await signUp()
    const cell = await cellOf(id)
    const counts = await listCells({ db: directory, cells })
    const fewest = Math.min(...counts.map(({ organizations }) => organizations))
    expect([1, 2]).toContain(cell)
    expect(counts.find((row) => row.cell === cell)?.organizations).toBeLessThanOrEqual(fewest + 1)
    const objects = (db: Context['db']) =>
      db.value<number>(sql`
        select count(*)::int as objects from objects o join organizations g using (org) where g.id = ${id}`)
    expect(await objects(cells.of(cell).db)).toBeGreaterThan(0)
    expect(await objects(directory)).toBe(0)
    expect(await objects(cells.of(3 - cell).db)).toBe(0)
  })

  test('has its records only in its cell, and is reached with its key', async () => {
    const [first, second] = [await inCell(one), await inCell(two)]
    const id = await create(first, { name: 'Ada' })
    expect((await first.get(`${PEOPLE}/${id}`)).status).toBe(200)
    expectError(await second.get(`${PEOPLE}/${id}`), 'not_found')
    expect([await recordsIn(one, first), await recordsIn(two, first)]).toEqual([1, 0])
    expect(await recordsIn({ db: directory }, first)).toBe(0)
  })

  test('is reached with the session of a member', async () => {
    const org = await inCell(two)
    const mia = await org.member('member')
    const { body } = await mia.post<{ id: string }>(PEOPLE, { data: { name: 'Grace' } })
    expect((await org.get(`${PEOPLE}/${body.id}`)).status).toBe(200)
    expect(await recordsIn(two, org)).toBe(1)
  })

  test('is not made when its objects cannot be written', async () => {
    const before = await directory.value<number>(sql`select count(*)::int as n from organizations`)
    await two.db.run(sql`alter table objects rename to objects_away`)
    await one.db.run(sql`alter table objects rename to objects_away`)
    const body = { ...person(), organization: { name: 'Broken' } }
    const reply = await visitor(service).post('/sign-up', body)
    await two.db.run(sql`alter table objects_away rename to objects`)
    await one.db.run(sql`alter table objects_away rename to objects`)
    expect(reply.status).toBe(500)
    expect(await directory.value<number>(sql`select count(*)::int as n from organizations`)).toBe(before)
    expect(await directory.maybeOne(sql`select from users where email = ${body.email}`)).toBeUndefined()
  })
})

test('data that a failed sign-up left in the cells does not block the next sign-up', async () => {
  const body = { ...person(), organization: { name: 'Left behind' } }
  const slug = 'left-behind'
  for (const { db } of [one, two]) {
    await db.run(sql`insert into users (id, name, email) values (${newId()}, 'Left', ${body.email})`)
    // The directory never assigns this number again.
    await db.run(sql`
      insert into organizations (id, org, name, slug) overriding system value
      values (${newId()}, 1000000000, 'Left', ${slug})`)
  }
  expect((await visitor(service).post('/sign-up', body)).status).toBe(201)
  expect(await directory.value(sql`select count(*)::int from organizations where slug = ${slug}`)).toBe(1)
})

describe('an organization that a failed sign-up left in a cell', () => {
  const never = new AbortController().signal
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  const isIn = async ({ db }: Pick<Context, 'db'>, org: number) =>
    (await db.maybeOne(sql`select from organizations where org = ${org}`)) !== undefined
  let number = 1_000_000_000

  /** Inserts the rows that a sign-up makes. */
  async function leaveBehind(createdAt: Date): Promise<number> {
    const org = ++number
    await one.db.run(sql`
      insert into organizations (id, org, name, slug, created_at) overriding system value
      values (${newId()}, ${org}, 'Left', ${`left-${org}`}, ${createdAt})`)
    await seedStandardObjects(one.db, org)
    return org
  }

  test('is removed after an hour', async () => {
    const [old, recent] = [await leaveBehind(longAgo), await leaveBehind(new Date())]
    await clearFailedSignUps(one, never)
    expect([await isIn(one, old), await isIn(one, recent)]).toEqual([false, true])
    expect(await one.db.maybeOne(sql`select from objects where org = ${old}`)).toBeUndefined()
  })

  test('is kept if the directory has the organization, or does not respond', async () => {
    const org = await inCell(one)
    await one.db.run(sql`update organizations set created_at = ${longAgo} where org = ${org.org}`)
    await clearFailedSignUps(one, never)
    expect(await isIn(one, org.org)).toBe(true)
    const old = await leaveBehind(longAgo)
    const silent = { many: () => Promise.reject(new Error('no answer')) } as unknown as Context['directory']
    await expect(clearFailedSignUps({ ...one, directory: silent }, never)).rejects.toThrow('no answer')
    expect([await isIn(one, org.org), await isIn(one, old)]).toEqual([true, true])
  })

  test('is kept if it was used, as after the directory was restored to an earlier time', async () => {
    const org = await inCell(one)
    await create(org, { name: 'Ada' })
    await one.db.run(sql`update organizations set created_at = ${longAgo} where org = ${org.org}`)
    const former = { many: async () => [] } as unknown as Context['directory']
    await clearFailedSignUps({ ...one, directory: former }, never)
    expect([await isIn(one, org.org), await recordsIn(one, org)]).toEqual([true, 1])
  })
})

test('the status of a directory that is one migration behind reports that, without reading a cell', async () => {
  const { pool } = await createTestDatabase()
  await pool.run(
    sql`delete from schema_migrations where version = (select max(version) from schema_migrations)`,
  )
  expect(await cellStatus(service.ctx.config, pool)).toEqual([
    {
      ...{ cell: 0, name: 'directory', state: 'active', organizations: 0, isReachable: true },
      problems: [expect.stringContaining('1 of')],
    },
  ])
})

describe('copies of the directory', () => {
  const copied = async (table: 'members' | 'api_keys', id: string) =>
    (await one.db.maybeOne(
      table === 'members'
        ? sql`select from members where id = ${id}`
        : sql`select from api_keys where id = ${id}`,
    )) !== undefined

  test('a member is copied to the cell before the response, and removed from it with the membership', async () => {
    const org = await inCell(one)
    const [owner, mia] = await org.members('owner', 'member')
    const { body } = await org.get<{ members: { id: string; user: { id: string } }[] }>('/members')
    const member = body.members.find(({ user }) => user.id === mia.userId)?.id ?? ''
    expect(await copied('members', member)).toBe(true)
    expect((await owner.delete(`/members/${member}`)).status).toBe(200)
    expect(await copied('members', member)).toBe(false)
    expect((await mia.get('/members')).status).toBe(404)
  })

  test('an API key is copied to the cell before the response, and removed from it when it is deleted', async () => {
    const org = await inCell(one)
    const owner = await org.member('owner')
    const made = await owner.post<{ id: string }>('/api-keys', { name: 'Sync', scopes: null })
    expect(made.status).toBe(201)
    expect(await copied('api_keys', made.body.id)).toBe(true)
    expect((await owner.delete(`/api-keys/${made.body.id}`, { confirmName: 'Sync' })).status).toBe(200)
    expect(await copied('api_keys', made.body.id)).toBe(false)
  })

  test('a new name of a user is shown immediately in entries of their actions', async () => {
    const org = await inCell(one)
    const mia = await org.member('member')
    await mia.post(PEOPLE, { data: { name: 'Alan' } })
    expect((await mia.session.patch('/profile', { name: 'Mia Renamed' })).status).toBe(200)
    const { body } = await mia.get<{ recentRecords: { actor: { name: string } | null }[] }>('/home')
    expect(body.recentRecords.map(({ actor }) => actor?.name)).toEqual(['Mia Renamed'])
  })

  test('a change during which a cell did not respond is copied afterwards', async () => {
    const org = await inCell(one)
    await one.db.run(sql`alter table users rename to users_away`)
    await directory.run(sql`update users set name = 'Late' where id = ${org.userId}`)
    await expect(known.catchUp()).rejects.toThrow('users')
    await one.db.run(sql`alter table users_away rename to users`)
    await known.catchUp()
    const name = await one.db.value(sql`select name from users where id = ${org.userId}`)
    expect(name).toBe('Late')
    expect(
      await directory.maybeOne(sql`select from identity_changes where id = ${org.userId}`),
    ).toBeUndefined()
  })

  test('a column of a newer version is copied once the cell has the column', async () => {
    const org = await inCell(one)
    const add = (db: Context['db']) => db.run(sql`alter table organizations add column motto text`)
    const copy = (column: Sql) =>
      one.db.value<string>(sql`select ${column} from organizations where org = ${org.org}`)
    try {
      await add(directory)
      await directory.run(sql`update organizations set name = 'New', motto = 'On' where org = ${org.org}`)
      await expect(known.catchUp()).rejects.toThrow(CellBehindError)
      expect(await copy(sql`name`)).toBe('New')
      await add(one.db)
      await known.catchUp()
      expect(await copy(sql`motto`)).toBe('On')
      for (const db of [directory, one.db])
        await db.run(
          sql`alter table organizations add column call text generated always as (upper(motto)) stored`,
        )
      await directory.run(sql`update organizations set motto = 'Off' where org = ${org.org}`)
      await known.catchUp()
      expect(await copy(sql`call`)).toBe('OFF')
    } finally {
      for (const db of [directory, one.db])
        await db.run(sql`alter table organizations drop column if exists call, drop column if exists motto`)
    }
  })

  test('a request is answered while its copy waits for a lock in the cell', async () => {
    const org = await inCell(one)
    const mia = await org.member('member')
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const other = one.db.transaction(async (tx) => {
      await tx.run(sql`lock table users in access exclusive mode`)
      locked.resolve()
      await release.promise
    })
    await locked.promise
    expect((await mia.session.patch('/profile', { name: 'Mia Waiting' })).status).toBe(200)
    release.resolve()
    await other
    await known.catchUp()
    expect(await one.db.value(sql`select name from users where id = ${mia.userId}`)).toBe('Mia Waiting')
  })

  test('a former member’s new name is copied only to cells with a copy of the user', async () => {
    const org = await inCell(one)
    const mia = await org.member('member')
    await directory.run(sql`delete from members where user_id = ${mia.userId}`)
    expect((await mia.session.patch('/profile', { name: 'Mia Former' })).status).toBe(200)
    const name = (db: Context['db']) => db.maybeValue(sql`select name from users where id = ${mia.userId}`)
    expect([await name(one.db), await name(two.db)]).toEqual(['Mia Former', undefined])
  })

  test('the days in the trash are copied from the directory', async () => {
    const org = await inCell(one)
    expect((await (await org.member('owner')).patch('/organization', { trashDays: 3 })).status).toBe(200)
    const days = () => one.db.value<number>(sql`select trash_days from organizations where org = ${org.org}`)
    await expect.poll(days).toBe(3)
  })

  test('schedules change with the time zone of their organization', async () => {
    const org = await inCell(one)
    const owner = await org.member('owner')
    const { id } = await insertWorkflow(one, org, {
      trigger: 'schedule',
      triggerConfig: { cron: '0 9 1 1 *' },
      steps: [step('create_record', { object: 'companies', data: { name: 'New year' } })],
    })
    const hour = () =>
      one.db.value<number>(sql`
        select extract(hour from next_at at time zone 'UTC')::int as hour from workflows where id = ${id}`)
    expect(await hour()).toBe(9)
    expect((await owner.patch('/organization', { timeZone: 'America/New_York' })).status).toBe(200)
    expect(await hour()).toBe(14)
  })
})

describe('addresses without a key', () => {
  test('a portal link and its session reach their cell', async () => {
    const org = await inCell(two)
    const { body } = await org.get<Webhooks>('/webhooks')
    expect(tokenOf(body)).toMatch(/^[\w-]{65}$/)
    const portal = await visitPortal(service, org)
    expect((await portal.get('/webhooks/portal')).status).toBe(200)
  })

  test('an uploaded file is stored in its cell and read from it', async () => {
    const org = await inCell(two)
    const asked = { bucket: 'docs', path: 'a.txt', contentType: 'text/plain' }
    const { body } = await org.post<{ signedUrl: string; publicUrl: string }>('/files/upload-url', asked)
    const put = new URL(body.signedUrl)
    const stored = await service.inject({
      method: 'PUT',
      url: put.pathname + put.search,
      headers: { 'content-type': 'text/plain' },
      payload: 'hello',
    })
    expect(stored.statusCode).toBe(200)
    const read = await service.inject({ url: new URL(body.publicUrl).pathname })
    expect([read.statusCode, read.payload]).toEqual([200, 'hello'])
    const other = new URL(body.publicUrl).pathname.replace(/^(\/files\/[\w-]{43})[\w-]{22}/, '$1')
    expect((await service.inject({ url: other })).statusCode).toBe(404)
  })
})

test('a cell that does not respond affects only its own organizations', async () => {
  const [first, second] = [await inCell(one), await inCell(two)]
  const opened = cells.opened as Map<number, Context>
  opened.delete(2)
  try {
    expectError(await second.get(PEOPLE), 'unavailable')
    expect((await first.get(PEOPLE)).status).toBe(200)
    const { id } = await signUp()
    expect(await cellOf(id)).toBe(1)
  } finally {
    opened.set(2, two)
  }
  expect((await second.get(PEOPLE)).status).toBe(200)
})

describe('operators', () => {
  test('read the metrics of every cell with its number', async () => {
    const { payload } = await service.inject({ url: '/metrics' })
    const figures = payload.split('\n').filter((line) => line.startsWith('rapport_webhooks_waiting'))
    expect(figures.sort()).toEqual([
      'rapport_webhooks_waiting 0',
      'rapport_webhooks_waiting{cell="1"} 0',
      'rapport_webhooks_waiting{cell="2"} 0',
    ])
  })

  test('drain a cell: it gets no new organizations and keeps its own', async () => {
    const org = await inCell(one)
    await setState(directory, 'one', 'draining')
    for (let n = 0; n < 2; n++) expect(await cellOf((await signUp()).id)).toBe(2)
    expect((await org.get(PEOPLE)).status).toBe(200)
    await setState(directory, 'one', 'active')
    await expect(setState(directory, 'three', 'active')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('add a cell twice without effect, and cannot add a database with organizations', async () => {
    const before = await listCells({ db: directory, cells })
    await addCell(directory, one.db, 'one')
    expect(await listCells({ db: directory, cells })).toEqual(before)
    const refusal = (db: Context['db'], name: string) =>
      addCell(directory, db, name).then(
        () => undefined,
        ({ message }: Error) => message,
      )
    expect(await refusal(one.db, 'three')).toContain('is the cell one')
    expect(await refusal(one.db, 'two')).toContain('is the cell one')
    expect(await refusal(directory, 'three')).toContain('is the directory')
    const empty = await createTestDatabase()
    expect(await refusal(empty.pool, 'one')).toContain('has organizations elsewhere')
    const foreign = await createTestDatabase()
    await foreign.pool.run(sql`insert into organizations (id, name, slug) values (${newId()}, 'A', 'a')`)
    expect(await refusal(foreign.pool, 'three')).toContain('has organizations already')
    expect(await listCells({ db: directory, cells })).toEqual(before)
  })

  test('find different object numbers in different cells', async () => {
    const numbers = (db: Context['db']) => db.many<{ obj: number }>(sql`select obj from objects`)
    await inCell(one)
    await inCell(two)
    const first = new Set((await numbers(one.db)).map(({ obj }) => obj))
    expect((await numbers(two.db)).filter(({ obj }) => first.has(obj))).toEqual([])
  })
})
