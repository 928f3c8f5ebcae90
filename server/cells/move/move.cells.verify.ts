// An organization moves between cells while it is in use, over HTTP.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Webhooks } from '../../../contract/webhooks.ts'
import { newId } from '../../base/id.ts'
import type { Context } from '../../context.ts'
import { endOfOrder, raiseEventOrder } from '../../events/clock.ts'
import { buildTestService } from '../../test/build-app.ts'
import { createTestCells } from '../../test/cells.ts'
import { expectError, type Org } from '../../test/factories.ts'
import { visitPortal } from '../../test/portal-client.ts'
import { startReceiver } from '../../test/receiver.ts'
import { clearMoved } from './clear.ts'
import { closeGuard, findGuard } from './guard.ts'
import { create, fill, PEOPLE, rowsIn, upload } from './move.fixture.ts'
import { cancelMove, type MoveOptions, type MovePhase, moveOrganization } from './service.ts'
import { settleMoves } from './settle.ts'
import { findMove, startClosing, switchCell } from './store.ts'

const databases = await createTestCells()
const service = await buildTestService({}, undefined, databases)
const { cells } = service.ctx
const directory = databases.pool
const [zero, one, two] = [cells.of(0), cells.of(1), cells.of(2)]

const never = new AbortController().signal
const cellOf = ({ org }: Pick<Org, 'org'>) =>
  directory.value<number>(sql`select cell from organizations where org = ${org}`)
const move = async (org: Org, to: number, options: Partial<MoveOptions> = {}) =>
  moveOrganization(service.ctx, { org: org.org, cell: await cellOf(org) }, to, { signal: never, ...options })

const receiver = await startReceiver()

/** An organization in `ctx` with data of most kinds. */
async function filled(ctx: Context) {
  const org = await service.org({ ctx })
  await fill(ctx, org, receiver.url)
  return org
}

/** All events of the organization. An event appears when no older transaction of the server is open. */
async function eventsOf({ db }: Context, org: Org): Promise<{ id: string }[]> {
  const count = await db.value<number>(sql`select count(*)::int as n from events where org = ${org.org}`)
  const read = async () => (await org.get<{ events: { id: string }[] }>('/events?limit=100')).body.events
  await expect.poll(read).toHaveLength(count)
  return read()
}

/** Runs that are due, that wait for a timer, and that wait for another run. */
const insertRuns = ({ db }: Context, { org }: Org) =>
  db.run(sql`
    insert into workflow_runs (org, id, workflow, version, title, trigger_event, input, status, due_at)
    select w.org, uuidv7(), w.id, w.version, 'Due', 'schedule', '{}', status, due_at::timestamptz
    from workflows w cross join (values ('queued', now()), ('waiting', now() + interval '1 day'), ('queued', 'infinity'))
      as r(status, due_at)
    where w.org = ${org}`)

const triggersOf = ({ db }: Context, { org }: Org) =>
  db.value<number>(sql`select count(*)::int as n from pg_trigger where tgname like ${`move\\_${org}\\_%`}`)

