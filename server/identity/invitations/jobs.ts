// Deletes invitations that ended a month ago.
import type { Db } from '../../db/pool.ts'
import { inBatches } from '../../jobs/jobs.ts'
import { deleteOldInvitations } from './store.ts'

const BATCH = 1000

export const forgetOldInvitations = (
  { directory }: { directory: Db },
  signal: AbortSignal,
  now: Date,
): Promise<void> => inBatches(signal, () => deleteOldInvitations(directory, now, BATCH))
