import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { newId } from '../../base/id.ts'
import { expectError } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { makeWorkflow, noteOnDeal, pathsOf } from '../dashboard.fixture.ts'

const service = await sharedTestService()
const { db } = service.ctx
const org = await service.org()
const [owner, member] = await org.members('owner', 'member')
const stranger = await service.org()

const greeting = {
  trigger: 'manual',
  triggerConfig: { objectId: 'deals' },
  parameters: [
    { name: 'priority', type: 'text', required: true },
    { name: 'days', type: 'number', default: 3 },
  ],
  steps: [
    { key: 'note', type: 'create_activity', config: { title: 'Hello {{trigger.parameters.priority}}' } },
  ],
}
const make = (definition: object = noteOnDeal, enabled = true) => makeWorkflow(owner, { definition, enabled })

const makeDeal = async (name = 'Acme renewal') =>
  (await org.post<{ id: string }>('/objects/deals/records', { data: { name } })).body.id

interface Started {
  runId: string
}
interface Run {
  id: string
  status: string
  steps: { path: string; status: string; attempts: number }[]
  input: Record<string, unknown>
}

const runs = async (id: string) => {
  const { body } = await org.get<{ runs: Run[]; pagination: object }>(`/workflows/${id}/runs`)
  return body
}

describe('POST /workflows/:workflowId/run', () => {
  test('returns 202 with the run, which contains the record and the parameters', async () => {
    const { id, name } = await make(greeting)
    const deal = await makeDeal()
    const reply = await org.post<Started>(`/workflows/${id}/run`, {
      data: { priority: 'high' },
      recordId: deal,
    })
    const started = {
      message: expect.any(String),
      workflowId: id,
      workflowName: name,
      runId: expect.any(String),
    }
    expect(reply).toMatchObject({ status: 202, body: started })
    const { body: object } = await org.get<{ id: string }>('/objects/deals')
    const { body: run } = await org.get<Run>(`/workflows/${id}/runs/${reply.body.runId}`)
    expect(run).toMatchObject({
      id: reply.body.runId,
      title: `${name} – Acme renewal`,
      triggerEvent: 'api',
      workflowVersion: 1,
      input: {
        event: 'api',
        recordId: deal,
        objectId: object.id,
        data: { name: 'Acme renewal' },
        parameters: { priority: 'high', days: 3 },
      },
    })
  })

  test('accepts no body when nothing is required', async () => {
    const { id } = await make()
    const { body } = await org.post<Started>(`/workflows/${id}/run`)
    expect((await org.get<Run>(`/workflows/${id}/runs/${body.runId}`)).body.input).toEqual({
      event: 'api',
      data: {},
      parameters: {},
    })
  })

  test('accepts any data when no parameters are declared', async () => {
    const { id } = await make()
    const { body } = await org.post<Started>(`/workflows/${id}/run`, { data: { a: [1] } })
    const { input } = (await org.get<Run>(`/workflows/${id}/runs/${body.runId}`)).body
    expect(input).toMatchObject({ data: { a: [1] }, parameters: { a: [1] } })
  })

  test.each([
    [{ data: { days: 'three', hue: 'red' } }, ['data.priority', 'data.days', 'data.hue']],
    [{ data: { priority: 'a\u0000' } }, ['data.priority']],
    [{ data: { priority: 'high', '\udc00x': 1 } }, ['data.\ufffdx']],
    [{ data: [] }, ['data']],
    [{ recordId: 'nonsense', data: { priority: 'x' } }, ['recordId']],
    [{ recordIds: [], data: { priority: 'x' } }, ['recordIds']],
  ])('rejects %j', async (body, paths) => {
    const { id } = await make(greeting)
    const reply = await org.post(`/workflows/${id}/run`, body)
    expectError(reply, 'validation_error')
    expect(pathsOf(reply)).toEqual(paths)
    expect((await runs(id)).runs).toEqual([])
  })

  test('returns 404 for records of another object', async () => {
    const { id } = await make()
    const { body: person } = await org.post<{ id: string }>('/objects/people/records', {
      data: { name: 'Ada' },
    })
    for (const recordId of [person.id, newId()])
      expectError(await org.post(`/workflows/${id}/run`, { recordId }), 'not_found')
  })

  test('rejects a record for a workflow without an object', async () => {
    const { id } = await make({ trigger: 'manual', steps: [{ key: 'done', type: 'stop', config: {} }] })
    const reply = await org.post(`/workflows/${id}/run`, { recordId: await makeDeal() })
    expectError(reply, 'validation_error')
    expect(pathsOf(reply)).toEqual(['recordId'])
  })

  test('is rejected for a disabled workflow', async () => {
    const { id } = await make(noteOnDeal, false)
    expectError(await org.post(`/workflows/${id}/run`), 'workflow_disabled')
    expect((await runs(id)).runs).toEqual([])
  })

  test('starts one run for repeated requests with an Idempotency-Key', async () => {
    const { id } = await make()
    const key = { 'idempotency-key': newId() }
    const [first, again] = [
      await org.post<Started>(`/workflows/${id}/run`, {}, key),
      await org.post<Started>(`/workflows/${id}/run`, {}, key),
    ]
    expect(again.body).toEqual(first.body)
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect((await runs(id)).runs).toHaveLength(1)
  })

  test('starts a manual run for a member in the dashboard', async () => {
    const { id } = await make()
    const { body } = await member.post<Started>(`/workflows/${id}/run`)
    expect((await org.get(`/workflows/${id}/runs/${body.runId}`)).body).toMatchObject({
      triggerEvent: 'manual',
      input: { event: 'manual' },
    })
  })
})

