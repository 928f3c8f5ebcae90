// Notifications of due tasks, immediate mails and daily mails, by the time zones of members.
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, test } from 'vitest'
import { mentionOf } from '../../contract/mentions.ts'
import type { Inbox } from '../../contract/notifications.ts'
import { buildTestService } from '../test/build-app.ts'
import type { SignedInMember } from '../test/dashboard-client.ts'
import type { Org } from '../test/factories.ts'
import { notifyDue } from './jobs.ts'
import { claimMails, releaseMails } from './mail-store.ts'
import { sendDigests, sendMails } from './mails.ts'

const service = await buildTestService({ baseUrl: 'https://crm.example.com' })
const { ctx } = service
const never = new AbortController().signal
const MINUTE = 60_000
const HOUR = 60 * MINUTE

let org: Org
let mia: SignedInMember
let max: SignedInMember

beforeEach(async () => {
  org = await service.org({ name: 'Initech' })
  mia = await org.member('member')
  max = await org.member('member')
})

interface Kept {
  subject: string
  body: string
}

const mailsTo = ({ email }: SignedInMember) =>
  ctx.directory.many<Kept>(sql`
    select subject, body from outgoing_mail where recipient = ${email} order by created_at, id`)
const settings = (of: SignedInMember, body: object) => of.patch('/inbox/settings', body)
const task = async (more: object = {}) =>
  (await org.post<{ id: string }>('/activities', { type: 'task', title: 'Call', ...more })).body.id
const kinds = async (of: SignedInMember) =>
  (await of.get<Inbox>('/inbox')).body.notifications.map(({ kind }) => kind)

/** A time zone in which it is `hour` o'clock now by the service's clock. */
function zoneAt(hour: number): string {
  // POSIX signs: Etc/GMT-2 is two hours ahead of UTC. Time zones reach from -12 to +14.
  let ahead = hour - ctx.clock.now().getUTCHours()
  if (ahead > 14) ahead -= 24
  if (ahead < -11) ahead += 24
  return ahead >= 0 ? `Etc/GMT-${ahead}` : `Etc/GMT+${-ahead}`
}

describe('due tasks', () => {
  const assigned = { kinds: { assigned: { inApp: false, mail: 'off' } } }
  beforeEach(() => settings(mia, assigned))

  test('notify their assignee once when overdue, and again after a change of the due date', async () => {
    const id = await task({ assignee: mia.userId, activityDate: new Date(ctx.clock.now().getTime() - HOUR) })
    await notifyDue(ctx, never)
    await notifyDue(ctx, never)
    expect(await kinds(mia)).toEqual(['overdue'])
    await org.patch(`/activities/${id}`, { activityDate: new Date(ctx.clock.now().getTime() - 2 * HOUR) })
    await notifyDue(ctx, never)
    expect(await kinds(mia)).toEqual(['overdue', 'overdue'])
  })

  test('notify on their due day, from the hour and in the time zone of the member', async () => {
    // It is between 10 and 11 o'clock for the member; the task is due an hour later.
    await settings(mia, { timeZone: zoneAt(10), digestHour: 12 })
    await task({ assignee: mia.userId, activityDate: new Date(ctx.clock.now().getTime() + HOUR) })
    await task({ assignee: mia.userId, activityDate: new Date(ctx.clock.now().getTime() + 24 * HOUR) })
    await notifyDue(ctx, never)
    expect(await kinds(mia)).toEqual([])
    await settings(mia, { digestHour: 10 })
    await notifyDue(ctx, never)
    expect(await kinds(mia)).toEqual(['due'])
  })

  test('do not notify when done, without a due date or an assignee, or turned off', async () => {
    const past = new Date(ctx.clock.now().getTime() - HOUR)
    await task({ assignee: mia.userId, activityDate: past, completedAt: past })
    await task({ assignee: mia.userId })
    await task({ activityDate: past })
    await settings(max, { kinds: { ...assigned.kinds, overdue: { inApp: false, mail: 'off' } } })
    await task({ assignee: max.userId, activityDate: past })
    await notifyDue(ctx, never)
    expect([await kinds(mia), await kinds(max)]).toEqual([[], []])
  })
})

