// The stream of live updates over HTTP.
import sql from 'sql-template-tag'
import { afterEach, expect, test } from 'vitest'
import type { SentInvitation } from '../../contract/invitations.ts'
import type { Member } from '../../contract/members.ts'
import { newId } from '../base/id.ts'
import { tokenIn } from '../identity/visitor.fixture.ts'
import { buildTestService } from '../test/build-app.ts'
import type { SignedInMember } from '../test/dashboard-client.ts'
import { createRecord, type Org } from '../test/factories.ts'
import { expectAnnounced, type OpenStream, openStream } from './open-stream.fixture.ts'

const bounds = { user: 2, organization: 4, client: 100, process: 6 }
const service = await buildTestService({ liveStreams: bounds })
const { db, directory } = service.ctx
const base = await service.app.listen({ port: 0, host: '127.0.0.1' })
const COMPANIES = '/objects/companies/records'
const SOON = { interval: 20 }

const opened: OpenStream[] = []
const metric = async (name: string) => {
  const text = await (await fetch(`${base}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}
const openNow = () => metric('rapport_live_streams')

afterEach(async () => {
  for (const stream of opened.splice(0)) stream.close()
  await expect.poll(openNow, SOON).toBe(0)
})

async function open(
  org: Org,
  who: SignedInMember | undefined,
  last: { header?: string; query?: string } = {},
) {
  const url = `${base}/dashboard/api/organizations/org-${org.id}/events/stream`
  const stream = await openStream(`${url}${last.query === undefined ? '' : `?after=${last.query}`}`, {
    ...(who && { cookie: who.cookie }),
    ...(last.header !== undefined && { 'last-event-id': last.header }),
  })
  opened.push(stream)
  return stream
}

const addCompany = async (org: Org, name = 'Acme'): Promise<string> =>
  (await createRecord(org, 'companies', { name })).id

/** Waits until the stream has the event of the record: transactions of other tests can delay events. */
async function expectRead(stream: OpenStream, record: string): Promise<void> {
  const { id } = await db.one<{ id: string }>(sql`select id from events where subject = ${record}`)
  await expect.poll(() => stream.messages.at(-1)?.id, SOON).toBe(id)
}

const companiesOf = async (org: Org) => (await org.get<{ id: string }>('/objects/companies')).body.id

test('announces changes of records and activities to members, without their content', async () => {
  const org = await service.org()
  const stream = await open(org, await org.member('member'))
  expect(stream.response.status).toBe(200)
  expect(Object.fromEntries(stream.response.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  const company = await addCompany(org, 'Secret Holdings')
  await org.patch(`${COMPANIES}/${company}`, { data: { name: 'Secret Partners' } })
  const activity = (await org.post<{ id: string }>('/activities', { title: 'Secret call' })).body.id
  await org.delete(`${COMPANIES}/${company}`)
  await expectAnnounced(
    stream,
    `record.created ${company}`,
    `record.updated ${company}`,
    `activity.created ${activity}`,
    `record.deleted ${company}`,
  )
  expect(stream.text()).not.toContain('Secret')
  const ofRecords = stream.messages.flatMap(({ data }) => data['changes'] as { objectId: string | null }[])
  expect(new Set(ofRecords.map(({ objectId }) => objectId))).toEqual(new Set([await companiesOf(org), null]))
})

test('announces a changed inbox only to its member, without its content', async () => {
  const org = await service.org()
  const [mia, max] = await org.members('member', 'member')
  const [mine, other] = [await open(org, mia), await open(org, max)]
  const hears = (stream: OpenStream) => stream.messages.filter(({ event }) => event === 'inbox')
  await org.post('/activities', { type: 'task', title: 'Secret call', assignee: mia.userId })
  await expect.poll(() => hears(mine), SOON).toEqual([{ id: undefined, event: 'inbox', data: {} }])
  const company = await addCompany(org)
  await expectAnnounced(other, `record.created ${company}`)
  expect(hears(other)).toEqual([])
  expect(mine.text()).not.toContain('Secret')
  await mia.post('/inbox/read')
  await expect.poll(() => hears(mine).length, SOON).toBe(2)
})

test('announces no changes of other organizations, and refuses streams of them', async () => {
  const [mine, theirs] = [await service.org(), await service.org()]
  const me = await mine.member('owner')
  const refused = await open(theirs, me)
  expect(refused.response.status).toBe(404)
  const stream = await open(mine, me)
  const foreign = await addCompany(theirs)
  const own = await addCompany(mine)
  await expectAnnounced(stream, `record.created ${own}`)
  expect(stream.text()).not.toContain(foreign)
})

test('refuses a stream without a sign-in with 401', async () => {
  const { response } = await open(await service.org(), undefined)
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({ error: 'unauthorized' })
})

test('a new stream announces changes from while its page was loading', async () => {
  const org = await service.org()
  const company = await addCompany(org)
  await expectAnnounced(await open(org, await org.member('member')), `record.created ${company}`)
})

test.each(['header', 'query'] as const)(
  'a stream continues after the last message, given in the %s, without gaps or repeats',
  async (where) => {
    const org = await service.org()
    const member = await org.member('member')
    const first = await open(org, member)
    const seen = await addCompany(org)
    await expectAnnounced(first, `record.created ${seen}`)
    first.close()
    const missed = [await addCompany(org), await addCompany(org), await addCompany(org)]
    const last = first.messages.at(-1)?.id ?? ''
    const second = await open(org, member, { [where]: last })
    await expectAnnounced(second, ...missed.map((id) => `record.created ${id}`))
    expect(second.announced()).toHaveLength(missed.length)
  },
)

test('sends reload after an unknown message or too many changes', async () => {
  const org = await service.org()
  const member = await org.member('member')
  const unknown = await open(org, member, { query: newId() })
  await expect.poll(() => unknown.messages, SOON).toEqual([{ id: '', event: 'reload', data: {} }])
  const first = await addCompany(org)
  await expectAnnounced(unknown, `record.created ${first}`)
  const last = unknown.messages.at(-1)?.id ?? ''
  const records = Array.from({ length: 100 }, (_, n) => ({ data: { name: `Company ${n}` } }))
  for (let times = 0; times < 11; times++) await org.post(`${COMPANIES}/bulk`, { mode: 'create', records })
  await expectRead(unknown, await addCompany(org))
  const late = await open(org, member, { query: last })
  await expect.poll(() => late.messages.map(({ event }) => event), SOON).toContain('reload')
})

test('announces changes of many records by their object, in few messages', async () => {
  const org = await service.org()
  const stream = await open(org, await org.member('member'))
  const records = Array.from({ length: 100 }, (_, n) => ({ data: { name: `Company ${n}` } }))
  const write = () => org.post(`${COMPANIES}/bulk`, { mode: 'create', records })
  await Promise.all([write(), write(), write(), write(), write(), write()])
  const last = await addCompany(org)
  await expect.poll(() => stream.announced().length, SOON).toBeGreaterThan(0)
  await expectAnnounced(stream, 'record.created many')
  await expectRead(stream, last)
  expect(stream.messages.length).toBeLessThan(8)
  expect(stream.text().length).toBeLessThan(16_000)
})

test('announces an event that commits late', async () => {
  const org = await service.org()
  const stream = await open(org, await org.member('member'))
  const [late, early] = [newId(), newId()]
  const write = (tx: typeof db, subject: string) =>
    tx.run(sql`insert into events (org, id, type, subject, data)
      values (${org.org}, ${newId()}, 'record.created', ${subject}, '{}')`)
  await db.transaction(async (tx) => {
    await write(tx, late)
    await write(db, early)
    await addCompany(await service.org())
    expect(stream.announced()).toEqual([])
  })
  await expectAnnounced(stream, `record.created ${late}`, `record.created ${early}`)
})

test('announces writes of another process', async () => {
  const org = await service.org()
  const stream = await open(org, await org.member('member'))
  const node = await service.node()
  const { payload } = await node.inject({
    method: 'POST',
    url: `/api/v1${COMPANIES}`,
    headers: { authorization: `Bearer ${org.key}`, 'content-type': 'application/json' },
    payload: '{"data":{"name":"Acme"}}',
  })
  await expectAnnounced(stream, `record.created ${JSON.parse(payload).id}`)
})

const emailOf = () => `${newId()}@example.com`

test('announces changes of members and invitations to members, without their content', async () => {
  const org = await service.org()
  const [owner, mia] = await org.members('owner', 'member')
  const stream = await open(org, owner)
  const email = emailOf()
  const invitation = (await owner.post<{ id: string }>('/invitations', { email, role: 'member' })).body.id
  await expectAnnounced(stream, `member.changed ${invitation}`)
  const { members } = (await owner.get<{ members: Member[] }>('/members')).body
  const membership = members.find(({ user }) => user.id === mia.userId)?.id
  expect((await owner.patch(`/members/${membership}`, { role: 'admin' })).status).toBe(200)
  await expectAnnounced(stream, `member.changed ${mia.userId}`)
  expect((await owner.session.patch('/profile', { name: 'Secret Name' })).status).toBe(200)
  await expectAnnounced(stream, `member.changed ${owner.userId}`)
  expect(stream.text()).not.toMatch(/Secret|@example/)
})

test('announces a member who joins by an invitation', async () => {
  const org = await service.org()
  const owner = await org.member('owner')
  const stream = await open(org, owner)
  const guest = await (await service.org()).member('member')
  const sent = await owner.post<SentInvitation>('/invitations', { email: guest.email, role: 'member' })
  const token = tokenIn(sent.body.inviteUrl)
  expect((await guest.session.post(`/invitations/${token}/accept`, {})).status).toBe(200)
  await expectAnnounced(stream, `member.changed ${guest.userId}`)
})

test('ends the stream of a removed member, and announces the removal to others', async () => {
  const org = await service.org()
  const [owner, mia] = await org.members('owner', 'member')
  const [own, removed] = [await open(org, owner), await open(org, mia)]
  const { members } = (await owner.get<{ members: Member[] }>('/members')).body
  const membership = members.find(({ user }) => user.id === mia.userId)?.id
  expect((await owner.delete(`/members/${membership}`)).status).toBe(200)
  await removed.ended
  expect(removed.messages).toEqual([{ id: undefined, event: 'end', data: { reason: 'session' } }])
  await expectAnnounced(own, `member.changed ${mia.userId}`)
  const refused = await mia.get<{ error: string; details: object }>('/objects')
  expect(refused.status).toBe(404)
  expect(refused.body.details).toEqual({ organization: `org-${org.id}` })
})

const endings: [string, (member: SignedInMember, org: Org) => Promise<unknown>][] = [
  ['its user signs out', (member) => member.session.post('/sign-out')],
  [
    'its session is ended elsewhere',
    (member) => directory.run(sql`delete from sessions where user_id = ${member.userId}`),
  ],
  [
    'its session expires',
    (member) => directory.run(sql`update sessions set expires_at = now() where user_id = ${member.userId}`),
  ],
  [
    'its user is no longer a member',
    (member, org) =>
      directory.run(
        sql`delete from members where user_id = ${member.userId} and organization_id = ${org.id}`,
      ),
  ],
]

test.each(endings)('a stream ends when %s, before any further change is announced', async (_, end) => {
  const org = await service.org()
  const member = await org.member('member')
  const [stream, other] = [await open(org, member), await open(org, await org.member('member'))]
  await end(member, org)
  const company = await addCompany(org)
  await stream.ended
  expect(stream.messages).toEqual([{ id: undefined, event: 'end', data: { reason: 'session' } }])
  await expectAnnounced(other, `record.created ${company}`)
})

const quietEndings: [string, (member: SignedInMember, org: Org) => Promise<unknown>][] = [
  [
    'its session has ended',
    (member) => directory.run(sql`delete from sessions where user_id = ${member.userId}`),
  ],
  [
    'its organization is deleted',
    async (_, org) => {
      await db.run(sql`delete from attributes where org = ${org.org}`)
      await directory.run(sql`delete from organizations where id = ${org.id}`)
    },
  ],
]

test.each(quietEndings)('an idle stream ends when %s', async (_, end) => {
  const org = await service.org()
  const member = await org.member('member')
  const stream = await open(org, member)
  await end(member, org)
  await stream.ended
  expect(stream.messages).toEqual([{ id: undefined, event: 'end', data: { reason: 'session' } }])
})

test('limits streams by user and organization; a closed stream frees its place', async () => {
  const [org, other] = [await service.org(), await service.org()]
  const [ada, bob, cleo] = await org.members('member', 'member', 'member')
  const first = await open(org, ada)
  await open(org, ada)
  const refusedOf = async (where: Org, who: SignedInMember) => {
    const { response } = await open(where, who)
    const { message } = (await response.json()) as { message: string }
    return { status: response.status, message, retryAfter: response.headers.get('retry-after') }
  }
  expect(await refusedOf(org, ada)).toEqual({
    status: 429,
    message: expect.stringMatching(/^You have 2 streams .*LIVE_STREAMS_PER_USER$/),
    retryAfter: '30',
  })
  await open(org, bob)
  await open(org, bob)
  expect(await refusedOf(org, cleo)).toMatchObject({
    status: 429,
    message: expect.stringMatching(/^Your organization has 4 .*LIVE_STREAMS_PER_ORGANIZATION$/),
  })
  const dora = await other.member('member')
  await open(other, dora)
  await open(other, dora)
  expect(await openNow()).toBe(6)
  first.close()
  await expect.poll(openNow, SOON).toBe(5)
  expect((await open(org, cleo)).response.status).toBe(200)
})

test('a full service ends a stream of the organization with the most for another organization', async () => {
  const [large, small] = [await service.org(), await service.org()]
  const [ada, bob] = await large.members('member', 'member')
  const held = []
  for (const who of [ada, ada, bob, bob]) held.push(await open(large, who))
  const dora = await small.member('member')
  await open(small, dora)
  await open(small, dora)
  const added = await open(small, await small.member('member'))
  expect(added.response.status).toBe(200)
  await held[3]?.ended
  expect(held[3]?.messages).toEqual([{ id: undefined, event: 'end', data: { reason: 'closing' } }])
  await expect.poll(openNow, SOON).toBe(6)
  // Both organizations have three streams now.
  const { response } = await open(small, await small.member('member'))
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('30')
  expect(((await response.json()) as { message: string }).message).toMatch(
    /^The service has 6 .*LIVE_STREAMS$/,
  )
})

test('open streams use no database connection, and do not count in the durations of requests', async () => {
  const org = await service.org()
  const member = await org.member('member')
  const stream = await open(org, member)
  await expectAnnounced(stream, `record.created ${await addCompany(org)}`)
  expect(service.ctx.shares.usage.taken).toBe(0)
  stream.close()
  await expect.poll(openNow, SOON).toBe(0)
  const text = await (await fetch(`${base}/metrics`)).text()
  expect(text).not.toMatch(/duration_seconds_count\{[^}]*stream[^}]*status="200"/)
})

test('a stream begins with a heartbeat, and changes have the time over which to spread reads', async () => {
  const org = await service.org()
  const [ada, bob] = [
    await open(org, await org.member('member')),
    await open(org, await org.member('member')),
  ]
  await expect.poll(ada.text, SOON).toMatch(/^event: beat\ndata: {"spreadMs":1000}\n\n/)
  const company = await addCompany(org)
  await expectAnnounced(ada, `record.created ${company}`)
  await expectAnnounced(bob, `record.created ${company}`)
  expect(bob.messages.at(-1)?.data).toMatchObject({ spreadMs: 4 })
})

test('refuses an invalid id in the query', async () => {
  const org = await service.org()
  const { response } = await open(org, await org.member('member'), { query: 'x' })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ details: { errors: [{ path: 'after', code: 'pattern' }] } })
})
