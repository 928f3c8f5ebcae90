import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { WorkflowStep } from '../../../contract/workflows.ts'
import { buildTestService } from '../../test/build-app.ts'
import { createRecord } from '../../test/factories.ts'
import { startReceiver } from '../../test/receiver.ts'
import { insertEndpoint } from '../../webhooks/endpoint.fixture.ts'
import { step } from '../workflow.fixture.ts'
import { performDry } from './perform.ts'
import { stepRunner } from './steps.fixture.ts'

const service = await buildTestService()
const { ctx } = service
const receiver = await startReceiver()

const org = await service.org()
const { runSteps, outputs, failure } = stepRunner(service, () => org)

const company = async (name: string) => (await createRecord(org, 'companies', { name })).id

describe('references by value', () => {
  const steps = (domain: string, more: object = {}) => {
    const data = { name: `Ada of ${domain}`, company: { domain } }
    return [
      step('create_record', { object: 'people', data, ...more }, { key: 'made' }),
      step('upsert_record', {
        ...{ object: 'people', matchOn: 'email', ...more },
        data: { ...data, email: `ada@${domain}`, company: { domain: `new-${domain}` } },
      }),
      step('update_record', {
        ...{ object: 'people', recordId: '{{steps.made.id}}', ...more },
        data: { company: { domain: `other-${domain}` } },
      }),
    ]
  }

  test('create their records with createMissing', async () => {
    const made = await outputs(steps('steps.example', { createMissing: true }))
    const { body } = await org.post<{ records: { id: string; data: { domain: string } }[] }>(
      '/objects/companies/records/search',
      { filters: [{ attributeSlug: 'domain', operator: 'endsWith', value: 'steps.example' }] },
    )
    const domains = new Map(body.records.map(({ id, data }) => [id, data.domain]))
    const referred = made.map((output) => (output as { data: { company: string } }).data.company)
    expect(referred.map((id) => domains.get(id))).toEqual([
      'steps.example',
      'new-steps.example',
      'other-steps.example',
    ])
  })

  test.each([0, 1])('fail without it, with the option that creates them (%i)', async (index) => {
    const one = steps('nowhere.example')[index]
    if (!one) throw new Error('no step')
    expect(await failure(one)).toMatch(
      /no record has "(new-)?nowhere.example" as domain.*createMissing: true/,
    )
  })
})

