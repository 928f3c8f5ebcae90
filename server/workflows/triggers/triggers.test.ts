import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { WorkflowDefinition } from '../../../contract/workflows.ts'
import { purgeDeletedObjects } from '../../model/objects/jobs.ts'
import { buildTestService } from '../../test/build-app.ts'
import type { Org } from '../../test/factories.ts'
import { countStuckRuns } from '../engine/sweeper-store.ts'
import { insertWorkflow, runsOf, step, stepsOf } from '../workflow.fixture.ts'
import { syncListener } from './candidates-store.ts'

const service = await buildTestService()
const { ctx } = service
const { db } = ctx
const SOON = { interval: 50 }

const onCompanies = (
  trigger: 'record/created' | 'record/updated' | 'record/deleted',
  more: Partial<WorkflowDefinition['triggerConfig']> = {},
): Pick<WorkflowDefinition, 'trigger' | 'triggerConfig'> => ({
  trigger,
  triggerConfig: { objectId: 'companies', ...more },
})

const quiet = [step('set_variables', { variables: { seen: true } })]

const create = async (org: Org, data: object, object = 'companies') =>
  (await org.post<{ id: string }>(`/objects/${object}/records`, { data })).body.id
const update = (org: Org, id: string, data: object) => org.patch(`/objects/companies/records/${id}`, { data })

