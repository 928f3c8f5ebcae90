// Waits for transactions that may still pass on events with the values from before the erasure.
import sql from 'sql-template-tag'
import { hasOlderTransactions } from '../../db/older-transactions.ts'
import type { ErasureBatch, ErasureBatchWork, ErasureStep } from './step.ts'

/** The first batch stores the time. Its own transaction has ended before the next batch checks. */
async function batch({ tx, erasure: { place } }: ErasureBatchWork): Promise<ErasureBatch> {
  if (place === null)
    return { isDone: false, place: await tx.value<string>(sql`select clock_timestamp()::text as now`) }
  const isWaiting = await hasOlderTransactions(tx, sql`${place}::timestamptz`)
  return { isDone: !isWaiting, place, ...(isWaiting && { waitsFor: 'deliveries' }) }
}

export const olderTransactions: ErasureStep = { name: 'older-transactions', batch }
