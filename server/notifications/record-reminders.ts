// Reminders of records that are merged into another. Those of deleted records wait: what they lead to is not shown.
import type { Author, GoingRecords, UndoneMerge } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { moveBelongings, returnBelongings } from '../records/merge/belongings.ts'

const REMINDERS = { kind: 'reminder', table: 'reminders', column: 'subject' } as const

export async function moveRemindersOf(
  tx: Db,
  author: Author,
  { ids, successor }: GoingRecords,
): Promise<void> {
  if (successor) await moveBelongings(tx, author, REMINDERS, { ids, successor })
}

export const returnReminders = (tx: Db, author: Author, merge: UndoneMerge): Promise<number> =>
  returnBelongings(tx, author, REMINDERS, merge)
