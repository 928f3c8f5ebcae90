// Empties events of erased records, activities and runs: they remain in the feed, in the same order, without values.
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import type { ErasureBatch, ErasureBatchWork, ErasureStep } from './step.ts'

const BATCH = 500

/** Empty values in the form of contract/event-bodies.ts. Events of runs lose only their error. */
const EMPTIED = sql`
  data = case split_part(e.type, '.', 1) when 'record' then '{}'::jsonb
    when 'activity' then '{"title": "", "linkedRecords": []}'::jsonb else e.data || '{"error": null}' end,
  changes = case e.type when 'record.updated' then '{}'::jsonb end`

/** Newest first. @returns the number of events; fewer than 500 if none is left */
export const eraseEvents = (tx: Db, org: number, subjects: readonly string[]): Promise<number> =>
  tx.run(sql`
    update events e set is_erased = true, ${EMPTIED} from (
      select n.id from events n
      where n.org = ${org} and n.subject = any(${subjects}::uuid[]) and not n.is_erased
      order by n.id desc limit ${BATCH}) as next
    where e.org = ${org} and e.id = next.id`)

async function batch({ tx, erasure: { org, subjects } }: ErasureBatchWork): Promise<ErasureBatch> {
  const events = await eraseEvents(tx, org, subjects)
  return { isDone: events < BATCH, counts: { events } }
}

export const events: ErasureStep = { name: 'events', batch }
