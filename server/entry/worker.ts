// All background work: scheduled jobs, jobs of requests, and engines.
import { collectDefaultMetrics, Registry } from 'prom-client'
import sql from 'sql-template-tag'
import { IDEMPOTENCY_HOURS } from '../../contract/limits.ts'
import { purgeOldActivities } from '../activities/trash/purge.ts'
import { forgetAttachmentChanges } from '../attachments/changes-store.ts'
import { sweepUnused } from '../attachments/jobs.ts'
import { purgeOldAttachments } from '../attachments/trash.ts'
import { changeUniqueKeys } from '../attribute-changes/key-job.ts'
import { rewriteOptions } from '../attribute-changes/option-job.ts'
import { clearFailedSignUps } from '../cells/failed-sign-ups.ts'
import { clearMoved } from '../cells/move/clear.ts'
import { forgetUndoJobs, workOnUndo } from '../change-sets/jobs.ts'
import { WORK_ON_UNDO } from '../change-sets/queued.ts'
import { forgetTexts } from '../comments/texts-store.ts'
import { purgeOldComments } from '../comments/trash.ts'
import type { Context } from '../context.ts'
import type { Db, Pool } from '../db/pool.ts'
import { searchForDuplicates } from '../duplicates/search/jobs.ts'
import { repeatSearches, SEARCH_FOR_DUPLICATES, searchAgain } from '../duplicates/search/service.ts'
import { dropOldEvents, ensurePartitions } from '../events/partitions.ts'
import { confirmUploads, sweepFiles } from '../files/jobs.ts'
import { forgetOldInvitations } from '../identity/invitations/jobs.ts'
import { forgetExpired } from '../identity/jobs.ts'
import { removeOldFiles, workOnCheck } from '../imports/jobs.ts'
import { WORK_ON_IMPORT } from '../imports/service.ts'
import { byAge } from '../jobs/deletion-clock.ts'
import { moveDueTimes } from '../jobs/due-times.ts'
import { forgetCompleted, handle, inBatches, type QueueJob, type ScheduledJob } from '../jobs/jobs.ts'
import type { Engine } from '../jobs/leased-queue.ts'
import { measureMail } from '../mail/metrics.ts'
import { deleteOldMailDays } from '../mail/quota.ts'
import { deleteOldMail } from '../mail/store.ts'
import { purgeDeletedAttributes } from '../model/attributes/jobs.ts'
import { writeShownChanges } from '../model/attributes/shown-job.ts'
import { purgeOldAttributes } from '../model/attributes/trash.ts'
import { purgeDeletedObjects } from '../model/objects/jobs.ts'
import { purgeOldObjects } from '../model/objects/trash.ts'
import { createNotificationConsumer } from '../notifications/consumer.ts'
import { deliverReminders, forgetOldNotifications, notifyDue } from '../notifications/jobs.ts'
import { sendDigests, sendMails } from '../notifications/mails.ts'
import { backupMetrics } from '../operations/backup/metrics.ts'
import { workOnErasure } from '../privacy/jobs.ts'
import { WORK_ON_ERASURE } from '../privacy/service.ts'
import { workOnReassignment } from '../reassignments/jobs.ts'
import { WORK_ON_REASSIGNMENT } from '../reassignments/service.ts'
import { takeRun } from '../record-jobs/import-runs.ts'
import { forgetJobs, workOnJob } from '../record-jobs/jobs.ts'
import { WORK_ON_JOB, WORK_WITH_SETTINGS } from '../record-jobs/queued.ts'
import { createIndexEngine } from '../records/engine/maintenance/engine.ts'
import { backfillCreators } from '../records/rewrites/backfill-creators.ts'
import { rewriteValues } from '../records/rewrites/rewrite-values.ts'
import { restoreAllValues } from '../records/trash/attribute-values.ts'
import { purgeOldTrash } from '../records/trash/jobs.ts'
import { restoreAllRecords } from '../records/trash/object-records.ts'
import { forgetChangeSets } from '../records/undo/set-store.ts'
import { sweepReportRuns } from '../reports/jobs.ts'
import { deleteUnused } from '../retention/jobs.ts'
import { workOnReplay } from '../webhooks/deliveries/jobs.ts'
import { WORK_ON_REPLAY } from '../webhooks/deliveries/replays.ts'
import { NOTIFY_DISABLED } from '../webhooks/delivery/disable.ts'
import { createWebhookDispatcher } from '../webhooks/delivery/dispatcher.ts'
import { moveWebhooksBack } from '../webhooks/delivery/sweeper-store.ts'
import { cancelMissed, forgetStopped, notifyDisabled, sweep, sweepSvix } from '../webhooks/jobs.ts'
import { forgetExpiredTokens } from '../webhooks/portal/jobs.ts'
import { createSvixEngine } from '../webhooks/svix/engine.ts'
import { moveSvixBack } from '../webhooks/svix/store.ts'
import { resumeRuns, workOnCancellation } from '../workflows/cancellations/jobs.ts'
import { CANCEL_RUNS, RESUME_RUNS } from '../workflows/cancellations/service.ts'
import { createWorkflowEngine } from '../workflows/engine/engine.ts'
import { countStep, measureSteps } from '../workflows/engine/metrics.ts'
import { moveRunsBack } from '../workflows/engine/sweeper-store.ts'
import { endTooOld, forgetRuns, sweepRuns } from '../workflows/jobs.ts'
import { moveSchedulesBack } from '../workflows/triggers/time-zone.ts'