describe('an immediate mail', () => {
  beforeEach(() => settings(mia, { kinds: { assigned: { inApp: true, mail: 'now' } } }))

  test('is sent once, names the event, and links to the inbox and the settings', async () => {
    await task({ title: 'Call Acme', assignee: mia.userId })
    await sendMails(ctx, never)
    await sendMails(ctx, never)
    const [mail, ...others] = await mailsTo(mia)
    expect(others).toEqual([])
    expect(mail?.subject).toBe('Olivia Owner assigned you Call Acme')
    expect(mail?.body).toContain(`https://crm.example.com/o/org-${org.id}/inbox`)
    expect(mail?.body).toContain(`https://crm.example.com/o/org-${org.id}/settings/notifications`)
  })

  test('is not sent for read or deleted notifications, or when mail is off', async () => {
    await task({ assignee: mia.userId })
    await mia.post('/inbox/read')
    const deleted = await task({ assignee: mia.userId })
    await org.delete(`/activities/${deleted}`)
    await task({ assignee: max.userId })
    await sendMails(ctx, never)
    expect([await mailsTo(mia), await mailsTo(max)]).toEqual([[], []])
  })

  test('is sent for a kind that the inbox does not show', async () => {
    await settings(mia, { kinds: { assigned: { inApp: false, mail: 'now' } } })
    await task({ title: 'Call Acme', assignee: mia.userId })
    await sendMails(ctx, never)
    expect(await kinds(mia)).toEqual([])
    expect(await mailsTo(mia)).toHaveLength(1)
  })

  test('is delayed when the organization has used its daily mail quota', async () => {
    await task({ assignee: mia.userId })
    const noMore = { ...ctx, config: { ...ctx.config, mailsPerOrganizationPerDay: 0 } }
    await sendMails(noMore, never)
    expect(await mailsTo(mia)).toEqual([])
    service.advance(HOUR)
    await sendMails(ctx, never)
    expect(await mailsTo(mia)).toHaveLength(1)
  })

  test('is not sent twice when the process is killed while sending', async () => {
    await task({ assignee: mia.userId })
    const killed = { ...ctx, mailer: { ...ctx.mailer, send: () => new Promise<void>(() => undefined) } }
    void sendMails(killed, never)
    await expect
      .poll(() =>
        ctx.db.value<number>(sql`
          select count(*) from notifications where user_id = ${mia.userId} and mailed_at is not null`),
      )
      .toBe(1)
    await sendMails(ctx, never)
    expect(await mailsTo(mia)).toEqual([])
  })
})

describe('a mailbox that refuses every mail', () => {
  let tries: number
  const refusing = (address: string, more: Partial<typeof ctx> = {}) => ({
    ...ctx,
    ...more,
    mailer: {
      ...ctx.mailer,
      send: async (mail: Parameters<typeof ctx.mailer.send>[0]) => {
        if (mail.to !== address) return ctx.mailer.send(mail)
        tries++
        throw new Error('550 no such mailbox')
      },
    },
  })
  beforeEach(async () => {
    tries = 0
    for (const one of [mia, max]) await settings(one, { kinds: { assigned: { inApp: true, mail: 'now' } } })
  })
  const eachMinute = async (minutes: number, of: typeof ctx) => {
    for (let minute = 0; minute < minutes; minute++) {
      await sendMails(of, never)
      service.advance(MINUTE)
    }
  }

  test('is tried after ever longer pauses, without using the quota of the organization', async () => {
    const poor = refusing(mia.email, { config: { ...ctx.config, mailsPerOrganizationPerDay: 1 } })
    await task({ assignee: mia.userId })
    await eachMinute(64, poor)
    expect(tries).toBe(7)
    await task({ assignee: max.userId })
    await sendMails(poor, never)
    expect(await mailsTo(max)).toHaveLength(1)
    service.advance(2 * HOUR)
    await sendMails(ctx, never)
    expect(await mailsTo(mia)).toHaveLength(1)
  })

  test('ends the tries of a mail after ten failures; later mails are sent', async () => {
    await task({ assignee: mia.userId })
    for (let hours = 0; hours < 20 * 7; hours += 7) {
      await sendMails(refusing(mia.email), never)
      service.advance(7 * HOUR)
    }
    expect(tries).toBe(10)
    await sendMails(ctx, never)
    expect(await mailsTo(mia)).toEqual([])
    for (const mails of [1, 2]) {
      // An unread notification would be counted together with the next one.
      await mia.post('/inbox/read')
      await task({ assignee: mia.userId })
      await sendMails(ctx, never)
      expect(await mailsTo(mia)).toHaveLength(mails)
    }
  })

  test('does not delay other organizations: they are served in turn', async () => {
    const other = await service.org()
    const nina = await other.member('member')
    await settings(nina, { kinds: { assigned: { inApp: true, mail: 'now' } } })
    for (const one of [mia, mia, max]) await task({ assignee: one.userId })
    await other.post('/activities', { type: 'task', title: 'Call', assignee: nina.userId })
    const claimed = await claimMails(ctx.db, ctx.clock.now(), 2)
    expect(claimed.map((one) => one.org).sort()).toEqual([org.org, other.org].sort())
    for (const one of claimed) await releaseMails(ctx.db, one)
    await sendMails(ctx, never)
    expect((await Promise.all([mia, max, nina].map(mailsTo))).map(({ length }) => length)).toEqual([1, 1, 1])
  })

  test('delays daily mails too; their notifications are sent on the next day', async () => {
    await settings(mia, {
      kinds: { assigned: { inApp: true, mail: 'daily' } },
      timeZone: zoneAt(1),
      digestHour: 0,
    })
    await task({ assignee: mia.userId })
    for (let minute = 0; minute < 60; minute++) {
      await sendDigests(refusing(mia.email), never)
      service.advance(MINUTE)
    }
    expect(tries).toBe(6)
    service.advance(24 * HOUR)
    await sendDigests(ctx, never)
    expect(await mailsTo(mia)).toHaveLength(1)
  })
})

