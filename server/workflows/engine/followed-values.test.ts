// Template paths along references and to parts of lists. Conditions have the same results as filters of records.
import { describe, expect, test } from 'vitest'
import type { DryRunResult } from '../../../contract/workflow-dashboard.ts'
import type { WorkflowStep } from '../../../contract/workflows.ts'
import { createRecords } from '../../reports/reports.fixture.ts'
import { buildTestService } from '../../test/build-app.ts'
import { expectError } from '../../test/factories.ts'
import type { StepPosition } from '../interpreter/state.ts'
import { insertWorkflow, runsOf, step, stepsOf } from '../workflow.fixture.ts'
import { followPaths } from './followed-values.ts'
import { startRun } from './start.ts'

const service = await buildTestService()
const org = await service.org()
const owner = await org.member('owner')

const [acme = '', globex = '', deleted = ''] = await createRecords(org, 'companies', [
  {
    ...{ name: 'Acme', domain: 'acme.example', employees: 500, owner: owner.userId },
    ...{ address: { city: 'London', country: 'GB' } },
  },
  { name: 'Globex', domain: 'globex.example', employees: 5 },
  { name: 'Deleted', domain: 'deleted.example', employees: 900 },
])
const people = await createRecords(org, 'people', [
  { name: { firstName: 'Ada', lastName: 'Lovelace' }, company: acme },
  { name: { firstName: 'Grace', lastName: 'Hopper' }, company: globex },
])
const { body: companies } = await org.get<{ id: string }>('/objects/companies')
for (const attribute of [
  {
    ...{ name: 'Partners', slug: 'partners', type: 'reference', isList: true },
    config: { allowed_object_id: companies.id },
  },
  { name: 'Sites', slug: 'sites', type: 'address', isList: true },
])
  expect((await org.post('/objects/deals/attributes', attribute)).status).toBe(201)
await org.post('/objects/companies/attributes', {
  ...{ name: 'Parent', slug: 'parent', type: 'reference' },
  config: { allowed_object_id: companies.id },
})
await org.post('/objects/companies/attributes', {
  ...{ name: 'Allies', slug: 'allies', type: 'reference', isList: true },
  config: { allowed_object_id: companies.id },
})
const { body: dealsObject } = await org.get<{ id: string }>('/objects/deals')
await org.post('/objects/companies/attributes', {
  ...{ name: 'Deal', slug: 'deal', type: 'reference' },
  config: { allowed_object_id: dealsObject.id },
})
const deals = await createRecords(org, 'deals', [
  {
    ...{ name: 'A', company: acme, contact: people[0], amount: { amount: 10, currency: 'EUR' } },
    ...{ partners: [acme, globex], sites: [{ city: 'Bonn' }, { city: 'Rome' }] },
  },
  { name: 'B', company: globex, contact: people[1], partners: [globex], sites: [{ country: 'DE' }] },
  { name: 'C', company: deleted, partners: [deleted, acme] },
  { name: 'D', amount: { amount: 20, currency: 'USD' } },
])
await org.delete(`/objects/companies/records/${deleted}`)

const ofDeals = { trigger: 'record/updated' as const, triggerConfig: { objectId: 'deals' } }
const condition = (left: string, operator: string, right: unknown) => ({
  ...{ key: 'check', type: 'condition' as const },
  config: { when: { left, operator, right } },
})

async function dryRun(recordId: string, steps: object[], objectId = 'deals'): Promise<DryRunResult> {
  const { body } = await owner.post<DryRunResult>('/workflow-dry-run', {
    ...{ definition: { ...ofDeals, triggerConfig: { objectId }, steps }, recordId },
  })
  return body
}

/** Executes a run for a deal whose values changed after the run was created. */
async function runOf(data: Readonly<Record<string, unknown>>, steps: WorkflowStep[]) {
  const made = await insertWorkflow(service.ctx, org, {
    ...{ trigger: 'manual', triggerConfig: { objectId: 'deals' }, steps },
  })
  const record = { id: deals[0] ?? '', objectId: dealsObject.id, data: JSON.stringify(data) }
  const asked = {
    workflow: made.id,
    record,
    parameters: {},
    triggerEvent: 'manual' as const,
    startedBy: null,
  }
  await service.ctx.db.transaction((tx) => startRun({ ...service.ctx, db: tx }, org.org, asked))
  await service.runWorkflows()
  const [run] = await runsOf(service.ctx, made)
  return { run, steps: run ? await stepsOf(service.ctx, run) : [] }
}

