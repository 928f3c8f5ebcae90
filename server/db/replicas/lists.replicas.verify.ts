// Lists on a real standby.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bodyOf, expectError } from '../../test/factories.ts'
import { buildReplicatedService } from '../../test/replicated-service.ts'
import type { PrimaryReason } from './replicas.ts'

const LAG_MAX_MS = 2000
const replicated = await buildReplicatedService({ replicaLagMaxMs: LAG_MAX_MS })
const { standby, service, replicas, caughtUp } = replicated
const org = await service.org()
const reads = (by: 'replica' | PrimaryReason) => replicated.reads('list', by)

const create = async (name: string) => {
  const reply = await org.post('/objects/companies/records', { data: { name } })
  expect(reply.status).toBe(201)
  return reply
}
interface Listed {
  records: { data: { name: string } }[]
  pagination: { total: number }
}
const list = async (headers?: Record<string, string>, query = 'consistency=eventual') =>
  org.get<Listed>(`/objects/companies/records?limit=50&${query}`, headers)
const namesOf = (body: Listed) => body.records.map(({ data }) => data.name)
/** A key that has written nothing. */
const other = await service
  .inject({ method: 'GET', url: '/healthz' })
  .then(() => org.keyWith(['records:read']))
const listAsOther = async (headers: Record<string, string> = {}, query = 'consistency=eventual') => {
  const reply = await service.inject({
    method: 'GET',
    url: `/api/v1/objects/companies/records?limit=50&${query}`,
    headers: { authorization: `Bearer ${other}`, ...headers },
  })
  return { status: reply.statusCode, body: reply.json<Listed>() }
}

beforeAll(async () => {
  await create('first')
  await caughtUp()
})
afterEach(async () => {
  await standby.resume()
  await caughtUp()
})

describe('consistency=eventual', () => {
  test('reads a replica', async () => {
    const before = reads('replica')
    const body = bodyOf(await list())
    expect(namesOf(body)).toContain('first')
    expect(reads('replica')).toBe(before + 1)
  })

  test('also applies to searches and activities', async () => {
    const before = reads('replica')
    const path = '/objects/companies/records/search?consistency=eventual'
    const reply = await org.post<Listed>(path, { filters: [] })
    expect(namesOf(reply.body)).toContain('first')
    expect((await org.get('/activities?consistency=eventual')).status).toBe(200)
    expect(reads('replica')).toBe(before + 2)
  })

  test('applies to both parts of a timeline', async () => {
    const member = await org.member('owner')
    const { body } = await org.post<{ id: string }>('/objects/companies/records', {
      data: { name: 'with history' },
    })
    await caughtUp()
    const before = reads('replica')
    const history = `/objects/companies/records/${body.id}/history?consistency=eventual`
    const reply = await member.get<{ entries: object[] }>(history)
    expect(reply.body.entries).toMatchObject([{ type: 'record.created' }])
    expect((await member.get('/activities?consistency=eventual')).status).toBe(200)
    expect(reads('replica')).toBe(before + 2)
  })

  test('reads the primary when it is absent or strong', async () => {
    const before = replicas.counts
    await list({}, 'consistency=strong')
    await list({}, '')
    expect(replicas.counts).toEqual(before)
  })

  test('refuses other values', async () => {
    expectError(await list({}, 'consistency=sometimes'), 'invalid_parameter')
  })

  test('shows other readers the state of a paused replica while its lag is within the limit', async () => {
    await standby.pause()
    await create('unseen')
    expect(namesOf((await listAsOther()).body)).not.toContain('unseen')
    expect(namesOf((await listAsOther({}, '')).body)).toContain('unseen')
  })

  test('reads the primary when the lag of the replica is above the limit', async () => {
    await standby.pause()
    await create('behind')
    await expect.poll(async () => namesOf((await listAsOther()).body), { interval: 100 }).toContain('behind')
    expect(reads('lag')).toBeGreaterThan(0)
    expect(replicas.status[0]).toMatchObject({ state: 'ready', lagBytes: expect.any(Number) })
    expect(replicas.status[0]?.lagMs).toBeGreaterThan(LAG_MAX_MS)
  })
})

