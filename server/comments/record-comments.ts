// Comments of records that are deleted, or merged into another.
import sql from 'sql-template-tag'
import type { Author } from '../caller.ts'
import type { Db } from '../db/pool.ts'
import type { DeletedRecords } from '../objects/deleted-records.ts'
import type { UndoneMerge } from '../records/hooks.ts'
import { moveBelongings, returnBelongings } from '../records/merge/belongings.ts'

const COMMENTS = { kind: 'comment', table: 'comments', column: 'record_id' } as const

/** Comments go to the record that takes the place of theirs; with a record that is deleted for good they are deleted. */
export async function moveComments(
  tx: Db,
  author: Author,
  { ids, isPermanent, successor }: DeletedRecords,
): Promise<void> {
  if (successor) await moveBelongings(tx, author, COMMENTS, { ids, successor })
  else if (isPermanent)
    await tx.run(sql`delete from comments where org = ${author.org} and record_id = any(${ids}::uuid[])`)
}

export const returnComments = (tx: Db, author: Author, merge: UndoneMerge): Promise<number> =>
  returnBelongings(tx, author, COMMENTS, merge)
