// Mails about notifications: immediate and daily. They contain links and texts of the inbox, no values of records.
import sql from 'sql-template-tag'
import { counted } from '../../contract/counted.ts'
import { wordsOf } from '../../contract/notification-words.ts'
import type { Notification } from '../../contract/notifications.ts'
import { AppError } from '../base/errors.ts'
import { composeMail } from '../mail/message.ts'
import { returnMailQuota, takeMailQuota } from '../mail/quota.ts'
import { selectPluralNames } from '../model/objects/store.ts'
import type { NotificationContext } from './context.ts'
import { type InboxOwner, selectUnreadByIds } from './inbox-store.ts'
import {
  type ClaimedDigest,
  claimDigests,
  claimMails,
  findRecipient,
  forgetFailures,
  type MailRecipient,
  markDigested,
  noteFailure,
  postpone,
  releaseDigest,
  releaseMails,
  selectDigestIds,
} from './mail-store.ts'
import { named } from './service.ts'

const BATCH = 100
/** Notifications in one mail; the inbox lists the others. */
const LISTED_MAX = 50
const EXCERPT_MAX = 200

const excerpt = (text: string) => (text.length > EXCERPT_MAX ? `${text.slice(0, EXCERPT_MAX)}…` : text)

const lineOf = (one: Notification, plurals: ReadonlyMap<string, string>): string =>
  `• ${wordsOf(one, (id) => plurals.get(id))}.${one.text ? ` “${excerpt(one.text)}”` : ''}`

interface Message {
  subject: string
  messageId: string
  rows: readonly Notification[]
  plurals: ReadonlyMap<string, string>
}

function compose(
  ctx: NotificationContext,
  to: MailRecipient,
  { subject, messageId, rows, plurals }: Message,
) {
  const base = `${ctx.config.baseUrl}/o/${to.slug}`
  const mail = composeMail({
    to: to.email,
    subject,
    before: [`Hello ${to.name},`, ...rows.map((one) => lineOf(one, plurals))],
    action: { label: 'Open your inbox', url: `${base}/inbox` },
    after: [
      `You get this email because of your settings in ${to.organization}. Choose which emails you get, or none: ${base}/settings/notifications`,
    ],
  })
  return {
    ...mail,
    organizationId: to.orgId,
    messageId: `${messageId}@${new URL(ctx.config.baseUrl).hostname}`,
  }
}

/** Unread notifications, with the names that the inbox shows. */
async function load(ctx: NotificationContext, owner: InboxOwner, ids: readonly string[]) {
  const rows = await named(ctx, owner.org, await selectUnreadByIds(ctx.db, owner, ids))
  return { rows, plurals: await selectPluralNames(ctx.db, owner.org) }
}

const subjectOf = ({ rows, plurals }: Pick<Message, 'rows' | 'plurals'>, { organization }: MailRecipient) => {
  const [only] = rows
  return rows.length === 1 && only
    ? wordsOf(only, (id) => plurals.get(id))
    : `${counted(rows.length, 'notification')} in ${organization}`
}

/** A mail that fails does not count against the quota. */
async function send(
  ctx: NotificationContext,
  owner: InboxOwner,
  ids: readonly string[],
  messageId: string,
): Promise<void> {
  const to = await findRecipient(ctx.db, owner)
  if (!to) return
  const loaded = await load(ctx, owner, ids)
  if (loaded.rows.length === 0) return
  const quota = { orgId: to.orgId, mails: 1 }
  const day = await takeMailQuota(ctx.db, ctx.config, quota)
  try {
    await ctx.mailer.send(compose(ctx, to, { ...loaded, messageId, subject: subjectOf(loaded, to) }))
  } catch (error) {
    await returnMailQuota(ctx.db, { ...quota, day })
    throw error
  }
}

interface Work<Claimed extends InboxOwner> {
  what: string
  send(claimed: Claimed): Promise<void>
  /** Undoes the claim, so that another run can claim it. */
  release(claimed: Claimed): Promise<unknown>
}

/** Within about nine hours. Later mails to the mailbox are then tried once each, at most every six hours. */
const TRIES_MAX = 10
const WITHOUT_QUOTA_MINUTES = 15

const isQuota = (error: unknown) => error instanceof AppError && error.code === 'rate_limit_exceeded'

/** Tries are counted per member, so that a mailbox that no longer exists delays no other member. */
async function putOff<Claimed extends InboxOwner>(
  { db, clock, log }: NotificationContext,
  claimed: Claimed,
  { error: err, work: { what, release } }: { error: unknown; work: Work<Claimed> },
): Promise<void> {
  const now = clock.now()
  if (isQuota(err)) {
    await postpone(db, claimed, { now, minutes: WITHOUT_QUOTA_MINUTES })
    await release(claimed)
    return log.warn({ err }, `${what} was not sent and will be tried again`)
  }
  if ((await noteFailure(db, claimed, now)) >= TRIES_MAX)
    return log.warn({ err }, `${what} was not sent and will not be tried again`)
  await release(claimed)
  log.warn({ err }, `${what} was not sent and will be tried again`)
}

/** Never throws, so that the other mails are sent. */
async function attempt<Claimed extends InboxOwner>(
  ctx: NotificationContext,
  claimed: Claimed,
  work: Work<Claimed>,
) {
  try {
    const error = await work.send(claimed).then(
      () => undefined,
      (reason: unknown) => ({ reason }),
    )
    if (error) await putOff(ctx, claimed, { error: error.reason, work })
    else await forgetFailures(ctx.db, claimed)
  } catch (err) {
    ctx.log.error({ err }, `what became of ${work.what} could not be saved`)
  }
}

/** Mails that are claimed but not sent when the process stops are released for another process. */
async function sendEach<Claimed extends InboxOwner>(
  ctx: NotificationContext,
  { claimed, signal }: { claimed: readonly Claimed[]; signal: AbortSignal },
  work: Work<Claimed>,
): Promise<void> {
  for (const one of claimed)
    if (signal.aborted) await work.release(one)
    else await attempt(ctx, one, work)
}

/** Immediate mails: one for each member. */
export async function sendMails(ctx: NotificationContext, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const claimed = await claimMails(ctx.db, ctx.clock.now(), BATCH)
  await sendEach(
    ctx,
    { claimed, signal },
    {
      what: 'a mail about notifications',
      send: (one) => send(ctx, one, one.ids.slice(0, LISTED_MAX), `notification-${one.ids[0]}`),
      release: (one) => releaseMails(ctx.db, one),
    },
  )
}

async function sendDigest(ctx: NotificationContext, claimed: ClaimedDigest): Promise<void> {
  const until = await ctx.db.value<Date>(sql`select clock_timestamp() as now`)
  const ids = await selectDigestIds(ctx.db, claimed, LISTED_MAX)
  await send(ctx, claimed, ids, `digest-${claimed.org}-${claimed.userId}-${claimed.day}`)
  await markDigested(ctx.db, claimed, until)
}

/** One mail a day to each member, at their hour. Notifications of a failed mail are part of the next day's mail. */
export async function sendDigests(ctx: NotificationContext, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const claimed = await claimDigests(ctx.db, ctx.clock.now(), BATCH)
  await sendEach(
    ctx,
    { claimed, signal },
    {
      what: 'a daily mail about notifications',
      send: (one) => sendDigest(ctx, one),
      release: (one) => releaseDigest(ctx.db, one),
    },
  )
}
