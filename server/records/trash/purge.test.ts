// Permanent deletion of records from the trash, by age and by hand.
import sql, { raw } from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { buildTestService } from '../../test/build-app.ts'
import { createRecord, expectError, type Org } from '../../test/factories.ts'
import { purgeOldTrash } from './jobs.ts'

const service = await buildTestService()
const { db } = service.ctx

const makeCompany = async (org: Org, name: string): Promise<string> =>
  (await createRecord(org, 'companies', { name })).id

async function makeDeleted(org: Org, name: string): Promise<string> {
  const id = await makeCompany(org, name)
  await org.delete(`/objects/companies/records/${id}`)
  return id
}

const trashOf = async (org: Org) => {
  const { body } = await org.get<{ records: { id: string }[]; pagination: object }>(
    '/objects/companies/trash',
  )
  return { ids: body.records.map(({ id }) => id), pagination: body.pagination }
}

const age = (ids: readonly string[]) =>
  db.run(sql`update trash set deleted_at = now() - interval '40 days' where id = any(${ids}::uuid[])`)

const purge = () => purgeOldTrash(service.ctx, new AbortController().signal, new Date())

/** Adds links as if from records that referred to the target. */
const addLinks = (org: Org, target: string, count: number) =>
  db.run(sql`
    insert into trash_links (org, attr, target, id, place)
    select ${org.org}, 1, ${target}, gen_random_uuid(), 1 from generate_series(1, ${count}::int)`)

const countLinks = ({ org }: Org) =>
  db.value<number>(sql`select count(*)::int as count from trash_links where org = ${org}`)

describe('the job trash.purge', () => {
  test('deletes records after the retention period of their organization', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const [old, fresh] = [await makeCompany(org, 'Old'), await makeCompany(org, 'Fresh')]
    const theirs = await makeCompany(other, 'Theirs')
    await org.post('/objects/people/records', { data: { name: 'Ada', company: old } })
    for (const [who, id] of [
      [org, old],
      [org, fresh],
      [other, theirs],
    ] as const)
      await who.delete(`/objects/companies/records/${id}`)
    await db.run(sql`update organizations set trash_days = 2 where org = ${org.org}`)
    await db.run(sql`
      update trash set deleted_at = now() - interval '3 days' where id = any(${[old, theirs]}::uuid[])`)
    await purge()
    expect((await trashOf(org)).ids).toEqual([fresh])
    expect((await trashOf(other)).ids).toEqual([theirs])
    expect(await countLinks(org)).toBe(0)
  })

  test('continues with other organizations if one fails', async () => {
    const [failing, other] = [await service.org(), await service.org()]
    await age([await makeDeleted(failing, 'Kept'), await makeDeleted(other, 'Purged')])
    await db.run(sql`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`)
    await db.run(sql`
      create trigger refuse before delete on trash for each row when (old.org = ${raw(String(failing.org))})
      execute function refuse()`)
    await purge()
    expect((await trashOf(failing)).ids).toHaveLength(1)
    expect((await trashOf(other)).ids).toEqual([])
    await db.run(sql`drop trigger refuse on trash`)
    await purge()
    expect((await trashOf(failing)).ids).toEqual([])
  })

  test('deletes the links of a record in several transactions', async () => {
    const org = await service.org()
    const id = await makeDeleted(org, 'Linked')
    await addLinks(org, id, 12_000)
    await age([id])
    await purge()
    expect(await countLinks(org)).toBe(0)
    expect((await trashOf(org)).ids).toEqual([])
  })
})

describe('DELETE /objects/:objectId/trash/:recordId', () => {
  test('hides a record with many links immediately, and deletes the remaining links in the background', async () => {
    const org = await service.org()
    const id = await makeDeleted(org, 'Linked')
    await addLinks(org, id, 12_000)
    const path = `/objects/companies/trash/${id}`
    expect((await org.delete(path)).body).toEqual({ id, deleted: true })
    expect(await countLinks(org)).toBe(7000)
    expectError(await org.delete(path), 'not_found')
    expectError(await org.post(`${path}/restore`), 'not_found')
    expect(await trashOf(org)).toMatchObject({ ids: [], pagination: { total: 0 } })
    await purge()
    expect(await countLinks(org)).toBe(0)
    expect(await db.many(sql`select from trash where org = ${org.org}`)).toEqual([])
  })

  test('permanently deletes a record that another deleted record refers to', async () => {
    const org = await service.org()
    const company = await makeCompany(org, 'Acme')
    const { body: ada } = await org.post<{ id: string }>('/objects/people/records', {
      data: { name: 'Ada', company },
    })
    await org.delete(`/objects/people/records/${ada.id}`)
    await org.delete(`/objects/companies/records/${company}`)
    await addLinks(org, company, 6000)
    await org.delete(`/objects/companies/trash/${company}`)
    const restored = await org.post(`/objects/people/trash/${ada.id}/restore`)
    expect(restored.body).toMatchObject({ losses: [{ code: 'record_deleted', otherRecordId: company }] })
  })
})
