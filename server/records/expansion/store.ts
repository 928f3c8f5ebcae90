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

/** Slugs of the attributes to show, by object; an object that is not listed shows all. */
export type ShownFields = ReadonlyMap<number, ReadonlySet<string>>

/** A record of any object. */
export interface TargetRecord extends StoredRecord {
  objectId: string
}

const visible = visibleBy({ hidden: sql`o.hidden_slugs`, renaming: sql`o.renaming` }, sql`r.data`)

function shown(fields: ShownFields): Sql {
  if (fields.size === 0) return visible
  const chosen = sql`${fieldsJson(fields)}::jsonb -> q.obj::text`
  return sql`
    case when ${chosen} is null then ${visible} else coalesce(
      (select jsonb_object_agg(f.key, f.value) from jsonb_each(${visible}) as f where ${chosen} ? f.key), '{}') end`
}

/** `<id of the object> <line of the record>` */
const line = (fields: ShownFields) => sql`o.id || ' ' || ${pageLine(shown(fields))}`

const readTarget = (text: string): TargetRecord => ({
  objectId: text.slice(0, ID_CHARACTERS),
  ...readLine(text.slice(ID_CHARACTERS + 1)),
})

/** For each object with chosen fields, the array of their slugs, as JSON. */
const fieldsJson = (fields: ShownFields) =>
  JSON.stringify(Object.fromEntries([...fields].map(([obj, slugs]) => [obj, [...slugs]])))

const targetRecords = (org: number, targets: readonly Target[], fields: ShownFields): Sql => sql`
  select q.n, ${line(fields)} as line
  from unnest(${targets.map(({ obj }) => obj)}::int[], ${targets.map(({ id }) => id)}::uuid[])
    with ordinality as q (obj, id, n)
  join objects o on o.org = ${org} and o.obj = q.obj and o.deleted_at is null
  join records r on r.org = ${org} and r.obj = q.obj and r.id = q.id`

/** The records that exist, in the order of the targets, as many as fit into a page. */
export async function selectTargets(
  db: Db,
  org: number,
  targets: readonly Target[],
  fields: ShownFields,
): Promise<{ records: TargetRecord[]; isComplete: boolean }> {
  if (targets.length === 0) return { records: [], isComplete: true }
  const fitting = cutToSize(targetRecords(org, targets, fields), { text: sql`line`, order: sql`n` })
  const { lines, isComplete } = await db.one<{ lines: string | null; isComplete: boolean }>(sql`
    select string_agg(line, E'\n' order by n) as lines, count(*) = coalesce(max("rowCount"), 0) as "isComplete"
    from (${fitting}) as fitting`)
  return { records: (lines?.split('\n') ?? []).map(readTarget), isComplete }
}
