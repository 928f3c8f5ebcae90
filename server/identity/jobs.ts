// What ends by itself is cleared away.
import type { Context } from '../context.ts'
import { inBatches } from '../jobs/jobs.ts'
import { deleteExpiredSessions, deleteExpiredVerifications } from './store.ts'

const BATCH = 1000

export async function forgetExpired({ db }: Context, signal: AbortSignal): Promise<void> {
  await inBatches(signal, () => deleteExpiredSessions(db, BATCH))
  await inBatches(signal, () => deleteExpiredVerifications(db, BATCH))
}
