import sql, { type Sql } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { OptionUses } from '../../contract/attribute-options.ts'
import type { Db } from '../db/pool.ts'
import { indexEmptyObject } from '../records/engine/indexed.fixture.ts'
import { audit } from '../records/engine/maintenance/audit.fixture.ts'
import { buildTestService } from '../test/build-app.ts'
import { bodyOf, expectError, type Org } from '../test/factories.ts'
import { makeWorkflow } from '../workflows/dashboard.fixture.ts'
import { rewriteOptions } from './option-job.ts'
import {
  type Attribute,
  buildDeals,
  equal,
  found,
  givenUpSoon,
  MERGED,
  RECORDS,
  stageOf,
  stored,
  WON,
} from './options.fixture.ts'

const service = await buildTestService()
const { db } = service.ctx

/** Runs `act` while an older transaction is open, so that no record is rewritten. Then runs the job to its end. */
async function held(act: () => Promise<void>): Promise<void> {
  await db.transaction(async (older) => {
    await older.run(sql`select`)
    await givenUpSoon(act)
  })
  await rewriteOptions(service.ctx, new AbortController().signal)
}

/** A separate transaction that is open until `end`. */
async function open() {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const { promise: opened, resolve } = Promise.withResolvers<Db>()
  const done = db.transaction(async (tx) => {
    await tx.run(sql`select`)
    resolve(tx)
    await ended
  })
  const tx = await opened
  return {
    run: (statement: Sql) => tx.run(statement),
    async end() {
      end()
      await done
    },
  }
}

