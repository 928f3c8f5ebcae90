import { beforeEach, describe, expect, test } from 'vitest'
import type { DryRunResult } from '../../../contract/workflow-dashboard.ts'
import { expectError } from '../../test/factories.ts'
import { dataOf } from '../../test/organization-data.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { makeWorkflow, pathsOf } from '../dashboard.fixture.ts'
import { DRY_RUN_STEPS } from './perform-dry-run.ts'

const service = await sharedTestService()
const org = await service.org()
const owner = await org.member('owner')

let before: Record<string, string>
const record = async () => {
  before = await dataOf(service.ctx.db, org.org)
}
beforeEach(record)

/** Executes dry runs one after the other, and checks that the data of the organization is unchanged. */
async function dryRuns(bodies: readonly object[]): Promise<DryRunResult[]> {
  const results: DryRunResult[] = []
  for (const body of bodies) {
    const reply = await owner.post<DryRunResult & Record<string, unknown>>('/workflow-dry-run', body)
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
    results.push(reply.body)
  }
  expect(await dataOf(service.ctx.db, org.org)).toEqual(before)
  return results
}

async function dryRun(body: object): Promise<DryRunResult> {
  const [result] = await dryRuns([body])
  if (!result) throw new Error('There is no result')
  return result
}

const makeDeal = async (name: string) => {
  const { body } = await org.post<{ id: string }>('/objects/deals/records', { data: { name } })
  await record()
  return body.id
}

const step = (key: string, type: string, config: object) => ({ key, type, config })
const of = (...steps: object[]) => ({
  trigger: 'record/updated',
  triggerConfig: { objectId: 'deals' },
  steps,
})
const line = ({ path, status, error }: DryRunResult['steps'][number]) => [path, status, error]