describe('records', () => {
  test('can be created, read, changed and deleted by consecutive steps', async () => {
    const [created, read, changed, deleted, reread] = await outputs(
      [
        step(
          'create_record',
          { object: 'companies', data: { name: 'Acme', employees: '{{trigger.data.n}}' } },
          { key: 'made' },
        ),
        step('get_record', { object: 'companies', recordId: '{{steps.made.id}}' }),
        step('update_record', {
          object: 'companies',
          recordId: '{{steps.made.id}}',
          data: { name: '{{steps.made.data.name | upper}}' },
        }),
        step('delete_record', { object: 'companies', recordId: '{{steps.made.id}}' }),
        step('get_record', { object: 'companies', recordId: '{{steps.made.id}}' }),
      ],
      { parameters: { n: 12 } },
    )
    expect(created).toMatchObject({ id: expect.any(String), data: { name: 'Acme', employees: 12 } })
    expect(read).toMatchObject({ found: true, record: { id: created?.['id'], data: { name: 'Acme' } } })
    expect(changed).toMatchObject({ id: created?.['id'], data: { name: 'ACME' } })
    expect(deleted).toEqual({ id: created?.['id'], deleted: true })
    expect(reread).toEqual({ found: false, record: null })
    const events = await org.events()
    expect(events.filter(({ subject }) => subject === created?.['id']).map(({ type }) => type)).toEqual([
      'record.created',
      'record.updated',
      'record.deleted',
    ])
  })

  test('lose a value when its templates result in an empty text', async () => {
    const { body } = await org.post<{ id: string }>('/objects/companies/records', {
      data: { name: 'Acme', employees: 12, domain: 'acme.example' },
    })
    const [changed] = await outputs(
      [
        step('update_record', {
          object: 'companies',
          recordId: body.id,
          data: { employees: '{{trigger.data.text}}', domain: '{{trigger.data.a}}{{trigger.data.b}}' },
        }),
      ],
      { parameters: { text: '' } },
    )
    expect(changed).toMatchObject({ data: { name: 'Acme' } })
    expect(Object.keys(changed?.['data'] as object)).toEqual(['name'])
  })

  test('keep all digits of a number that passes through a workflow', async () => {
    await org.post('/objects', { pluralName: 'Meters', singularName: 'Meter', slug: 'meters' })
    await org.post('/objects/meters/attributes', { name: 'Reading', slug: 'reading', type: 'number' })
    const { body } = await org.post<{ id: string }>(
      '/objects/meters/records',
      '{"data":{"reading":123456789012345678901234.5}}',
    )
    await outputs([
      step('get_record', { object: 'meters', recordId: body.id }, { key: 'meter' }),
      step('create_record', { object: 'meters', data: { reading: '{{steps.meter.record.data.reading}}' } }),
    ])
    const rows = await ctx.db.many<{ data: string }>(
      sql`select data::text as data from records r join objects o using (org, obj) where o.org = ${org.org} and o.slug = 'meters'`,
    )
    expect(rows.map(({ data }) => data)).toEqual(Array(2).fill('{"reading": 123456789012345678901234.5}'))
  })

  test('are found by filter, sorted, over several pages, with the requested attributes', async () => {
    const other = await service.org()
    const records = Array.from({ length: 100 }, (_, n) => ({ data: { name: `C ${n}`, employees: n } }))
    await other.post('/objects/companies/records/bulk', { records })
    await other.post('/objects/companies/records/bulk', { records })
    const [found] = await outputs(
      [
        step('find_records', {
          object: 'companies',
          filter: {
            attributeSlug: 'employees',
            operator: 'greaterThanOrEqual',
            value: '{{trigger.data.least}}',
          },
          sort: { field: 'employees', order: 'asc' },
          limit: 150,
          fields: ['employees'],
        }),
      ],
      { on: other, parameters: { least: 20 } },
    )
    const list = found?.['records'] as { data: object }[]
    expect(found?.['count']).toBe(150)
    expect([list[0]?.data, list.at(-1)?.data]).toEqual([{ employees: 20 }, { employees: 94 }])
  })

  describe('with an empty value in the filter', () => {
    const is = (operator: string, value: unknown) => ({ attributeSlug: 'name', operator, value })
    const find = (filter: object, more = {}) => step('find_records', { object: 'companies', filter, ...more })

    test.each([
      ['equals', is('equals', '{{vars.none}}')],
      ['notEquals', is('notEquals', '{{vars.none}}')],
      ['contains, in a text of empty templates', is('contains', '{{vars.none}} {{vars.none}}')],
      ['in, no value', is('in', '{{vars.none}}')],
      ['in, an empty list', is('in', "{{'' | split ','}}")],
      ['notIn, one empty value', is('notIn', ['{{vars.none}}', 'Acme'])],
      ['not in', { not: is('in', ['{{vars.none}}', 'Acme']) }],
      ['not any of', { not: { or: [is('equals', 'Acme'), is('equals', '{{vars.none}}')] } }],
      ['free text', { q: '{{vars.none}}' }],
      ['and', { and: [is('equals', 'Only'), is('equals', '{{vars.none}}')] }],
      ['or', { or: [is('equals', '{{vars.none}}'), { and: [is('equals', '{{vars.none}}')] }] }],
    ])('%s finds no record, and the run continues', async (_, filter) => {
      const [found, after] = await outputs([
        find(filter),
        step('set_variables', { variables: { after: true } }),
      ])
      expect([found, after]).toEqual([{ count: 0, records: [] }, { after: true }])
    })

    test.each([
      ['a list with an empty value', is('in', ['{{vars.none}}', 'Only'])],
      ['an alternative', { or: [is('equals', '{{vars.none}}'), is('equals', 'Only')] }],
      ['an alternative operator without a value', { or: [{ q: '{{vars.none}}' }, is('isNotEmpty', true)] }],
    ])('records that match another value are found: %s', async (_, filter) => {
      const other = await service.org()
      await other.post('/objects/companies/records', { data: { name: 'Only' } })
      const [found] = await outputs([find(filter)], { on: other })
      expect(found).toMatchObject({ count: 1, records: [{ data: { name: 'Only' } }] })
    })

    test('the step fails with onEmptyValue fail, and names the value', async () => {
      const filter = { and: [is('equals', 'Only'), is('equals', '{{vars.none}}')] }
      expect(await failure(find(filter, { onEmptyValue: 'fail' }))).toBe(
        'filter.and[1].value: is empty, so there is nothing to search for.',
      )
    })
  })

  test('are updated if one has the value, otherwise created', async () => {
    const upsert = step('upsert_record', {
      object: 'people',
      matchOn: 'email',
      data: { email: 'ada@example.com', name: { firstName: '{{trigger.data.name}}' } },
    })
    const [first] = await outputs([upsert], { parameters: { name: 'Ada' } })
    const [second] = await outputs([upsert], { parameters: { name: 'Countess' } })
    expect(first).toMatchObject({ created: true, data: { name: { firstName: 'Ada' } } })
    expect(second).toMatchObject({
      created: false,
      id: first?.['id'],
      data: { name: { firstName: 'Countess' } },
    })
  })

  test.each([
    [
      'an object that does not exist',
      step('create_record', { object: 'nothings', data: {} }),
      /no object "nothings"/,
    ],
    [
      'a record that does not exist',
      step('update_record', { object: 'companies', recordId: 'x', data: {} }),
      /no record x/,
    ],
    [
      'no record',
      step('delete_record', { object: 'companies', recordId: '{{vars.none}}' }),
      /was given no id/,
    ],
    [
      'a wrong value',
      step('create_record', { object: 'companies', data: { employees: 'many' } }),
      /data\.employees: /,
    ],
    [
      'an unknown attribute',
      step('create_record', { object: 'companies', data: { colour: 'red' } }),
      /data\.colour: /,
    ],
    [
      'an operand of the wrong kind',
      step('find_records', {
        object: 'companies',
        filter: { attributeSlug: 'name', operator: 'equals', value: '{{trigger}}' },
      }),
      /equals on name: must be text/,
    ],
  ])('%s fails the step with a clear error', async (_, one, words) => {
    expect(await failure(one)).toMatch(words)
  })

  test('a failed step leaves no changes', async () => {
    const before = (await org.events()).length
    const twice = await failure(
      step('upsert_record', { object: 'people', matchOn: 'email', data: { email: 'no address' } }),
    )
    expect(twice).toMatch(/email/)
    expect((await org.events()).slice(before).map(({ type }) => type)).toEqual(['workflow.failed'])
  })
})

