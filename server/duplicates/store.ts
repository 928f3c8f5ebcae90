// Statements about duplicate rules, searches and groups.
import sql, { empty, type Sql } from 'sql-template-tag'
import type { DuplicateSearch } from '../../contract/duplicates.ts'
import type { UserRef } from '../../contract/members.ts'
import type { Db } from '../db/pool.ts'
import { cutToSize, isCut, type Measured } from '../http/page-size.ts'
import type { PageSpan } from '../http/paging.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import { recordCount } from '../model/objects/record-count.ts'
import { recordsByIds } from '../model/objects/record-lookup.ts'
import { updatedMicros } from '../records/rows/sorting.ts'
import { type StoredRecord, visibleData } from '../records/rows/stored-record.ts'

export type RulesObject = Pick<ObjectModel, 'org' | 'obj'>

export async function selectSwitches(db: Db, { org, obj }: RulesObject): Promise<Map<string, boolean>> {
  const rows = await db.many<{ rule: string; isActive: boolean }>(sql`
    select rule, is_active as "isActive" from duplicate_rules where org = ${org} and obj = ${obj}`)
  return new Map(rows.map(({ rule, isActive }) => [rule, isActive]))
}

export const switchRule = (db: Db, { org, obj }: RulesObject, rule: string, isActive: boolean) =>
  db.run(sql`
    insert into duplicate_rules (org, obj, rule, is_active) values (${org}, ${obj}, ${rule}, ${isActive})
    on conflict (org, obj, rule) do update set is_active = excluded.is_active`)

const searchColumns = sql`
  s.id, s.state, s.seen, s.total, s.started_at as "startedAt", s.finished_at as "finishedAt", s.found_at as "foundAt"`

export const findSearch = (db: Db, { org, obj }: RulesObject): Promise<DuplicateSearch | undefined> =>
  db.maybeOne<DuplicateSearch>(sql`
    select ${searchColumns} from duplicate_searches s where s.org = ${org} and s.obj = ${obj}`)

/** @returns undefined if a search is running */
export const insertSearch = (
  tx: Db,
  { org, obj }: RulesObject,
  { id, total }: { id: string; total: number },
): Promise<DuplicateSearch | undefined> =>
  tx.maybeOne<DuplicateSearch>(sql`
    insert into duplicate_searches as s (org, obj, id, total) values (${org}, ${obj}, ${id}, ${total})
    on conflict (org, obj) do update set id = excluded.id, state = 'running', seen = 0, total = excluded.total,
      started_at = clock_timestamp(), finished_at = null
    where s.state <> 'running'
    returning ${searchColumns}`)

export const cancelSearch = (db: Db, { org, obj }: RulesObject) =>
  db.run(sql`
    update duplicate_searches set state = 'cancelled', finished_at = clock_timestamp()
    where org = ${org} and obj = ${obj} and state = 'running'`)

/** Objects whose last search ended more than a day ago, and that have changed since that search began. */
export const selectOutdated = (db: Db) =>
  db.many<{ org: number; objectId: string }>(sql`
    select s.org, o.id as "objectId" from duplicate_searches s join objects o on o.org = s.org and o.obj = s.obj
    where s.state <> 'running' and s.finished_at < now() - interval '1 day' and o.is_active and o.deleted_at is null
      and exists (select from records r where r.org = s.org and r.obj = s.obj and r.updated_at > s.started_at)
    order by s.finished_at`)

/** The payload of the job of a search. */
export interface SearchRef extends RulesObject {
  id: string
  objectId: string
}

const isRunning = ({ org, obj, id }: SearchRef) =>
  sql`org = ${org} and obj = ${obj} and id = ${id} and state = 'running'`

/** @returns whether the search is still running */
export const noteSeen = async (db: Db, search: SearchRef, seen: number): Promise<boolean> =>
  (await db.run(sql`update duplicate_searches set seen = ${seen} where ${isRunning(search)}`)) > 0

/** A second worker finds the search completed. @returns whether the search was running */
export const completeSearch = async (tx: Db, search: SearchRef, seen: number): Promise<boolean> =>
  (await tx.run(sql`
    update duplicate_searches
    set state = 'completed', seen = ${seen}, finished_at = clock_timestamp(), found_at = clock_timestamp()
    where ${isRunning(search)}`)) > 0

export interface FoundGroup {
  id: string
  /** The oldest record first. */
  records: readonly string[]
  rules: readonly string[]
}

/** Replaces the previous groups that were not dismissed. */
export async function replaceGroups(tx: Db, { org, obj }: RulesObject, groups: readonly FoundGroup[]) {
  await tx.run(sql`
    delete from duplicate_groups where org = ${org} and obj = ${obj} and dismissed_at is null`)
  await tx.run(sql`
    insert into duplicate_groups (org, obj, id, records, rules)
    select ${org}, ${obj}, g.id, g.records, g.rules
    from jsonb_to_recordset(${JSON.stringify(groups)}::jsonb) as g(id uuid, records uuid[], rules text[])`)
}

