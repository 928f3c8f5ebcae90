// Every way to create a record stores its creator. Changes and the trash keep the creator, and filters can use it.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { mapping, post, uploaded } from '../../imports/imports.fixture.ts'
import { resultsOf } from '../../reports/reports.fixture.ts'
import { buildTestService } from '../../test/build-app.ts'
import type { Requests } from '../../test/dashboard-client.ts'
import { createRecord, expectError, type Org } from '../../test/factories.ts'
import { insertWorkflow, runsOf, step } from '../../workflows/workflow.fixture.ts'
import { indexEmptyObject } from '../engine/indexed.fixture.ts'
import { backfillCreators } from '../rewrites/backfill-creators.ts'

const service = await buildTestService()
const { ctx } = service
const { db } = ctx
const COMPANIES = '/objects/companies/records'

type Poster = Pick<Requests, 'post'>

const make = async (who: Poster, name: string, object = 'companies'): Promise<string> =>
  (await createRecord(who, object, { name })).id

/** The ids of the creators of the companies, by company name. */
async function creatorsOf({ org }: Org): Promise<Record<string, string | null>> {
  const rows = await db.many<{ name: string; creator: string | null }>(sql`
    select r.data->>'name' as name, r.created_by as creator from records r
    join objects o on o.org = r.org and o.obj = r.obj and o.slug = 'companies'
    where r.org = ${org}`)
  return Object.fromEntries(rows.map(({ name, creator }) => [name, creator]))
}

const filterOf = (operator: string, value: unknown) => ({ attributeSlug: 'created_by', operator, value })

async function foundBy(who: Poster, filter: object): Promise<string[]> {
  const { status, body } = await who.post<{ records: { data: { name: string } }[] }>(`${COMPANIES}/search`, {
    filter,
  })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.records.map(({ data }) => data.name).sort()
}

describe('the creator is kept', () => {
  test.each([false, true])(
    'for single, concurrent, bulk and upserted records, index %s',
    async (isIndexed) => {
      const org = await service.org()
      if (isIndexed) {
        const { body } = await org.get<{ id: string }>('/objects/companies')
        await indexEmptyObject(db, body.id, { texts: 'presence', keepsMissing: true })
      }
      const member = await org.member('member')
      await make(member, 'One')
      await Promise.all(['Two', 'Three', 'Four'].map((name) => make(org, name)))
      await Promise.all(['Five', 'Six', 'Seven'].map((name) => make(member, name)))
      const records = (...names: string[]) =>
        names.map((name) => ({ data: { name, domain: `${name}.test` } }))
      await org.post(`${COMPANIES}/bulk`, { records: records('Eight', 'Nine') })
      const upsert = { mode: 'upsert', matchOn: 'domain', records: records('Eight', 'Ten') }
      expect((await member.post(`${COMPANIES}/bulk`, upsert)).status).toBe(200)
      const [key, user] = [org.keyId, member.userId]
      expect(await creatorsOf(org)).toEqual({
        ...{ One: user, Two: key, Three: key, Four: key, Five: user, Six: user, Seven: user },
        ...{ Eight: key, Nine: key, Ten: user },
      })
    },
  )

  test('for imported records and for records created by workflows', async () => {
    const org = await service.org()
    const member = await org.member('member')
    const file = await uploaded(member, 'Name\nImported', '/objects/companies/imports?fileName=companies.csv')
    await post(member, file, 'check', { mapping: mapping('name') })
    await service.drain()
    await post(member, file, 'run')
    await service.drain()
    const onPeople = { trigger: 'record/created' as const, triggerConfig: { objectId: 'people' } }
    const create = step('create_record', { object: 'companies', data: { name: 'From a workflow' } })
    const flow = await insertWorkflow(ctx, org, { ...onPeople, steps: [create] })
    await make(org, 'Ada Lovelace', 'people')
    await service.runWorkflows()
    expect(await creatorsOf(org)).toEqual({ Imported: member.userId, 'From a workflow': flow.id })
  })

  test('through changes, deletion and restoration, and an undone merge', async () => {
    const org = await service.org()
    const member = await org.member('member')
    const [winner, loser, deleted] = [await make(org, 'W'), await make(org, 'L'), await make(org, 'D')]
    const before = await creatorsOf(org)
    await member.patch(`${COMPANIES}/${winner}`, { data: { employees: 3 } })
    await member.delete(`${COMPANIES}/${deleted}`)
    const merged = await member.post<{ mergeId: string }>(`${COMPANIES}/merge`, {
      ...{ winnerId: winner, loserIds: [loser] },
    })
    expect(await creatorsOf(org)).toEqual({ W: org.keyId })
    expect((await member.post(`/objects/companies/trash/${deleted}/restore`)).status).toBe(200)
    const undone = await member.post(`/objects/companies/merges/${merged.body.mergeId}/undo`, {})
    expect(undone.status).toBe(200)
    expect(await creatorsOf(org)).toEqual(before)
  })
})

