// Several clients delete, restore and purge the same records concurrently, and change references to them.
import sql from 'sql-template-tag'
import { expect, inject, test } from 'vitest'
import { createRandom } from '../../demo/random.ts'
import { buildTestService } from '../../test/build-app.ts'
import { cases } from '../../test/dose.ts'
import type { Org } from '../../test/factories.ts'
import { audit } from '../engine/maintenance/audit.fixture.ts'
import { waitUntilIndexed } from '../engine/maintenance/finish.ts'
import type { ObjectKey } from '../engine/maintenance/work-store.ts'

const service = await buildTestService({ indexFrom: 1 })
const { db } = service.ctx
const RECORDS = 12
const CLIENTS = 4

interface Made {
  id: string
}

async function build() {
  const org = await service.org()
  const { body: object } = await org.post<Made>('/objects', { pluralName: 'Things', singularName: 'Thing' })
  const config = { allowed_object_id: object.id }
  for (const attribute of [
    { name: 'Name', type: 'text' },
    { name: 'Code', type: 'text', isUnique: true },
    { name: 'One', type: 'reference', config },
    { name: 'Many', type: 'reference', isList: true, config },
    { name: 'Only', type: 'reference', isUnique: true, config },
  ])
    expect((await org.post('/objects/things/attributes', attribute)).status).toBe(201)
  const ids: string[] = []
  for (let n = 0; n < RECORDS; n++) {
    const data = {
      name: `T ${n}`,
      code: `C ${n}`,
      many: ids,
      ...(n > 0 && { one: ids[0], only: ids.at(-1) }),
    }
    ids.push((await org.post<Made>('/objects/things/records', { data })).body.id)
  }
  const linkedRecords = ids.map((recordId) => ({ objectId: object.id, recordId }))
  await org.post('/activities', { title: 'Call', linkedRecords })
  const key = await db.one<ObjectKey>(
    sql`select org, obj from objects where org = ${org.org} and id = ${object.id}`,
  )
  await waitUntilIndexed(service.ctx, key)
  return { org, key, ids }
}

type World = Awaited<ReturnType<typeof build>>

/** Expected statuses, also for a record that another client deleted, a taken value or a missing target. */
const STATUSES = [200, 400, 404, 409]

async function act({ org, ids }: World, round: number, client: number): Promise<void> {
  const random = createRandom(inject('seed') + round, client)
  const path = '/objects/things'
  const some = () => Array.from({ length: 3 }, () => random.pick(ids))
  const acts = [
    () => org.delete(`${path}/records/${random.pick(ids)}`),
    () => org.delete(`${path}/records/bulk`, { ids: some() }),
    () => org.post(`${path}/trash/${random.pick(ids)}/restore`),
    () => org.post(`${path}/trash/bulk/restore`, { ids: some() }),
    () => org.post(`${path}/trash/bulk/restore?dryRun=true`, { ids: some() }),
    () => org.patch(`${path}/records/${random.pick(ids)}`, { data: { many: [...new Set(some())] } }),
    () =>
      org.patch(`${path}/records/${random.pick(ids)}`, {
        data: { one: random.pick(ids), only: random.pick(ids) },
      }),
    () => org.patch(`${path}/records/${random.pick(ids)}`, { data: { code: `C ${random.integer(0, 5)}` } }),
  ]
  for (let n = 0; n < 12; n++) {
    // Rare, because a purged record cannot be used again.
    const purge = () => org.delete(`${path}/trash/${random.pick(ids)}`)
    const { status, body } = await (random.chance(0.02) ? purge : random.pick(acts))()
    if (!STATUSES.includes(status)) throw new Error(`${status}: ${JSON.stringify(body)}`)
  }
}

/** Rows of derived tables that do not match the data of the records, and missing rows. */
const selectFaults = ({ org }: Org) =>
  db.many(sql`
    with attrs as (
      select attr, slug, is_unique, target_obj is not null as is_link from attributes where org = ${org}),
    elements as (
      select r.id, a.attr, e.value #>> '{}' as value, a.is_unique, a.is_link from records r, attrs a,
        jsonb_array_elements(case jsonb_typeof(r.data->a.slug) when 'array' then r.data->a.slug
          else jsonb_build_array(r.data->a.slug) end) as e(value)
      where r.org = ${org} and r.data ? a.slug),
    wanted_links as (select id, attr, value from elements where is_link),
    found_links as (select id, attr, target::text as value from links where org = ${org} and attr > 0),
    wanted_uniques as (select id, attr, value from elements where is_unique)
    select 'link without a row' as fault, * from (table wanted_links except table found_links) as f
    union all select 'row without a link', * from (table found_links except table wanted_links) as f
    union all select 'reference to nothing', w.* from wanted_links w
      where not exists (select from records r where r.org = ${org} and r.id = w.value::uuid)
    union all select 'unique value without a row', * from (
      table wanted_uniques except select id, attr, value from uniques where org = ${org}) as f
    union all select 'in both places', t.id, null, null from trash t join records r on r.org = t.org and r.id = t.id
      where t.org = ${org}
    union all select 'a link of what is not in the trash', l.id, l.attr, l.target::text from trash_links l
      where l.org = ${org} and not exists (select from trash t where t.org = l.org and t.id = l.target)`)

test('with concurrent clients every record is in one place, and all derived rows are correct', {
  timeout: 120_000,
}, async () => {
  for (let round = 0; round < cases(6); round++) {
    const world = await build()
    await Promise.all(Array.from({ length: CLIENTS }, (_, client) => act(world, round, client)))
    expect(await selectFaults(world.org)).toEqual([])
    expect(await audit(db, world.key)).toEqual([])
    const { ids } = world
    const purged = await db.many(sql`
      select id from unnest(${ids}::uuid[]) as i(id)
      where not exists (select from records r where r.id = i.id) and not exists (select from trash t where t.id = i.id)`)
    const all = await world.org.post<{ restored: number }>('/objects/things/trash/bulk/restore', { ids })
    expect(all.status).toBe(200)
    const { body } = await world.org.get('/objects/things/records?limit=1')
    expect(body).toMatchObject({ pagination: { total: RECORDS - purged.length } })
    expect(await selectFaults(world.org)).toEqual([])
    expect(await audit(db, world.key)).toEqual([])
  }
})
