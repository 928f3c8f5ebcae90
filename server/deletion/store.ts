// Counts the data that depends on objects, attributes and records.
import sql, { type Sql } from 'sql-template-tag'
import type { AttributeDeletion, ObjectDeletion, RecordDeletion } from '../../contract/deletion.ts'
import { LINKED_OBJECT, LINKED_RECORD, PERSON } from '../activities/store.ts'
import type { Db } from '../db/pool.ts'
import { type ObjectModel, StaleModel } from '../model/attributes/models.ts'
import { recordCount } from '../model/objects/record-count.ts'
import { recordsByIds } from '../model/objects/record-lookup.ts'
import { valueCount } from '../records/engine/value-count.ts'
import { isPresent } from '../records/filters/comparable.ts'
import { isCurrent } from '../records/rows/stored-record.ts'

type ObjectCounts = Omit<ObjectDeletion, 'referencedBy'>

export const countOfObject = (db: Db, org: number, { obj, id }: { obj: number; id: string }) =>
  db.one<ObjectCounts>(sql`
    select
      (select ${recordCount} from objects o where o.org = ${org} and o.obj = ${obj}) as records,
      (select count(*) from attributes where org = ${org} and obj = ${obj} and deleted_at is null) as attributes,
      (select count(*) from views where org = ${org} and obj = ${obj}) as views,
      (select count(*) from links where org = ${org} and attr = ${LINKED_OBJECT} and target = ${id}) as activities`)

/** Places in a view's state that can name an attribute: contract/views.ts ViewState. */
const PLACES = [
  '$.columns[*].slug',
  '$.sort.field',
  '$.thenBy[*].field',
  '$.board.groupBy',
  '$.board.sumOf',
  '$.filter.**.attributeSlug',
]
/** Whether a place names the attribute by its slug, or by a path that begins with the slug. */
const IS_NAMED = PLACES.map((place) => `exists(${place} ? (@ == $slug || @ starts with $path))`).join(' || ')

const isNamedIn = (slug: string): Sql =>
  sql`jsonb_path_match(v.state, ${IS_NAMED}::jsonpath, ${JSON.stringify({ slug, path: `${slug}.` })}::jsonb)`

/** @throws StaleModel */
export async function countOfAttribute(db: Db, model: ObjectModel, slug: string): Promise<AttributeDeletion> {
  const { org, obj } = model
  const counted = valueCount(model, slug)
  const scanned = sql`(
    select count(*) from records r
    where r.org = ${org} and r.obj = ${obj} and ${isPresent(sql`(r.data->${slug}::text)`)})`
  const { fresh, ...counts } = await db.one<AttributeDeletion & { fresh: boolean }>(sql`
    with changes as materialized (${counted?.changes ?? sql`select`})
    select ${isCurrent(model)} as fresh, ${counted?.total ?? scanned} as values,
      (select count(*) from views v where v.org = ${org} and v.obj = ${obj} and ${isNamedIn(slug)}) as views
    from changes`)
  if (!fresh) throw new StaleModel()
  return counts
}

/** The existing records among the ids. */
export const namedRecords = (model: ObjectModel, ids: readonly string[]): Sql =>
  sql`select r.* from ${recordsByIds(model, sql`${ids}::uuid[]`)}`

/** @param records a query of the records to delete @throws StaleModel */
export async function countOfRecords(db: Db, model: ObjectModel, records: Sql): Promise<RecordDeletion> {
  const { org, obj } = model
  const { fresh, ...counts } = await db.one<RecordDeletion & { fresh: boolean }>(sql`
    with going as materialized (
      select r.id from (${records}) as r),
    referrers as (
      select a.attr from attributes a join objects o on o.org = a.org and o.obj = a.obj
      where a.org = ${org} and a.target_obj = ${obj} and a.is_active and a.deleted_at is null and o.deleted_at is null)
    select ${isCurrent(model)} as fresh,
      (select count(*) from going) as records,
      (select count(*) from links l
       where l.org = ${org} and l.attr in (select attr from referrers) and l.target in (select id from going)
         and l.id not in (select id from going)) as references,
      (select count(distinct l.id) from links l
       where l.org = ${org} and l.attr in (${LINKED_RECORD}, ${PERSON})
         and l.target in (select id from going)) as activities`)
  if (!fresh) throw new StaleModel()
  return counts
}
