import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { WorkflowStep } from '../../../contract/workflows.ts'
import { buildTestService } from '../../test/build-app.ts'
import type { Org } from '../../test/factories.ts'
import { startReceiver } from '../../test/receiver.ts'
import { insertWorkflow, runsOf, step, stepsOf } from '../workflow.fixture.ts'
import { cancelRun } from './cancel.ts'
import { companies, engineTools, make, NOTHING_STUCK } from './engine.fixture.ts'
import { retryRun } from './retry.ts'
import { countStuckRuns } from './sweeper-store.ts'

const service = await buildTestService()
const { ctx } = service
const receiver = await startReceiver()

const { start, manual, ask, only } = engineTools(service, receiver)

describe('a step that fails', () => {
  test('is retried after 5, 30 and 120 seconds for a temporary error, with the same key', async () => {
    const org = await service.org()
    const made = await manual(org, [ask(), make('After')])
    await start(org, made)
    receiver.answer({ status: 503 })
    const before = receiver.count()
    const counts: number[] = []
    service.freezeClock()
    for (const ms of [0, 4999, 1, 29_999, 1, 119_999]) {
      service.advance(ms)
      await service.runWorkflows()
      counts.push(receiver.count() - before)
    }
    expect(counts).toEqual([1, 1, 2, 2, 3, 3])
    expect(await only(made)).toMatchObject({ status: 'waiting' })
    receiver.answer({})
    service.advance(1)
    await service.runWorkflows()
    const run = await only(made)
    expect(run).toMatchObject({ status: 'completed' })
    expect(await stepsOf(ctx, run)).toMatchObject([
      { status: 'completed', attempts: 4 },
      { status: 'completed' },
    ])
    const keys = receiver.requests.slice(before).map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys)).toEqual(new Set([`${run.id}/steps[0]`]))
    expect(await companies(org)).toEqual(['After'])
  })

  test('ends the run after the last try, unless onError is continue', async () => {
    const org = await service.org()
    const made = await manual(org, [ask({ retry: { max: 0 } }), make('Never')])
    const going = await manual(org, [
      ask({ key: 'asked', retry: { max: 1 }, onError: 'continue' }),
      make('Because: {{steps.asked.error}}'),
    ])
    receiver.answer({ kind: 'reset' })
    await start(org, made)
    await start(org, going)
    await service.runWorkflows()
    service.advance(6000)
    await service.runWorkflows()
    expect(await only(made)).toMatchObject({
      status: 'failed',
      failure: 'step_failed',
      error: expect.stringMatching(/closed/),
    })
    expect(await only(going)).toMatchObject({ status: 'completed', error: null })
    expect(await companies(org)).toEqual([expect.stringMatching(/^Because: the connection was closed/)])
    const ends = (await org.events()).filter(({ type }) => type.startsWith('workflow.'))
    expect(ends.map(({ type, data }) => [type, data['workflowId']])).toEqual([
      ['workflow.failed', made.id],
      ['workflow.completed', going.id],
    ])
    expect(ends[0]?.data).toEqual({
      ...{ workflowId: made.id, workflowName: made.name, runId: (await only(made)).id, status: 'failed' },
      ...{ triggerEvent: 'manual', error: expect.any(String) },
      ...{ startedAt: expect.any(String), completedAt: expect.any(String) },
    })
  })

  test('does not delay other runs, for any definition', async () => {
    const org = await service.org()
    const odd = [{ key: 'a', type: 'nonsense', config: {} }, { key: 'b' }, 7] as never[]
    const made = await Promise.all(odd.map((one) => manual(org, [one])))
    for (const one of made) await start(org, one)
    const good = await manual(org, [make('Good')])
    await start(org, good)
    await service.runWorkflows()
    for (const one of made)
      expect(await only(one)).toMatchObject({ status: 'failed', error: expect.any(String) })
    expect(await only(good)).toMatchObject({ status: 'completed' })
  })
})