describe('a move', () => {
  test('moves every row, and new events come after the old cursor', async () => {
    const org = await filled(one)
    // As in a cell whose server has used many more transaction ids.
    await one.db.transaction(async (tx) =>
      raiseEventOrder(tx, String(Number(await endOfOrder(tx)) + 2 ** 34)),
    )
    await create(org, { name: 'Before' })
    await insertRuns(one, org)
    const before = await eventsOf(one, org)
    const rows = await rowsIn(one, org)
    expect(Object.keys(rows)).toEqual(
      expect.arrayContaining([
        'events',
        'event_pending',
        'index_text',
        'links',
        'uniques',
        'webhook_lanes',
        'workflow_runs',
      ]),
    )
    expect(await move(org, 2)).toMatchObject({ source: 1, target: 2, refusedMs: expect.any(Number) })
    expect(await cellOf(org)).toBe(2)
    expect(await rowsIn(two, org)).toEqual(rows)
    await create(org, { name: 'After' })
    const after = await eventsOf(two, org)
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after).toHaveLength(before.length + 1)
    expect(await triggersOf(two, org)).toBe(0)
  })

  test('takes members and keys as they are at the switch', async () => {
    const org = await filled(one)
    const owner = await org.member('owner')
    const [mia, ben] = await org.members('member', 'member')
    const memberOf = (userId: string) =>
      directory.value<string>(
        sql`select id from members where user_id = ${userId} and organization_id = ${org.id}`,
      )
    const [left, renewed] = [await memberOf(mia.userId), await memberOf(ben.userId)]
    let key = ''
    const onPhase = async (phase: MovePhase) => {
      if (phase !== 'closing') return
      for (const id of [left, renewed]) expect((await owner.delete(`/members/${id}`)).status).toBe(200)
      // Added again, as a new membership of the same person.
      await directory.run(sql`
        insert into members (id, organization_id, user_id, role) values (${newId()}, ${org.id}, ${ben.userId}, 'admin')`)
      key = (await owner.post<{ id: string }>('/api-keys', { name: 'Late', scopes: null })).body.id
    }
    await move(org, 2, { onPhase })
    const inTwo = await two.db.many<{ userId: string }>(
      sql`select user_id as "userId" from members where organization_id = ${org.id}`,
    )
    expect(inTwo.map(({ userId }) => userId)).toContain(ben.userId)
    expect(inTwo.map(({ userId }) => userId)).not.toContain(mia.userId)
    expect(await two.db.maybeOne(sql`select from api_keys where id = ${key}`)).toBeDefined()
    expect((await ben.get('/members')).status).toBe(200)
    expect((await mia.get('/members')).status).toBe(404)
  })

  test('also moves former members that values refer to', async () => {
    const org = await service.org({ ctx: one })
    const [owner, mia] = await org.members('owner', 'member')
    const record = await create(org, { name: 'Of Mia', owner: mia.userId })
    const member = await directory.value<string>(
      sql`select id from members where user_id = ${mia.userId} and organization_id = ${org.id}`,
    )
    expect((await owner.delete(`/members/${member}`)).status).toBe(200)
    await move(org, 2)
    expect(await two.db.value(sql`select name from users where id = ${mia.userId}`)).toBe('Mia Member')
    const kept = await org.patch(`${PEOPLE}/${record}`, { data: { owner: mia.userId } })
    expect(kept).toMatchObject({ status: 200, body: { data: { owner: mia.userId } } })
  })

  test('that is cancelled leaves no change that cannot be copied', async () => {
    const org = await filled(one)
    const owner = await org.member('owner')
    const stopped = new AbortController()
    const onPhase = (phase: MovePhase) => {
      if (phase === 'closing') stopped.abort()
    }
    await expect(move(org, 2, { onPhase, signal: stopped.signal })).rejects.toThrow()
    await owner.post('/api-keys', { name: 'During', scopes: null })
    await cancelMove(service.ctx, org.org)
    const ofTwo = sql`select count(*)::int as n from identity_changes where cell = 2`
    await directory.run(sql`
      insert into identity_changes (cell, kind, id) select 2, 'member', id from members where organization_id = ${org.id}`)
    await cells.copy()
    expect(await directory.value(ofTwo)).toBe(0)
    expect(await two.db.maybeOne(sql`select from members where organization_id = ${org.id}`)).toBeUndefined()
  })

  test('leaves nothing behind, and can be reversed', async () => {
    const org = await filled(one)
    const mia = await org.member('member')
    await move(org, 2)
    await one.db.run(sql`
      update organization_moves set changed_at = now() - interval '1 hour' where org = ${org.org}`)
    await clearMoved(one, never)
    expect(await rowsIn(one, org)).toEqual({})
    expect([await triggersOf(one, org), await findGuard(one.db, org.org)]).toEqual([0, undefined])
    const id = await create(org, { name: 'In two' })
    await move(org, 1)
    expect((await mia.get(`${PEOPLE}/${id}`)).status).toBe(200)
    await move(org, 2)
    expect((await org.get(`${PEOPLE}/${id}`)).status).toBe(200)
    expect((await mia.post(PEOPLE, { data: { name: 'By Mia' } })).status).toBe(201)
    // Before the rows of the first stay were removed from the cell.
    await move(org, 1)
    expect((await org.get(`${PEOPLE}/${id}`)).status).toBe(200)
  })

  test('keeps answers of Idempotency-Keys, portal links and file addresses, also from cell 0', async () => {
    for (const [from, to] of [
      [zero, 2],
      [one, 0],
    ] as const) {
      const org = await filled(from)
      const path = await upload(org, service.inject, 'a.txt')
      const portal = await visitPortal(service, org)
      const key = { 'idempotency-key': newId() }
      const id = await create(org, { name: 'Once' }, key)
      await move(org, to)
      expect(await create(org, { name: 'Once' }, key)).toBe(id)
      expect((await portal.get('/webhooks/portal')).status).toBe(200)
      expect((await service.inject({ url: path })).payload).toBe('hello')
      expect((await org.get<Webhooks>('/webhooks')).status).toBe(200)
      expect((await org.post('/objects', { pluralName: 'Cars', singularName: 'Car' })).status).toBe(201)
    }
  })

  test('is refused to the same cell, during another move, and to a cell that does not respond', async () => {
    const org = await service.org({ ctx: one })
    await expect(move(org, 1)).rejects.toMatchObject({ code: 'wrong_state' })
    await expect(move(org, 3)).rejects.toMatchObject({ code: 'unavailable' })
    const onPhase = (phase: MovePhase) =>
      phase === 'copying' && expect(move(org, 2)).rejects.toMatchObject({ code: 'wrong_state' })
    await move(org, 2, { onPhase: async (phase) => void (await onPhase(phase)) })
    expect(await cellOf(org)).toBe(2)
  })
})

