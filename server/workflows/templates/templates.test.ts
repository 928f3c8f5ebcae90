import { beforeEach, describe, expect, test } from 'vitest'
import type { WorkflowTemplate } from '../../../contract/workflow-dashboard.ts'
import { fillTemplate } from '../../../contract/workflow-templates.ts'
import type { WorkflowDefinition } from '../../../contract/workflows.ts'
import { makeReport } from '../../reports/reports.fixture.ts'
import { buildTestService } from '../../test/build-app.ts'
import type { SignedInMember } from '../../test/dashboard-client.ts'
import { createRecord, type Org } from '../../test/factories.ts'
import { startReceiver } from '../../test/receiver.ts'
import { makeWorkflow } from '../dashboard.fixture.ts'
import { WORKFLOW_TEMPLATES } from './templates.ts'

const service = await buildTestService()
const DAY_MS = 86_400_000
const receiver = await startReceiver()
let org: Org
let owner: SignedInMember
let endpointId: string
let reportId: string
beforeEach(async () => {
  org = await service.org()
  owner = await org.member('owner')
  const endpoint = await owner.post<{ id: string }>('/webhooks/endpoints', { url: `${receiver.url}/hook` })
  endpointId = endpoint.body.id
  reportId = (await makeReport(org, { groupBy: [{ key: 'stage', field: 'deal.stage' }] })).id
  await owner.put('/workflow-secrets/LOOKUP_KEY', { value: 'lookup-key-7' })
})

const fillings = () => ({
  endpoint: endpointId,
  report: reportId,
  email: 'olivia@example.com',
  url: `${receiver.url}/lookup`,
  secret: 'LOOKUP_KEY',
})

function filled({ definition, inputs }: WorkflowTemplate): WorkflowDefinition {
  const defaults = Object.fromEntries(inputs.map(({ key, default: value }) => [key, value ?? '']))
  const given = Object.entries(fillings()).filter(([key]) => inputs.some((input) => input.key === key))
  return fillTemplate(definition, { ...defaults, ...Object.fromEntries(given) })
}

const templateOf = (id: string): WorkflowTemplate => {
  const found = WORKFLOW_TEMPLATES.find((template) => template.id === id)
  if (!found) throw new Error(`there is no template ${id}`)
  return found
}

const start = (id: string) => makeWorkflow(owner, { definition: filled(templateOf(id)), enabled: true })

interface Run {
  status: string
  error: string | null
}
interface Activity {
  type: string
  title: string
  activityDate: string
  linkedRecords: { recordId: string }[]
}

/** Executes all due runs. Returns the error or status of each run of the workflow. */
async function outcome(id: string) {
  await service.runWorkflows()
  const { body } = await org.get<{ runs: Run[] }>(`/workflows/${id}/runs`)
  return body.runs.map(({ status, error }) => error ?? status)
}

const activities = async () =>
  (await org.get<{ activities: Activity[] }>('/activities')).body.activities.map(
    ({ type, title, linkedRecords }) => ({
      type,
      title,
      about: linkedRecords.map(({ recordId }) => recordId),
    }),
  )

const create = async (object: string, data: object): Promise<string> =>
  (await createRecord(org, object, data)).id

const update = (object: string, id: string, data: object) =>
  org.patch(`/objects/${object}/records/${id}`, { data })

const dataOf = async (object: string, id: string) =>
  (await org.get<{ data: Record<string, unknown> }>(`/objects/${object}/records/${id}`)).body.data

const lastMail = async () => (await org.mail()).at(-1)

test('there are eleven templates with different ids and names', () => {
  expect(WORKFLOW_TEMPLATES).toHaveLength(11)
  expect(new Set(WORKFLOW_TEMPLATES.map(({ id }) => id)).size).toBe(11)
  expect(new Set(WORKFLOW_TEMPLATES.map(({ name }) => name)).size).toBe(11)
})

describe.each(WORKFLOW_TEMPLATES)('$id', (template) => {
  const check = async (definition: WorkflowDefinition) =>
    (await owner.post<{ problems: unknown[] }>('/workflow-check', { definition })).body.problems

  test('can be enabled when its inputs are filled in', async () => {
    expect(await check(filled(template))).toEqual([])
    expect(JSON.stringify(filled(template))).not.toContain('[[')
  })

  test('has problems until required inputs are filled in; inputs match the placeholders', async () => {
    const { definition, inputs } = template
    const open = inputs.filter(({ default: value }) => value === undefined)
    if (open.length > 0) expect(await check(definition)).not.toEqual([])
    await makeWorkflow(owner, { definition })
    const holes = new Set([...JSON.stringify(definition).matchAll(/\[\[(\w+)\]\]/g)].map(([, key]) => key))
    expect([...holes].sort()).toEqual(inputs.map(({ key }) => key).sort())
  })
})