describe('POST /workflows/:workflowId/run-records', () => {
  interface Many {
    runs: { recordId: string; runId: string }[]
    missing: string[]
  }

  test('starts a run for each record, and returns missing records', async () => {
    const { id } = await make()
    const [one, two, absent] = [await makeDeal('One'), await makeDeal('Two'), newId()]
    const reply = await member.post<Many>(`/workflows/${id}/run-records`, {
      recordIds: [one, absent, two, one],
    })
    expect(reply.status).toBe(202)
    expect(reply.body).toMatchObject({ workflowId: id, missing: [absent] })
    expect(reply.body.runs.map(({ recordId }) => recordId)).toEqual([one, two])
    for (const { recordId, runId } of reply.body.runs)
      expect((await org.get<Run>(`/workflows/${id}/runs/${runId}`)).body.input).toMatchObject({ recordId })
  })

  test.each([[[]], [Array.from({ length: 101 }, newId)], [['nonsense']]])('rejects %j', async (recordIds) => {
    const { id } = await make()
    expectError(await member.post(`/workflows/${id}/run-records`, { recordIds }), 'validation_error')
  })

  test('is rejected for a disabled workflow, one without an object, and other organizations', async () => {
    const [off, aimless] = [
      await make(noteOnDeal, false),
      await make({ trigger: 'manual', steps: [{ key: 'done', type: 'stop', config: {} }] }),
    ]
    const body = { recordIds: [await makeDeal()] }
    expectError(await member.post(`/workflows/${off.id}/run-records`, body), 'workflow_disabled')
    expectError(await member.post(`/workflows/${aimless.id}/run-records`, body), 'validation_error')
    const other = await stranger.member('owner')
    expectError(await other.post(`/workflows/${aimless.id}/run-records`, body), 'not_found')
  })
})

describe('GET /workflows/:workflowId/runs', () => {
  test('pages through runs, newest first, with the total', async () => {
    const { id } = await make()
    const ids: string[] = []
    for (let made = 0; made < 3; made++)
      ids.unshift((await org.post<Started>(`/workflows/${id}/run`)).body.runId)
    const page = async (query: string) =>
      (await org.get<{ runs: Run[]; pagination: object }>(`/workflows/${id}/runs?${query}`)).body
    const first = await page('limit=2')
    expect(first.runs.map((run) => run.id)).toEqual(ids.slice(0, 2))
    expect(first.pagination).toEqual({ total: 3, limit: 2, offset: 0, nextCursor: expect.any(String) })
    expect((await page('limit=2&offset=2')).runs.map((run) => run.id)).toEqual(ids.slice(2))
    expect(await page('status=failed')).toEqual({ runs: [], pagination: { total: 0, limit: 20, offset: 0 } })
    expect((await page('status=queued')).pagination).toMatchObject({ total: 3 })
    expect(Object.keys(first.runs[0] ?? {}).sort()).toEqual([
      'completedAt',
      'createdAt',
      'error',
      'id',
      'startedAt',
      'status',
      'title',
      'triggerEvent',
      'workflowId',
    ])
  })

  test.each(['limit=0', 'limit=101', 'offset=-1', 'status=odd', 'page=2'])('rejects ?%s', async (query) => {
    const { id } = await make()
    expectError(await org.get(`/workflows/${id}/runs?${query}`), 'invalid_parameter')
  })
})

