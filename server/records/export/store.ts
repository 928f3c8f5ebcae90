// Reads all records of an object in pages, with only one page in memory.
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { nextSize } from '../../jobs/batch-size.ts'
import { type ObjectModel, StaleModel } from '../../model/attributes/models.ts'
import { updatedMicros } from '../rows/sorting.ts'
import { isCurrent, type StoredRecord, visibleData } from '../rows/stored-record.ts'

const LOWEST_ID = '00000000-0000-0000-0000-000000000000'

/** Allows any idle time: the snapshot waits for a client that reads slowly. */
export const takeAnyIdleTime = (tx: Db): Promise<number> =>
  tx.run(sql`set local idle_in_transaction_session_timeout = 0`)

/** Records after the id `after`, by id. */
export async function selectBatch(
  tx: Db,
  model: ObjectModel,
  { after = LOWEST_ID, limit }: { after?: string | undefined; limit: number },
): Promise<StoredRecord[]> {
  const { org, obj } = model
  const rows = await tx.many<StoredRecord & { id: string | null; fresh: boolean }>(sql`
    select page.*, state.fresh from (select ${isCurrent(model)} as fresh) as state left join (
      select r.id, ${updatedMicros} as micros, r.version, ${visibleData(model)}::text as data from records r
      where r.org = ${org} and r.obj = ${obj} and r.id > ${after}::uuid
      order by r.id limit ${limit}) as page on true
    order by page.id`)
  if (!rows[0]?.fresh) throw new StaleModel()
  return rows.filter(({ id }) => id !== null)
}

/** The target size of a page in characters, which limits the memory of an export. */
const PAGE_CHARACTERS = 512 * 1024
const PAGE_RECORDS = { first: 8, min: 1, max: 200 }

/** The number of records in the next page, by the size of the records in this page. */
function nextPage(size: number, page: readonly StoredRecord[]): number {
  const characters = page.reduce((sum, { data }) => sum + data.length, 0)
  return Math.floor(nextSize(size, (page.length * PAGE_CHARACTERS) / Math.max(1, characters), PAGE_RECORDS))
}

/** Reads the queries of recordStreams page by page, in the snapshot of `tx`. */
export async function* readStreams(
  tx: Db,
  model: ObjectModel,
  streams: readonly Sql[],
): AsyncGenerator<StoredRecord[]> {
  for (const rows of streams) {
    await tx.run(sql`
      declare exported no scroll cursor for
      select r.id, ${updatedMicros} as micros, r.version, ${visibleData(model)}::text as data
      from (${rows}) as r where ${isCurrent(model)}`)
    for (let size = PAGE_RECORDS.first, isMore = true; isMore; ) {
      const page = await tx.many<StoredRecord>(sql`fetch ${raw(String(size))} from exported`)
      isMore = page.length === size
      if (page.length > 0) yield page
      size = nextPage(size, page)
    }
    await tx.run(sql`close exported`)
  }
}

export const countStoredRecords = (db: Db, { org, obj }: ObjectModel): Promise<number> =>
  db.value<number>(sql`select count(*) as count from records where org = ${org} and obj = ${obj}`)

export const hasRecords = (db: Db, { org, obj }: ObjectModel): Promise<boolean> =>
  db.value<boolean>(sql`select exists (select from records where org = ${org} and obj = ${obj}) as present`)

/** The ids of the oldest records of an object. */
export async function selectOldestIds(db: Db, { org, obj }: ObjectModel, limit: number): Promise<string[]> {
  const rows = await db.many<{ id: string }>(
    sql`select id from records where org = ${org} and obj = ${obj} order by id limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}
