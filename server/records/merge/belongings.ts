// Rows that belong to a record, such as comments: a merge moves them to the winner, and undoing the merge returns them.
import sql, { type RawValue, raw } from 'sql-template-tag'
import type { Author } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import type { DeletedRecords } from '../../model/objects/deleted-records.ts'
import type { FollowedMerges } from '../write/followed-merges.ts'
import type { UndoneMerge } from './context.ts'

interface Belonging {
  /** The kind of the journal entries of a merge. */
  kind: 'comment' | 'file' | 'reminder'
  table: string & RawValue
  /** The column with the id of the record. */
  column: string & RawValue
}

export const moveBelongings = (
  tx: Db,
  { org }: Author,
  { kind, table, column }: Belonging,
  { ids, successor }: { ids: readonly string[]; successor: NonNullable<DeletedRecords['successor']> },
): Promise<number> =>
  tx.run(sql`
    with moved as (
      update ${raw(table)} b set ${raw(column)} = ${successor.id}
      where b.org = ${org} and b.${raw(column)} = any(${ids}::uuid[])
      returning b.id, old.${raw(column)} as owner)
    insert into merge_changes (org, merge, kind, id, before)
    select ${org}, ${successor.merge}::uuid, ${kind}, m.id, to_jsonb(m.owner) from moved m`)

/** Adds a row that came to the winner after the merges to their journals: undoing them returns it to its record. */
export async function noteBelonging(
  tx: Db,
  org: number,
  { kind, id }: Pick<Belonging, 'kind'> & { id: string },
  merges: FollowedMerges['merges'],
): Promise<void> {
  for (const { id: merge, losers } of merges)
    for (const owner of losers)
      await tx.run(sql`
        insert into merge_changes (org, merge, kind, id, before)
        values (${org}, ${merge}, ${kind}, ${id}, to_jsonb(${owner}::uuid)) on conflict do nothing`)
}

export const returnBelongings = (
  tx: Db,
  { org }: Author,
  { kind, table, column }: Belonging,
  { merge, winner, back }: UndoneMerge,
): Promise<number> =>
  tx.run(sql`
    update ${raw(table)} b set ${raw(column)} = (n.before #>> '{}')::uuid from merge_changes n
    where n.org = ${org} and n.merge = ${merge} and n.kind = ${kind} and b.org = ${org} and b.id = n.id
      and b.${raw(column)} = ${winner} and (n.before #>> '{}')::uuid = any(${[...back]}::uuid[])`)