const BATCH = 5000

async function dropEvents(ctx: Context, _signal: AbortSignal, now: Date): Promise<void> {
  const dropped = await dropOldEvents(ctx.db, now, ctx.config.eventDays)
  if (dropped.length > 0) ctx.log.info({ dropped }, 'old events were dropped')
}

const forgetAnswers = ({ db }: Context, signal: AbortSignal, now: Date): Promise<void> =>
  inBatches(signal, () =>
    db.run(sql`
      delete from idempotent_answers where (org, api_key, key) in (
        select org, api_key, key from idempotent_answers
        where created_at < ${now}::timestamptz - make_interval(hours => ${IDEMPOTENCY_HOURS}) limit ${BATCH})`),
  )

async function forgetMail({ db, directory }: Context, signal: AbortSignal, now: Date): Promise<void> {
  await inBatches(signal, () => deleteOldMail(directory, now, BATCH))
  await inBatches(signal, () => deleteOldMailDays(db, now, BATCH))
}

/** Uses the database's clock, even if it is wrong: the counts matter for a minute only, and must not accumulate. */
const forgetRateWindows = ({ db }: Context, signal: AbortSignal): Promise<void> =>
  inBatches(signal, () =>
    db.run(sql`
      delete from rate_windows where bucket in (
        select bucket from rate_windows where ends_at < now() - interval '1 minute' limit ${BATCH})`),
  )

/** For a clock that was set back: a window that ends in hours would refuse requests for that long. */
const moveRateWindowsBack = (tx: Db): Promise<number> =>
  tx.run(sql`delete from rate_windows where ends_at > now() + interval '2 minutes'`)

const CLOCK_FOLLOWERS = [moveWebhooksBack, moveSvixBack, moveRunsBack, moveSchedulesBack, moveRateWindowsBack]

