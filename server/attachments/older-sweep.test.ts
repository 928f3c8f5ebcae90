// A process of the version before migration 0080 ignores that files in the trash are in use, but removes none of them.
import sql, { type Sql } from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Attachment } from '../../contract/attachments.ts'
import { DASHBOARD_BUCKET } from '../../contract/buckets.ts'
import type { Db } from '../db/pool.ts'
import { removeFile } from '../files/confirm-upload.ts'
import { buildFileService } from '../files/files.fixture.ts'
import { FILE_COLUMNS, type FileRow } from '../files/store.ts'
import type { Org } from '../test/factories.ts'
import { buildOffice } from './attachments.fixture.ts'

const service = await buildFileService()
const { ctx } = service

/** The statements of that version, for one organization. */
const isUsed = ({ org }: Org) => sql`(
  exists (select from attachments a where a.org = ${org} and a.file_id = f.id)
  or exists (select from record_pictures p where p.org = ${org} and p.file_id = f.id)
  or exists (select from trash_files t where t.org = ${org} and t.file_id = f.id)
  or exists (select from users u where u.image_file = f.id))`

const mark = (db: Db, { org }: Org, condition: Sql) =>
  db.run(sql`
    update files f set unused_since = now()
    where f.org = ${org} and f.bucket = ${DASHBOARD_BUCKET} and f.state = 'stored' and f.unused_since is null
      and ${condition}`)

/** Marks files like a statement that began before the file was attached. */
const markByMistake = (db: Db, org: Org) => mark(db, org, sql`true`)

async function sweep(org: Org): Promise<void> {
  await mark(ctx.db, org, sql`not ${isUsed(org)}`)
  await ctx.db.run(sql`
    update files set unused_since = unused_since - interval '2 days' where org = ${org.org}`)
  const unused = await ctx.db.many<FileRow>(sql`
    select ${FILE_COLUMNS} from files f
    where f.org = ${org.org} and f.unused_since < now() - interval '24 hours' and not ${isUsed(org)}`)
  for (const file of unused) await removeFile(ctx, file)
}

async function erase(org: Org): Promise<void> {
  const rows = await ctx.db.many<FileRow>(sql`
    update files f set unused_since = '-infinity' from (
      select f.org, f.id from files f where f.org = ${org.org} and not ${isUsed(org)} order by f.id limit 20) as next
    where f.org = next.org and f.id = next.id returning ${FILE_COLUMNS}`)
  for (const file of rows) await removeFile(ctx, file)
}

async function buildTrash() {
  const office = await buildOffice(service)
  const { mia, places, upload } = office
  const { body } = await mia.post<Attachment>(places.record, { url: await upload() })
  const remove = async () => expect((await mia.delete(`${places.record}/${body.id}`)).status).toBe(200)
  const isThere = async () => (await service.get(body.url)).statusCode === 200
  return { ...office, attachment: body, remove, isThere }
}

const isMarked = ({ org }: Org) =>
  ctx.db.value<boolean>(sql`select unused_since is not null from files where org = ${org}`)

test.each([
  ['sweep', sweep],
  ['erasure', erase],
])('its %s keeps files in the trash, and removes files that were deleted from the trash', async (_, work) => {
  const { org, mia, attachment, remove, isThere } = await buildTrash()
  await remove()
  await work(org)
  expect(await isThere()).toBe(true)
  expect(await isMarked(org)).toBe(false)
  expect((await mia.delete(`/trashed-attachments/${attachment.id}`)).status).toBe(200)
  await work(org)
  expect(await isThere()).toBe(false)
  expect(await service.rows(org)).toEqual([])
})

/** Waits until a statement waits for a lock. */
const waiting = () =>
  expect
    .poll(() =>
      ctx.db.value<number>(sql`
        select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
    )
    .toBe(1)

test('moving a file to the trash removes a mark that was set by mistake during the move', async () => {
  const { org, remove } = await buildTrash()
  const { removing } = await ctx.db.transaction(async (tx) => {
    await markByMistake(tx, org)
    const removing = remove()
    await waiting()
    return { removing }
  })
  await removing
  expect(await isMarked(org)).toBe(false)
})

test('a mark that waits while a file moves to the trash is not set', async () => {
  const { org, attachment } = await buildTrash()
  const { marking } = await ctx.db.transaction(async (tx) => {
    const one = sql`org = ${org.org} and id = ${attachment.id}`
    await tx.run(sql`select from files where org = ${org.org} for update`)
    await tx.run(sql`
      insert into trash_attachments (org, id, obj, record_id, file_id, name, created_at)
      select org, id, obj, record_id, file_id, name, created_at from attachments where ${one}`)
    await tx.run(sql`delete from attachments where ${one}`)
    const marking = markByMistake(ctx.db, org)
    await waiting()
    return { marking }
  })
  expect(await marking).toBe(0)
  expect(await isMarked(org)).toBe(false)
})