test('the retry of a run that failed with an internal error repeats no completed step', async () => {
  const org = await service.org()
  const decide = step('set_variables', { variables: { a: 1 } })
  const many = Array.from({ length: 100 }, (_, nr) => nr)
  const loop = step('for_each', { items: many, as: 'one', steps: [decide] })
  const made = await manual(org, [make('Once'), loop, 7 as never])
  await start(org, made)
  await service.runWorkflows()
  const run = await only(made)
  expect(run).toMatchObject({ status: 'failed', failure: 'internal' })
  await ctx.db.transaction((tx) => retryRun(tx, org.org, run.id, { startedBy: null }))
  await service.runWorkflows()
  expect((await runsOf(ctx, made)).map(({ status }) => status)).toEqual(['failed', 'failed'])
  expect(await companies(org)).toEqual(['Once'])
})

describe('the values of a run', () => {
  test('are limited, and a step that would exceed the limit has no effect', async () => {
    const org = await service.org()
    const long = '{{trigger.parameters.long}}'
    const made = await manual(org, [
      ...Array.from({ length: 8 }, (_, nr) => step('set_variables', { variables: { [`v${nr}`]: long } })),
      make('{{trigger.parameters.name}}'),
    ])
    await start(org, made, { long: 'x'.repeat(510_000), name: 'y'.repeat(250_000) })
    await service.runWorkflows()
    const run = await only(made)
    expect(run).toMatchObject({ status: 'failed', failure: 'step_failed' })
    expect(run.error).toContain('outputs of this run would have more than')
    expect((await stepsOf(ctx, run)).at(-1)).toMatchObject({ path: 'steps[8]', status: 'failed' })
    expect(await companies(org)).toEqual([])
  })

  test('are available to later steps until the run ends, also in branches and loops', async () => {
    const org = await service.org()
    const made = await manual(org, [
      step('set_variables', { variables: { list: ['A', 'B', 'C'] } }),
      step('for_each', {
        items: '{{vars.list}}',
        as: 'one',
        steps: [
          step('branch', {
            branches: [
              {
                name: 'odd',
                when: { left: '{{one}}', operator: 'notEquals', right: 'B' },
                steps: [make('{{one}}{{loop.number}}')],
              },
            ],
            else: [step('delay', { seconds: 60 })],
          }),
        ],
      }),
      make('{{vars.list | join "+"}}'),
    ])
    await start(org, made)
    await service.runWorkflows()
    expect(await only(made)).toMatchObject({ status: 'waiting' })
    expect(await companies(org)).toEqual(['A1'])
    service.advance(61_000)
    await service.runWorkflows()
    const run = await only(made)
    expect(run).toMatchObject({ status: 'completed' })
    expect(await companies(org)).toHaveLength(3)
    const paths = (await stepsOf(ctx, run)).map(({ path }) => path)
    expect(paths).toContain('steps[1].items[2].steps[0].odd.steps[0]')
    expect(await ctx.db.many(sql`select from workflow_run_values where run = ${run.id}`)).toEqual([])
  })
})

test('a long run does not delay others, and ends after 5,000 steps', async () => {
  const org = await service.org()
  const nothing = (n: number) => step('set_variables', { variables: { [`v${n}`]: '{{loop.number}}' } })
  const list = Array.from({ length: 1000 }, (_, n) => n)
  const loop = (steps: WorkflowStep[]) => step('for_each', { items: '{{trigger.data.list}}', as: 'x', steps })
  const long = await manual(org, [loop([1, 2, 3, 4].map(nothing)), make('End {{vars.v4}}')])
  const endless = await manual(org, [loop([1, 2, 3, 4, 5].map(nothing))])
  await start(org, long, { list })
  await start(org, endless, { list })
  await service.runWorkflows()
  expect(await only(long)).toMatchObject({ status: 'completed', executed: 4002 })
  expect(await companies(org)).toEqual(['End 1000'])
  expect(await only(endless)).toMatchObject({ status: 'failed', failure: 'too_many_steps', executed: 5000 })
  expect(await stepsOf(ctx, await only(endless))).toHaveLength(5000)
})