export const scheduledJobs: readonly ScheduledJob<Context>[] = [
  { name: 'jobs.clear-completed', cron: '*/5 * * * *', run: forgetCompleted },
  { name: 'objects.purge', cron: '* * * * *', run: purgeDeletedObjects },
  byAge('imports.remove-old-files', '30 * * * *', removeOldFiles),
  { name: 'attributes.purge', cron: '* * * * *', run: purgeDeletedAttributes },
  { name: 'attributes.write-versions', cron: '* * * * *', run: writeShownChanges },
  { name: 'attributes.rewrite-options', cron: '* * * * *', run: rewriteOptions },
  { name: 'attributes.change-case', cron: '* * * * *', run: changeUniqueKeys },
  {
    name: 'records.rewrite-values',
    cron: '* * * * *',
    run: (ctx, signal) => rewriteValues(ctx, signal, (tx, object) => searchAgain({ ...ctx, db: tx }, object)),
  },
  { name: 'records.backfill-creators', cron: '* * * * *', run: backfillCreators },
  {
    name: 'events.prepare-days',
    cron: '10 * * * *',
    run: (ctx) => ensurePartitions(ctx.db, ctx.clock.now()),
  },
  byAge('events.drop-old', '20 * * * *', dropEvents),
  byAge('idempotent-answers.forget', '*/10 * * * *', forgetAnswers),
  byAge('mail.forget', '25 * * * *', forgetMail),
  { name: 'notifications.due', cron: '* * * * *', run: notifyDue },
  { name: 'notifications.remind', cron: '* * * * *', run: deliverReminders },
  { name: 'notifications.mail', cron: '* * * * *', run: sendMails },
  { name: 'notifications.mail-daily', cron: '*/5 * * * *', run: sendDigests },
  byAge('notifications.forget', '35 2 * * *', forgetOldNotifications),
  byAge('undo.forget', '40 * * * *', forgetChangeSets),
  byAge('undo.forget-texts', '41 * * * *', forgetTexts),
  byAge('undo.forget-attachment-changes', '44 * * * *', forgetAttachmentChanges),
  byAge('undo.forget-jobs', '42 * * * *', forgetUndoJobs),
  byAge('record-jobs.forget', '43 * * * *', forgetJobs),
  byAge('retention.delete', '38 * * * *', deleteUnused),
  byAge('trash.purge', '45 * * * *', purgeOldTrash),
  byAge('trash.purge-activities', '48 * * * *', purgeOldActivities),
  byAge('trash.purge-comments', '49 * * * *', purgeOldComments),
  byAge('trash.purge-attachments', '47 * * * *', purgeOldAttachments),
  byAge('trash.purge-attributes', '50 * * * *', purgeOldAttributes),
  byAge('trash.purge-objects', '55 * * * *', purgeOldObjects),
  { name: 'trash.restore-records', cron: '* * * * *', run: restoreAllRecords },
  { name: 'trash.restore-values', cron: '* * * * *', run: restoreAllValues },
  { name: 'duplicates.repeat', cron: '40 * * * *', run: repeatSearches },
  byAge('attachments.sweep', '5 * * * *', sweepUnused),
  byAge('files.sweep', '55 * * * *', sweepFiles),
  { name: 'files.settle', cron: '*/5 * * * *', run: confirmUploads },
  {
    name: 'clock.follow',
    cron: '* * * * *',
    run: (ctx) => moveDueTimes(ctx, CLOCK_FOLLOWERS),
  },
  { name: 'webhooks.sweep', cron: '* * * * *', run: sweep },
  byAge('webhooks.cancel-missed', '*/10 * * * *', cancelMissed),
  { name: 'svix.sweep', cron: '* * * * *', run: sweepSvix },
  byAge('svix.forget-stopped', '50 * * * *', forgetStopped),
  { name: 'reports.sweep', cron: '* * * * *', run: sweepReportRuns },
  { name: 'workflows.sweep', cron: '* * * * *', run: sweepRuns },
  byAge('workflows.end-too-old', '*/10 * * * *', endTooOld),
  byAge('workflows.forget', '15 * * * *', forgetRuns),
  byAge('sessions.forget', '35 * * * *', forgetExpired),
  byAge('portal-tokens.forget', '40 * * * *', forgetExpiredTokens),
  byAge('invitations.forget', '45 3 * * *', forgetOldInvitations),
  { name: 'failed-sign-ups.clear', cron: '27 * * * *', run: clearFailedSignUps },
  { name: 'moves.clear', cron: '*/5 * * * *', run: clearMoved },
  { name: 'rate-windows.forget', cron: '*/5 * * * *', run: forgetRateWindows },
]

/** Jobs that free space on a full disk: they drop partitions and bytes of files. The other jobs need space. */
const FREEING = new Set([
  ...[
    'events.drop-old',
    'attachments.sweep',
    'files.sweep',
    'imports.remove-old-files',
    'record-jobs.forget',
  ],
])

export const freeingJobs: readonly ScheduledJob<Context>[] = scheduledJobs.filter(({ name }) =>
  FREEING.has(name),
)

/** Work that runs continuously, in parallel with jobs. @param queue connections whose plans use only indexes */
export const engines: readonly ((ctx: Context, queue: Pool) => Pick<Engine, 'start' | 'stop'>)[] = [
  (ctx, queue) => createWebhookDispatcher({ ...ctx, db: queue }),
  (ctx, queue) => createSvixEngine({ ...ctx, db: queue }),
  createNotificationConsumer,
  (ctx, queue) => createIndexEngine(ctx, queue),
  // Steps of workflows do the same work as requests, so they use the same connections.
  (ctx, queue) => createWorkflowEngine(ctx, { queue, onStep: countStep }),
]

export const queueJobs: readonly QueueJob<Context>[] = [
  handle(WORK_ON_IMPORT, async (ctx, ref, signal) => {
    await workOnCheck(ctx, ref, signal)
    await takeRun(ctx, ref)
    // In this job, the run does not wait for other jobs of its organization.
    await workOnJob(ctx, ref, signal)
  }),
  handle(WORK_ON_JOB, workOnJob),
  handle(WORK_WITH_SETTINGS, workOnJob),
  handle(WORK_ON_UNDO, workOnUndo),
  handle(WORK_ON_REASSIGNMENT, workOnReassignment),
  handle(WORK_ON_ERASURE, workOnErasure),
  handle(SEARCH_FOR_DUPLICATES, searchForDuplicates),
  handle(WORK_ON_REPLAY, workOnReplay),
  handle(NOTIFY_DISABLED, notifyDisabled),
  handle(CANCEL_RUNS, workOnCancellation),
  handle(RESUME_RUNS, resumeRuns),
]

/** The metrics of a process for background work. */
export function workerMetrics(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measureSteps(registry)
  backupMetrics.measure(registry)
  measureMail(registry)
  return registry
}