describe('activities', () => {
  test('are linked to the records of templates, and belong to the author of the workflow', async () => {
    const id = await company('Linked')
    const [activity] = await outputs(
      [
        step('create_activity', {
          type: 'task',
          title: 'Call {{trigger.data.who}}',
          activityDate: '2027-01-31',
          linkedRecords: [
            { objectId: 'companies', recordId: '{{trigger.data.company}}' },
            { objectId: 'people', recordId: '{{trigger.data.absent}}' },
          ],
        }),
      ],
      { parameters: { who: 'Ada', company: id } },
    )
    expect(activity).toMatchObject({
      type: 'task',
      title: 'Call Ada',
      activityDate: '2027-01-31T00:00:00.000Z',
      linkedRecords: [{ recordId: id }],
      createdBy: { id: org.userId },
    })
  })

  test.each([
    ['no title', { title: '{{vars.none}}' }, /title/],
    [
      'a link with an unknown object',
      { title: 'x', linkedRecords: [{ objectId: 'nothings', recordId: '1' }] },
      /"nothings"/,
    ],
    [
      'a link to an unknown record',
      { title: 'x', linkedRecords: [{ objectId: 'people', recordId: '1' }] },
      /recordId/,
    ],
  ])('%s fails the step with a clear error', async (_, config, words) => {
    expect(await failure(step('create_activity', config))).toMatch(words)
  })
})