describe('template paths along references', () => {
  test.each<[string, string, unknown]>([
    ['company.domain', 'equals', 'acme.example'],
    ['company.domain', 'notEquals', 'acme.example'],
    ['company.name', 'isEmpty', true],
    ['company.name', 'isNotEmpty', true],
    ['company.employees', 'greaterThan', 100],
    ['company.employees', 'between', [1, 10]],
    ['company.address.city', 'startsWith', 'lon'],
    ['company.address.city', 'notContains', 'lon'],
    ['company.owner', 'equals', owner.userId],
    ['company.id', 'in', [globex, deleted]],
    ['company.created_at', 'greaterThan', '2020-01-01'],
    ['company.updated_at', 'isEmpty', true],
    ['contact.company.name', 'equals', 'Acme'],
    ['contact.name.lastName', 'endsWith', 'per'],
    ['partners.name', 'equals', 'Acme'],
    ['partners.name', 'notEquals', 'Acme'],
    ['partners.employees', 'lessThan', 100],
    ['partners', 'isEmpty', true],
    ['sites.city', 'equals', 'Rome'],
    ['sites.city', 'isEmpty', true],
    ['amount.currency', 'notIn', ['EUR']],
    ['amount.amount', 'greaterThanOrEqual', 20],
  ])('%s %s %j is met by the same deals that the filter finds', async (path, operator, value) => {
    const filter = { attributeSlug: path, operator, value }
    const { body } = await org.post<{ records: { id: string }[] }>('/objects/deals/records/search', {
      filter,
    })
    const met: string[] = []
    for (const id of deals) {
      const { steps } = await dryRun(id, [condition(`{{trigger.data.${path}}}`, operator, value)])
      if ((steps[0]?.output as { met?: boolean } | undefined)?.met) met.push(id)
    }
    expect(met.toSorted()).toEqual(body.records.map(({ id }) => id).toSorted())
  })

  test('read records of earlier steps, and changes that earlier steps made', async () => {
    const { steps, error } = await dryRun(deals[1] ?? '', [
      { key: 'deal', type: 'get_record', config: { object: 'deals', recordId: '{{trigger.recordId}}' } },
      {
        ...{ key: 'was', type: 'set_variables' },
        config: {
          variables: {
            of: '{{steps.deal.record.data.company.name}}',
            by: 'At {{trigger.data.company.name}}',
          },
        },
      },
      {
        ...{ key: 'rename', type: 'update_record' },
        config: { object: 'companies', recordId: globex, data: { name: 'Renamed' } },
      },
      {
        ...{ key: 'is', type: 'set_variables' },
        config: {
          variables: {
            of: '{{steps.deal.record.data.company.name}}',
            from: '{{steps.rename.data.name}}',
            partners: '{{trigger.data.partners.name | join}}',
          },
        },
      },
    ])
    expect(error).toBeNull()
    expect(steps.filter(({ type }) => type === 'set_variables').map(({ output }) => output)).toEqual([
      { of: 'Globex', by: 'At Globex' },
      { of: 'Renamed', from: 'Renamed', partners: 'Renamed' },
    ])
  })

  test('read money along a reference with its currency, or only the amount for a path to it', async () => {
    const [owing = ''] = await createRecords(org, 'companies', [{ name: 'Owing', deal: deals[3] }])
    const variables = { whole: '{{trigger.data.deal.amount}}', part: '{{trigger.data.deal.amount.amount}}' }
    const { steps } = await dryRun(owing, [step('set_variables', { variables })], 'companies')
    expect(steps[0]?.output).toEqual({ whole: { amount: 20, currency: 'USD' }, part: 20 })
  })

  test('read records as they are when the step is executed', async () => {
    const made = await insertWorkflow(service.ctx, org, {
      ...{ trigger: 'record/created', triggerConfig: { objectId: 'deals' } },
      steps: [
        step('delay', { seconds: 60 }),
        step('branch', {
          branches: [
            {
              ...{ name: 'large', steps: [step('stop', { message: '{{trigger.data.company.name}}' })] },
              when: { left: '{{trigger.data.company.employees}}', operator: 'greaterThan', right: 100 },
            },
          ],
        }),
      ],
    })
    const [first = '', second = ''] = await createRecords(org, 'companies', [
      { name: 'Grows', domain: 'grows.example', employees: 1 },
      { name: 'Goes', domain: 'goes.example', employees: 1000 },
    ])
    await createRecords(org, 'deals', [
      { name: 'E', company: first },
      { name: 'F', company: second },
    ])
    await service.runWorkflows()
    await org.patch(`/objects/companies/records/${first}`, { data: { employees: 200 } })
    await org.delete(`/objects/companies/records/${second}`)
    service.advance(61_000)
    await service.runWorkflows()
    const taken = await Promise.all(
      (await runsOf(service.ctx, made)).map(async (run) =>
        (await stepsOf(service.ctx, run)).map(({ type, input, output }) =>
          type === 'stop' ? input : output?.['branch'],
        ),
      ),
    )
    expect(taken).toEqual([
      [undefined, 'large', { message: 'Grows' }],
      [undefined, null],
    ])
  })

  test.each(['of another organization', 'whose id is a value of another type'])(
    'records %s are not read',
    async (which) => {
      const stranger = await service.org()
      const [theirs = ''] = await createRecords(stranger, 'companies', [{ name: 'Theirs' }])
      const company = which === 'of another organization' ? theirs : 'Acme'
      const { steps } = await runOf({ company }, [
        step('set_variables', { variables: { of: '{{trigger.data.company.name}}' } }),
      ])
      expect(steps).toMatchObject([{ output: { of: null } }])
    },
  )

  test('fail only the step that reads too many records', async () => {
    const named = (name: string) => (_: unknown, at: number) => ({ name: `${name} ${at}` })
    const allies = await createRecords(org, 'companies', Array.from({ length: 40 }, named('Ally')))
    const withAllies = Array.from({ length: 30 }, named('Hub')).map((hub) => ({ ...hub, allies }))
    const hubs = await createRecords(org, 'companies', withAllies)
    const { steps } = await runOf({ company: acme, contact: people[0], partners: hubs }, [
      step('set_variables', { variables: { of: '{{trigger.data.company.name}}' } }),
      step(
        'set_variables',
        { variables: { of: '{{trigger.data.partners.allies.name}}' } },
        { onError: 'continue' },
      ),
      step('set_variables', { variables: { of: '{{trigger.data.contact.company.domain}}' } }),
    ])
    expect(steps).toMatchObject([
      { output: { of: 'Acme' } },
      {
        status: 'failed',
        error:
          '{{trigger.data.partners.allies.name}} leads to more than 1,000 records, the maximum: get them by the step Find records.',
      },
      { output: { of: 'acme.example' } },
    ])
  })

  test('are read for steps that are not executed yet, and not for earlier ones', async () => {
    const definition = {
      ...ofDeals,
      steps: ['name', 'domain'].map((slug) =>
        step('set_variables', { variables: { of: `{{trigger.data.company.${slug}}}` } }),
      ),
    }
    const facts = { trigger: { objectId: dealsObject.id, data: { company: acme } } }
    const pathsAt = async (position: StepPosition) => [
      ...((await followPaths(service.ctx, { org: org.org, definition, facts, values: {}, position })) ?? []),
    ]
    expect(await pathsAt([{ index: 0 }])).toEqual([
      ['trigger.data.company.name', 'Acme'],
      ['trigger.data.company.domain', 'acme.example'],
    ])
    expect(await pathsAt([{ index: 1 }])).toEqual([['trigger.data.company.domain', 'acme.example']])
    expect(await pathsAt([])).toEqual([])
  })

  test('are read for more than 100 paths', async () => {
    const others = Array.from({ length: 100 }, (_, at) => [`other${at}`, `{{trigger.data.other${at}.name}}`])
    const variables = { of: '{{trigger.data.company.name}}', ...Object.fromEntries(others) }
    const { steps } = await runOf({ company: acme }, [step('set_variables', { variables })])
    expect(steps).toMatchObject([{ output: { of: 'Acme', other0: null } }])
  })
})