describe('records', () => {
  test('that are created, updated or deleted start waiting workflows, with the data of the event', async () => {
    const org = await service.org()
    const [created, updated, deleted] = [
      await insertWorkflow(ctx, org, { ...onCompanies('record/created'), steps: quiet }),
      await insertWorkflow(ctx, org, { ...onCompanies('record/updated'), steps: quiet }),
      await insertWorkflow(ctx, org, { ...onCompanies('record/deleted'), steps: quiet }),
    ]
    const id = await create(org, { name: 'Acme' })
    await update(org, id, { name: 'Acme Ltd' })
    await org.delete(`/objects/companies/records/${id}`)
    await create(org, { name: { firstName: 'Stranger' } }, 'people')
    await service.runWorkflows()
    const about = { recordId: id, objectId: expect.any(String), parameters: {} }
    expect(await runsOf(ctx, created)).toMatchObject([
      {
        status: 'completed',
        title: `${created.name} – Acme`,
        triggerEvent: 'record/created',
        subject: id,
        concurrencyKey: id,
        input: { ...about, event: 'record/created', data: { name: 'Acme' } },
      },
    ])
    expect(await runsOf(ctx, updated)).toMatchObject([
      {
        title: `${updated.name} – Acme Ltd`,
        input: { ...about, changes: { name: { from: 'Acme', to: 'Acme Ltd' } } },
      },
    ])
    expect(await runsOf(ctx, deleted)).toMatchObject([{ input: { ...about, event: 'record/deleted' } }])
  })

  test('that are deleted with their object start workflows for deleted records', async () => {
    const org = await service.org()
    await org.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
    await org.post('/objects/projects/attributes', { name: 'Name', type: 'text' })
    const filter = { and: [{ attributeSlug: 'name', operator: 'startsWith', value: 'Apollo' }] }
    const triggerConfig = { objectId: 'projects', filter }
    const made = await insertWorkflow(ctx, org, { trigger: 'record/deleted', triggerConfig, steps: quiet })
    const id = await create(org, { name: 'Apollo 11' }, 'projects')
    await create(org, { name: 'Gemini 4' }, 'projects')
    await org.delete('/objects/projects')
    // The purge waits for older transactions of other tests. Then the triggers run.
    await expect
      .poll(async () => {
        await purgeDeletedObjects(ctx, new AbortController().signal)
        await service.runWorkflows()
        return runsOf(ctx, made)
      }, SOON)
      .toMatchObject([
        {
          title: `${made.name} – Apollo 11`,
          subject: id,
          input: { data: { name: 'Apollo 11' } },
          status: 'completed',
        },
      ])
    await expect
      .poll(async () => {
        await purgeDeletedObjects(ctx, new AbortController().signal)
        return db.many(sql`select obj from objects where org = ${org.org} and slug = 'projects'`)
      }, SOON)
      .toEqual([])
  })

  test('that are updated start only workflows that watch a changed attribute', async () => {
    const org = await service.org()
    const made = await insertWorkflow(ctx, org, {
      ...onCompanies('record/updated', { watch: ['industry', 'employees'] }),
      steps: quiet,
    })
    const id = await create(org, { name: 'Acme', employees: 1 })
    await update(org, id, { name: 'Other' })
    await update(org, id, { employees: 2 })
    await service.runWorkflows()
    expect(await runsOf(ctx, made)).toMatchObject([{ input: { changes: { employees: { from: 1, to: 2 } } } }])
  })

  test('are filtered by the data of the event, not by their current values', async () => {
    const org = await service.org()
    const filter = { and: [{ attributeSlug: 'employees', operator: 'greaterThan', value: 100 }] }
    const made = await insertWorkflow(ctx, org, {
      ...onCompanies('record/created', { filter }),
      steps: quiet,
    })
    const big = await create(org, { name: 'Big', employees: 101 })
    await create(org, { name: 'Small', employees: 100 })
    await update(org, big, { employees: 1 })
    await service.runWorkflows()
    expect(await runsOf(ctx, made)).toMatchObject([{ subject: big, input: { data: { employees: 101 } } }])
  })

  test('can be filtered by id, creation time and change time', async () => {
    const org = await service.org()
    const [watched, other] = [await create(org, { name: 'One' }), await create(org, { name: 'Two' })]
    const { body } = await org.get<{ createdAt: string }>(`/objects/companies/records/${watched}`)
    const leaf = (attributeSlug: string, operator: string, value: string) => ({
      ...{ attributeSlug, operator, value },
    })
    const matching = [
      leaf('id', 'equals', watched),
      leaf('created_at', 'equals', body.createdAt),
      leaf('updated_at', 'greaterThanOrEqual', body.createdAt),
    ]
    const made = await insertWorkflow(ctx, org, {
      ...onCompanies('record/updated', { filter: { and: matching } }),
      steps: quiet,
    })
    for (const id of [watched, other]) await update(org, id, { employees: 2 })
    await service.runWorkflows()
    expect(await runsOf(ctx, made)).toMatchObject([{ subject: watched }])
  })

  test('do not start disabled workflows or workflows of another organization', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const asleep = await insertWorkflow(
      ctx,
      org,
      { ...onCompanies('record/created'), steps: quiet },
      { isEnabled: false },
    )
    const foreign = await insertWorkflow(ctx, other, { ...onCompanies('record/created'), steps: quiet })
    await insertWorkflow(ctx, org, { ...onCompanies('record/deleted'), steps: quiet })
    await create(org, { name: 'Acme' })
    await service.runWorkflows()
    expect([await runsOf(ctx, asleep), await runsOf(ctx, foreign)]).toEqual([[], []])
  })

  test('start one run per event and workflow, in order, for a batch of a hundred events', async () => {
    const org = await service.org()
    const made = await Promise.all(
      [1, 2, 3].map(() => insertWorkflow(ctx, org, { ...onCompanies('record/created'), steps: quiet })),
    )
    const records = Array.from({ length: 100 }, (_, n) => ({ data: { name: `C ${n}`, employees: n } }))
    await org.post('/objects/companies/records/bulk', { records })
    await service.runWorkflows()
    for (const one of made) {
      const runs = await runsOf(ctx, one)
      expect(runs.map(({ status }) => status)).toEqual(Array(100).fill('completed'))
      expect(runs.map(({ input }) => (input['data'] as { employees: number }).employees)).toEqual(
        records.map((_, n) => n),
      )
    }
    expect(await countStuckRuns(ctx.db)).toEqual({ runs: 0, events: 0 })
  })
})

