import { describe, expect, test } from 'vitest'
import { WORKFLOW_TRIGGERS } from '../../contract/workflow-states.ts'
import { buildTestService } from '../test/build-app.ts'
import { expectError } from '../test/factories.ts'
import { makeWorkflow, noteOnDeal } from './dashboard.fixture.ts'

const service = await buildTestService()
const org = await service.org()
const member = await org.member('member')

interface Sample {
  trigger: Record<string, unknown>
  isReal: boolean
  title: string | null
}

const sample = async (query: string, who = member) =>
  (await who.get<Sample>(`/workflow-sample?${query}`)).body

describe('GET /workflow-sample', () => {
  test('returns the record that changed last', async () => {
    const own = await service.org()
    const reader = await own.member('member')
    const { body: deals } = await own.get<{ id: string }>('/objects/deals')
    await own.post('/objects/deals/records', { data: { name: 'Old' } })
    const { body: deal } = await own.post<{ id: string }>('/objects/deals/records', {
      data: { name: 'New', stage: 'Lead' },
    })
    const found = { isReal: true, title: 'New' }
    const trigger = {
      recordId: deal.id,
      objectId: deals.id,
      data: { name: 'New', stage: 'Lead' },
      parameters: {},
    }
    expect(await sample('trigger=record/created&objectId=deals', reader)).toEqual({
      ...found,
      trigger: { event: 'record/created', ...trigger },
    })
    expect(await sample(`trigger=manual&objectId=${deals.id}`, reader)).toMatchObject({ ...found, trigger })
    const updated = await sample('trigger=record/updated&objectId=deals', reader)
    expect(Object.values(updated.trigger['changes'] as object)[0]).toMatchObject({ from: null })
  })

  test('returns an invented record with every attribute when there is no record', async () => {
    const found = await sample('trigger=record/created&objectId=companies')
    expect(found).toMatchObject({ isReal: false, title: null, trigger: { event: 'record/created' } })
    const data = found.trigger['data'] as Record<string, unknown>
    expect(Object.keys(data).sort()).toEqual(['address', 'domain', 'employees', 'industry', 'name', 'owner'])
    expect(data).toMatchObject({ employees: 42, industry: 'Agriculture' })
  })

  test('returns the newest activity, or an invented one', async () => {
    const own = await service.org()
    const reader = await own.member('member')
    expect(await sample('trigger=activity/created', reader)).toMatchObject({ isReal: false })
    const { body } = await own.post<{ id: string }>('/activities', { title: 'Kick-off', type: 'meeting' })
    expect(await sample('trigger=activity/created', reader)).toMatchObject({
      isReal: true,
      title: 'Kick-off',
      trigger: { event: 'activity/created', activityId: body.id, activity: { type: 'meeting' } },
    })
  })

  test.each(WORKFLOW_TRIGGERS)('returns a sample for %s without an object', async (trigger) => {
    expect((await sample(`trigger=${trigger}`)).trigger).toMatchObject({ event: trigger, parameters: {} })
  })

  test('rejects an unknown trigger and an object of another organization', async () => {
    expectError(await member.get('/workflow-sample?trigger=odd'), 'invalid_parameter')
    expectError(await member.get('/workflow-sample?trigger=manual&objectId=%00'), 'invalid_parameter')
    const { body } = await (await service.org()).get<{ id: string }>('/objects/deals')
    expectError(await member.get(`/workflow-sample?trigger=manual&objectId=${body.id}`), 'invalid_parameter')
  })
})

describe('GET /schedule-preview', () => {
  const preview = (cron: string, zone?: string) =>
    member.get<{ times: string[]; timezone: string }>(
      `/schedule-preview?${new URLSearchParams({ cron, ...(zone !== undefined && { timezone: zone }) })}`,
    )

  test('returns the next five times, in the given time zone', async () => {
    const { body } = await preview('0 9 * * 1', 'America/New_York')
    expect(body.timezone).toBe('America/New_York')
    expect(body.times).toHaveLength(5)
    const shown = new Intl.DateTimeFormat('en', {
      timeZone: 'America/New_York',
      weekday: 'short',
      hour: '2-digit',
      hourCycle: 'h23',
    })
    for (const time of body.times) expect(shown.format(new Date(time))).toMatch(/^Mon\W+09$/)
    expect([...body.times].sort()).toEqual(body.times)
  })

  test('uses the time zone of the organization by default', async () => {
    expect((await preview('* * * * *')).body.timezone).toBe('UTC')
  })

  test.each([
    ['61 * * * *', undefined, 'cron'],
    ['* * * * * *', undefined, 'cron'],
    ['every monday', undefined, 'cron'],
    ['* * * * *', 'Mars/Olympus', 'timezone'],
  ])('rejects %s in %s', async (cron, zone, path) => {
    const reply = await preview(cron, zone)
    expectError(reply, 'invalid_parameter')
    expect(reply.body).toMatchObject({ details: { errors: [{ path }] } })
  })
})

describe('GET /workflow-templates', () => {
  test('returns the templates', async () => {
    const { body } = await member.get<{ templates: { id: string; definition: object }[] }>(
      '/workflow-templates',
    )
    expect(body.templates).toHaveLength(11)
    expect(body.templates[0]).toMatchObject({ id: 'new-big-deal', definition: { trigger: 'record/created' } })
  })
})

describe('GET /workflow-overview', () => {
  test('returns the statistics of each workflow', async () => {
    const own = await service.org()
    const admin = await own.member('admin')
    const idle = await makeWorkflow(admin)
    const failing = { key: 'no', type: 'fail', config: { message: 'No' } }
    const branch = {
      key: 'fork',
      type: 'branch',
      config: {
        branches: [
          { name: 'bad', when: { left: '{{trigger.parameters.bad}}', operator: 'isTrue' }, steps: [failing] },
        ],
      },
    }
    const busy = await makeWorkflow(admin, {
      definition: { trigger: 'manual', parameters: [{ name: 'bad', type: 'checkbox' }], steps: [branch] },
      enabled: true,
    })
    for (const bad of [false, true, false, false])
      await own.post(`/workflows/${busy.id}/run`, { data: { bad } })
    await service.runWorkflows()
    await own.post(`/workflows/${busy.id}/run`)
    const weekly = {
      ...noteOnDeal,
      trigger: 'schedule',
      triggerConfig: { cron: '0 9 * * 1' },
      steps: [failing],
    }
    const scheduled = await makeWorkflow(admin, { definition: weekly, enabled: true })

    const { body } = await (await own.member('member')).get<{ workflows: Record<string, unknown>[] }>(
      '/workflow-overview',
    )
    const none = { queued: 0, running: 0, waiting: 0, completed: 0, failed: 0, cancelled: 0 }
    expect(body.workflows).toMatchObject([
      { id: idle.id, runs: [], counts: none, successRate: null, lastRunAt: null, nextAt: null },
      {
        id: busy.id,
        counts: { ...none, completed: 3, failed: 1, queued: 1 },
        successRate: 0.75,
        lastRunAt: expect.any(String),
        nextAt: null,
      },
      { id: scheduled.id, nextAt: expect.stringMatching(/T09:00:00\.000Z$/) },
    ])
    const runs = body.workflows[1]?.['runs'] as { status: string; durationMs: number | null }[]
    expect(runs.map(({ status }) => status)).toEqual([
      'completed',
      'failed',
      'completed',
      'completed',
      'queued',
    ])
    expect(runs.map(({ durationMs }) => durationMs === null)).toEqual([false, false, false, false, true])
  })
})