test('new-big-deal creates a note and sends a message only for large deals', async () => {
  const { id } = await start('new-big-deal')
  await create('deals', { name: 'Small', amount: 9999 })
  const large = await create('deals', { name: 'Large', amount: 10_000 })
  expect(await outcome(id)).toEqual(['completed'])
  expect(await activities()).toEqual([{ type: 'note', title: 'Large deal: Large', about: [large] }])
  await service.deliver()
  const bodies = receiver.requests.map(({ body }) => JSON.parse(body.toString()))
  const message = bodies.find(({ type }) => type === 'workflow.message')
  expect(message).toMatchObject({ workflowId: id, data: { dealId: large, name: 'Large' } })
})

test('won-onboarding creates a task for each contact of the company', async () => {
  const { id } = await start('won-onboarding')
  const company = await create('companies', { name: 'Acme' })
  const people = [
    await create('people', { name: 'Ada Lovelace', company }),
    await create('people', { name: 'Alan Turing', company }),
  ]
  await create('people', { name: 'Another Person' })
  const deal = await create('deals', { name: 'Renewal', stage: 'Lead', company })
  await update('deals', deal, { stage: 'Proposal' })
  await update('deals', deal, { stage: 'Won' })
  expect(await outcome(id)).toEqual(['completed'])
  const tasks = await activities()
  expect(tasks.map(({ title }) => title).sort()).toEqual(['Welcome Ada Lovelace', 'Welcome Alan Turing'])
  expect(tasks.map(({ about }) => about[0]).sort()).toEqual(people.sort())
  for (const { type, about } of tasks) expect({ type, deal: about[1] }).toEqual({ type: 'task', deal })
})

test('won-onboarding creates no task for a deal without a company', async () => {
  const { id } = await start('won-onboarding')
  const deal = await create('deals', { name: 'Renewal', stage: 'Lead' })
  await update('deals', deal, { stage: 'Won' })
  expect(await outcome(id)).toEqual(['completed'])
  expect(await activities()).toEqual([])
})

test('weekly-deals sends the open deals, the largest first', async () => {
  const { id } = await start('weekly-deals')
  await create('deals', { name: 'Second', stage: 'Lead', amount: 500 })
  await create('deals', { name: 'First', stage: 'Proposal', amount: 1500 })
  await create('deals', { name: 'Over', stage: 'Won', amount: 9000 })
  service.advance(7 * DAY_MS)
  expect(await outcome(id)).toEqual(['completed'])
  const mail = await lastMail()
  expect(mail).toMatchObject({
    recipient: 'olivia@example.com',
    subject: expect.stringMatching(/^2 open deals on \d/),
  })
  expect(mail?.body).toContain('First\nSecond')
  expect(mail?.body).toContain('2,000')
})

test('weekly-report sends the rows, and nothing without rows', async () => {
  const { id } = await start('weekly-report')
  service.advance(7 * DAY_MS)
  expect(await outcome(id)).toEqual(['completed'])
  expect((await lastMail())?.subject ?? '').not.toMatch(/^The report of/)
  await create('deals', { name: 'First', stage: 'Proposal' })
  await create('deals', { name: 'Second', stage: 'Lead' })
  service.advance(7 * DAY_MS)
  expect(await outcome(id)).toEqual(['completed', 'completed'])
  const mail = await lastMail()
  expect(mail).toMatchObject({
    recipient: 'olivia@example.com',
    subject: expect.stringMatching(/^The report of \d.*: 2 rows$/),
  })
  expect(mail?.body).toMatch(/Lead \| 1\nProposal \| 1/)
  const { body } = await org.get<{ runs: unknown[] }>(`/reports/${reportId}/runs`)
  expect(body.runs).toHaveLength(2)
})

test('quiet-deal waits again after every change, then creates one task', async () => {
  const { id } = await start('quiet-deal')
  const deal = await create('deals', { name: 'Slow', stage: 'Lead' })
  await update('deals', deal, { stage: 'Qualified' })
  await service.runWorkflows()
  service.advance(10 * DAY_MS)
  await update('deals', deal, { stage: 'Proposal' })
  await service.runWorkflows()
  service.advance(10 * DAY_MS)
  await service.runWorkflows()
  expect(await activities()).toEqual([])
  service.advance(5 * DAY_MS)
  expect((await outcome(id)).sort()).toEqual(['cancelled: replaced by a later run', 'completed'])
  expect(await activities()).toEqual([{ type: 'task', title: 'No activity: Slow', about: [deal] }])
})