describe('limits', () => {
  test('runs of one record execute one after the other, and runs of different records concurrently', async () => {
    const org = await service.org()
    const made = await insertWorkflow(ctx, org, {
      trigger: 'record/updated',
      triggerConfig: { objectId: 'companies' },
      steps: [step('delay', { seconds: 10 }), step('create_activity', { title: '{{trigger.data.name}}' })],
    })
    const ids: [string, string][] = []
    for (const name of ['A', 'B']) {
      const { body } = await org.post<{ id: string }>('/objects/companies/records', { data: { name } })
      ids.push([name, body.id])
    }
    for (const n of [1, 2, 3])
      for (const [name, id] of ids)
        await org.patch(`/objects/companies/records/${id}`, { data: { name: `${name}${n}` } })
    const open: number[] = []
    service.freezeClock()
    for (let n = 0; n < 4; n++) {
      await service.runWorkflows()
      open.push((await runsOf(ctx, made)).filter(({ status }) => status === 'waiting').length)
      service.advance(11_000)
    }
    expect(open).toEqual([2, 2, 2, 0])
    const { body } = await org.get<{ activities: { title: string }[] }>('/activities?limit=100')
    const titles = body.activities.map(({ title }) => title)
    for (const [name] of ids)
      expect(titles.filter((title) => title.startsWith(name)).toSorted()).toEqual(
        [1, 2, 3].map((n) => `${name}${n}`),
      )
    expect(await countStuckRuns(ctx.db)).toEqual(NOTHING_STUCK)
  })

  test('a run that is open for more than 30 days fails with that reason', async () => {
    const org = await service.org()
    const made = await manual(org, [
      step('delay', { seconds: 29 * 86_400 }),
      step('delay', { seconds: 86_390 }),
      ask({ retry: { max: 10 } }),
    ])
    await start(org, made)
    receiver.answer({ status: 503 })
    await service.runWorkflows()
    service.advance(29 * 86_400_000 + 1000)
    await service.runWorkflows()
    service.advance(86_392_000)
    await service.runWorkflows()
    service.advance(3600_000)
    await service.runWorkflows()
    expect(await only(made)).toMatchObject({ status: 'failed', failure: 'too_old' })
  })
})

