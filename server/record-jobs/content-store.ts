// Statements about the files of jobs, which are stored as chunks of bytes with their offsets.
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import { BYTES_BEFORE } from '../imports/csv/encoding.ts'
import { isThis, type JobRef } from './store.ts'

export interface StoredUpload {
  offset: number
  isComplete: boolean
}

/** The state of the file to which a piece is added. */
export interface StoredContent extends StoredUpload {
  isCsv: boolean
  hasOtherBytes: boolean
  /** At least BYTES_BEFORE bytes, or all bytes of a shorter file. */
  lastBytes: Buffer
}

/** @returns undefined if the job does not exist or has no file to upload */
export const findUpload = (db: Db, ref: JobRef): Promise<StoredUpload | undefined> =>
  db.maybeOne<StoredUpload>(sql`
    select bytes as offset, status <> 'awaiting_upload' as "isComplete" from record_jobs
    where ${isThis(ref)} and type = 'import'`)

/** @returns undefined in the same cases as findUpload */
export const findContent = (db: Db, ref: JobRef): Promise<StoredContent | undefined> =>
  db.maybeOne<StoredContent>(sql`
    select j.bytes as offset, j.status <> 'awaiting_upload' as "isComplete", j.settings->>'format' = 'csv' as "isCsv",
      coalesce((j.settings->>'hasOtherBytes')::bool, false) as "hasOtherBytes", (
        select coalesce(string_agg(l.tail, '' order by l.starts_at), '') from (
          select c.starts_at, substring(c.bytes from greatest(1, length(c.bytes) - ${BYTES_BEFORE - 1}::int)) as tail
          from record_job_chunks c where c.org = j.org and c.job = j.id
          order by c.starts_at desc limit ${BYTES_BEFORE}) as l) as "lastBytes"
    from record_jobs j where j.org = ${ref.org} and j.id = ${ref.id} and j.type = 'import'`)

/** @returns false if the file does not end at the offset, or if the job accepts no more bytes */
export const appendChunk = async (
  db: Db,
  ref: JobRef,
  { offset, bytes, breaks, isOther }: { offset: number; bytes: Buffer; breaks: number; isOther: boolean },
): Promise<boolean> =>
  (await db.run(sql`
    with moved as (
      update record_jobs set bytes = bytes + ${bytes.length}::bigint, breaks = breaks + ${breaks}::bigint,
        settings = case when ${isOther}::bool then settings || '{"hasOtherBytes": true}' else settings end
      where ${isThis(ref)} and status = 'awaiting_upload' and bytes = ${offset} returning org, id)
    insert into record_job_chunks (org, job, starts_at, bytes) select org, id, ${offset}, ${bytes} from moved`)) >
  0

/**
 * The last line may lack a line break. The lines of UTF-16 files cannot be counted by bytes.
 * @returns false if the file is empty or does not end at the offset
 */
export const finishContent = async (tx: Db, { org, id }: JobRef, offset: number): Promise<boolean> =>
  (await tx.run(sql`
    update record_jobs j set status = 'queued', total = case when j.settings->>'encoding' like 'utf-16%' then null else j.breaks + (
      select case when get_byte(c.bytes, length(c.bytes) - 1) = 10 then 0 else 1 end from record_job_chunks c
      where c.org = j.org and c.job = j.id order by c.starts_at desc limit 1) end
    where j.org = ${org} and j.id = ${id} and j.status = 'awaiting_upload' and j.bytes = ${offset} and j.bytes > 0`)) >
  0

/** The bytes of the file from an offset, one chunk at a time. */
export async function* readContent(db: Db, { org, id }: JobRef, from = 0): AsyncGenerator<Buffer> {
  for (let offset = from; ; ) {
    const rest = await db.maybeValue<Buffer>(sql`
      select substring(bytes from (${offset}::bigint - starts_at)::int + 1) as rest from record_job_chunks
      where org = ${org} and job = ${id} and starts_at <= ${offset} order by starts_at desc limit 1`)
    if (!rest || rest.length === 0) return
    yield rest
    offset += rest.length
  }
}

export const insertPiece = (
  tx: Db,
  { org, id }: JobRef,
  { offset, bytes }: { offset: number; bytes: Buffer },
) =>
  tx.run(sql`
    insert into record_job_chunks (org, job, starts_at, bytes) values (${org}, ${id}, ${offset}, ${bytes})`)
