// Every statement about files.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import { isHere } from '../placement/placement.ts'

export interface FileRef {
  org: number
  id: string
}

export interface WaitingFile extends FileRef {
  key: string
  token: string
}

export interface StoredFacts {
  size: number
  contentType: string
  /** null if the storage has no ETags. */
  etag: string | null
}

/** The data of a file that is needed to serve it or to check that it exists. */
export interface FileRow extends FileRef {
  key: string
  token: string
  bucket: string
  path: string
  state: 'waiting' | 'stored'
  /** Size and type of a waiting file are 0 and ''. */
  size: number
  contentType: string
  etag: string | null
}

export const FILE_COLUMNS = sql`f.org, f.id, f.key, f.token, f.bucket, f.path, f.state, coalesce(f.size, 0) as size,
  coalesce(f.content_type, '') as "contentType", f.etag`

interface NewFile extends FileRef {
  organizationId: string
  bucket: string
  path: string
  token: string
  createdBy: string
  expiresAt: Date
}

/**
 * The waiting file at this path: a new file, or the file of an earlier request, so that all addresses for one path lead
 * to one file. undefined: a stored file has the path.
 */
export const upsertWaiting = (db: Db, file: NewFile): Promise<WaitingFile | undefined> =>
  db.maybeOne<WaitingFile>(sql`
    insert into files as f (org, id, bucket, path, key, token, created_by, expires_at)
    values (${file.org}, ${file.id}, ${file.bucket}, ${file.path},
            ${`${file.organizationId}/${file.bucket}/${file.id}`}, ${file.token}, ${file.createdBy}, ${file.expiresAt})
    on conflict (org, bucket, path) do update set expires_at = greatest(f.expires_at, excluded.expires_at)
      where f.state = 'waiting'
    returning f.org, f.id, f.key, f.token`)

/** Bytes of the files of imports and jobs, which are in the database. */
const importedBytes = (org: number): Sql => sql`
  ((select coalesce(sum(i.bytes), 0)::bigint from imports i where i.org = ${org} and i.file_removed_at is null)
    + (select coalesce(sum(j.bytes), 0)::bigint from record_jobs j where j.org = ${org} and not j.settings ? 'ofImport'))`

/** Bytes of the organization's files, including the files of imports. */
export const selectUsedBytes = (db: Db, org: number): Promise<number> =>
  db.value<number>(sql`
    select ${importedBytes(org)} + coalesce((select bytes from file_usage where org = ${org}), 0) as bytes`)

/** The path of a deleted file, until the sweep removes it: its former path can be used again. */
export const deletedPath = (id: string): string => `deleted ${id}`

/** The file of a signed address; undefined if the file or its organization was deleted. */
export const findSigned = (db: Db, organizationId: string, id: string): Promise<FileRow | undefined> =>
  db.maybeOne<FileRow>(sql`
    select ${FILE_COLUMNS} from files f join organizations o using (org)
    where o.id = ${organizationId} and f.id = ${id} and f.path <> ${deletedPath(id)}`)

/** The file of a public address: the token is the permission to read it. */
export const findPublic = (db: Db, token: string): Promise<FileRow | undefined> =>
  db.maybeOne<FileRow>(
    sql`select ${FILE_COLUMNS} from files f join organizations o using (org) where f.token = ${token}`,
  )

/** Locks the row for the transaction. */
export const lockFile = (tx: Db, { org, id }: FileRef): Promise<FileRow | undefined> =>
  tx.maybeOne<FileRow>(
    sql`select ${FILE_COLUMNS} from files f where f.org = ${org} and f.id = ${id} for update`,
  )

/**
 * Marks a file as stored and adds it to the usage, unless the organization would exceed `limit`. Other transactions
 * that store files of this organization wait from here until this transaction ends.
 * @returns whether the file was stored
 */
export async function takeFile(
  tx: Db,
  { org, id }: FileRef,
  { size, contentType, etag }: StoredFacts,
  limit: number,
): Promise<boolean> {
  const taken = await tx.run(sql`
    with counted as (
      insert into file_usage as u (org, files, bytes)
      select ${org}, 1, ${size}::bigint where ${size}::bigint + ${importedBytes(org)} <= ${limit}::bigint
      on conflict (org) do update set files = u.files + 1, bytes = u.bytes + excluded.bytes
        where u.bytes + excluded.bytes + ${importedBytes(org)} <= ${limit}::bigint
      returning org)
    update files f set state = 'stored', stored_at = now(), size = ${size}, content_type = ${contentType}, etag = ${etag}
    from counted where f.org = counted.org and f.id = ${id}`)
  return taken === 1
}

/** How long an unused file is kept: a replaced picture may be set again. */
export const UNUSED_HOURS = 24

