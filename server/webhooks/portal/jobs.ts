// Deletes expired links and sessions.
import type { Db } from '../../db/pool.ts'
import { inBatches } from '../../jobs/jobs.ts'
import { deleteExpired } from './store.ts'

const BATCH = 5000

export const forgetExpiredTokens = ({ db }: { db: Db }, signal: AbortSignal, now: Date): Promise<void> =>
  inBatches(signal, () => deleteExpired(db, now, BATCH))
