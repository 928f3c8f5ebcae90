// Purges a deleted attribute on several nodes and in several batches, while writers still have the old model.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { newId } from '../../base/id.ts'
import { buildTestService } from '../../test/build-app.ts'
import { expectError, type Org } from '../../test/factories.ts'
import type { AttributeHooks } from './context.ts'
import { purgeDeletedAttributes } from './jobs.ts'
import { type DeletedAttribute, purgeAttribute, VERSION_BATCH } from './purge.ts'

const service = await buildTestService()
const { db } = service.ctx
const running = () => new AbortController().signal

async function buildBudget(extra: object = {}) {
  const org = await service.org()
  await org.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
  const { body } = await org.post<{ id: string }>('/objects/projects/attributes', {
    name: 'Budget',
    type: 'number',
    ...extra,
  })
  await org.post('/objects/projects/attributes', { name: 'Title', type: 'text' })
  const attribute = await db.one<DeletedAttribute>(
    sql`select org, obj, attr, slug from attributes where org = ${org.org} and id = ${body.id}`,
  )
  return { org, attribute, path: `/objects/projects/attributes/${body.id}` }
}

/** Deletes an attribute without removing its data, which is left to the purge. */
async function hide(org: Org, path: string) {
  const reply = await org.delete(path, undefined, { 'idempotency-key': newId() })
  expect(reply.status).toBe(200)
}

const insertRecords = ({ org, obj }: DeletedAttribute, count: number) =>
  db.run(sql`
    insert into records (org, obj, id, updated_at, data, comparable)
    select ${org}, ${obj}, uuidv7(), '2026-01-01', jsonb_build_object('budget', i, 'title', 't'), '{"budget": "1"}'
    from generate_series(1, ${count}::int) i`)

const insertDerived = ({ org, attr }: DeletedAttribute, count: number) =>
  db.transaction(async (tx) => {
    await tx.run(sql`
      insert into links (org, attr, target, id)
      select ${org}, ${attr}, uuidv7(), uuidv7() from generate_series(1, ${count}::int)`)
    await tx.run(sql`
      insert into uniques (org, attr, value, id)
      select ${org}, ${attr}, i, uuidv7() from generate_series(1, ${count}::int) i`)
  })

const leftovers = ({ org, obj, attr }: DeletedAttribute) =>
  db.one(sql`
    select (select count(*) from records where org = ${org} and (data ? 'budget' or comparable ? 'budget')) as records,
           (select count(*) from links where org = ${org} and attr = ${attr}) as links,
           (select count(*) from uniques where org = ${org} and attr = ${attr}) as uniques,
           (select count(*) from attributes where org = ${org} and attr = ${attr}) as attributes,
           (select hidden_slugs from objects where org = ${org} and obj = ${obj}) as hidden`)

const NOTHING = { records: 0, links: 0, uniques: 0, attributes: 0, hidden: [] }

