// The statement that reads the records of a level.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { cutToSize } from '../../http/page-size.ts'
import { ID_CHARACTERS, pageLine, readLine } from '../rows/page-lines.ts'
import { type StoredRecord, visibleBy } from '../rows/stored-record.ts'

export interface Target {
  obj: number
  id: string
}

/** A record of any object. */
export interface TargetRecord extends StoredRecord {
  objectId: string
}

const visible = visibleBy({ hidden: sql`o.hidden_slugs`, renaming: sql`o.renaming` }, sql`r.data`)

/** `<id of the object> <line of the record>` */
const line = sql`o.id || ' ' || ${pageLine(visible)}`

const readTarget = (text: string): TargetRecord => ({
  objectId: text.slice(0, ID_CHARACTERS),
  ...readLine(text.slice(ID_CHARACTERS + 1)),
})

const targetRecords = (org: number, targets: readonly Target[]): Sql => sql`
  select q.n, ${line} as line
  from unnest(${targets.map(({ obj }) => obj)}::int[], ${targets.map(({ id }) => id)}::uuid[])
    with ordinality as q (obj, id, n)
  join objects o on o.org = ${org} and o.obj = q.obj and o.deleted_at is null
  join records r on r.org = ${org} and r.obj = q.obj and r.id = q.id`

/** The records that exist, in the order of the targets, as many as fit into a page. */
export async function selectTargets(
  db: Db,
  org: number,
  targets: readonly Target[],
): Promise<{ records: TargetRecord[]; isComplete: boolean }> {
  if (targets.length === 0) return { records: [], isComplete: true }
  const fitting = cutToSize(targetRecords(org, targets), { text: sql`line`, order: sql`n` })
  const { lines, isComplete } = await db.one<{ lines: string | null; isComplete: boolean }>(sql`
    select string_agg(line, E'\n' order by n) as lines, count(*) = coalesce(max("rowCount"), 0) as "isComplete"
    from (${fitting}) as fitting`)
  return { records: (lines?.split('\n') ?? []).map(readTarget), isComplete }
}