async function buildCreated() {
  const org = await service.org()
  const [ada, bob] = await org.members('member', 'member')
  for (const [who, name] of [
    [ada, 'A'],
    [bob, 'B'],
    [org, 'K'],
    [org, 'N'],
  ] as const)
    await make(who, name)
  await db.run(sql`update records set created_by = null where org = ${org.org} and data->>'name' = 'N'`)
  return { org, ada, bob }
}

describe('filters by creator', () => {
  test('find members by id, email and me, API keys by id, and records without a creator', async () => {
    const { org, ada, bob } = await buildCreated()
    expect(await foundBy(org, filterOf('equals', ada.userId.toUpperCase()))).toEqual(['A'])
    expect(await foundBy(org, filterOf('equals', bob.email.toUpperCase()))).toEqual(['B'])
    expect(await foundBy(bob, filterOf('equals', 'me'))).toEqual(['B'])
    expect(await foundBy(org, filterOf('equals', org.keyId))).toEqual(['K'])
    expect(await foundBy(org, filterOf('notEquals', ada.email))).toEqual(['B', 'K', 'N'])
    expect(await foundBy(org, filterOf('in', [ada.email, org.keyId]))).toEqual(['A', 'K'])
    expect(await foundBy(org, filterOf('notIn', [ada.email, org.keyId]))).toEqual(['B', 'N'])
    expect(await foundBy(org, filterOf('isEmpty', true))).toEqual(['N'])
    expect(await foundBy(org, filterOf('isNotEmpty', true))).toEqual(['A', 'B', 'K'])
    const either = { or: [filterOf('isEmpty', true), filterOf('equals', bob.userId)] }
    expect(await foundBy(org, either)).toEqual(['B', 'N'])
  })

  test('work in lists, views and reports', async () => {
    const { org, ada } = await buildCreated()
    const list = await org.get<{ records: { data: object }[] }>(
      `${COMPANIES}?filter[created_by][equals]=${encodeURIComponent(ada.email)}`,
    )
    expect(list.body.records.map(({ data }) => data)).toEqual([{ name: 'A' }])
    const view = { version: 1, columns: [{ slug: 'name' }], filter: filterOf('equals', 'me') }
    expect((await ada.post('/objects/companies/views', { name: 'Mine', state: view })).status).toBe(201)
    const report = {
      source: { objectId: 'companies', alias: 'company' },
      columns: [
        { key: 'name', field: 'company.name' },
        { key: 'by', field: 'company.created_by' },
      ],
      sort: [{ key: 'name', order: 'asc' as const }],
      filters: { field: 'company.created_by', operator: 'in' as const, value: [ada.email, org.keyId] },
    }
    const { rows } = await resultsOf(ctx, org, report)
    expect(rows).toMatchObject([
      { name: 'A', by: { id: ada.userId } },
      { name: 'K', by: { id: org.keyId, name: 'test' } },
    ])
  })

  test('work in triggers of workflows, also for restored records', async () => {
    const org = await service.org()
    const member = await org.member('member')
    const made = (value: string) => ({
      trigger: 'record/updated' as const,
      triggerConfig: { objectId: 'companies', filter: filterOf('equals', value) },
      steps: [step('set_variables', { variables: { seen: true } })],
    })
    const ofMember = await insertWorkflow(ctx, org, made(member.email))
    const ofKey = await insertWorkflow(ctx, org, made(org.keyId))
    const id = await make(member, 'A')
    await org.patch(`${COMPANIES}/${id}`, { data: { employees: 4 } })
    await service.runWorkflows()
    expect(await runsOf(ctx, ofMember)).toHaveLength(1)
    expect(await runsOf(ctx, ofKey)).toEqual([])
  })

  test.each([
    ['equals', 'stranger@example.com', 'wrong_operand'],
    ['equals', 'me', 'wrong_operand'],
    ['equals', 'Ada', 'wrong_operand'],
    ['in', [], 'wrong_operand'],
    ['contains', 'a', 'operator_not_defined'],
  ])('%s %j is refused for an API key', async (operator, value, code) => {
    const org = await service.org()
    const reply = await org.post(`${COMPANIES}/search`, { filter: filterOf(operator, value) })
    expectError(reply, 'invalid_filter')
    expect(reply.body).toMatchObject({ details: { errors: [{ path: 'filter', code }] } })
  })
})