/** Connections that wait for a locked record. */
const waiting = async () =>
  (
    await db.many<{ pid: number }>(sql`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
  ).map(({ pid }) => pid)

async function seen(org: Org) {
  const [list, groups, uses, sorted, report] = [
    await org.get<{ records: { data: { stage: string } }[] }>(`${RECORDS}?order=asc`),
    await org.post<{ groups: { value: string | null; count: number }[] }>(`${RECORDS}/groups`, {
      by: 'stage',
    }),
    await org.get<OptionUses>((await stageOf(org)).path),
    await org.post<{ records: { data: { stage: string } }[] }>(`${RECORDS}/search`, {
      sort: { field: 'stage', order: 'desc' },
    }),
    await (await org.member('owner')).post<{ results: { rows: object[] } }>('/reports/preview', {
      definition: {
        name: 'By stage',
        source: { objectId: 'deals', alias: 'deal' },
        groupBy: [{ key: 'stage', field: 'deal.stage' }],
        measures: [{ key: 'n', op: 'count' }],
      },
    }),
  ]
  return {
    stages: list.body.records.map(({ data }) => data.stage),
    groups: groups.body.groups.flatMap(({ value, count }) => (count > 0 ? [[value, count]] : [])),
    uses: uses.body.options.map(({ value, records }) => [value, records]),
    sorted: sorted.body.records.map(({ data }) => data.stage),
    report: report.body.results.rows,
    filtered: [
      await found(org, equal('Closed')),
      await found(org, equal('Won')),
      await found(org, { attributeSlug: 'stage', operator: 'notEquals', value: 'Lost' }),
      await found(org, { attributeSlug: 'stage', operator: 'startsWith', value: 'clo' }),
    ],
  }
}

describe('PATCH /objects/:objectId/select-attributes/:attributeId', () => {
  test('renames, merges, moves and colors options, and rewrites records with an event each', async () => {
    const { org, ids, path } = await buildDeals(service)
    const before = (await org.events()).length
    const body = bodyOf(await org.patch<Attribute>(path, MERGED))
    expect(body.config).toEqual({
      options: ['Closed', 'Proposal', 'Lead', 'Qualified'],
      colors: { Closed: 'pink', Proposal: 'yellow', Lead: 'indigo', Qualified: 'teal' },
      aliases: { Won: 'Closed', Lost: 'Closed' },
    })
    expect(await stored(db, org)).toEqual(['Closed', 'Closed', 'Closed', 'Lead'])
    const events = (await org.events()).slice(before)
    expect(events.map(({ type, subject, changes }) => [type, subject, changes])).toEqual([
      ['record.updated', ids[0], { stage: { from: 'Won', to: 'Closed' } }],
      ['record.updated', ids[1], { stage: { from: 'Won', to: 'Closed' } }],
      ['record.updated', ids[2], { stage: { from: 'Lost', to: 'Closed' } }],
    ])
    expect((await org.get<OptionUses>(path)).body).toEqual({
      change: null,
      options: [
        { value: 'Closed', color: 'pink', records: 3 },
        { value: 'Proposal', color: 'yellow', records: 0 },
        { value: 'Lead', color: 'indigo', records: 1 },
        { value: 'Qualified', color: 'teal', records: 0 },
      ],
    })
  })

  test('old names are accepted in values and filters until a new option has the name', async () => {
    const { org, path } = await buildDeals(service)
    await org.patch(path, MERGED)
    const { body } = await org.post<{ data: object }>(RECORDS, { data: { name: 'New', stage: 'Won' } })
    expect(body.data).toEqual({ name: 'New', stage: 'Closed' })
    expect(await found(org, { attributeSlug: 'stage', operator: 'in', value: ['Won', 'Lead'] })).toBe(5)
    const again = await org.patch<Attribute>(path, {
      options: [{ value: 'Done', from: ['Closed'] }, { value: 'Lead' }, { value: 'Won' }],
    })
    expect(again.body.config.aliases).toEqual({ Lost: 'Done', Closed: 'Done' })
    expect(await found(org, equal('Won'))).toBe(0)
    expect(await found(org, equal('Lost'))).toBe(4)
  })

  test('every read returns the new options immediately, before records are rewritten', async () => {
    const { org, ids, path } = await buildDeals(service)
    let during: object = {}
    const known = { 'if-none-match': String((await org.get(`${RECORDS}/${ids[0]}`)).headers['etag']) }
    await held(async () => {
      expect((await org.patch(path, MERGED)).status).toBe(200)
      expect(await stored(db, org)).toEqual(WON)
      expect((await org.get<OptionUses>(path)).body.change).toMatchObject({ total: 3, changed: 0 })
      during = await seen(org)
      expect((await org.get<{ data: object }>(`${RECORDS}/${ids[0]}`, known)).body.data).toMatchObject({
        stage: 'Closed',
      })
      expectError(await org.patch(path, { options: [{ value: 'Lead' }] }), 'options_changing')
      expectError(await org.delete(path.replace('select-attributes', 'attributes')), 'standard_object')
      const renamed = await org.patch<{ data: object }>(`${RECORDS}/${ids[1]}`, { data: { name: 'B' } })
      expect(renamed.body.data).toEqual({ name: 'B', stage: 'Closed' })
      expect((await org.events()).at(-1)).toMatchObject({ data: { stage: 'Closed' } })
    })
    expect(await stored(db, org)).toEqual(['Closed', 'Closed', 'Closed', 'Lead'])
    expect(during).toEqual(await seen(org))
    expect(during).toMatchObject({
      stages: ['Closed', 'Closed', 'Closed', 'Lead'],
      groups: [
        ['Closed', 3],
        ['Lead', 1],
      ],
      sorted: ['Lead', 'Closed', 'Closed', 'Closed'],
      filtered: [3, 3, 1, 3],
    })
  })

  test('a record of an older transaction that commits after the change is rewritten too', async () => {
    const { org, path } = await buildDeals(service, ['Won'])
    await held(async () => {
      await db.transaction(async (writer) => {
        await writer.run(sql`
          insert into records (org, obj, id, updated_at, data)
          select org, obj, uuidv7(), now(), '{"name": "Late", "stage": "Lost"}' from records where org = ${org.org}`)
        await org.patch(path, MERGED)
      })
    })
    expect(await stored(db, org)).toEqual(['Closed', 'Closed'])
  })

  test('a job that is killed between two batches is continued', async () => {
    const { org, path } = await buildDeals(service, ['Won'])
    await db.run(sql`
      insert into records (org, obj, id, updated_at, data)
      select org, obj, uuidv7(), now(), '{"name": "Many", "stage": "Won"}' from records, generate_series(1, 450)
      where org = ${org.org}`)
    const ids = (
      await db.many<{ id: string }>(sql`select id from records where org = ${org.org} order by id`)
    ).map(({ id }) => id)
    // Opens the blocker after the change, or the job would wait for it. An older transaction holds the rewrite back
    // until then.
    const older = await open()
    await givenUpSoon(() => org.patch(path, MERGED))
    const blocker = await open()
    await blocker.run(sql`select from records where org = ${org.org} and id = ${ids[300]} for update`)
    await older.end()
    let hasEnded = false
    const job = rewriteOptions(service.ctx, new AbortController().signal).finally(() => {
      hasEnded = true
    })
    // Also kills the connection when the job retries its transaction.
    const end = async () => {
      await db.run(sql`select pg_terminate_backend(pid) from unnest(${await waiting()}::int[]) as pid`)
      return hasEnded
    }
    await expect.poll(end).toBe(true)
    await job
    expect((await org.get<OptionUses>(path)).body.change).toMatchObject({ total: 451, changed: 200 })
    await blocker.end()
    await rewriteOptions(service.ctx, new AbortController().signal)
    expect((await org.get<OptionUses>(path)).body.change).toBeNull()
    expect(new Set(await stored(db, org))).toEqual(new Set(['Closed']))
    const changed = (await org.events()).filter(({ type }) => type === 'record.updated')
    expect(new Set(changed.map(({ subject }) => subject)).size).toBe(451)
    expect(changed).toHaveLength(451)
  })

  test('views, reports and workflows contain the new options', async () => {
    const { org, path } = await buildDeals(service)
    const olivia = await org.member('owner')
    const view = await olivia.post<{ id: string }>('/objects/deals/views', {
      name: 'Over',
      state: {
        version: 1,
        columns: [],
        filter: { or: [{ not: { ...equal('Won'), operator: 'in', value: ['Won', 'Lost', 'Lead'] } }] },
      },
    })
    expect(view.status).toBe(201)
    const report = await olivia.post<{ id: string }>('/reports', {
      definition: {
        name: 'Of won deals',
        source: { objectId: 'people', alias: 'person' },
        joins: [{ alias: 'deal', via: 'deal.contact', objectId: 'deals' }],
        filters: { and: [{ field: 'deal.stage', operator: 'equals', value: 'Won' }] },
        measures: [{ key: 'n', op: 'count' }],
      },
    })
    expect(report.status).toBe(201)
    const workflow = await makeWorkflow(olivia, {
      definition: {
        trigger: 'record/updated',
        triggerConfig: { objectId: 'deals', watch: ['stage'], filter: { and: [equal('Won')] } },
        steps: [
          {
            key: 'check',
            type: 'condition',
            config: { when: { left: '{{trigger.data.stage}}', operator: 'equals', right: 'Won' } },
          },
          {
            key: 'set',
            type: 'update_record',
            config: { object: 'deals', recordId: '{{trigger.recordId}}', data: { stage: 'Lost' } },
          },
          {
            key: 'other',
            type: 'find_records',
            config: {
              object: 'companies',
              filter: { and: [{ attributeSlug: 'name', operator: 'equals', value: 'Won' }] },
            },
          },
        ],
      },
      enabled: true,
    })
    await org.patch(path, MERGED)
    const views = await olivia.get<{ views: { state: { filter: object } }[] }>('/objects/deals/views')
    expect(views.body.views[0]?.state.filter).toEqual({
      or: [{ not: { attributeSlug: 'stage', operator: 'in', value: ['Closed', 'Lead'] } }],
    })
    expect((await olivia.get(`/reports/${report.body.id}`)).body).toMatchObject({
      definition: { filters: { and: [{ field: 'deal.stage', operator: 'equals', value: 'Closed' }] } },
    })
    const { body } = await olivia.get<{ version: number; definition: { steps: { config: object }[] } }>(
      `/workflows/${workflow.id}`,
    )
    expect(body).toMatchObject({
      version: 2,
      definition: {
        triggerConfig: { filter: { and: [{ value: 'Closed' }] } },
        steps: [
          { config: { when: { right: 'Closed' } } },
          { config: { data: { stage: 'Closed' } } },
          { config: { filter: { and: [{ value: 'Won' }] } } },
        ],
      },
    })
  })

  test('filters along references contain the new options', async () => {
    const { org, path } = await buildDeals(service)
    const olivia = await org.member('owner')
    const { body: deals } = await org.get<{ id: string }>('/objects/deals')
    const visits = { singularName: 'Visit', pluralName: 'Visits', slug: 'visits' }
    expect((await org.post('/objects', visits)).status).toBe(201)
    for (const attribute of [
      { name: 'Name', slug: 'name', type: 'text' },
      { name: 'Deal', slug: 'deal', type: 'reference', config: { allowed_object_id: deals.id } },
    ])
      expect((await org.post('/objects/visits/attributes', attribute)).status).toBe(201)
    const ofWon = { attributeSlug: 'deal.stage', operator: 'equals', value: 'Won' }
    const ofName = { attributeSlug: 'deal.name', operator: 'equals', value: 'Won' }
    const filter = { and: [ofWon, ofName] }
    await olivia.post('/objects/visits/views', { name: 'Won', state: { version: 1, columns: [], filter } })
    const report = await olivia.post<{ id: string }>('/reports', {
      definition: {
        ...{ name: 'Visits of won deals', source: { objectId: 'visits', alias: 'visit' } },
        ...{ filters: { field: 'visit.deal.stage', operator: 'equals', value: 'Won' } },
        measures: [{ key: 'n', op: 'count' }],
      },
    })
    const workflow = await makeWorkflow(olivia, {
      definition: {
        ...{ trigger: 'record/updated', triggerConfig: { objectId: 'visits', filter } },
        steps: [
          { key: 'find', type: 'find_records', config: { object: 'visits', filter } },
          {
            key: 'visit',
            type: 'get_record',
            config: { object: 'visits', recordId: '{{trigger.recordId}}' },
          },
          ...['trigger.data', 'steps.visit.record.data'].map((root, index) => ({
            ...{ key: `check${index}`, type: 'condition' },
            config: { when: { left: `{{${root}.deal.stage}}`, operator: 'equals', right: 'Won' } },
          })),
        ],
      },
    })
    await org.patch(path, MERGED)
    const renamed = { and: [{ ...ofWon, value: 'Closed' }, ofName] }
    expect((await olivia.get('/objects/visits/views')).body).toMatchObject({
      views: [{ state: { filter: renamed } }],
    })
    expect((await olivia.get(`/reports/${report.body.id}`)).body).toMatchObject({
      definition: { filters: { value: 'Closed' } },
    })
    expect((await olivia.get(`/workflows/${workflow.id}`)).body).toMatchObject({
      definition: {
        triggerConfig: { filter: renamed },
        steps: [
          { config: { filter: renamed } },
          {},
          { config: { when: { right: 'Closed' } } },
          { config: { when: { right: 'Closed' } } },
        ],
      },
    })
  })

  test('starts no workflow', async () => {
    const { org, path } = await buildDeals(service)
    const olivia = await org.member('owner')
    await makeWorkflow(olivia, { enabled: true })
    await org.patch(path, MERGED)
    await service.runWorkflows()
    expect((await org.get<{ activities: object[] }>('/activities')).body.activities).toEqual([])
  })

  test('rewrites lists without duplicate options, together with index rows and counters', async () => {
    const org = await service.org()
    const { body: object } = await org.post<{ id: string }>('/objects', {
      pluralName: 'Things',
      singularName: 'Thing',
    })
    const { body: tags } = await org.post<Attribute>('/objects/things/attributes', {
      ...{ name: 'Tags', type: 'select', isList: true },
      config: { options: ['a', 'b', 'c'] },
    })
    await indexEmptyObject(db, object.id, { texts: 'values', keepsMissing: true })
    for (const value of [['a', 'b'], ['b'], ['c', 'a'], []])
      await org.post('/objects/things/records', { data: { tags: value } })
    const path = `/objects/things/select-attributes/${tags.id}`
    const patch = { options: [{ value: 'c' }, { value: 'x', from: ['a', 'b'] }] }
    await held(async () => {
      await org.patch(path, patch)
      const { body } = await org.post<{ pagination: { total: number } }>('/objects/things/records/search', {
        filter: { attributeSlug: 'tags', operator: 'equals', value: 'x' },
      })
      expect(body.pagination.total).toBe(3)
    })
    const { body } = await org.get<{ records: { data: object }[] }>('/objects/things/records?order=asc')
    expect(body.records.map(({ data }) => data)).toEqual([
      { tags: ['x'] },
      { tags: ['x'] },
      { tags: ['c', 'x'] },
      { tags: [] },
    ])
    const place = await db.one<{ org: number; obj: number }>(
      sql`select org, obj from objects where id = ${object.id}`,
    )
    expect(await audit(db, place)).toEqual([])
  })
})
