// What is mailed: due tasks, mails at once and once a day; by the clocks of members.
import sql from 'sql-template-tag'
import { beforeEach, describe, expect, test } from 'vitest'
import { mentionOf } from '../../contract/mentions.ts'
import type { Inbox } from '../../contract/notifications.ts'
import { buildTestService } from '../test/build-app.ts'
import type { SignedInMember } from '../test/dashboard-client.ts'
import type { Org } from '../test/factories.ts'
import { notifyDue } from './jobs.ts'
import { sendDigests, sendMails } from './mails.ts'

const service = await buildTestService({ baseUrl: 'https://crm.example.com' })
const { ctx } = service
const never = new AbortController().signal
const HOUR = 3_600_000

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

/** The hour at UTC in which the service's clock is, and a zone in which it is `hour` o'clock now. */
function zoneAt(hour: number): string {
  // Signs are those of POSIX: Etc/GMT-2 is two hours ahead. There are zones from -12 to +14.
  let ahead = hour - ctx.clock.now().getUTCHours()
  if (ahead > 14) ahead -= 24
  if (ahead < -11) ahead += 24
  return ahead >= 0 ? `Etc/GMT-${ahead}` : `Etc/GMT+${-ahead}`
}

describe('due tasks', () => {
  const assigned = { kinds: { assigned: { inApp: false, mail: 'off' } } }
  beforeEach(() => settings(mia, assigned))

  test('notify their assignee once they are overdue, and again with another due date', async () => {
    const id = await task({ assignee: mia.userId, activityDate: new Date(ctx.clock.now().getTime() - HOUR) })
    await notifyDue(ctx, never)
    await notifyDue(ctx, never)
    expect(await kinds(mia)).toEqual(['overdue'])
    await org.patch(`/activities/${id}`, { activityDate: new Date(ctx.clock.now().getTime() - 2 * HOUR) })
    await notifyDue(ctx, never)
    expect(await kinds(mia)).toEqual(['overdue', 'overdue'])
  })

  test('notify on their day, from the hour and in the time zone of the member', async () => {
    // It is 10 o'clock for the member, or will be 11 soon; the task is due an hour later.
    await settings(mia, { timeZone: zoneAt(10), digestHour: 12 })
    await task({ assignee: mia.userId, activityDate: new Date(ctx.clock.now().getTime() + HOUR) })
    await task({ assignee: mia.userId, activityDate: new Date(ctx.clock.now().getTime() + 24 * HOUR) })
    await notifyDue(ctx, never)
    expect(await kinds(mia)).toEqual([])
    await settings(mia, { digestHour: 10 })
    await notifyDue(ctx, never)
    expect(await kinds(mia)).toEqual(['due'])
  })

  test('do not notify when they are done, have no due date, or are not wanted', async () => {
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

describe('a mail at once', () => {
  beforeEach(() => settings(mia, { kinds: { assigned: { inApp: true, mail: 'now' } } }))

  test('says what happened, with links to the inbox and to the settings, once', async () => {
    await task({ title: 'Call Acme', assignee: mia.userId })
    await sendMails(ctx, never)
    await sendMails(ctx, never)
    const [mail, ...others] = await mailsTo(mia)
    expect(others).toEqual([])
    expect(mail?.subject).toBe('Olivia Owner assigned you Call Acme')
    expect(mail?.body).toContain(`https://crm.example.com/o/org-${org.id}/inbox`)
    expect(mail?.body).toContain(`https://crm.example.com/o/org-${org.id}/settings/notifications`)
  })

  test('is not sent about what is read, gone, or not wanted by mail', async () => {
    await task({ assignee: mia.userId })
    await mia.post('/inbox/read')
    const gone = await task({ assignee: mia.userId })
    await org.delete(`/activities/${gone}`)
    await task({ assignee: max.userId })
    await sendMails(ctx, never)
    expect([await mailsTo(mia), await mailsTo(max)]).toEqual([[], []])
  })

  test('is sent of what the inbox does not show', async () => {
    await settings(mia, { kinds: { assigned: { inApp: false, mail: 'now' } } })
    await task({ title: 'Call Acme', assignee: mia.userId })
    await sendMails(ctx, never)
    expect(await kinds(mia)).toEqual([])
    expect(await mailsTo(mia)).toHaveLength(1)
  })

  test('waits when the organization has sent all its mails of a day', async () => {
    await task({ assignee: mia.userId })
    const noMore = { ...ctx, config: { ...ctx.config, mailsPerOrganizationPerDay: 0 } }
    await sendMails(noMore, never)
    expect(await mailsTo(mia)).toEqual([])
    await sendMails(ctx, never)
    expect(await mailsTo(mia)).toHaveLength(1)
  })

  test('is not sent twice when the process ends while it sends', async () => {
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

describe('a daily mail', () => {
  beforeEach(() =>
    settings(mia, {
      kinds: { assigned: { inApp: true, mail: 'daily' }, mentioned: { inApp: true, mail: 'daily' } },
      timeZone: zoneAt(10),
      digestHour: 10,
    }),
  )

  test('lists what is unread, at the hour of the member, at most once a day', async () => {
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

  test('is not sent without anything unread', async () => {
    await task({ assignee: mia.userId })
    await mia.post('/inbox/read')
    await sendDigests(ctx, never)
    expect(await mailsTo(mia)).toEqual([])
  })

  test('that failed is tried again on the same day, and one whose process ended is not', async () => {
    await task({ assignee: mia.userId })
    const failing = {
      ...ctx,
      mailer: { ...ctx.mailer, send: () => Promise.reject(new Error('SMTP is down')) },
    }
    await sendDigests(failing, never)
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
