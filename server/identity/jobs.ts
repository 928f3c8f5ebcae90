// Deletes sessions, links and attempts to sign in that have expired.
import type { Db } from '../db/pool.ts'
import { inBatches } from '../jobs/jobs.ts'
import { deleteOldAttempts } from './attempts-store.ts'
import { deleteExpiredSessions, deleteExpiredVerifications } from './store.ts'
import { deleteExpiredLinks } from './verification-store.ts'

const BATCH = 1000

export async function forgetExpired(
  { directory }: { directory: Db },
  signal: AbortSignal,
  now: Date,
): Promise<void> {
  await inBatches(signal, () => deleteExpiredSessions(directory, now, BATCH))
  await inBatches(signal, () => deleteExpiredVerifications(directory, now, BATCH))
  await inBatches(signal, () => deleteExpiredLinks(directory, now, BATCH))
  await inBatches(signal, () => deleteOldAttempts(directory, now, BATCH))
}