describe('the check of a workflow rejects the invalid path', () => {
  test.each<[string, string, RegExp]>([
    ['company.nope', 'unknown_attribute', /^companies has no attribute "nope": /],
    ['company.nmae', 'unknown_attribute', /did you mean "name"/],
    ['company.address.town', 'unknown_part', /^address has no part "town": .*city/],
    ['company.name.first', 'unknown_part', /^name is of type text, which has no parts: send only name/],
    ['amount.sum', 'unknown_part', /^amount has no part "sum": /],
    ['contact.company.parent.name', 'too_deep', /^must follow at most 2 references, .*"parent" is one more/],
  ])('%s', async (path, code, message) => {
    const reply = await owner.post<Record<string, unknown>>('/workflows', {
      name: `Of ${path}`,
      definition: { ...ofDeals, steps: [condition(`{{trigger.data.${path}}}`, 'isNotEmpty', true)] },
      enabled: true,
    })
    expectError(reply, 'validation_error')
    expect(reply.body['details']).toMatchObject({
      errors: [
        {
          path: expect.stringMatching(/steps\[0\]\.config\.when\.left$/),
          ...{ code, message: expect.stringMatching(message) },
        },
      ],
    })
  })

  test('in records that steps return, without names that the key cannot read', async () => {
    const definition = {
      ...ofDeals,
      steps: [
        { key: 'deal', type: 'get_record', config: { object: 'deals', recordId: '{{trigger.recordId}}' } },
        condition('{{steps.deal.record.data.company.nope}}', 'isNotEmpty', true),
      ],
    }
    const key = await org.keyWith(['workflows:manage', 'workflows:read'])
    const { body } = await org.post('/workflow-check', { definition }, { authorization: `Bearer ${key}` })
    expect(body).toMatchObject({
      problems: [
        {
          ...{ path: 'steps[1].config.when.left', code: 'unknown_attribute' },
          message: 'companies has no attribute "nope": send the slug of an attribute of companies',
        },
      ],
    })
  })
})
