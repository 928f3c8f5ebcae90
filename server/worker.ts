// The whole list of jobs: scheduled ones, and those that requests hand over.
import sql from 'sql-template-tag'
import { IDEMPOTENCY_HOURS } from '../contract/limits.ts'
import { sweepUnused } from './attachments/jobs.ts'
import { purgeDeletedAttributes } from './attributes/jobs.ts'
import type { Context } from './context.ts'
import type { Pool } from './db/pool.ts'
import { dropOldEvents, ensurePartitions } from './events/partitions.ts'
import { settleFiles, sweepFiles } from './files/jobs.ts'
import { forgetExpired } from './identity/jobs.ts'
import { removeOldFiles, workOnImport } from './imports/jobs.ts'
import { WORK_ON_IMPORT } from './imports/service.ts'
import { forgetOldInvitations } from './invitations/jobs.ts'
import { inBatches, type ScheduledJob } from './jobs/jobs.ts'
import { handle, type QueueJob } from './jobs/queue.ts'
import { deleteOldMail } from './mail/store.ts'
import { purgeDeletedObjects } from './objects/jobs.ts'
import { forgetExpiredTokens } from './portal/jobs.ts'
import { createIndexEngine } from './records/index/background/engine.ts'
import { sweepReportRuns } from './reports/jobs.ts'
import { workOnReplay } from './webhooks/deliveries/jobs.ts'
import { WORK_ON_REPLAY } from './webhooks/deliveries/replays.ts'
import { createWebhookEngine } from './webhooks/engine.ts'
import { cancelMissed, sweep, tellDisabled } from './webhooks/jobs.ts'
import { createSvixEngine } from './webhooks/svix/engine.ts'
import { forgetStopped, sweepSvix } from './webhooks/svix/jobs.ts'
import { TELL_DISABLED } from './webhooks/tell-disabled.ts'
import { createWorkflowEngine } from './workflows/engine/engine.ts'
import { countStep } from './workflows/engine/metrics.ts'
import { forgetRuns, sweepRuns } from './workflows/jobs.ts'

const BATCH = 5000

export const scheduledJobs: readonly ScheduledJob[] = [
  { name: 'objects.purge', cron: '* * * * *', run: purgeDeletedObjects },
  { name: 'imports.remove-old-files', cron: '30 * * * *', run: removeOldFiles },
  { name: 'attributes.purge', cron: '* * * * *', run: purgeDeletedAttributes },
  {
    name: 'events.prepare-days',
    cron: '10 * * * *',
    run: (ctx) => ensurePartitions(ctx.db, ctx.clock.now()),
  },
  {
    name: 'events.drop-old',
    cron: '20 * * * *',
    async run(ctx) {
      const dropped = await dropOldEvents(ctx.db, ctx.clock.now(), ctx.config.eventDays)
      if (dropped.length > 0) ctx.log.info({ dropped }, 'old events were dropped')
    },
  },
  {
    name: 'idempotent-answers.forget',
    cron: '*/10 * * * *',
    run: (ctx, signal) =>
      inBatches(signal, () =>
        ctx.db.run(sql`
          delete from idempotent_answers where (org, api_key, key) in (
            select org, api_key, key from idempotent_answers
            where created_at < now() - make_interval(hours => ${IDEMPOTENCY_HOURS}) limit ${BATCH})`),
      ),
  },
  {
    name: 'mail.forget',
    cron: '25 * * * *',
    run: (ctx, signal) => inBatches(signal, () => deleteOldMail(ctx.db, BATCH)),
  },
  { name: 'attachments.sweep', cron: '5 * * * *', run: sweepUnused },
  { name: 'files.sweep', cron: '55 * * * *', run: sweepFiles },
  { name: 'files.settle', cron: '*/5 * * * *', run: settleFiles },
  { name: 'webhooks.sweep', cron: '* * * * *', run: sweep },
  { name: 'webhooks.cancel-missed', cron: '*/10 * * * *', run: cancelMissed },
  { name: 'svix.sweep', cron: '* * * * *', run: sweepSvix },
  { name: 'svix.forget-stopped', cron: '50 * * * *', run: forgetStopped },
  { name: 'reports.sweep', cron: '* * * * *', run: sweepReportRuns },
  { name: 'workflows.sweep', cron: '* * * * *', run: sweepRuns },
  { name: 'workflows.forget', cron: '15 * * * *', run: forgetRuns },
  { name: 'sessions.forget', cron: '35 * * * *', run: forgetExpired },
  { name: 'portal-tokens.forget', cron: '40 * * * *', run: forgetExpiredTokens },
  { name: 'invitations.forget', cron: '45 3 * * *', run: forgetOldInvitations },
  {
    name: 'rate-windows.forget',
    cron: '*/5 * * * *',
    run: (ctx, signal) =>
      inBatches(signal, () =>
        ctx.db.run(sql`
          delete from rate_windows where bucket in (
            select bucket from rate_windows where ends_at < now() - interval '1 minute' limit ${BATCH})`),
      ),
  },
]

interface Engine {
  start(): void
  stop(graceMs: number): Promise<void>
}

/** What runs beside jobs, all the time; `queue`: connections whose plans read an index or nothing. */
export const engines: readonly ((ctx: Context, queue: Pool) => Engine)[] = [
  (ctx, queue) => createWebhookEngine({ ...ctx, db: queue }),
  (ctx, queue) => createSvixEngine({ ...ctx, db: queue }),
  (ctx, queue) => createIndexEngine(ctx, queue),
  // Steps are what requests are: they have the connections of those.
  (ctx, queue) => createWorkflowEngine(ctx, { queue, onStep: countStep }),
]

export const queueJobs: readonly QueueJob[] = [
  handle(WORK_ON_IMPORT, workOnImport),
  handle(WORK_ON_REPLAY, workOnReplay),
  handle(TELL_DISABLED, tellDisabled),
]
