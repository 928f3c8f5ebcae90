// Files that programs uploaded: they are listed, read and deleted.
import sql, { type Sql } from 'sql-template-tag'
import { DASHBOARD_BUCKET } from '../../contract/buckets.ts'
import { isUuid, type Pagination } from '../../contract/common.ts'
import type { UploadedFile, UploadedFileQuery } from '../../contract/files.ts'
import type { ActingUser } from '../../contract/members.ts'
import { type Caller, shownUser } from '../base/caller.ts'
import { AppError, invalid, notFound } from '../base/errors.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/pool.ts'
import { lastSegment } from '../files/path.ts'
import { publicUrlOf } from '../files/service.ts'
import { deletedPath } from '../files/store.ts'
import { sealOf } from '../http/cursor.ts'
import { askedPage, newestFirst, pageOf } from '../http/paging.ts'
import { isStorable, NOT_STORABLE } from '../http/storable.ts'
import { type StoredUse, selectUses } from './unused-store.ts'

interface Row extends Omit<UploadedFile, 'name' | 'url'> {
  token: string
  createdBy: ActingUser | null
}

/** Only stored files of programs that are not deleted: of these, `unused_since` marks only deleted ones. */
const isListed = (org: number): Sql => sql`
  f.org = ${org} and f.state = 'stored' and f.bucket <> ${DASHBOARD_BUCKET} and f.unused_since is null`

const SELECTED = sql`
  select f.id, f.bucket, f.path, f.size, f.content_type as "contentType", f.token, f.created_at as "createdAt",
    case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as "createdBy"
  from files f left join users u on u.id = f.created_by`

const shown = (ctx: { config: Config }, caller: Caller, { token, ...row }: Row): UploadedFile => ({
  ...row,
  name: lastSegment(row.path),
  url: publicUrlOf(ctx, token, row.path),
  createdBy: shownUser(caller, row.createdBy),
})

type FileReading = { db: Db; config: Config }

/** Newest first. @throws 400 invalid_parameter */
export async function listFiles(
  ctx: FileReading,
  caller: Caller,
  { bucket, prefix, ...params }: UploadedFileQuery,
): Promise<{ files: UploadedFile[]; pagination: Pagination }> {
  const { org } = caller
  if (!isStorable(prefix ?? ''))
    throw invalid('invalid_parameter', [{ path: 'prefix', code: 'invalid_text', message: NOT_STORABLE }])
  const asked = askedPage(params, { seal: sealOf(['files', org, bucket ?? null, prefix ?? null]) })
  const isAsked = sql`${isListed(org)} and (${bucket ?? null}::text is null or f.bucket = ${bucket ?? null})
    and starts_with(f.path, ${prefix ?? ''})`
  const found = await ctx.db.many<Row>(sql`${SELECTED} where ${isAsked} ${newestFirst(sql`f.id`, asked)}`)
  const total = asked.count
    ? await ctx.db.value<number>(sql`select count(*)::int as total from files f where ${isAsked}`)
    : undefined
  const { rows, pagination } = pageOf(asked, { found, total })
  return { files: rows.map((row) => shown(ctx, caller, row)), pagination }
}

/** @throws 404 not_found */
export async function getFile(ctx: FileReading, caller: Caller, id: string): Promise<UploadedFile> {
  const row = isUuid(id)
    ? await ctx.db.maybeOne<Row>(sql`${SELECTED} where ${isListed(caller.org)} and f.id = ${id}`)
    : undefined
  if (!row) throw notFound('file')
  return shown(ctx, caller, row)
}

const USES_SHOWN = 10

function textOf({ kind, recordId, activityId }: StoredUse): string {
  if (kind === 'profile') return 'the picture of a member'
  if (kind === 'picture') return `the picture of the record ${recordId}`
  const holder = activityId === null ? `the record ${recordId}` : `the activity ${activityId}`
  return kind === 'trash' ? `a removed file of ${holder} in the trash` : `an attachment of ${holder}`
}

function inUse(uses: readonly [StoredUse, ...StoredUse[]]): AppError {
  const more = uses.length > 1 ? ', and is used elsewhere too' : ''
  return new AppError('wrong_state', `The file is ${textOf(uses[0])}${more}: remove it there first`, {
    usedBy: uses.slice(0, USES_SHOWN),
  })
}

/**
 * Ends the address of the file and frees its path. The sweep of unused files removes the content and the row a day
 * later: until then its upload URL cannot store another object with its key.
 * @throws 404 not_found, 409 wrong_state
 */
export const deleteFile = ({ db }: { db: Db }, { org }: Caller, id: string): Promise<string> =>
  db.transaction(async (tx) => {
    const isIt = sql`${isListed(org)} and f.id = ${id}`
    // A transaction that starts to use the file locks it too: its use is visible here, or it finds no file.
    const found = isUuid(id)
      ? await tx.maybeValue<string>(sql`select f.id from files f where ${isIt} for update`)
      : undefined
    if (found === undefined) throw notFound('file')
    const [use, ...others] = await selectUses(tx, { org, id: found })
    if (use) throw inUse([use, ...others])
    const ended = deletedPath(found)
    await tx.run(sql`
      update files f set unused_since = now(), path = ${ended}, token = ${ended} where ${isIt}`)
    return found
  })
