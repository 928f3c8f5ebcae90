// What the worker does about messages for Svix beside handing them on.
import type { Context } from '../../context.ts'
import { inBatches } from '../../jobs/jobs.ts'
import { deleteStopped, wakeForgotten } from './store.ts'

const BATCH = 5000

export async function sweepSvix({ db, log }: Context): Promise<void> {
  const woken = await wakeForgotten(db)
  if (woken > 0) log.error({ applications: woken }, 'messages for Svix were waiting that nobody looked at')
}

/** What Svix never took is kept as long as its event is. */
export const forgetStopped = ({ db, config }: Context, signal: AbortSignal): Promise<void> =>
  inBatches(signal, () => deleteStopped(db, { days: config.eventDays, limit: BATCH }))
