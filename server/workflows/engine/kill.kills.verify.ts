// kill -9 of the worker before and after every transaction of a run with all step types. The run continues each time.
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { STEP_TYPES } from '../../../contract/workflow-steps.ts'
import { makeReport } from '../../reports/reports.fixture.ts'
import { buildTestService } from '../../test/build-app.ts'
import type { Org } from '../../test/factories.ts'
import { createMortals } from '../../test/mortal-children.ts'
import { startReceiver } from '../../test/receiver.ts'
import { insertEndpoint } from '../../webhooks/endpoint.fixture.ts'
import { insertWorkflow, runsOf, step, stepsOf } from '../workflow.fixture.ts'
import type { Task } from './kill-fixture-process.ts'

const PROCESS = fileURLToPath(new URL('./kill-fixture-process.ts', import.meta.url))
const SECRETS_KEY = Buffer.alloc(32, 5)
/** Longer than a lease and than the delay. */
const STEP_SECONDS = 25
const KILLS_MAX = 120
const TIMEOUT_MS = 300_000

const service = await buildTestService({ secretsKeys: [SECRETS_KEY] })
const { ctx } = service
const receiver = await startReceiver()
const { launch, live } = await createMortals<Task>(service, PROCESS, {
  SECRETS_KEY: SECRETS_KEY.toString('base64'),
  EGRESS_ALLOW_PRIVATE: 'true',
})

/** A workflow with all step types. The fail step is in a branch that the run does not take. */
async function everyStep(org: Org) {
  await ctx.db.run(sql`
    insert into workflow_secrets (org, name, value)
    values (${org.org}, 'KEY', ${ctx.secrets.seal('hush', `workflow_secret:${org.org}:KEY`)})`)
  const { endpoint } = await insertEndpoint(ctx, org.org, { url: receiver.url, types: ['activity.deleted'] })
  const { id: reportId } = await makeReport(org)
  const steps = [
    step('set_variables', { variables: { names: ['A', 'B'] } }),
    step('find_records', { object: 'companies' }),
    step('condition', { when: { left: '{{vars.names | length}}', operator: 'equals', right: 2 } }),
    step('for_each', {
      items: '{{vars.names}}',
      as: 'name',
      steps: [
        step(
          'create_record',
          { object: 'companies', data: { name: '{{name}}', employees: 1 } },
          { key: 'made' },
        ),
        step('update_record', {
          object: 'companies',
          recordId: '{{steps.made.id}}',
          data: { employees: '{{steps.made.data.employees | plus 1}}' },
        }),
      ],
    }),
    step('get_record', { object: 'companies', recordId: '{{steps.made.id}}' }, { key: 'read' }),
    step('upsert_record', {
      object: 'people',
      matchOn: 'email',
      data: { email: 'ada@example.com', name: { lastName: '{{steps.read.record.data.name}}' } },
    }),
    step('create_activity', {
      title: 'Once',
      linkedRecords: [{ objectId: 'companies', recordId: '{{steps.made.id}}' }],
    }),
    step('next_member', { members: [org.userId] }),
    step('delay', { seconds: 30 }),
    step('branch', {
      branches: [
        {
          name: 'yes',
          when: { left: 1, operator: 'equals', right: 1 },
          steps: [
            step('http_request', { url: `${receiver.url}/asked`, headers: { key: '{{secrets.KEY}}' } }),
          ],
        },
      ],
      else: [step('fail', { message: 'never' })],
    }),
    step('send_webhook', { endpointId: endpoint, data: { n: 1 } }),
    step('run_report', { reportId }),
    step('send_email', { to: 'ada@example.com', subject: 'Once', text: 'or twice' }),
    step('delete_record', { object: 'companies', recordId: '{{trigger.recordId}}' }),
    step('stop', { message: 'done' }),
  ]
  const named = JSON.stringify(steps)
  for (const type of STEP_TYPES) expect(named).toContain(`"${type}"`)
  const filter = { attributeSlug: 'name', operator: 'equals', value: 'Trigger' }
  return insertWorkflow(ctx, org, {
    trigger: 'record/created',
    triggerConfig: { objectId: 'companies', filter },
    steps,
  })
}

test('with a worker that is killed repeatedly, own effects happen once and the run completes', {
  timeout: TIMEOUT_MS,
}, async () => {
  const org = await service.org()
  const made = await everyStep(org)
  await org.post('/objects/companies/records', { data: { name: 'Trigger' } })
  const progress = async () => {
    const [run] = await runsOf(ctx, made)
    return run ? JSON.stringify([run.status, await stepsOf(ctx, run)]) : ''
  }
  let next = launch()
  let kills = 0
  let [at, seen] = [1, await progress()]
  for (let life = 0; ; life++) {
    expect(life).toBeLessThan(KILLS_MAX)
    const child = next
    next = launch()
    // Each transaction is rolled back once, and the next worker is killed after its commit.
    const death = kills % 2 === 0 ? 'before' : 'after'
    if (await live(child, { death, at, offsetSeconds: life * STEP_SECONDS })) {
      kills++
      if (death === 'before') continue
      // A step with several transactions reaches a later one only if the worker survives the earlier ones.
      const now = await progress()
      at = now === seen ? at + 1 : 1
      seen = now
    } else if ((await runsOf(ctx, made)).every(({ status }) => status === 'completed')) break
  }
  next.kill('SIGKILL')

  const [run] = await runsOf(ctx, made)
  if (!run) throw new Error('there is no run')
  expect(run).toMatchObject({ status: 'completed', error: null })
  const changes = await ctx.db.many<{ type: string; n: number }>(sql`
    select type, count(*) as n from events where org = ${org.org} and run = ${run.id} group by type order by type`)
  expect(changes).toEqual([
    { type: 'activity.created', n: 1 },
    { type: 'record.created', n: 3 },
    { type: 'record.deleted', n: 1 },
    { type: 'record.updated', n: 2 },
    { type: 'workflow.completed', n: 1 },
  ])
  const messages = await ctx.db.many(sql`select from webhook_deliveries where org = ${org.org}`)
  expect(messages).toHaveLength(1)
  const asked = receiver.requests.filter(({ path }) => path === '/asked')
  expect(asked.length).toBeGreaterThanOrEqual(2)
  expect(new Set(asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  expect(asked.every(({ headers }) => headers['key'] === 'hush')).toBe(true)
  const steps = await stepsOf(ctx, run)
  expect(steps.every(({ status }) => status === 'completed')).toBe(true)
  expect(new Set(steps.map(({ path }) => path)).size).toBe(steps.length)
  const decided = ['condition', 'branch', 'for_each', 'set_variables', 'stop', 'delay']
  expect(kills).toBeGreaterThanOrEqual(2 * steps.filter(({ type }) => !decided.includes(type)).length)
})