/** The records of each dismissed group. */
export async function selectDismissed(db: Db, { org, obj }: RulesObject): Promise<string[][]> {
  const rows = await db.many<{ records: string[] }>(sql`
    select records::text[] as records from duplicate_groups
    where org = ${org} and obj = ${obj} and dismissed_at is not null`)
  return rows.map(({ records }) => records)
}

export interface GroupRow {
  id: string
  records: string[]
  reasons: string[]
  foundAt: Date
  dismissedAt: Date | null
  dismissedBy: UserRef | null
}

const groupColumns = sql`
  g.id, g.records::text[] as records, g.rules as reasons, g.found_at as "foundAt", g.dismissed_at as "dismissedAt",
  case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as "dismissedBy"`

/** Whether at least two records of the group exist. */
const isLive = sql`2 = (
  select count(*) from (
    select from unnest(g.records) as m(id) cross join lateral (
      select from records r where r.org = g.org and r.obj = g.obj and r.id = m.id offset 0) as r
    limit 2) as two)`

const listed = ({ org, obj }: RulesObject, isDismissed: boolean) =>
  sql`g.org = ${org} and g.obj = ${obj} and (g.dismissed_at is null) = ${!isDismissed} and ${isLive}`

/** Continues after the group of a position, whose key is its number of reasons. */
const after = ({ position }: PageSpan): Sql =>
  position ? sql`and (-cardinality(g.rules), g.id) > (-${position.key}::int, ${position.id}::uuid)` : empty

/** Groups with the most reasons first, and one more group if another page follows. */
export const selectDuplicateGroups = (db: Db, owner: RulesObject, isDismissed: boolean, page: PageSpan) =>
  db.many<GroupRow>(sql`
    select ${groupColumns} from duplicate_groups g left join users u on u.id = g.dismissed_by
    where ${listed(owner, isDismissed)} ${after(page)}
    order by cardinality(g.rules) desc, g.id limit ${page.limit + 1} offset ${page.offset}`)

export const countGroups = (db: Db, owner: RulesObject, isDismissed: boolean): Promise<number> =>
  db.value<number>(sql`
    select count(*)::int as count from duplicate_groups g where ${listed(owner, isDismissed)}`)

/** The remaining records of a group. @returns undefined if the group does not exist */
export const findGroupRecords = (
  db: Db,
  { org, obj }: RulesObject,
  id: string,
): Promise<string[] | undefined> =>
  db.maybeValue<string[]>(sql`
    select array(
      select m.id::text from unnest(g.records) with ordinality as m(id, place)
      join records r on r.org = g.org and r.obj = g.obj and r.id = m.id order by m.place) as ids
    from duplicate_groups g where g.org = ${org} and g.obj = ${obj} and g.id = ${id}`)

/** @returns undefined if the group does not exist */
export const dismissGroup = (
  db: Db,
  { org, obj }: RulesObject,
  { id, isDismissed, userId }: { id: string; isDismissed: boolean; userId: string | null },
): Promise<GroupRow | undefined> =>
  db.maybeOne<GroupRow>(sql`
    with g as (
      update duplicate_groups g
      set dismissed_at = case when ${isDismissed}::boolean then coalesce(g.dismissed_at, clock_timestamp()) end,
        dismissed_by = case when ${isDismissed}::boolean then coalesce(g.dismissed_by, ${userId}::uuid) end
      where g.org = ${org} and g.obj = ${obj} and g.id = ${id} returning *)
    select ${groupColumns} from g left join users u on u.id = g.dismissed_by`)

/** The existing records among the ids, by id. */
export async function selectRecords(
  db: Db,
  model: ObjectModel,
  ids: readonly string[],
): Promise<Map<string, StoredRecord>> {
  const rows = await db.many<StoredRecord>(sql`
    select r.id, ${updatedMicros} as micros, r.version, ${visibleData(model)}::text as data
    from ${recordsByIds(model, sql`${ids}::uuid[]`)}`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The first groups with their records: at least one group, and as many as fit on a page. */
export async function selectFitting(
  db: Db,
  model: ObjectModel,
  groups: readonly GroupRow[],
): Promise<{ groups: GroupRow[]; records: Map<string, StoredRecord> }> {
  const ids = groups.flatMap(({ records }) => records)
  const first = groups[0]?.records.length ?? 0
  const records = sql`
    select r.id, ${updatedMicros} as micros, r.version, ${visibleData(model)}::text as data,
      array_position(${ids}::uuid[], r.id) as place
    from ${recordsByIds(model, sql`${ids}::uuid[]`)}`
  const others = sql`case when page.place > ${first}::int then page.data end`
  const page = cutToSize(records, { text: others, order: sql`page.place` })
  const rows = await db.many<StoredRecord & Measured & { place: number }>(sql`${page} order by place`)
  const last = isCut(rows) ? (rows.at(-1)?.place ?? 0) : ids.length
  let end = 0
  const fitting = groups.filter((group) => {
    end += group.records.length
    return end <= last
  })
  return { groups: fitting, records: new Map(rows.map((row) => [row.id, row])) }
}

export const countComparedRecords = (db: Db, { org, obj }: RulesObject): Promise<number> =>
  db.value<number>(sql`select ${recordCount} as count from objects o where o.org = ${org} and o.obj = ${obj}`)
