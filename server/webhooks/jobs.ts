// What the worker does about webhooks beside sending them.
import sql from 'sql-template-tag'
import type { DisabledReason } from '../../contract/webhook-states.ts'
import type { Context } from '../context.ts'
import { inBatches } from '../jobs/jobs.ts'
import { composeMail } from '../mail/message.ts'
import { cancelExpired } from './health-store.ts'
import { findNotice, type Notice } from './notice-store.ts'
import { wakeForgotten } from './sweeper-store.ts'

const BATCH = 5000

const WHY: Record<DisabledReason, string> = {
  gone: 'It answered 410 Gone, which says that it wants no more events.',
  failing: 'Not one delivery to it has succeeded for 5 days.',
  manual: 'Somebody disabled it.',
}

const inDays = (days: number) => (days === 1 ? '1 day' : `${days} days`)

const mailTo = (to: string, notice: Notice, { url, days }: { url: string; days: string }) =>
  composeMail({
    to,
    subject: `A webhook endpoint of ${notice.organization} was disabled`,
    before: [
      'Hello,',
      `Rapport sends no more events of ${notice.organization} to ${notice.url}.`,
      WHY[notice.reason],
    ],
    action: { label: 'See what went wrong', url },
    after: [
      `Once the receiver is mended, enable the endpoint there. Events it missed can be replayed for ${days}.`,
    ],
  })

/** Owners and admins hear of it; an endpoint that is enabled again or gone by then is no news. */
export async function tellDisabled(
  ctx: Context,
  { org, endpoint }: { org: number; endpoint: string },
): Promise<void> {
  const notice = await findNotice(ctx.db, org, endpoint)
  if (!notice) return
  const url = `${ctx.config.baseUrl}/o/${notice.slug}/settings/webhooks/${endpoint}`
  const days = inDays(ctx.config.eventDays)
  for (const to of notice.recipients) await ctx.mailer.send(mailTo(to, notice, { url, days }))
}

/** Time ran out for what an endpoint missed while it was disabled. */
export const cancelMissed = (ctx: Context, signal: AbortSignal): Promise<void> =>
  inBatches(signal, () => cancelExpired(ctx.db, { limit: BATCH, now: sql`now()` }))

export async function sweep(ctx: Context): Promise<void> {
  const woken = await wakeForgotten(ctx.db)
  if (woken > 0) ctx.log.error({ lanes: woken }, 'deliveries were due that nobody looked at: set going again')
}