describe('POST /workflow-dry-run', () => {
  test('executes real queries and leaves no changes', async () => {
    const deal = await makeDeal('Acme renewal')
    const definition = of(
      step('company', 'create_record', { object: 'companies', data: { name: 'Of {{trigger.data.name}}' } }),
      step('link', 'update_record', {
        object: 'deals',
        recordId: '{{trigger.recordId}}',
        data: { company: '{{steps.company.id}}' },
      }),
      step('deal', 'get_record', { object: 'deals', recordId: '{{trigger.recordId}}' }),
    )
    const { status, error, steps, trigger } = await dryRun({ definition, recordId: deal })
    expect({ status, error }).toEqual({ status: 'completed', error: null })
    expect(trigger).toMatchObject({ event: 'record/updated', recordId: deal, data: { name: 'Acme renewal' } })
    expect(steps.map(line)).toEqual([
      ['steps[0]', 'completed', null],
      ['steps[1]', 'completed', null],
      ['steps[2]', 'completed', null],
    ])
    const id = (steps[0]?.output as { id?: string } | undefined)?.id
    expect(steps[2]?.output).toMatchObject({ found: true, record: { data: { company: id } } })
  })

  test('returns requests and mails without sending them, and skips delays', async () => {
    await owner.put('/workflow-secrets/KEY', { value: 'secret-of-the-dry-run' })
    const definition = of(
      step('wait', 'delay', { seconds: 86_400 }),
      step('ask', 'http_request', {
        url: 'https://erp.example.com',
        headers: { 'x-key': '{{secrets.KEY}}' },
      }),
      step('tell', 'send_email', { to: 'ada@example.com', subject: 'Hi', text: 'At {{now}}' }),
    )
    const { status, error, steps } = await dryRun({ definition, recordId: await makeDeal('A') })
    expect({ status, error }).toEqual({ status: 'completed', error: null })
    expect(steps.map(line)).toEqual([
      ['steps[0]', 'completed', null],
      ['steps[1]', 'completed', null],
      ['steps[2]', 'completed', null],
    ])
    expect(steps[1]?.output).toMatchObject({ wouldSend: { url: 'https://erp.example.com' } })
    expect(JSON.stringify(steps[2]?.output)).toContain('ada@example.com')
    expect(JSON.stringify(steps)).not.toContain('secret-of-the-dry-run')
  })

  test('returns the failed step with its error; later steps are not executed', async () => {
    const definition = of(
      step('bad', 'create_record', { object: 'people', data: { email: 'invalid' } }),
      step('never', 'stop', {}),
    )
    const { status, error, steps } = await dryRun({ definition, recordId: await makeDeal('A') })
    expect(status).toBe('failed')
    expect(error).toContain('data.email')
    expect(steps.map(line)).toEqual([['steps[0]', 'failed', expect.stringContaining('data.email')]])
  })

  test('continues after a failed step with onError continue', async () => {
    const definition = of(
      {
        ...step('bad', 'create_record', { object: 'people', data: { email: 'invalid' } }),
        onError: 'continue',
      },
      step('good', 'create_record', { object: 'companies', data: { name: 'Acme' } }),
    )
    const { status, steps } = await dryRun({ definition, recordId: await makeDeal('A') })
    expect({ status, last: steps.at(-1)?.status }).toEqual({ status: 'completed', last: 'completed' })
  })

  test('stops after the requested step', async () => {
    const inner = step('inner', 'set_variables', { variables: { a: '{{item}}' } })
    const definition = of(
      step('each', 'for_each', { items: [1, 2, 3], as: 'item', steps: [inner] }),
      step('after', 'create_record', { object: 'people', data: {} }),
    )
    const { status, steps } = await dryRun({ definition, recordId: await makeDeal('A'), untilKey: 'inner' })
    expect({ status, last: steps.at(-1)?.path }).toEqual({
      status: 'completed',
      last: 'steps[0].items[0].steps[0]',
    })
  })

  test.each([
    ['query', step('find', 'find_records', { object: 'companies', limit: 1 })],
    ['only decide', step('set', 'set_variables', { variables: { a: '{{item}}' } })],
  ])(`ends after ${DRY_RUN_STEPS} steps that %s`, async (_, inner) => {
    const items = Array.from({ length: 1000 }, (_, nr) => nr)
    const definition = of(step('each', 'for_each', { items, as: 'item', steps: [inner] }))
    const { status, error, steps } = await dryRun({ definition, recordId: await makeDeal('A') })
    expect({ status, error }).toEqual({
      status: 'incomplete',
      error: expect.stringContaining(`${DRY_RUN_STEPS}`),
    })
    expect(steps.length).toBeLessThanOrEqual(DRY_RUN_STEPS + 1)
  })

  test('uses the given activity or data, or the newest record', async () => {
    const { body: activity } = await org.post<{ id: string }>('/activities', { title: 'Kick-off' })
    await record()
    const show = {
      steps: [step('show', 'set_variables', { variables: { title: '{{trigger.data.title}}' } })],
    }
    const onActivity = { definition: { trigger: 'activity/created', ...show }, activityId: activity.id }
    expect((await dryRun(onActivity)).steps[0]?.output).toEqual({ title: 'Kick-off' })
    const parameters = [{ name: 'title', type: 'text', required: true }]
    const withData = { definition: { trigger: 'manual', parameters, ...show }, data: { title: 'Given' } }
    expect((await dryRun(withData)).steps[0]?.output).toEqual({ title: 'Given' })
    expect(await dryRun({ definition: { trigger: 'schedule', ...show } })).toMatchObject({
      status: 'completed',
    })
    expect(await dryRun({ definition: of(...show.steps) })).toMatchObject({ status: 'completed' })
  })

  test('uses the name of the given workflow', async () => {
    const { id, name } = await makeWorkflow(owner)
    await record()
    const definition = of(step('who', 'set_variables', { variables: { who: '{{workflow.name}}' } }))
    const { steps } = await dryRun({ workflowId: id, definition, recordId: await makeDeal('A') })
    expect(steps[0]?.output).toEqual({ who: name })
  })

  const ODD = [null, 0, 1e308, 'x', [], [null], {}, { and: [null] }, { or: null }]
  test.each([
    ['condition', 'when', {}],
    ['branch', 'branches', {}],
    ['for_each', 'items', { as: 'one', steps: [] }],
    ['delay', 'seconds', {}],
    ['delay', 'timezone', { seconds: 1 }],
    ['set_variables', 'variables', {}],
    ['find_records', 'limit', { object: 'people' }],
    ['find_records', 'filter', { object: 'people' }],
    ['create_activity', 'title', {}],
    ['create_activity', 'summary', { title: 'A' }],
    ['create_activity', 'linkedRecords', { title: 'A' }],
    ['create_activity', 'participants', { title: 'A' }],
    ['send_webhook', 'endpointId', {}],
    ['send_email', 'text', { to: 'ada@example.com', subject: 'Hi' }],
  ])('accepts a draft whose step %s has any value as %s', async (type, field, config) => {
    const drafts = ODD.flatMap((odd) =>
      [odd, '{{trigger.parameters.odd}}'].map((value) => {
        const parameters = [{ name: 'odd', type: 'json', default: odd }]
        const steps = [step('odd', type, { ...config, [field]: value })]
        return { definition: { trigger: 'manual', parameters, steps } }
      }),
    )
    for (const { steps } of await dryRuns(drafts))
      expect(JSON.stringify(steps)).not.toContain('internal error')
  })

  test.each([
    [{ definition: { trigger: 'manual', steps: {} } }, 'steps'],
    [
      { definition: { trigger: 'manual', steps: [] }, recordId: '0198c0de-0000-7000-8000-000000000001' },
      'recordId',
    ],
    [
      {
        definition: { trigger: 'manual', steps: [], parameters: [{ name: 'n', type: 'number' }] },
        data: { n: 'x' },
      },
      'data.n',
    ],
    [{ definition: of(), data: { a: '\u0000' } }, 'data.a'],
  ])('rejects %j', async (body, path) => {
    const reply = await owner.post('/workflow-dry-run', body)
    expectError(reply, 'validation_error')
    expect(pathsOf(reply)).toEqual([path])
  })

  test('rejects data of another organization, and members', async () => {
    const stranger = await (await service.org()).member('owner')
    const { id } = await makeWorkflow(owner)
    const deal = await makeDeal('A')
    expectError(
      await stranger.post('/workflow-dry-run', { definition: of(), recordId: deal }),
      'validation_error',
    )
    expectError(
      await stranger.post('/workflow-dry-run', { definition: of(), workflowId: id }),
      'validation_error',
    )
    const member = await org.member('member')
    expectError(await member.post('/workflow-dry-run', { definition: of() }), 'insufficient_role')
  })
})