test('lost-deal creates a task for later', async () => {
  const { id } = await start('lost-deal')
  const deal = await create('deals', { name: 'Missed', stage: 'Lead' })
  await update('deals', deal, { stage: 'Lost' })
  expect(await outcome(id)).toEqual(['completed'])
  const { body } = await org.get<{ activities: Activity[] }>('/activities')
  expect(body.activities).toMatchObject([{ type: 'task', title: 'Ask again: Missed' }])
  const days =
    (Date.parse(body.activities[0]?.activityDate ?? '') - service.ctx.clock.now().getTime()) / DAY_MS
  expect(days).toBeGreaterThan(28)
  expect(days).toBeLessThan(32)
})

test('big-deal-alert sends an email when an amount becomes large', async () => {
  const { id } = await start('big-deal-alert')
  const deal = await create('deals', { name: 'Growing', amount: 100 })
  await update('deals', deal, { stage: 'Lead' })
  await update('deals', deal, { amount: 60_000 })
  expect(await outcome(id)).toEqual(['completed'])
  const mail = await lastMail()
  expect(mail?.subject).toMatch(/^Growing is now at .*60,000/)
  expect(mail?.body).toMatch(/Before: .*100/)
})

test('person-to-company links people of one company, and creates it once', async () => {
  const { id } = await start('person-to-company')
  const ada = await create('people', { name: 'Ada', email: 'ada@Analytical.example' })
  const alan = await create('people', { name: 'Alan', email: 'alan@analytical.example' })
  const private_ = await create('people', { name: 'Me', email: 'me@gmail.com' })
  expect(await outcome(id)).toEqual(['completed', 'completed', 'completed'])
  const company = String((await dataOf('people', ada))['company'])
  expect((await dataOf('people', alan))['company']).toBe(company)
  expect(await dataOf('companies', company)).toEqual({
    name: 'analytical.example',
    domain: 'analytical.example',
  })
  expect(await dataOf('people', private_)).not.toHaveProperty('company')
})

test('inbound-lead creates one person for the same lead received twice', async () => {
  const { id } = await start('inbound-lead')
  const lead = { email: 'ada@example.com', name: 'Ada Lovelace', message: 'Call me' }
  await org.post(`/workflows/${id}/run`, { data: lead })
  await org.post(`/workflows/${id}/run`, { data: { ...lead, interest: 'engines' } })
  expect(await outcome(id)).toEqual(['completed', 'completed'])
  const people = await org.get<{ records: { id: string }[] }>('/objects/people/records')
  expect(people.body.records).toHaveLength(1)
  const deals = await org.get<{ records: { data: { name: string } }[] }>('/objects/deals/records')
  const contact = people.body.records[0]?.id
  expect(deals.body.records.map(({ data }) => data).sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
    { name: 'Ada Lovelace: a call', stage: 'Lead', contact },
    { name: 'Ada Lovelace: engines', stage: 'Lead', contact },
  ])
  const titles = (await activities()).map(({ title }) => title)
  expect(titles).toEqual(['Lead from the website', 'Lead from the website'])
})

test('enrich-company sends the secret and stores the response of the service', async () => {
  const { id } = await start('enrich-company')
  receiver.answer({ status: 200, headers: { 'content-type': 'application/json' }, body: '{"employees":42}' })
  const company = await create('companies', { name: 'Acme', domain: 'acme.example' })
  expect(await outcome(id)).toEqual(['completed'])
  const asked = receiver.requests.find(({ path }) => path.startsWith('/lookup'))
  expect(asked).toMatchObject({ method: 'GET', path: '/lookup?domain=acme.example' })
  expect(asked?.headers['authorization']).toBe('Bearer lookup-key-7')
  expect(await dataOf('companies', company)).toMatchObject({ employees: 42 })
})

test('meeting-follow-up creates a task only for meetings', async () => {
  const { id } = await start('meeting-follow-up')
  const ada = await create('people', { name: 'Ada' })
  const { body: people } = await org.get<{ id: string }>('/objects/people')
  const linkedRecords = [{ objectId: people.id, recordId: ada }]
  await org.post('/activities', { type: 'call', title: 'Call', linkedRecords })
  await org.post('/activities', { type: 'meeting', title: 'Kick-off', linkedRecords })
  for (const line of await outcome(id)) expect(line).toBe('completed')
  expect(await activities()).toContainEqual({ type: 'task', title: 'Follow up: Kick-off', about: [ada] })
  expect(await activities()).toHaveLength(3)
})