describe('a run', () => {
  test('can be cancelled in any state, and the next run with its concurrency key starts', async () => {
    const org = await service.org()
    const made = await manual(org, [step('delay', { seconds: 60 }), make('Late')], {
      concurrency: { key: 'workflow' },
    })
    const [first, second] = [await start(org, made), await start(org, made)]
    await service.runWorkflows()
    await service.runWorkflows()
    expect((await runsOf(ctx, made)).map(({ status }) => status)).toEqual(['waiting', 'queued'])
    const cancel = (runId: string) => ctx.db.transaction((tx) => cancelRun(tx, org.org, runId))
    expect(await cancel(first.runId)).toBe(true)
    expect(await cancel(first.runId)).toBe(false)
    await service.runWorkflows()
    service.advance(61_000)
    await service.runWorkflows()
    expect((await runsOf(ctx, made)).map(({ status, error }) => [status, error])).toEqual([
      ['cancelled', 'cancelled'],
      ['completed', null],
    ])
    expect(second.status).toBe('queued')
    expect(await companies(org)).toEqual(['Late'])
    expect(await stepsOf(ctx, { id: first.runId })).toMatchObject([{ status: 'skipped' }])
    const other = await service.org()
    expect(await ctx.db.transaction((tx) => cancelRun(tx, other.org, second.runId))).toBe(false)
  })

  test('that failed is retried by a new run from the failed step, with its values', async () => {
    const org = await service.org()
    const made = await manual(org, [
      make('First {{trigger.data.n}}', { key: 'first' }),
      ask({ retry: { max: 0 } }),
      make('After {{steps.first.data.name}}'),
    ])
    receiver.answer({ status: 500 })
    const { runId } = await start(org, made, { n: 1 })
    await service.runWorkflows()
    expect(await only(made)).toMatchObject({ status: 'failed' })
    receiver.answer({})
    const retry = (on: Org, run: string) =>
      ctx.db.transaction((tx) => retryRun(tx, on.org, run, { startedBy: null }))
    expect(await retry(await service.org(), runId)).toBeUndefined()
    const again = await retry(org, runId)
    await service.runWorkflows()
    expect(await companies(org)).toEqual(['First 1', 'After First 1'])
    const [, second] = await runsOf(ctx, made)
    expect(second).toMatchObject({ id: again?.runId, status: 'completed', input: { data: { n: 1 } } })
    expect(second && (await stepsOf(ctx, second)).map(({ path, status }) => [path, status])).toEqual([
      ['steps[0]', 'completed'],
      ['steps[1]', 'completed'],
      ['steps[2]', 'completed'],
    ])
    expect(again && (await retry(org, again.runId))).toBeUndefined()
  })

  test('that is retried uses the idempotency key and mail id of the first run', async () => {
    const org = await service.org()
    const mail = step('send_email', { to: 'ada@example.com', subject: 'x', text: 'y' }, { retry: { max: 0 } })
    const made = [await manual(org, [ask({ retry: { max: 0 } })]), await manual(org, [mail])]
    const [messageIds, keep] = [[] as string[], ctx.mailer]
    const before = receiver.count()
    receiver.answer({ status: 500 })
    ctx.mailer = {
      ...keep,
      send: async ({ messageId = '' }) => {
        messageIds.push(messageId)
        throw new Error('the connection was closed')
      },
    }
    try {
      let tries: { runId: string }[] = await Promise.all(made.map((one) => start(org, one)))
      const retry = async ({ runId }: { runId: string }) => {
        const retried = await ctx.db.transaction((tx) => retryRun(tx, org.org, runId, { startedBy: null }))
        return retried ?? expect.fail('the run has not failed')
      }
      await service.runWorkflows()
      for (let nr = 0; nr < 2; nr++) {
        tries = await Promise.all(tries.map(retry))
        await service.runWorkflows()
      }
    } finally {
      ctx.mailer = keep
      receiver.answer({})
    }
    const keys = receiver.requests.slice(before).map(({ headers }) => headers['idempotency-key'])
    expect([keys.length, new Set(keys).size]).toEqual([3, 1])
    expect([messageIds.length, new Set(messageIds).size]).toEqual([3, 1])
  })

  test('that failed at a fail step repeats only that step when it is retried', async () => {
    const org = await service.org()
    const made = await manual(org, [make('Once'), step('fail', { message: 'No {{trigger.data.n}}' })])
    const { runId } = await start(org, made, { n: 7 })
    await service.runWorkflows()
    expect(await only(made)).toMatchObject({ status: 'failed', failure: 'failed_by_step', error: 'No 7' })
    await ctx.db.transaction((tx) => retryRun(tx, org.org, runId, { startedBy: null }))
    await service.runWorkflows()
    expect((await runsOf(ctx, made)).map(({ error }) => error)).toEqual(['No 7', 'No 7'])
    expect(await companies(org)).toEqual(['Once'])
  })
})

test('a clock that goes backward extends a delay, and repeats no step', async () => {
  const org = await service.org()
  const made = await manual(org, [make('Before'), step('delay', { seconds: 60 }), make('After')])
  await start(org, made)
  await service.runWorkflows()
  service.advance(-3600_000)
  await service.runWorkflows()
  expect(await companies(org)).toEqual(['Before'])
  service.advance(3600_000 + 61_000)
  await service.runWorkflows()
  expect(await only(made)).toMatchObject({ status: 'completed' })
  expect(await companies(org)).toEqual(['Before', 'After'])
})
