// Statements of rewrite-values.ts.
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { type ObjectModel, StaleModel } from '../../model/attributes/models.ts'
import { recordOf } from '../../model/objects/record-lookup.ts'
import { isHere } from '../../placement/placement.ts'
import { indexUpdated } from '../engine/index/index-writes.ts'
import { isCurrent } from '../rows/stored-record.ts'
import { mergedComparable, updatedRows, WRITTEN } from '../write/statements.ts'
import { draftRows, FOR_CHANGE, type RecordDraft } from '../write/store.ts'

/** An object with records that are not processed yet. */
export interface Rewrite {
  org: number
  obj: number
  objectId: string
  /** The country of the organization. */
  country: string
  currency: string
}

/** Skips organizations whose data is in another cell. */
export const selectRewrites = (db: Db) =>
  db.many<Rewrite>(sql`
    select w.org, w.obj, o.id as "objectId", g.country, g.currency
    from value_rewrites w join objects o on o.org = w.org and o.obj = w.obj and o.deleted_at is null
    join organizations g on g.org = w.org
    where ${isHere(sql`w.org`)}
    order by w.org, w.obj`)

type RewriteRef = Pick<Rewrite, 'org' | 'obj'>

/** A second worker waits. @returns the last processed record; undefined if no records are left */
export const lockRewrite = (tx: Db, { org, obj }: RewriteRef) =>
  tx.maybeOne<{ after: string }>(sql`
    select after from value_rewrites where org = ${org} and obj = ${obj} for no key update`)

/** @param after the last processed record; undefined if no records are left */
export const saveRewrite = (tx: Db, { org, obj }: RewriteRef, after: string | undefined) =>
  tx.run(
    after === undefined
      ? sql`delete from value_rewrites where org = ${org} and obj = ${obj}`
      : sql`update value_rewrites set after = ${after}::uuid where org = ${org} and obj = ${obj}`,
  )

/** Spaces at the start or end of a text in JSON, and invisible characters at any position. */
const UNTIDY = String.raw`"(\s|\\[nrt])|(\s|\\[nrt])"\s*[],}]|[\u00a0\u00ad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u2064\u2066-\u206f\u3000\ufeff]`
const EXTENSION = String.raw`\d[^"a-z]*(;ext=|x|ext|#)[^"0-9]*\d`

/** Host names whose compared form equals their text. */
const PLAIN_HOST = String.raw`^(?!www\.|.*xn--)[a-z0-9-]+(\.[a-z0-9-]+)+$`

/** The attributes of an object that store a separate form for comparison. */
interface Compared {
  hasPhones: boolean
  /** Slugs of domains. */
  domains: readonly string[]
}

const isUntidy = ({ hasPhones, domains }: Compared) => sql`
  r.data::text is not nfc normalized or r.data::text ~ ${UNTIDY}
  or (${hasPhones} and r.comparable is not null and r.data::text ~* ${EXTENSION})
  or exists (
    select from unnest(${domains}::text[]) as d(slug)
    where r.comparable->d.slug is null and r.data->>d.slug !~ ${PLAIN_HOST})`

export interface OldRecord {
  id: string
  data: string
  comparable: string | null
}

interface Page {
  /** The last record of the page; null if no records are left. */
  last: string | null
  /** The records of the page that may need a rewrite, locked. */
  records: OldRecord[]
}

/** Maximum size of a page; a single record may be larger. */
const PAGE_BYTES = 4 * 1024 * 1024

/** Reads and locks the next records. @throws StaleModel */
export async function lockUntidy(
  tx: Db,
  model: ObjectModel,
  { after, limit, ...compared }: { after: string; limit: number } & Compared,
): Promise<Page> {
  const rows = await tx.many<Partial<OldRecord> & { last: string | null; fresh: boolean }>(sql`
    with page as materialized (
      select id from (
        select r.id, sum(octet_length(r.data::text)) over (order by r.id) - octet_length(r.data::text) as bytes_before
        from records r
        where r.org = ${model.org} and r.obj = ${model.obj} and r.id > ${after}::uuid order by r.id limit ${limit}) as r
      where bytes_before < ${PAGE_BYTES}),
    untidy as materialized (
      select r.id, r.data::text as data, r.comparable::text as comparable
      from page ${recordOf(model, sql`page.id`, { conditions: [sql`(${isUntidy(compared)})`], lock: FOR_CHANGE })})
    select untidy.*, state.* from (
      select ${isCurrent(model)} as fresh, (select max(id::text)::uuid from page) as last) as state
    left join untidy on true`)
  const [first] = rows
  if (!first?.fresh) throw new StaleModel()
  const records = rows.flatMap(({ id, data, comparable }) =>
    id && data ? [{ id, data, comparable: comparable ?? null }] : [],
  )
  return { last: first.last, records }
}

/** Updates only the compared forms of locked records, without a new version or event. */
export const updateComparable = (tx: Db, model: ObjectModel, drafts: readonly RecordDraft[]) =>
  tx.run(sql`
    with draft as (${draftRows(drafts)}),
    ${updatedRows(model.org, {
      set: sql`comparable = ${mergedComparable}`,
      from: sql`draft d ${recordOf(model, sql`d.id`)}`,
    })}
    ${indexUpdated(model, WRITTEN, new Set(drafts.flatMap(({ slugs }) => slugs)))}
    select from written`)
