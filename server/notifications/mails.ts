// Mails about notifications: at once, and once a day. They have links and what the inbox shows, no values of records.
import sql from 'sql-template-tag'
import { wordsOf } from '../../contract/notification-words.ts'
import type { Notification } from '../../contract/notifications.ts'
import type { Context } from '../context.ts'
import { composeMail } from '../mail/message.ts'
import { takeMailQuota } from '../mail/quota.ts'
import { selectPluralNames } from '../objects/store.ts'
import { type Owner, selectUnreadByIds } from './inbox-store.ts'
import {
  type ClaimedDigest,
  type ClaimedMail,
  claimDigests,
  claimMails,
  findRecipient,
  markDigested,
  type Recipient,
  releaseDigest,
  releaseMails,
  selectDigestIds,
} from './mail-store.ts'
import { named } from './service.ts'

const BATCH = 100
/** Of one mail; the inbox has the others. */
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

function compose(ctx: Context, to: Recipient, { subject, messageId, rows, plurals }: Message) {
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

/** Those that are unread, as the inbox shows them. */
async function load(ctx: Context, owner: Owner, ids: readonly string[]) {
  const rows = await named(ctx, owner.org, await selectUnreadByIds(ctx.db, owner, ids))
  return { rows, plurals: await selectPluralNames(ctx.db, owner.org) }
}

const subjectOf = ({ rows, plurals }: Pick<Message, 'rows' | 'plurals'>, { organization }: Recipient) => {
  const [only] = rows
  return rows.length === 1 && only
    ? wordsOf(only, (id) => plurals.get(id))
    : `${rows.length} notifications in ${organization}`
}

/** @returns whether there was something to send */
async function send(ctx: Context, owner: Owner, ids: readonly string[], messageId: string): Promise<boolean> {
  const to = await findRecipient(ctx.db, owner)
  if (!to) return false
  const loaded = await load(ctx, owner, ids)
  if (loaded.rows.length === 0) return false
  await takeMailQuota(ctx.db, ctx.config, { orgId: to.orgId, mails: 1 })
  await ctx.mailer.send(compose(ctx, to, { ...loaded, messageId, subject: subjectOf(loaded, to) }))
  return true
}

/** What fails is tried again by the next run of the job. */
async function attempt(
  ctx: Context,
  what: string,
  work: () => Promise<unknown>,
  undo: () => Promise<unknown>,
) {
  try {
    await work()
  } catch (err) {
    await undo()
    ctx.log.warn({ err }, `${what} was not sent and will be tried again`)
  }
}

const sendClaimed = (ctx: Context, claimed: ClaimedMail) =>
  attempt(
    ctx,
    'a mail about notifications',
    () => send(ctx, claimed, claimed.ids.slice(0, LISTED_MAX), `notification-${claimed.ids[0]}`),
    () => releaseMails(ctx.db, claimed),
  )

const sendDigest = (ctx: Context, claimed: ClaimedDigest) =>
  attempt(
    ctx,
    'a daily mail about notifications',
    async () => {
      const until = await ctx.db.value<Date>(sql`select clock_timestamp() as now`)
      const ids = await selectDigestIds(ctx.db, claimed, LISTED_MAX)
      await send(ctx, claimed, ids, `digest-${claimed.org}-${claimed.userId}-${claimed.day}`)
      await markDigested(ctx.db, claimed, until)
    },
    () => releaseDigest(ctx.db, claimed),
  )

/** Notifications that members want by mail at once: of each member one mail. */
export async function sendMails(ctx: Context, signal: AbortSignal): Promise<void> {
  for (const claimed of signal.aborted ? [] : await claimMails(ctx.db, BATCH)) await sendClaimed(ctx, claimed)
}

/** One mail a day to each member who wants it, at their hour. */
export async function sendDigests(ctx: Context, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  for (const claimed of await claimDigests(ctx.db, ctx.clock.now(), BATCH)) await sendDigest(ctx, claimed)
}