describe('activities', () => {
  const log = (org: Org, title: string, linkedRecords: object[] = []) =>
    org.post('/activities', { title, linkedRecords })

  test('start workflows; a workflow with an object only if they are linked to its records', async () => {
    const org = await service.org()
    const all = await insertWorkflow(ctx, org, { trigger: 'activity/created', steps: quiet })
    const linked = await insertWorkflow(ctx, org, {
      trigger: 'activity/created',
      triggerConfig: { objectId: 'companies' },
      steps: quiet,
    })
    const id = await create(org, { name: 'Acme' })
    const objects = await org.get<{ objects: { id: string; slug: string }[] }>('/objects')
    const objectId = objects.body.objects.find(({ slug }) => slug === 'companies')?.id
    await log(org, 'Call unlinked')
    await log(org, 'Call Acme', [{ objectId, recordId: id }])
    await service.runWorkflows()
    expect((await runsOf(ctx, all)).map(({ title }) => title)).toEqual(
      ['Call unlinked', 'Call Acme'].map((title) => `${all.name} – ${title}`),
    )
    expect(await runsOf(ctx, linked)).toMatchObject([
      {
        title: `${linked.name} – Call Acme`,
        input: { activity: { title: 'Call Acme' }, data: { title: 'Call Acme' } },
      },
    ])
  })
})

