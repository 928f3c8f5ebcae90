// The actor of an event, only as an id, in the feed and in deliveries and replays of webhooks.
import sql from 'sql-template-tag'
import { Check } from 'typebox/value'
import { expect, test } from 'vitest'
import { EVENT_BODIES } from '../../../contract/event-bodies.ts'
import type { EventType } from '../../../contract/events.ts'
import { buildTestService } from '../../test/build-app.ts'
import type { Org } from '../../test/factories.ts'
import { insertWorkflow, step } from '../../workflows/workflow.fixture.ts'

const service = await buildTestService()
const { ctx } = service
const COMPANIES = '/objects/companies/records'
const SOON = { interval: 20 }

interface Body {
  id: string
  type: EventType
  actor: { type: string; id: string } | null
}

/** Waits until the feed has `count` events, because other test files may have open transactions for a short time. */
async function readAll(org: Org, count: number): Promise<Body[]> {
  const read = async () => (await org.get<{ events: Body[] }>('/events?limit=100')).body.events
  await expect.poll(read, SOON).toHaveLength(count)
  return read()
}

const actorsOf = async (org: Org, count: number) => (await readAll(org, count)).map(({ actor }) => actor)

test('the actor can be a member, an API key or a workflow', async () => {
  const org = await service.org()
  const member = await org.member('member')
  const onCreation = { trigger: 'record/created' as const, triggerConfig: { objectId: 'companies' } }
  const tag = step('update_record', {
    ...{ object: 'companies', recordId: '{{trigger.recordId}}', data: { employees: 5 } },
  })
  const flow = await insertWorkflow(ctx, org, { ...onCreation, steps: [tag] })
  const { body } = await member.post<{ id: string }>(COMPANIES, { data: { name: 'Acme' } })
  await service.runWorkflows()
  await org.patch(`${COMPANIES}/${body.id}`, { data: { name: 'Acme Ltd' } })
  await member.post('/activities', { title: 'Call' })
  const byMember = { type: 'member', id: member.userId }
  const byFlow = { type: 'workflow', id: flow.id }
  const events = await readAll(org, 5)
  // Events of one transaction are in the order of their ids, which come from two clocks.
  expect(events.map(({ type, actor }) => ({ type, actor }))).toEqual([
    { type: 'record.created', actor: byMember },
    ...[expect.objectContaining({ actor: byFlow }), expect.objectContaining({ actor: byFlow })],
    { type: 'record.updated', actor: { type: 'apiKey', id: org.keyId } },
    { type: 'activity.created', actor: byMember },
  ])
  for (const event of events) expect(Check(EVENT_BODIES[event.type], event), JSON.stringify(event)).toBe(true)
})

test('a change of the service itself has no actor', async () => {
  const org = await service.org()
  await org.post(COMPANIES, { data: { name: 'Acme' } })
  await ctx.db.run(sql`update events set actor = null, api_key = null where org = ${org.org}`)
  expect(await actorsOf(org, 1)).toEqual([null])
})

test('older events of a run name its workflow while the run exists, and then no actor', async () => {
  const org = await service.org()
  const onCreation = { trigger: 'record/created' as const, triggerConfig: { objectId: 'companies' } }
  const create = step('create_record', { object: 'people', data: { name: 'Ada Lovelace' } })
  const flow = await insertWorkflow(ctx, org, { ...onCreation, steps: [create] })
  await org.post(COMPANIES, { data: { name: 'Acme' } })
  await service.runWorkflows()
  await ctx.db.run(sql`update events set workflow = null where org = ${org.org}`)
  const key = { type: 'apiKey', id: org.keyId }
  const byFlow = { type: 'workflow', id: flow.id }
  expect(await actorsOf(org, 3)).toEqual([key, byFlow, byFlow])
  await ctx.db.run(sql`delete from workflow_runs where org = ${org.org}`)
  expect(await actorsOf(org, 3)).toEqual([key, null, null])
})

test('no body contains the email of a member', async () => {
  const org = await service.org()
  const member = await org.member('admin')
  await member.post(COMPANIES, { data: { name: 'Acme' } })
  await readAll(org, 1)
  const { payload } = await service.inject({
    url: '/api/v1/events',
    headers: { authorization: `Bearer ${await org.keyWith(['webhooks:manage'])}` },
  })
  expect(payload).toContain(`"actor":{"type":"member","id":"${member.userId}"}`)
  expect(payload).not.toContain(member.email)
})
