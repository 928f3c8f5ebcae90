// Events get outbox entries for workflows only where one waits for them.
import sql from 'sql-template-tag'
import { EVENT_TRIGGERS } from '../../../contract/workflow-states.ts'
import type { Db } from '../../db/pool.ts'
import { addListener, removeListener } from '../../events/outbox-entries.ts'

/**
 * Call it at the end of a transaction that enabled, disabled, changed or deleted workflows. Transactions that do so
 * at once wait for each other here, and each then sees what the other left.
 */
export async function syncListener(tx: Db, org: number): Promise<void> {
  await addListener(tx, org, 'workflows')
  const waiting = await tx.maybeOne(sql`
    select from workflows where org = ${org} and is_enabled and trigger = any(${[...EVENT_TRIGGERS]}) limit 1`)
  if (!waiting) await removeListener(tx, org, 'workflows')
}