describe('purgeAttribute', () => {
  test('processes all batches, and gives each record its next version and an event', async () => {
    const { org, attribute, path } = await buildBudget()
    const count = 2 * VERSION_BATCH + 1
    await insertRecords(attribute, count)
    await insertDerived(attribute, 5001)
    await hide(org, path)
    expect(await purgeAttribute(service.ctx, attribute, running())).toBe(true)
    expect(await leftovers(attribute)).toEqual(NOTHING)
    expect(
      await db.many(sql`
        select count(*) as n, version, updated_at > now() - interval '1 hour' as fresh, data, comparable from records
        where org = ${org.org} group by 2, 3, 4, 5`),
    ).toEqual([{ n: count, version: 2, fresh: true, data: { title: 't' }, comparable: null }])
    expect(
      await db.many(sql`
        select count(distinct subject) as n, count(*) as events, type, version, data, changes->'budget'->'to' as "to", actor from events
        where org = ${org.org} group by 3, 4, 5, 6, 7`),
    ).toEqual([
      {
        ...{ n: count, events: count, type: 'record.updated', version: 2 },
        data: { title: 't' },
        to: null,
        actor: org.userId,
      },
    ])
    expect(await purgeAttribute(service.ctx, attribute, running())).toBe(true)
  })

  test('stops on abort, and continues in the next run', async () => {
    const { org, attribute, path } = await buildBudget()
    await insertRecords(attribute, 3)
    await hide(org, path)
    expect(await purgeAttribute(service.ctx, attribute, AbortSignal.abort())).toBe(false)
    expect(await leftovers(attribute)).toMatchObject({ records: 3, attributes: 1, hidden: ['budget'] })
    expect(await purgeAttribute(service.ctx, attribute, running())).toBe(true)
    expect(await leftovers(attribute)).toEqual(NOTHING)
  })

  test('continues in its next turn after the last processed record', async () => {
    const { org, attribute, path } = await buildBudget()
    await insertRecords(attribute, VERSION_BATCH + 1)
    await hide(org, path)
    const turn = new AbortController()
    const done: string[] = []
    const oneBatch: AttributeHooks['onShownChange'][number] = async (_tx, _of, { ids }) => {
      done.push(...ids)
      turn.abort()
    }
    const hooks = { onShownChange: [...service.ctx.hooks.onShownChange, oneBatch] }
    expect(await purgeAttribute({ db, hooks }, attribute, turn.signal)).toBe(false)
    const place = sql`select shown_change->>'after' as after from attributes where org = ${org.org} and attr = ${attribute.attr}`
    expect(await db.value(place)).toBe(done.at(-1))
    expect(await purgeAttribute(service.ctx, attribute, running())).toBe(true)
    expect(await leftovers(attribute)).toEqual(NOTHING)
  })

  test('does not change an attribute that is not deleted', async () => {
    const { attribute } = await buildBudget()
    await insertRecords(attribute, 3)
    expect(await purgeAttribute(service.ctx, attribute, running())).toBe(false)
    expect(await leftovers(attribute)).toMatchObject({ records: 3, attributes: 1 })
  })

  test('waits for transactions from before the deletion, which may still write the slug', async () => {
    const { org, attribute, path } = await buildBudget()
    await insertRecords(attribute, 3)
    await db.transaction(async (writer) => {
      await hide(org, path)
      expect(await purgeAttribute(service.ctx, attribute, running())).toBe(false)
      await writer.run(sql`
        insert into records (org, obj, id, updated_at, data)
        values (${attribute.org}, ${attribute.obj}, uuidv7(), now(), '{"budget": 9}')`)
      expect(await purgeAttribute(service.ctx, attribute, running())).toBe(false)
    })
    expect(await purgeAttribute(service.ctx, attribute, running())).toBe(true)
    expect(await leftovers(attribute)).toEqual(NOTHING)
  })

  test('does not wait for transactions that began after the deletion', async () => {
    const { org, attribute, path } = await buildBudget()
    await hide(org, path)
    expect(await purgeAttribute(service.ctx, attribute, AbortSignal.abort())).toBe(false)
    await db.transaction(async () => {
      expect(await purgeAttribute(service.ctx, attribute, running())).toBe(true)
    })
  })

  test('on several nodes concurrently never removes values of a new attribute with the same slug', async () => {
    const { org, attribute, path } = await buildBudget()
    await insertRecords(attribute, VERSION_BATCH + 10)
    await hide(org, path)
    const purges = Array.from({ length: 4 }, () => purgeAttribute(service.ctx, attribute, running()))
    const input = { name: 'Budget', type: 'number', slug: 'budget' }
    let status = 409
    while (status === 409) status = (await org.post('/objects/projects/attributes', input)).status
    expect(status).toBe(201)
    await org.get('/objects/projects/records')
    const record = await org.post<{ id: string }>('/objects/projects/records', { data: { budget: 1 } })
    await Promise.all(purges)
    await purgeDeletedAttributes(service.ctx, running())
    expect(await leftovers(attribute)).toEqual({ ...NOTHING, records: 1 })
    expect((await org.get(`/objects/projects/records/${record.body.id}`)).body).toEqual(record.body)
  })
})

describe('POST /objects/:objectId/attributes with the slug of a deleted attribute', () => {
  test('fails with slug_conflict while old values cannot be removed, and a default slug gets a suffix', async () => {
    const { org, attribute, path } = await buildBudget()
    await db.transaction(async () => {
      await hide(org, path)
      const input = { name: 'Budget', type: 'number' }
      const [given, byDefault] = await Promise.all([
        org.post('/objects/projects/attributes', { ...input, slug: 'budget' }),
        org.post('/objects/projects/attributes', input),
      ])
      expectError(given, 'slug_conflict')
      expect(given.body['message']).toContain('still being removed')
      expect(byDefault.body).toMatchObject({ slug: 'budget_2' })
    })
    await purgeDeletedAttributes(service.ctx, running())
    expect(await leftovers(attribute)).toEqual(NOTHING)
  })
})

describe('DELETE /objects/:objectId/attributes/:attributeId', () => {
  test('during writes hides all values immediately and leaves none', async () => {
    const { org, attribute, path } = await buildBudget({ isUnique: true })
    const seed = await org.post<{ id: string }>('/objects/projects/records', { data: { title: 'seed' } })
    const seen: unknown[] = []
    let isDeleted = false
    let next = 0
    const write = async () => {
      for (let after = 0; after < 5; ) {
        const data = { budget: next++, title: 'x' }
        if (isDeleted) after++
        await (next % 2
          ? org.post('/objects/projects/records', { data })
          : org.patch(`/objects/projects/records/${seed.body.id}`, { data }))
        const wasDeleted = isDeleted
        const page = await org.get<{ records: { data: object }[] }>('/objects/projects/records?limit=100')
        if (wasDeleted) seen.push(...page.body.records.filter(({ data: shown }) => 'budget' in shown))
      }
    }
    const remove = async () => {
      while (next < 30) await org.get('/objects/projects')
      expect((await org.delete(path)).status).toBe(200)
      isDeleted = true
    }
    await Promise.all([write(), write(), write(), remove()])
    expect(seen).toEqual([])
    await purgeDeletedAttributes(service.ctx, running())
    expect(await leftovers(attribute)).toEqual(NOTHING)
  })
})

describe('purgeDeletedAttributes', () => {
  test('purges the deleted attributes of all organizations', async () => {
    const budgets = [await buildBudget(), await buildBudget(), await buildBudget()]
    for (const { org, attribute, path } of budgets) {
      await insertRecords(attribute, 5)
      await hide(org, path)
    }
    await Promise.all([1, 2].map(() => purgeDeletedAttributes(service.ctx, running())))
    await purgeDeletedAttributes(service.ctx, running())
    for (const { attribute } of budgets) expect(await leftovers(attribute)).toEqual(NOTHING)
  })
})
