import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { person } from '../identity/visitor.fixture.ts'
import { buildTestService } from '../test/build-app.ts'
import { TESTS_CELLS } from '../test/cells.ts'
import type { SignedInMember } from '../test/dashboard-client.ts'
import { expectError, type Org } from '../test/factories.ts'
import { stepRunner } from '../workflows/steps/steps.fixture.ts'
import { step } from '../workflows/workflow.fixture.ts'
import { deleteOldMailDays } from './quota.ts'

const service = await buildTestService({ mailsPerOrganizationPerDay: 4, mailsPerDay: 10 })
const { db } = service.ctx

const invite = (owner: SignedInMember) =>
  owner.post('/invitations', { email: person().email, role: 'member' })

const to = (count: number) => Array.from({ length: count }, () => person().email)
const mail = (recipients: string[]) => step('send_email', { to: recipients, subject: 'Hi', text: 'Hello.' })

function steps(org: Org) {
  return stepRunner(service, () => org)
}

const today = (sender: string) =>
  db.maybeOne(
    sql`select mails from mail_days where sender = ${sender} and day = (now() at time zone 'UTC')::date`,
  )

// In a cell, emails of workflows are counted separately from invitations: docs/operators/cells.md.
test.skipIf(TESTS_CELLS)(
  'invitations and workflows share one limit of the organization, and each recipient counts',
  async () => {
    const org = await service.org()
    const owner = await org.member('owner')
    expect((await invite(owner)).status).toBe(201)
    await steps(org).outputs([mail(to(3))])
    expect(await today(org.id)).toEqual({ mails: 4 })
    const refused = await invite(owner)
    expectError(refused, 'rate_limit_exceeded')
    expect(refused.body['message']).toContain('at most 4 emails a day')
    expect(refused.body['message']).toContain('MAILS_PER_ORGANIZATION_PER_DAY')
    const { length: before } = await db.many(sql`select from outgoing_mail`)
    expect(await steps(org).failure(mail(to(1)))).toContain('MAILS_PER_ORGANIZATION_PER_DAY')
    expect(await db.many(sql`select from outgoing_mail`)).toHaveLength(before)
    expect(await today(org.id)).toEqual({ mails: 4 })
  },
)

test('a message to more recipients than the limit allows is sent to none of them', async () => {
  const org = await service.org()
  expect(await steps(org).failure(mail(to(5)))).toContain('at most 4 emails a day')
  expect(await today(org.id)).toBeUndefined()
})

test('all organizations together have a limit, and refused messages do not count', async () => {
  await db.run(sql`delete from mail_days`)
  const orgs = [await service.org(), await service.org(), await service.org()]
  for (const org of orgs.slice(0, 2)) await steps(org).outputs([mail(to(4))])
  const [last] = orgs.slice(2)
  if (!last) throw new Error('there is no third')
  expect(await steps(last).failure(mail(to(3)))).toContain('MAILS_PER_DAY')
  expect(await today(last.id)).toBeUndefined()
  await steps(last).outputs([mail(to(2))])
  expect(await today('installation')).toEqual({ mails: 10 })
})

test('the count starts again each day, and is deleted after a week', async () => {
  const org = await service.org()
  await db.run(sql`update mail_days set day = day - 8`)
  await steps(org).outputs([mail(to(4))])
  await deleteOldMailDays(db, new Date(), 100)
  expect(await db.many(sql`select sender from mail_days order by sender`)).toHaveLength(2)
})

test('an organization without an owner or admin with a confirmed address cannot send mail', async () => {
  const org = await service.org()
  await db.run(sql`delete from mail_days`)
  await db.run(sql`update users set email_verified = false where id = ${org.userId}`)
  await org.member('member')
  expect(await steps(org).failure(mail(to(1)))).toContain('confirmed their email address')
  await org.member('admin')
  await steps(org).outputs([mail(to(1))])
})

test('a message of a workflow names the workflow and its organization', async () => {
  const org = await service.org({ name: 'Initech\nFrom: evil' })
  const [recipient = ''] = to(1)
  await db.run(sql`delete from mail_days`)
  await steps(org).outputs([mail([recipient])])
  const { body } = await service.ctx.directory.one<{ body: string }>(
    sql`select body from outgoing_mail where recipient = ${recipient}`,
  )
  expect(body).toMatch(/^Hello\.\n\n-- \nSent by the workflow “.*” of Initech From: evil with Rapport\.\n$/)
})