describe('workflows that trigger each other', () => {
  const rename = step('update_record', {
    object: 'companies',
    recordId: '{{trigger.recordId}}',
    data: { name: '{{trigger.data.name}}!' },
  })

  test('a workflow that changes its own record does not start again for that change', async () => {
    const org = await service.org()
    const made = await insertWorkflow(ctx, org, { ...onCompanies('record/updated'), steps: [rename] })
    const id = await create(org, { name: 'Acme' })
    await update(org, id, { name: 'Acme!' })
    await service.runWorkflows()
    expect(await runsOf(ctx, made)).toMatchObject([{ status: 'completed', depth: 0 }])
    await update(org, id, { name: 'By hand' })
    await service.runWorkflows()
    expect(await runsOf(ctx, made)).toHaveLength(2)
  })

  test('two workflows that change the same record stop after one run each', async () => {
    const org = await service.org()
    const made = [
      await insertWorkflow(ctx, org, {
        ...onCompanies('record/updated', { watch: ['employees'] }),
        steps: [rename],
      }),
      await insertWorkflow(ctx, org, {
        ...onCompanies('record/updated', { watch: ['name'] }),
        steps: [
          step('update_record', {
            object: 'companies',
            recordId: '{{trigger.recordId}}',
            data: { employees: '{{trigger.data.employees | plus 1}}' },
          }),
        ],
      }),
    ]
    const id = await create(org, { name: 'Acme', employees: 1 })
    await update(org, id, { employees: 2 })
    await service.runWorkflows()
    const runs = await Promise.all(made.map((one) => runsOf(ctx, one)))
    expect(runs.flat().map(({ status, depth }) => [status, depth])).toEqual([
      ['completed', 0],
      ['completed', 1],
    ])
  })

  test('a chain over other records ends with its tenth run, which fails and names the loop', async () => {
    const org = await service.org()
    const made = await insertWorkflow(ctx, org, {
      ...onCompanies('record/created'),
      steps: [step('create_record', { object: 'companies', data: { name: '{{trigger.data.name}}!' } })],
    })
    await create(org, { name: 'Acme' })
    await service.runWorkflows()
    const runs = await runsOf(ctx, made)
    expect(runs.map(({ depth }) => depth)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(runs.at(-1)).toMatchObject({
      status: 'failed',
      failure: 'loop_protection',
      error: expect.stringMatching(/loop/),
    })
    expect(runs.slice(0, -1).every(({ status }) => status === 'completed')).toBe(true)
    const recorded = (await org.events()).filter(({ type }) => type === 'workflow.failed')
    expect(recorded).toMatchObject([
      { subject: runs.at(-1)?.id, data: { status: 'failed', runId: runs.at(-1)?.id } },
    ])
  })

  test('a workflow with allowReentry starts again until the chain is too long', async () => {
    const org = await service.org()
    const made = await insertWorkflow(ctx, org, {
      ...onCompanies('record/updated'),
      allowReentry: true,
      steps: [rename],
    })
    const id = await create(org, { name: 'Acme' })
    await update(org, id, { name: 'Acme!' })
    await service.runWorkflows()
    const runs = await runsOf(ctx, made)
    expect(runs).toHaveLength(10)
    expect(runs.at(-1)).toMatchObject({ failure: 'loop_protection' })
  })
})

describe('a concurrency key in use', () => {
  const wait = step('delay', { seconds: 3600 })
  const concurrency = (onConflict: 'queue' | 'skip' | 'restart') => ({
    key: 'record' as const,
    limit: 1,
    onConflict,
  })

  test.each([
    ['queue', ['waiting', 'queued', 'queued']],
    ['skip', ['waiting', 'cancelled', 'cancelled']],
    ['restart', ['cancelled', 'cancelled', 'waiting']],
  ] as const)('applies onConflict %s', async (onConflict, statuses) => {
    const org = await service.org()
    const made = await insertWorkflow(ctx, org, {
      ...onCompanies('record/updated'),
      concurrency: concurrency(onConflict),
      steps: [wait],
    })
    const id = await create(org, { name: 'Acme' })
    for (const name of ['A', 'B']) {
      await update(org, id, { name })
      await service.runWorkflows()
    }
    await update(org, id, { name: 'C' })
    await service.runWorkflows()
    const runs = await runsOf(ctx, made)
    expect(runs.map(({ status }) => status)).toEqual(statuses)
    if (onConflict === 'skip') expect(runs[1]?.error).toMatch(/^skipped: /)
  })

  test('has the same result for events processed together and separately', async () => {
    const org = await service.org()
    const made = await insertWorkflow(ctx, org, {
      ...onCompanies('record/updated'),
      concurrency: concurrency('restart'),
      steps: [wait],
    })
    const skipping = await insertWorkflow(ctx, org, {
      ...onCompanies('record/updated'),
      concurrency: concurrency('skip'),
      steps: [wait],
    })
    const id = await create(org, { name: 'Acme' })
    for (const name of ['A', 'B', 'C']) await update(org, id, { name })
    await service.runWorkflows()
    expect((await runsOf(ctx, made)).map(({ status }) => status)).toEqual([
      'cancelled',
      'cancelled',
      'waiting',
    ])
    expect((await runsOf(ctx, skipping)).map(({ status }) => status)).toEqual([
      'waiting',
      'cancelled',
      'cancelled',
    ])
  })
})

describe('for any definition', () => {
  test('a trigger that cannot be evaluated creates a failed run, and others start', async () => {
    const org = await service.org()
    const filter = { and: 'nonsense' } as never
    const [odd, unversioned, good] = [
      await insertWorkflow(ctx, org, {
        ...onCompanies('record/created', { filter }),
        concurrency: 7 as never,
        steps: null as never,
      }),
      await insertWorkflow(ctx, org, { ...onCompanies('record/created'), steps: quiet }),
      await insertWorkflow(ctx, org, { ...onCompanies('record/created'), steps: quiet }),
    ]
    await ctx.db.run(sql`delete from workflow_versions where workflow = ${unversioned.id}`)
    const broken = await insertWorkflow(ctx, org, { ...onCompanies('record/created'), steps: null as never })
    await create(org, { name: 'Acme' })
    await service.runWorkflows()
    expect(await runsOf(ctx, odd)).toEqual([])
    expect(await runsOf(ctx, unversioned)).toMatchObject([
      { status: 'failed', failure: 'definition_missing' },
    ])
    expect(await runsOf(ctx, broken)).toMatchObject([{ status: 'failed', failure: 'internal' }])
    expect(await runsOf(ctx, good)).toMatchObject([{ status: 'completed' }])
  })
})

test('events get outbox entries for workflows only while a workflow waits for events', async () => {
  const org = await service.org()
  const listens = async () =>
    (await ctx.db.many(sql`select from event_listeners where org = ${org.org} and listener = 'workflows'`))
      .length
  const made = await insertWorkflow(ctx, org, { ...onCompanies('record/created'), steps: quiet })
  expect(await listens()).toBe(1)
  await ctx.db.transaction(async (tx) => {
    await tx.run(sql`update workflows set is_enabled = false where id = ${made.id}`)
    await syncListener(tx, org.org)
  })
  expect(await listens()).toBe(0)
  await insertWorkflow(ctx, org, { trigger: 'schedule', triggerConfig: { cron: '0 0 1 1 *' }, steps: quiet })
  expect(await listens()).toBe(0)
  expect(await stepsOf(ctx, { id: made.id })).toEqual([])
})