describe('a reader sees its own writes', () => {
  test('with the key that wrote, on the same process', async () => {
    await standby.pause()
    await create('own')
    const before = reads('position')
    expect(namesOf((await list()).body)).toContain('own')
    expect(reads('position')).toBe(before + 1)
  })

  test('with the write position that it sends, on any process', async () => {
    await standby.pause()
    const { headers } = await create('sent back')
    const position = String(headers['x-write-position'])
    expect(position).toMatch(/^[0-9a-f-]{36}$/)
    expect(namesOf((await listAsOther()).body)).not.toContain('sent back')
    expect(namesOf((await listAsOther({ 'x-write-position': position })).body)).toContain('sent back')
  })

  test('on the replica, after the replica has replayed the write', async () => {
    const { headers } = await create('replayed')
    const before = reads('replica')
    const { body } = await listAsOther({ 'x-write-position': String(headers['x-write-position']) })
    expect(namesOf(body)).toContain('replayed')
    expect(reads('replica')).toBe(before + 1)
  })

  test('with a token of another process, of an older version, or an invalid one', async () => {
    await standby.pause()
    await create('of another process')
    const token = randomUUID()
    for (const position of [token, token, 'nonsense', '1-1', '']) {
      const body = bodyOf(await listAsOther({ 'x-write-position': position }))
      expect(namesOf(body)).toContain('of another process')
    }
    await standby.resume()
    await caughtUp()
    const before = reads('replica')
    await listAsOther({ 'x-write-position': token })
    expect(reads('replica')).toBe(before + 1)
  })

  test('with any of the tokens of parallel writes, in any order', async () => {
    await standby.pause()
    const [one, two] = await Promise.all([create('in parallel one'), create('in parallel two')])
    for (const { headers } of [two, one]) {
      const position = String(headers['x-write-position'])
      const { body } = await listAsOther({ 'x-write-position': position })
      expect(namesOf(body)).toEqual(expect.arrayContaining(['in parallel one', 'in parallel two']))
    }
  })

  test('with the token of a request that is repeated with its Idempotency-Key', async () => {
    const send = () =>
      org.post(
        '/objects/companies/records',
        { data: { name: 'repeated' } },
        { 'idempotency-key': 'repeated' },
      )
    await send()
    const { headers } = await send()
    expect(headers['idempotent-replayed']).toBe('true')
    expect(headers['x-write-position']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('in the dashboard with a cookie of the organization, on any process', async () => {
    const [member, colleague] = await org.members('owner', 'owner')
    await caughtUp()
    await standby.pause()
    const { headers } = await member.post('/objects/companies/records', { data: { name: 'by cookie' } })
    const cookie = [headers['set-cookie']].flat().find((one) => one?.startsWith('rapport.write_position='))
    expect(cookie).toMatch(
      /^rapport\.write_position=[0-9a-f-]{36}; Path=\/dashboard\/api\/organizations\/[^;/]+; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
    )
    // This process has recorded no write of the colleague's session, as if it were another process.
    const path = '/objects/companies/records?limit=50&consistency=eventual'
    expect(namesOf((await colleague.get<Listed>(path)).body)).not.toContain('by cookie')
    const both = `${colleague.cookie}; ${cookie?.split(';')[0]}`
    expect(namesOf((await colleague.get<Listed>(path, { cookie: both })).body)).toContain('by cookie')
  })

  test('and a read returns no write position', async () => {
    expect((await list()).headers['x-write-position']).toBeUndefined()
  })
})

test('the primary answers a list with an attribute that the replica does not have yet', async () => {
  await standby.pause()
  const created = await org.post('/objects/companies/attributes', {
    name: 'Newest',
    slug: 'newest',
    type: 'text',
  })
  expect(created.status).toBe(201)
  expect((await listAsOther({}, 'consistency=eventual&filter[newest][isEmpty]=true')).status).toBe(200)
  // The older model of the replica and the newer one of the primary are cached separately.
  expect((await listAsOther()).status).toBe(200)
  expect((await listAsOther({}, 'filter[newest][isEmpty]=true')).status).toBe(200)
})
