// Jobs of the worker for webhooks, except the deliveries.
import type { Logger } from 'pino'
import sql from 'sql-template-tag'
import { counted } from '../../contract/counted.ts'
import type { DisabledReason } from '../../contract/webhook-states.ts'
import type { Db } from '../db/pool.ts'
import { inBatches } from '../jobs/jobs.ts'
import { wakeForgotten } from '../jobs/leased-table.ts'
import { composeMail } from '../mail/message.ts'
import type { WebhookContext } from './context.ts'
import { ENDPOINT_QUEUES } from './delivery/endpoint-queue-store.ts'
import { cancelExpiredDeliveries } from './delivery/health-store.ts'
import { findNotice, type Notice } from './notice-store.ts'
import { APPLICATIONS, deleteStopped } from './svix/store.ts'

const BATCH = 5000

const WHY: Record<DisabledReason, string> = {
  gone: 'It responded with 410 Gone, which means that it wants no more events.',
  failing: 'No delivery to it has succeeded for 5 days.',
  manual: 'It was disabled manually.',
}

const mailTo = (to: string, notice: Notice, { url, days }: { url: string; days: string }) =>
  composeMail({
    to,
    subject: `A webhook endpoint of ${notice.organization} was disabled`,
    before: [
      'Hello,',
      `Rapport no longer sends events of ${notice.organization} to ${notice.url}.`,
      WHY[notice.reason],
    ],
    action: { label: 'See what went wrong', url },
    after: [
      `Once the receiver is fixed, enable the endpoint on that page. Missed events can be replayed for ${days}.`,
    ],
  })

/** Mails owners and admins, unless the endpoint has been enabled again or deleted. */
export async function notifyDisabled(
  ctx: WebhookContext,
  { org, endpoint }: { org: number; endpoint: string },
): Promise<void> {
  const notice = await findNotice(ctx.db, org, endpoint)
  if (!notice) return
  const url = `${ctx.config.baseUrl}/o/${notice.slug}/settings/webhooks/${endpoint}`
  const days = counted(ctx.config.eventDays, 'day')
  for (const to of notice.recipients) await ctx.mailer.send(mailTo(to, notice, { url, days }))
}

/** Cancels deliveries whose retry window ended while their endpoint was disabled. */
export const cancelMissed = (ctx: WebhookContext, signal: AbortSignal, now: Date): Promise<void> =>
  inBatches(signal, () => cancelExpiredDeliveries(ctx.db, { limit: BATCH, now: sql`${now}::timestamptz` }))

export async function sweep(ctx: WebhookContext): Promise<void> {
  const woken = await wakeForgotten(ctx.db, ENDPOINT_QUEUES)
  if (woken > 0)
    ctx.log.error({ endpoints: woken }, 'webhook deliveries were overdue: their endpoints were woken')
}

export async function sweepSvix({ db, log }: { db: Db; log: Logger }): Promise<void> {
  const woken = await wakeForgotten(db, APPLICATIONS)
  if (woken > 0)
    log.error({ applications: woken }, 'messages for Svix were overdue: their applications were woken')
}

/** Deletes messages that Svix never accepted. They are kept as long as their events. */
export const forgetStopped = (
  { db, config }: WebhookContext,
  signal: AbortSignal,
  now: Date,
): Promise<void> => inBatches(signal, () => deleteStopped(db, { now, days: config.eventDays, limit: BATCH }))
