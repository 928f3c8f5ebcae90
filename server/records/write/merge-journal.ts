// Records the changes of merges, so that they can be undone. A change and its journal entry are one transaction.
import sql, { type Sql } from 'sql-template-tag'
import type { Author } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import type { StoredRecord } from '../rows/stored-record.ts'

export interface Journal {
  org: number
  merge: string
}

/**
 * CTE `noted`: records the references that `written` changed. `written` has id, and the record's data as `before` and
 * `data`.
 */
export const notedReferences = (
  { org, merge }: Journal,
  { attr, slug }: { attr: number; slug: string },
  written: Sql,
): Sql => sql`
  noted as (
    insert into merge_changes (org, merge, kind, attr, id, before, after)
    select ${org}, ${merge}::uuid, 'reference', ${attr}::int, w.id, w.before->${slug}::text, w.data->${slug}::text
    from ${written} w on conflict do nothing)`

export interface NotedChange {
  id: string
  before: unknown
  after: unknown
}

type Kind = 'reference' | 'activity'

export const noteMergedChanges = (
  tx: Db,
  { org, merge }: Journal,
  { kind, attr = 0 }: { kind: Kind; attr?: number },
  changes: readonly NotedChange[],
): Promise<number> =>
  tx.run(sql`
    insert into merge_changes (org, merge, kind, attr, id, before, after)
    select ${org}, ${merge}::uuid, ${kind}, ${attr}::int, c.id, c.before, c.after
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c(id uuid, before jsonb, after jsonb)
    on conflict do nothing`)

const PAGE = 200
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** The recorded changes of a kind, in pages, ordered by id. */
export async function* mergedChanges(
  tx: Db,
  { org, merge }: Journal,
  { kind, attr = 0 }: { kind: Kind; attr?: number },
): AsyncGenerator<NotedChange[]> {
  for (let last: string | undefined = BEFORE_ALL; last !== undefined; ) {
    const page: NotedChange[] = await tx.many<NotedChange>(sql`
      select id, before, after from merge_changes
      where org = ${org} and merge = ${merge} and kind = ${kind} and attr = ${attr}::int and id > ${last}::uuid
      order by id limit ${PAGE}`)
    if (page.length > 0) yield page
    last = page.length === PAGE ? page.at(-1)?.id : undefined
  }
}

export const selectNotedAttributes = async (tx: Db, { org, merge }: Journal): Promise<number[]> => {
  const rows = await tx.many<{ attr: number }>(sql`
    select distinct attr from merge_changes where org = ${org} and merge = ${merge} and kind = 'reference' order by attr`)
  return rows.map(({ attr }) => attr)
}

export interface MergeRow {
  id: string
  winner: string
  losers: string[]
}

interface NewMerge extends MergeRow {
  /** The winner before and after the merge. */
  before: Pick<StoredRecord, 'data'>
  after: Pick<StoredRecord, 'data'>
  /** Attributes whose unique values the winner has claimed, including its own values whose claim a loser held. */
  claimed: readonly number[]
}

export const insertMerge = (
  tx: Db,
  { org, userId, keyId }: Author,
  { obj }: Pick<ObjectModel, 'obj'>,
  { before, after, claimed, ...merge }: NewMerge,
): Promise<number> =>
  tx.run(sql`
    insert into merges (org, id, obj, winner, losers, actor, api_key, "values")
    select ${org}, ${merge.id}, ${obj}, ${merge.winner}, ${merge.losers}::uuid[], ${userId}::uuid, ${keyId}::uuid, coalesce((
      select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'attr', a.attr, 'slug', a.slug, 'before', d.before->a.slug, 'after', d.after->a.slug)))
      from attributes a
      where a.org = ${org} and a.obj = ${obj} and a.deleted_at is null
        and (d.before->a.slug is distinct from d.after->a.slug or a.attr = any(${claimed}::int[]))), '[]')
    from (select ${before.data}::jsonb as before, ${after.data}::jsonb as after) as d`)

export interface LockedMerge extends MergeRow {
  /** JSON text: [{attr, slug, before, after}] */
  values: string
  /** A later merge into the same record, which must be undone first. */
  later: string | null
}

export const lockMerge = (tx: Db, { org, obj }: ObjectModel, id: string): Promise<LockedMerge | undefined> =>
  tx.maybeOne<LockedMerge>(sql`
    select m.id, m.winner, m.losers, m."values"::text as "values", (
      select l.id from merges l
      where l.org = m.org and l.obj = m.obj and l.winner = m.winner and (l.merged_at, l.id) > (m.merged_at, m.id)
      order by l.merged_at desc, l.id desc limit 1) as later
    from merges m where m.org = ${org} and m.obj = ${obj} and m.id = ${id} for update of m`)

/** The event by which the winner names the losers of a merge that is not undone. */
export const findAnnouncement = (
  tx: Db,
  { org, obj }: Pick<ObjectModel, 'org' | 'obj'>,
  { winner, losers }: MergeRow,
): Promise<string | undefined> =>
  tx.maybeValue<string>(sql`
    select id from events
    where org = ${org} and obj = ${obj} and subject = ${winner} and merged_ids = ${losers}::uuid[] order by id desc limit 1`)

/** The merges by which the records went to the trash, with their winners. */
export const selectMergesOf = (
  tx: Db,
  { org, obj }: Pick<ObjectModel, 'org' | 'obj'>,
  losers: readonly string[],
): Promise<MergeRow[]> =>
  tx.many<MergeRow>(sql`
    select m.id, m.winner, m.losers from merges m
    where m.org = ${org} and m.obj = ${obj} and m.losers && ${losers}::uuid[]
      and exists (
        select from trash t
        where t.org = m.org and t.obj = m.obj and t.id = any(m.losers) and t.id = any(${losers}::uuid[])
          and t.merged_into = m.winner)
    order by m.merged_at, m.id`)

export async function deleteMerge(tx: Db, { org, merge }: Journal): Promise<void> {
  await tx.run(sql`delete from merge_changes where org = ${org} and merge = ${merge}`)
  await tx.run(sql`delete from merges where org = ${org} and id = ${merge}`)
}
