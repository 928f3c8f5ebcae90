// Erases notifications and reminders that refer to erased data, or whose note contains a value of it.
import sql from 'sql-template-tag'
import { hasMarker } from '../matching.ts'
import type { ErasureBatch, ErasureBatchWork, ErasureStep } from './step.ts'

/** Locks the inboxes first, in the same order as writers. The new version makes open pages read the inbox again. */
async function batch({ tx, erasure: { org, subjects }, markers }: ErasureBatchWork): Promise<ErasureBatch> {
  const own = sql`n.org = ${org} and (
    n.subject = any(${subjects}::uuid[]) or ${hasMarker(markers, { texts: [sql`n.note`] })})`
  await tx.run(sql`
    update inboxes i set version = i.version + 1 from (
      select b.user_id from inboxes b
      where b.org = ${org} and b.user_id in (select n.user_id from notifications n where ${own})
      order by b.user_id for update) as mine
    where i.org = ${org} and i.user_id = mine.user_id`)
  const notifications = await tx.run(sql`delete from notifications n where ${own}`)
  await tx.run(sql`
    delete from reminders r where r.org = ${org} and (
      r.subject = any(${subjects}::uuid[]) or ${hasMarker(markers, { texts: [sql`r.note`] })})`)
  return { isDone: true, counts: { notifications } }
}

export const notifications: ErasureStep = { name: 'notifications', batch }