describe('a move that ends early', () => {
  const stopAt = (at: MovePhase) => ({
    onPhase: (phase: MovePhase) => {
      if (phase === at) throw new Error(`killed while ${at}`)
    },
  })

  test.each<MovePhase>(['preparing', 'copying', 'closing', 'finishing'])(
    'while %s is continued by the next command',
    async (phase) => {
      const org = await filled(one)
      await expect(move(org, 2, stopAt(phase))).rejects.toThrow('killed')
      await create(org, { name: 'Meanwhile' })
      const rows = await rowsIn(phase === 'finishing' ? two : one, org)
      await moveOrganization(service.ctx, { org: org.org, cell: 1 }, 2, { signal: never })
      expect(await rowsIn(two, org)).toEqual(rows)
      expect(await findMove(directory, org.org)).toBeUndefined()
    },
  )

  /** A command that is killed while writes are refused. @returns the round */
  async function killedWhileClosing(org: Org) {
    await expect(move(org, 2, stopAt('closing'))).rejects.toThrow('killed')
    const holder = await directory.value<string>(sql`select holder from moves where org = ${org.org}`)
    const round = (await startClosing(directory, org.org, holder)) ?? 0
    expect(await closeGuard(one.db, org.org, round)).toBe(true)
    return round
  }
  const wait = () => directory.run(sql`update moves set state_at = now() - interval '4 seconds'`)

  test('while writes are refused: a worker allows writes again, and reads continue', async () => {
    const org = await filled(one)
    await killedWhileClosing(org)
    const refused = await org.post(PEOPLE, { data: { name: 'Refused' } })
    expectError(refused, 'unavailable')
    expect(refused.headers['retry-after']).toBe('2')
    expect(refused.body).toMatchObject({
      message: expect.stringContaining('being moved'),
      details: { committed: 'no' },
    })
    // The first statement of the upsert finds one of the two records, and writes neither.
    const records = [{ data: { email: 'p0@example.com', name: 'K' } }, { data: { email: 'new@example.com' } }]
    const upsert = await org.post(`${PEOPLE}/bulk`, { mode: 'upsert', matchOn: 'email', records })
    expectError(upsert, 'unavailable')
    expect(upsert.body).toMatchObject({ details: { committed: 'no' } })
    expect((await org.get(PEOPLE)).status).toBe(200)
    await wait()
    await settleMoves(service.ctx)
    await create(org, { name: 'Accepted' })
    expect(await cellOf(org)).toBe(1)
    await move(org, 2)
    expect((await org.get<{ pagination: { total: number } }>(PEOPLE)).body.pagination.total).toBe(32)
  })

  test('while writes are refused: its late steps have no effect', async () => {
    const org = await filled(one)
    const round = await killedWhileClosing(org)
    await wait()
    await settleMoves(service.ctx)
    const found = await findMove(directory, org.org)
    expect(found && (await switchCell(directory, { ...found, round }))).toBe(false)
    expect(await closeGuard(one.db, org.org, round)).toBe(false)
  })

  test('after the switch is finished by a worker', async () => {
    const org = await filled(one)
    const kill = async () => {
      await directory.run(sql`update moves set state_at = now() - interval '4 seconds'`)
    }
    await expect(
      move(org, 2, {
        onPhase: (phase) =>
          phase === 'finishing' ? kill().then(() => Promise.reject(new Error('killed'))) : undefined,
      }),
    ).rejects.toThrow('killed')
    await settleMoves(service.ctx)
    expect(await findMove(directory, org.org)).toBeUndefined()
    await create(org, { name: 'After' })
  })

  test('can be cancelled: the copied rows are removed, and the organization remains in use', async () => {
    const org = await filled(one)
    await expect(move(org, 2, stopAt('closing'))).rejects.toThrow('killed')
    expect(Object.keys(await rowsIn(two, org))).not.toEqual([])
    const rows = await rowsIn(one, org)
    await cancelMove(service.ctx, org.org)
    expect([await rowsIn(one, org), await rowsIn(two, org)]).toEqual([rows, {}])
    expect([await triggersOf(one, org), await triggersOf(two, org)]).toEqual([0, 0])
    await create(org, { name: 'After' })
    await expect(cancelMove(service.ctx, org.org)).rejects.toMatchObject({ code: 'not_found' })
    await move(org, 2)
    expect(await cellOf(org)).toBe(2)
  })
})