test('mails that a process has claimed when it stops are sent by the next process', async () => {
  for (const one of [mia, max]) await settings(one, { kinds: { assigned: { inApp: true, mail: 'now' } } })
  for (const one of [mia, max]) await task({ assignee: one.userId })
  const stop = new AbortController()
  const sent: string[] = []
  const send = async ({ to }: { to: string }) => {
    sent.push(to)
    stop.abort()
  }
  await sendMails({ ...ctx, mailer: { ...ctx.mailer, send } }, stop.signal)
  expect(sent).toHaveLength(1)
  await sendMails({ ...ctx, mailer: { ...ctx.mailer, send } }, never)
  expect(sent.sort()).toEqual([mia.email, max.email].sort())
})

describe('a daily mail', () => {
  beforeEach(() =>
    settings(mia, {
      kinds: { assigned: { inApp: true, mail: 'daily' }, mentioned: { inApp: true, mail: 'daily' } },
      timeZone: zoneAt(10),
      digestHour: 10,
    }),
  )

  test('lists unread notifications, at the hour of the member, at most once a day', async () => {
    await settings(mia, { digestHour: 12 })
    const deal = await org.post<{ id: string }>('/objects/deals/records', { data: { name: 'Rocket' } })
    await org.post(`/objects/deals/records/${deal.body.id}/comments`, {
      text: `${mentionOf(mia.userId)}: sign it`,
    })
    await task({ title: 'Call Acme', assignee: mia.userId })
    await sendDigests(ctx, never)
    expect(await mailsTo(mia)).toEqual([])
    await settings(mia, { digestHour: 10 })
    await sendDigests(ctx, never)
    const [mail] = await mailsTo(mia)
    expect(mail?.subject).toBe('2 notifications in Initech')
    expect(mail?.body).toContain('Olivia Owner mentioned you on Rocket. “@Mia Member: sign it”')
    expect(mail?.body).toContain('Olivia Owner assigned you Call Acme')
    await task({ title: 'Another', assignee: mia.userId })
    await sendDigests(ctx, never)
    expect(await mailsTo(mia)).toHaveLength(1)
    service.advance(24 * HOUR)
    await sendDigests(ctx, never)
    expect((await mailsTo(mia)).map(({ subject }) => subject)).toEqual([
      '2 notifications in Initech',
      'Olivia Owner assigned you 2 tasks',
    ])
  })

  test('is not sent without unread notifications', async () => {
    await task({ assignee: mia.userId })
    await mia.post('/inbox/read')
    await sendDigests(ctx, never)
    expect(await mailsTo(mia)).toEqual([])
  })

  test('that failed is tried again on the same day, but not after its process was killed', async () => {
    await task({ assignee: mia.userId })
    const failing = {
      ...ctx,
      mailer: { ...ctx.mailer, send: () => Promise.reject(new Error('SMTP is down')) },
    }
    await sendDigests(failing, never)
    service.advance(2 * MINUTE)
    const killed = { ...ctx, mailer: { ...ctx.mailer, send: () => new Promise<void>(() => undefined) } }
    void sendDigests(killed, never)
    await expect
      .poll(() =>
        ctx.db.value<boolean>(sql`
          select digest_on is not null as is_claimed from notification_settings where user_id = ${mia.userId}`),
      )
      .toBe(true)
    await sendDigests(ctx, never)
    expect(await mailsTo(mia)).toEqual([])
    service.advance(24 * HOUR)
    await sendDigests(ctx, never)
    expect(await mailsTo(mia)).toHaveLength(1)
  })
})
