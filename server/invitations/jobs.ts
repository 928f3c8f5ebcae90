// Invitations that are over are cleared away.
import type { Context } from '../context.ts'
import { inBatches } from '../jobs/jobs.ts'
import { deleteOldInvitations } from './store.ts'

const BATCH = 1000

export const forgetOldInvitations = ({ directory }: Context, signal: AbortSignal, now: Date): Promise<void> =>
  inBatches(signal, () => deleteOldInvitations(directory, now, BATCH))
