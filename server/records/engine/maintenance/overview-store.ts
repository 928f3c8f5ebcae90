// Indexes for operators: their objects, progress and backlog.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../../db/pool.ts'
import type { IndexState } from '../../../model/attributes/object-index.ts'
import { type ObjectKey, ofObject } from './work-store.ts'

export interface IndexedObject extends ObjectKey {
  /** Slugs of the organization and of the object. */
  organization: string
  object: string
  /** `clearing`: the index was dropped, and its rows are being deleted. */
  state: IndexState | 'clearing'
  records: number
  /** Records whose rows are filled in; null when nothing is being filled in. */
  filled: number | null
  /** Number of attributes counted by value or range, and of attributes that are searched. */
  counted: number
  searched: number
  /** Statements whose changes are not folded yet. */
  unfolded: number
}

const isBusy = sql`o.index_since is not null`

/** @param org internal number; null: every organization */
export const selectIndexes = (db: Db, org: number | null) =>
  db.many<IndexedObject>(sql`
    select o.org, o.obj, g.slug as organization, o.slug as object,
           case when o.index_state = 'none' and ${isBusy} then 'clearing' else o.index_state end as state,
           (select count(*) from records r where r.org = o.org and r.obj = o.obj) as records,
           case when ${isBusy} and o.index_state <> 'none' then o.index_seen end as filled,
           (select count(*) from attributes a where a.org = o.org and a.obj = o.obj and a.deleted_at is null
              and a.is_counted and a.counting in ('values', 'ranges')) as counted,
           (select count(*) from attributes a where a.org = o.org and a.obj = o.obj and a.deleted_at is null
              and a.search_state <> 'none') as searched,
           (select count(*) from stat_changes h where h.org = o.org and h.obj = o.obj) as unfolded
    from objects o join organizations g on g.org = o.org
    where o.deleted_at is null and (${org}::int is null or o.org = ${org}::int)
      and (o.index_state <> 'none' or ${isBusy}) order by g.slug, o.slug`)

const rowsOf = (table: Sql, object: ObjectKey): Sql => sql`
  (select count(*) from ${table} t
   where t.org = ${object.org} and t.attr in (select a.attr from attributes a where ${ofObject(object, sql`a`)}))`

/** The number of rows of each kind. Counting takes a second for every ten million rows. */
export const countIndexRows = (db: Db, object: ObjectKey) =>
  db.one<{ text: number; number: number; missing: number; search: number }>(sql`
    select ${rowsOf(sql`index_text`, object)} as text, ${rowsOf(sql`index_number`, object)} as number,
           ${rowsOf(sql`index_missing`, object)} as missing, ${rowsOf(sql`index_search`, object)} as search`)

/** Index work that waits for the background. */
export interface IndexBacklog {
  /** Objects whose indexes are being built or cleared. */
  building: number
  /** Statements whose changes are not folded, and how long ago the first of them began; 0 if there are none. */
  unfolded: number
  oldestSeconds: number
}

/** `unfolded` counts up to this number. */
export const INDEX_COUNTED_MAX = 100_000

export const selectBacklog = (db: Db) =>
  db.one<IndexBacklog>(sql`
    select (select count(*) from objects o where ${isBusy} and o.deleted_at is null) as building,
           count(*) as unfolded, coalesce(extract(epoch from now() - min(h.at)), 0)::float8 as "oldestSeconds"
    from (select at from stat_changes limit ${INDEX_COUNTED_MAX}) as h`)
