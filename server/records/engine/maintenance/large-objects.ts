// Finds objects that have become large. Each call checks a slice of all objects, and scans at most INDEX_FROM keys per
// object. Nothing is checked while PostgreSQL's statistics count no new record: ten thousand idle objects cost one
// read, and objects in use some milliseconds per second.
import sql from 'sql-template-tag'
import type { Db } from '../../../db/pool.ts'
import type { ObjectKey } from './work-store.ts'

/** Objects per slice. */
const SLICE = 200

export interface LargeObjectScan {
  /** @returns objects of the next slice that are large and have no index */
  next(): Promise<ObjectKey[]>
}

type Looked = ObjectKey & { isLarge: boolean }

const lookAt = (db: Db, after: ObjectKey, records: number) =>
  db.many<Looked>(sql`
    select o.org, o.obj,
           o.index_state = 'none' and o.index_since is null and o.deleted_at is null and exists (
             select from records r where r.org = o.org and r.obj = o.obj offset ${records - 1} limit 1) as "isLarge"
    from objects o where (o.org, o.obj) > (${after.org}::int, ${after.obj}::int) order by o.org, o.obj limit ${SLICE}`)

/**
 * Records ever inserted, by PostgreSQL's statistics. The number differs from an earlier one if records were inserted. 0
 * if PostgreSQL does not count.
 */
async function countInserted(db: Db): Promise<number> {
  const row = await db.maybeOne<{ inserted: number }>(
    sql`select n_tup_ins as inserted from pg_stat_user_tables where relid = 'records'::regclass`,
  )
  return row?.inserted ?? 0
}

const FIRST: ObjectKey = { org: 0, obj: 0 }

/** @param records an object with this many records is large */
export function createLargeObjectScan(db: Db, records: number): LargeObjectScan {
  let after = FIRST
  let inserted: number | undefined
  /** @returns whether a round that begins now could find anything */
  const mayFind = async () => {
    const now = await countInserted(db)
    const before = inserted
    inserted = now
    return now === 0 || now !== before
  }
  return {
    async next() {
      if (after === FIRST && !(await mayFind())) return []
      const looked = await lookAt(db, after, records)
      const last = looked.at(-1)
      after = last === undefined || looked.length < SLICE ? FIRST : { org: last.org, obj: last.obj }
      return looked.filter(({ isLarge }) => isLarge).map(({ org, obj }) => ({ org, obj }))
    },
  }
}