/** Makes the run look as if a worker is executing the step at the position. */
const takeRun = (runId: string) =>
  db.run(sql`
    update workflow_runs set status = 'running', started_at = now(), tries = 1,
      due_at = now() + interval '20 seconds' where org = ${org.org} and id = ${runId}`)

const failRun = (runId: string) =>
  db.run(sql`
    update workflow_runs set status = 'failed', failure = 'step_failed', error = 'It broke', started_at = now(),
      completed_at = now(), due_at = 'infinity' where org = ${org.org} and id = ${runId}`)

describe('GET /workflows/:workflowId/runs/:runId', () => {
  test('returns the step that a worker is executing', async () => {
    const { id } = await make()
    const { body } = await org.post<Started>(`/workflows/${id}/run`)
    const path = `/workflows/${id}/runs/${body.runId}`
    expect((await org.get<Run>(path)).body).toMatchObject({ status: 'queued', steps: [] })
    await takeRun(body.runId)
    expect((await org.get<Run>(path)).body.steps).toEqual([
      {
        path: 'steps[0]',
        key: 'note',
        type: 'create_activity',
        status: 'running',
        attempts: 2,
        startedAt: expect.any(String),
        durationMs: null,
        resumeAt: null,
        input: null,
        output: null,
        error: null,
      },
    ])
  })

  test('returns 404 for a run of another workflow', async () => {
    const [one, other] = [await make(), await make()]
    const { body } = await org.post<Started>(`/workflows/${one.id}/run`)
    expectError(await org.get(`/workflows/${other.id}/runs/${body.runId}`), 'not_found')
    expectError(await org.get(`/workflows/${one.id}/runs/nonsense`), 'not_found')
    expectError(await stranger.get(`/workflows/${one.id}/runs/${body.runId}`), 'not_found')
  })
})

describe('POST /workflows/:workflowId/runs/:runId/cancel', () => {
  test('cancels a run once', async () => {
    const { id } = await make()
    const { body } = await org.post<Started>(`/workflows/${id}/run`)
    const path = `/workflows/${id}/runs/${body.runId}/cancel`
    expect(await member.post(path)).toMatchObject({
      status: 200,
      body: { id: body.runId, status: 'cancelled' },
    })
    expectError(await member.post(path), 'wrong_state')
    expectError(await (await stranger.member('owner')).post(path), 'not_found')
  })
})

describe('POST /workflows/:workflowId/runs/:runId/retry', () => {
  test('continues a failed run as a new run', async () => {
    const { id } = await make()
    const { body: first } = await org.post<Started>(`/workflows/${id}/run`)
    const path = `/workflows/${id}/runs/${first.runId}/retry`
    expectError(await member.post(path), 'wrong_state')
    await failRun(first.runId)
    const reply = await member.post<Started>(path)
    expect(reply).toMatchObject({ status: 202, body: { workflowId: id } })
    expect((await org.get(`/workflows/${id}/runs/${reply.body.runId}`)).body).toMatchObject({
      status: 'queued',
      retryOf: first.runId,
    })
    expectError(await (await stranger.member('owner')).post(path), 'not_found')
  })

  test('is rejected for a disabled workflow', async () => {
    const { id } = await make()
    const { body } = await org.post<Started>(`/workflows/${id}/run`)
    await failRun(body.runId)
    await owner.patch(`/workflows/${id}`, { enabled: false })
    expectError(await member.post(`/workflows/${id}/runs/${body.runId}/retry`), 'workflow_disabled')
  })
})