describe('webhook messages', () => {
  test('are delivered once to the given endpoint, signed', async () => {
    const { endpoint } = await insertEndpoint(ctx, org.org, {
      url: `${receiver.url}/hook`,
      types: ['activity.deleted'],
    })
    const before = receiver.count()
    const { made, run, steps } = await runSteps([
      step('send_webhook', { endpointId: endpoint, data: { hello: '{{workflow.name}}' } }),
    ])
    await service.deliver()
    expect(receiver.count()).toBe(before + 1)
    const request = receiver.requests.at(-1)
    const id = steps[0]?.output?.['eventId']
    expect(request?.headers).toMatchObject({ 'webhook-id': id, 'webhook-signature': expect.any(String) })
    expect(JSON.parse(String(request?.body))).toEqual({
      ...{ id, type: 'workflow.message', timestamp: expect.any(String), organizationId: org.id },
      ...{ actor: { type: 'workflow', id: made.id }, workflowId: made.id, workflowName: made.name },
      ...{ runId: run.id, data: { hello: made.name } },
    })
    const admin = await org.member('admin')
    const { status, body } = await admin.get(
      `/webhooks/endpoints/${endpoint}/deliveries?type=workflow.message`,
    )
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { deliveries: [{ eventType: 'workflow.message', state: 'succeeded' }] },
    })
  })

  test('to a disabled or deleted endpoint fail the step', async () => {
    const { endpoint } = await insertEndpoint(ctx, org.org, { isEnabled: false })
    expect(await failure(step('send_webhook', { endpointId: endpoint }))).toMatch(/is disabled/)
    expect(await failure(step('send_webhook', { endpointId: org.id }))).toMatch(/was deleted/)
    expect(await failure(step('send_webhook', { endpointId: 'x' }))).toMatch(/was deleted/)
    const other = await service.org()
    const { endpoint: foreign } = await insertEndpoint(ctx, other.org)
    expect(await failure(step('send_webhook', { endpointId: foreign }))).toMatch(/was deleted/)
  })
})

describe('a dry run', () => {
  const dry = (type: WorkflowStep['type'], input: Record<string, unknown>) =>
    ctx.db.transaction((tx) =>
      performDry({
        ctx: { ...ctx, db: tx },
        caller: {
          org: org.org,
          orgId: org.id,
          userId: org.userId,
          keyId: null,
          country: 'US',
          currency: 'USD',
        },
        ...{
          path: 'steps[0]',
          type,
          input,
          run: { id: org.id, firstId: org.id },
          workflow: { id: org.id, name: 'Dry' },
        },
      }),
    )

  test('writes like a run, and sends nothing', async () => {
    const before = receiver.count()
    const { endpoint } = await insertEndpoint(ctx, org.org, { url: receiver.url })
    expect(await dry('create_record', { object: 'companies', data: { name: 'Dry' } })).toMatchObject({
      data: { name: 'Dry' },
    })
    expect(await dry('http_request', { url: receiver.url, body: { a: 1 } })).toMatchObject({
      wouldSend: { method: 'POST', url: receiver.url, body: '{"a":1}' },
    })
    expect(await dry('send_email', { to: 'ada@example.com', subject: 'Hi', text: 'there' })).toEqual({
      wouldSend: { to: 'ada@example.com', subject: 'Hi', text: 'there' },
    })
    expect(await dry('send_webhook', { endpointId: endpoint, data: { b: 2 } })).toMatchObject({
      wouldSend: { type: 'workflow.message', data: { b: 2 } },
    })
    expect(receiver.count()).toBe(before)
    await expect(dry('send_email', { to: 'invalid', subject: '', text: '' })).rejects.toThrow(
      'not an email address',
    )
  })
})
