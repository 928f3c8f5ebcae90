// Records that refer to each other in all directions, with activities and files, and their complete state.
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect } from 'vitest'
import { newId } from '../../base/id.ts'
import { makeToken } from '../../base/token.ts'
import type { buildTestService } from '../../test/build-app.ts'
import type { Org } from '../../test/factories.ts'
import { waitUntilIndexed } from '../engine/maintenance/finish.ts'
import type { ObjectKey } from '../engine/maintenance/work-store.ts'
import { buildEveryType, dataOf } from '../every-type.fixture.ts'

export type Service = Awaited<ReturnType<typeof buildTestService>>

interface StoredRecord {
  id: string
  data: Record<string, unknown>
  comparable: Record<string, unknown> | null
  created_by: string | null
}

/** The complete state of the records. */
export async function stateOf({ ctx: { db } }: Service, { org }: Org) {
  return {
    records: await db.many<StoredRecord>(
      sql`select id, data, comparable, created_by from records where org = ${org} order by id`,
    ),
    activities: await db.many(sql`
      select id, linked_records as links, participants as people from activities where org = ${org} order by id`),
    links: await db.many<{ attr: number; target: string; id: string }>(
      sql`select attr, target, id from links where org = ${org} order by attr, target, id`,
    ),
    uniques: await db.many<{ attr: number; value: string; id: string }>(
      sql`select attr, value, id from uniques where org = ${org} order by attr, value`,
    ),
    files: await db.many(
      sql`select id, record_id, file_id, name, created_at from attachments where org = ${org} order by id`,
    ),
    pictures: await db.many(
      sql`select record_id, file_id from record_pictures where org = ${org} order by record_id`,
    ),
  }
}

async function addFile({ ctx: { db } }: Service, { org }: Org, obj: number, recordId: string): Promise<void> {
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

export async function buildLinked(service: Service) {
  const org = await service.org()
  const named = await buildEveryType(org)
  const { id: objectId, targets } = named
  await org.post('/objects/things/attributes', { name: 'Code', type: 'text', isUnique: true })
  const only = { name: 'Only', type: 'reference', isUnique: true, config: { allowed_object_id: objectId } }
  expect((await org.post('/objects/things/attributes', only)).status).toBe(201)
  const object = await service.ctx.db.one<ObjectKey>(
    sql`select org, obj from objects where org = ${org.org} and id = ${objectId}`,
  )
  const ids = [...targets]
  for (const [nr, data] of fc.sample(dataOf(named), 12).entries()) {
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
  for (const id of ids.slice(3, 8)) await addFile(service, org, object.obj, id)
  await waitUntilIndexed(service.ctx, object)
  return { org, object, ids, named: { ...named, targets: ids } }
}
