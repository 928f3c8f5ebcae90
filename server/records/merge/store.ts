// Statements of merges: they count and mark what moves to the winner.
import sql from 'sql-template-tag'
import type { MovedToWinner } from '../../../contract/merge.ts'
import type { Author } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import { nextVersion } from '../../events/sequence.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { recordsByIds } from '../../model/objects/record-lookup.ts'
import { indexUpdated } from '../engine/index/index-writes.ts'
import { type StoredRecord, visibleData } from '../rows/stored-record.ts'
import { updateStatement, WRITTEN, writerOf } from '../write/statements.ts'

/** Counts the records and activities that refer to the losers, and the files of the losers. */
export const countMoving = (tx: Db, org: number, losers: readonly string[]): Promise<MovedToWinner> =>
  tx.one<MovedToWinner>(sql`
    select
      (select count(distinct l.id) from links l
       where l.org = ${org} and l.attr > 0 and l.target = any(${losers}::uuid[]) and l.id <> all(${losers}::uuid[])) as records,
      (select count(distinct l.id) from links l
       where l.org = ${org} and l.attr in (-1, -2) and l.target = any(${losers}::uuid[])) as activities,
      (select count(distinct a.file_id) from attachments a
       where a.org = ${org} and a.record_id = any(${losers}::uuid[])) as files`)

/** Counts the different files of the records. */
export const countFiles = (tx: Db, { org, obj }: ObjectModel, ids: readonly string[]): Promise<number> =>
  tx.value<number>(sql`
    select count(distinct a.file_id) from attachments a
    where a.org = ${org} and a.obj = ${obj} and a.record_id = any(${ids}::uuid[])`)

export const markMerged = (tx: Db, { org, obj }: ObjectModel, losers: readonly string[], winner: string) =>
  tx.run(sql`
    update trash set merged_into = ${winner} where org = ${org} and obj = ${obj} and id = any(${losers}::uuid[])`)

/**
 * Writes the merge as a new version of the winner, whose values were changed before, with an event that names the
 * losers. @returns the winner
 */
export const announceMerge = (
  tx: Db,
  caller: Author,
  model: ObjectModel,
  { winner, losers }: { winner: string; losers: readonly string[] },
): Promise<StoredRecord> => {
  const written = { obj: model.obj, visible: visibleData(model, sql`data`), mergedIds: losers }
  const statement = updateStatement(writerOf({ ...caller, isQuiet: true }, written), {
    set: nextVersion(sql`r`),
    from: recordsByIds(model, sql`${[winner]}::uuid[]`),
    index: indexUpdated(model, WRITTEN, new Set()),
    changes: sql`'{}'::jsonb`,
  })
  return tx.one<StoredRecord>(statement)
}
