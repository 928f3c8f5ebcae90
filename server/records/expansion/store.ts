// The statement that reads the records of a level.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { cutToSize, isCut, type Measured } from '../../http/page-size.ts'
import { updatedMicros } from '../rows/sorting.ts'
import { type StoredRecord, visibleBy } from '../rows/stored-record.ts'

export interface Target {
  obj: number
  id: string
}

/** A record of any object. */
export interface TargetRecord extends StoredRecord {
  objectId: string
}

const targetRecords = (org: number, targets: readonly Target[]): Sql => sql`
  select q.n, r.id, o.id as "objectId", ${updatedMicros} as micros, r.version,
    ${visibleBy({ hidden: sql`o.hidden_slugs`, renaming: sql`o.renaming` }, sql`r.data`)}::text as data
  from unnest(${targets.map(({ obj }) => obj)}::int[], ${targets.map(({ id }) => id)}::uuid[])
    with ordinality as q (obj, id, n)
  join objects o on o.org = ${org} and o.obj = q.obj and o.deleted_at is null
  join records r on r.org = ${org} and r.obj = q.obj and r.id = q.id
  order by q.n`

/** The records that exist, in the order of the targets, as many as fit into a page. */
export async function selectTargets(
  db: Db,
  org: number,
  targets: readonly Target[],
): Promise<{ records: TargetRecord[]; isComplete: boolean }> {
  if (targets.length === 0) return { records: [], isComplete: true }
  const records = await db.many<TargetRecord & Measured>(
    cutToSize(targetRecords(org, targets), { text: sql`data`, order: sql`n` }),
  )
  return { records, isComplete: !isCut(records) }
}