/** Does not mark a file that may be swept soon. @returns 0 if it is too late */
export const markUsed = (tx: Db, { org, id }: FileRef): Promise<number> =>
  tx.run(sql`
    update files set unused_since = null
    where org = ${org} and id = ${id} and state = 'stored'
      and (unused_since is null or unused_since > now() - make_interval(hours => ${UNUSED_HOURS - 1}))`)

/** Deletes the row of a file, and subtracts a stored file from the usage. Its bytes must be deleted before. */
export async function deleteFile(tx: Db, { org, id }: FileRef): Promise<void> {
  const deleted = await tx.maybeOne<{ size: number | null }>(
    sql`delete from files where org = ${org} and id = ${id} returning size`,
  )
  if (deleted && deleted.size !== null)
    await tx.run(
      sql`update file_usage set files = files - 1, bytes = bytes - ${deleted.size} where org = ${org}`,
    )
}

/** A batch of files in random order: files that always fail do not block the others. */
interface Batch {
  /** Ids that are left out. */
  failed: readonly string[]
  limit: number
}

/**
 * Files without an upload whose last upload address expired before `before`. Organizations that are in another cell are
 * left out: a cell that an organization moves to or has left has outdated rows of its files.
 */
export const selectUnused = (db: Db, { before, failed, limit }: Batch & { before: Date }) =>
  db.many<FileRow>(sql`
    select ${FILE_COLUMNS} from files f
    where f.state = 'waiting' and f.expires_at < ${before} and ${isHere(sql`f.org`)} and f.id <> all(${failed}::uuid[])
    order by random() limit ${limit}`)

interface Unchecked extends Batch {
  /** The files were last checked in the store, or else requested, before this time. */
  before: Date
  /** Their last upload address expired or expires after this time. */
  endedAfter: Date
}

/** Waiting files to look for in the store. */
export const selectUnchecked = (db: Db, { before, endedAfter, failed, limit }: Unchecked) =>
  db.many<FileRow>(sql`
    select ${FILE_COLUMNS} from files f join organizations o using (org)
    where f.state = 'waiting' and f.expires_at > ${endedAfter} and coalesce(f.checked_at, f.created_at) < ${before}
      and ${isHere(sql`f.org`)} and f.id <> all(${failed}::uuid[])
    order by random() limit ${limit}`)

export const markChecked = (db: Db, { org, id }: FileRef, at: Date): Promise<number> =>
  db.run(sql`update files set checked_at = ${at} where org = ${org} and id = ${id}`)

/** Files whose organization was deleted. */
export const selectOrphans = (db: Db, { failed, limit }: Batch): Promise<FileRow[]> =>
  db.many<FileRow>(sql`
    select ${FILE_COLUMNS} from files f
    where not exists (select from organizations o where o.org = f.org) and f.id <> all(${failed}::uuid[])
    order by random() limit ${limit}`)

export const deleteOrphanedUsage = (db: Db): Promise<number> =>
  db.run(sql`
    delete from file_usage u where not exists (select from organizations o where o.org = u.org)
      and not exists (select from files f where f.org = u.org)`)

export const sumUsage = (db: Db): Promise<{ files: number; bytes: number }> =>
  db.one<{ files: number; bytes: number }>(sql`
    select coalesce(sum(files), 0)::bigint as files, coalesce(sum(bytes), 0)::bigint as bytes from file_usage`)

/** Ids of the organizations whose files have the most bytes. */
export const selectLargest = (db: Db, limit: number): Promise<{ organization: string; bytes: number }[]> =>
  db.many<{ organization: string; bytes: number }>(sql`
    select o.id as organization, u.bytes from file_usage u join organizations o using (org)
    order by u.bytes desc, u.org limit ${limit}`)

interface StoredKey extends FileRef {
  key: string
}

const STORED = sql`select f.org, f.id, f.key from files f where f.state = 'stored' and ${isHere(sql`f.org`)}`

/** Some stored files of all organizations here: the last ones, and others at random, `each` of both. */
export const selectStoredSample = (db: Db, each: number): Promise<StoredKey[]> =>
  db.many<StoredKey>(sql`
    (${STORED} order by f.stored_at desc limit ${each}) union (${STORED} order by random() limit ${each})`)

/** The keys of those of the files that are still stored. */
export const selectStillStored = (db: Db, files: readonly FileRef[]): Promise<{ key: string }[]> =>
  db.many<{ key: string }>(sql`
    select f.key from files f
    join unnest(${files.map(({ org }) => org)}::int[], ${files.map(({ id }) => id)}::uuid[]) as known (org, id) using (org, id)
    where f.state = 'stored' order by f.key`)
