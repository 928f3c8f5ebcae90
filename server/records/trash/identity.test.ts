// Deleting records and restoring them gives back the state of before, with references in all directions.
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { newId } from '../../id.ts'
import { audit } from '../../query-engine/maintenance/audit.fixture.ts'
import { waitUntilIndexed } from '../../query-engine/maintenance/finish.ts'
import type { ObjectKey } from '../../query-engine/maintenance/work-store.ts'
import { buildTestService } from '../../test/build-app.ts'
import { cases } from '../../test/dose.ts'
import type { Org } from '../../test/factories.ts'
import { makeToken } from '../../token.ts'
import { buildEveryType, dataOf } from '../every-type.fixture.ts'

const service = await buildTestService({ indexFrom: 1 })
const { db } = service.ctx

/** Everything about the records. */
async function stateOf({ org }: Org) {
  return {
    records: await db.many(sql`select id, data, comparable from records where org = ${org} order by id`),
    activities: await db.many(sql`
      select id, linked_records as links, participants as people from activities where org = ${org} order by id`),
    links: await db.many(
      sql`select attr, target, id from links where org = ${org} order by attr, target, id`,
    ),
    uniques: await db.many(sql`select attr, value, id from uniques where org = ${org} order by attr, value`),
    files: await db.many(
      sql`select id, record_id, file_id, name, created_at from attachments where org = ${org} order by id`,
    ),
    pictures: await db.many(
      sql`select record_id, file_id from record_pictures where org = ${org} order by record_id`,
    ),
  }
}

async function addFile({ org }: Org, obj: number, recordId: string): Promise<void> {
  const id = newId()
  await db.run(sql`
    with file as (
      insert into files (org, id, bucket, path, key, token, state, size, content_type, expires_at, stored_at)
      values (${org}, ${id}, 'b', ${id}, ${id}, ${makeToken()}, 'stored', 1, 'image/png', now(), now()))
    insert into attachments (org, id, obj, record_id, file_id, name)
    values (${org}, ${newId()}, ${obj}, ${recordId}, ${id}, ${id})`)
  await db.run(sql`
    insert into record_pictures (org, obj, record_id, file_id) values (${org}, ${obj}, ${recordId}, ${id})`)
}

async function build() {
  const org = await service.org()
  const { id: objectId, targets } = await buildEveryType(org)
  await org.post('/objects/things/attributes', { name: 'Code', type: 'text', isUnique: true })
  const only = { name: 'Only', type: 'reference', isUnique: true, config: { allowed_object_id: objectId } }
  expect((await org.post('/objects/things/attributes', only)).status).toBe(201)
  const object = await db.one<ObjectKey>(
    sql`select org, obj from objects where org = ${org.org} and id = ${objectId}`,
  )
  const ids = [...targets]
  for (const [nr, data] of fc.sample(dataOf(targets), { numRuns: 12, seed: 7 }).entries()) {
    const code = { code: `Nr ${nr}`, ...(nr < 5 && { only: targets[nr] }) }
    const { body } = await org.post<{ id: string }>('/objects/things/records', { data: { ...data, ...code } })
    ids.push(body.id)
  }
  // Records that refer to themselves and to each other.
  for (const id of targets)
    await org.patch(`/objects/things/records/${id}`, {
      data: { a_reference: id, many_reference: ids.toReversed() },
    })
  for (const some of [ids.slice(0, 4), ids.slice(2, 9)])
    await org.post('/activities', {
      title: 'Call',
      linkedRecords: some.map((recordId) => ({ objectId, recordId })),
    })
  for (const id of ids.slice(3, 8)) await addFile(org, object.obj, id)
  await waitUntilIndexed(service.ctx, object)
  return { org, object, ids }
}

/** The ids in batches of 1 to 4. */
const inParts = (ids: readonly string[], sizes: fc.Stream<number>): string[][] => {
  const all: string[][] = []
  for (let rest = ids; rest.length > 0; ) {
    const size = Number(sizes.next().value)
    all.push(rest.slice(0, size))
    rest = rest.slice(size)
  }
  return all
}

/** Some of the ids: the batches in which they are deleted, and those in which they are restored. */
const parts = (ids: readonly string[]): fc.Arbitrary<{ deleted: string[][]; restored: string[][] }> =>
  fc.shuffledSubarray([...ids], { minLength: 1 }).chain((chosen) => {
    const sizes = fc.infiniteStream(fc.integer({ min: 1, max: 4 }))
    const order = fc.shuffledSubarray(chosen, { minLength: chosen.length })
    return fc.tuple(order, sizes, sizes).map(([restored, one, other]) => ({
      deleted: inParts(chosen, one),
      restored: inParts(restored, other),
    }))
  })

test('delete and restore, in any order and in any parts, is the identity', async () => {
  const { org, object, ids } = await build()
  const path = '/objects/things'
  const remove = async (batch: readonly string[]) => {
    const [id] = batch
    const { status } =
      batch.length === 1
        ? await org.delete(`${path}/records/${id}`)
        : await org.delete(`${path}/records/bulk`, { ids: batch })
    expect(status).toBe(200)
  }
  const bringBack = async (batch: readonly string[]) =>
    expect((await org.post(`${path}/trash/bulk/restore`, { ids: batch })).body).toMatchObject({
      restored: batch.length,
    })
  await fc.assert(
    fc.asyncProperty(parts(ids), async ({ deleted, restored }) => {
      const before = await stateOf(org)
      for (const batch of deleted) await remove(batch)
      const total = await org.get(`${path}/records?limit=1`)
      expect(total.body).toMatchObject({ pagination: { total: ids.length - deleted.flat().length } })
      expect(await audit(db, object)).toEqual([])
      for (const batch of restored) await bringBack(batch)
      expect(await stateOf(org)).toEqual(before)
      expect(await audit(db, object)).toEqual([])
      expect((await org.get(`${path}/records?limit=1`)).body).toMatchObject({
        pagination: { total: ids.length },
      })
      for (const table of [sql`trash`, sql`trash_links`, sql`trash_files`])
        expect(await db.many(sql`select from ${table} where org = ${org.org}`)).toEqual([])
    }),
    { numRuns: cases(60), endOnFailure: true },
  )
})