describe('records from versions that did not store creators', () => {
  const backfill = () => backfillCreators(ctx, new AbortController().signal)

  /** Restores the state after the migration: records without creators, and a backfill to run. */
  const forget = async ({ org }: Org) => {
    await db.run(sql`update records set created_by = null where org = ${org}`)
    await db.run(sql`update trash set created_by = null where org = ${org}`)
    await db.run(sql`insert into creator_backfills (org) values (${org})`)
  }

  test('get their creators from events, also in the trash', async () => {
    const org = await service.org()
    const member = await org.member('member')
    const onPeople = { trigger: 'record/created' as const, triggerConfig: { objectId: 'people' } }
    const create = step('create_record', { object: 'companies', data: { name: 'F' } })
    await insertWorkflow(ctx, org, { ...onPeople, steps: [create] })
    const ids = [await make(member, 'M'), await make(org, 'K'), await make(member, 'T'), await make(org, 'R')]
    await make(org, 'Ada Lovelace', 'people')
    await service.runWorkflows()
    const before = await creatorsOf(org)
    expect(Object.keys(before).sort()).toEqual(['F', 'K', 'M', 'R', 'T'])
    // A restoration by another member does not change the creator.
    await member.delete(`${COMPANIES}/${ids[3]}`)
    await member.post(`/objects/companies/trash/${ids[3]}/restore`)
    await org.delete(`${COMPANIES}/${ids[2]}`)
    await forget(org)
    await backfill()
    await org.post(`/objects/companies/trash/${ids[2]}/restore`)
    expect(await creatorsOf(org)).toEqual(before)
    expect(await db.many(sql`select from creator_backfills where org = ${org.org}`)).toEqual([])
  })

  test('get no new version and no event', async () => {
    const org = await service.org()
    const id = await make(org, 'A')
    const read = async () => (await org.get(`${COMPANIES}/${id}`)).body
    const [record, events] = [await read(), await org.events()]
    await forget(org)
    await backfill()
    expect(await read()).toEqual(record)
    expect(await org.events()).toEqual(events)
    expect(await creatorsOf(org)).toEqual({ A: org.keyId })
  })

  test('get no creator if their events have been deleted', async () => {
    const org = await service.org()
    await make(org, 'Old')
    await db.run(sql`delete from events where org = ${org.org}`)
    await make(org, 'New')
    await forget(org)
    await backfill()
    expect(await creatorsOf(org)).toEqual({ Old: null, New: org.keyId })
  })
})
