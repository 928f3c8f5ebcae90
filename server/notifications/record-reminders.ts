// Reminders of records that are merged into another. Those of deleted records wait: what they lead to is not shown.
import type { Author } from '../caller.ts'
import type { Db } from '../db/pool.ts'
import type { DeletedRecords } from '../objects/deleted-records.ts'
import type { UndoneMerge } from '../records/hooks.ts'
import { moveBelongings, returnBelongings } from '../records/merge/belongings.ts'

const REMINDERS = { kind: 'reminder', table: 'reminders', column: 'subject' } as const

export async function moveRemindersOf(
  tx: Db,
  author: Author,
  { ids, successor }: DeletedRecords,
): Promise<void> {
  if (successor) await moveBelongings(tx, author, REMINDERS, { ids, successor })
}

export const returnReminders = (tx: Db, author: Author, merge: UndoneMerge): Promise<number> =>
  returnBelongings(tx, author, REMINDERS, merge)
