// An open page after its user has lost access, or has another role.
import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { beforeEach, expect, test } from 'vitest'
import type { Member } from '../../contract/members.ts'
import { newId } from '../../server/base/id.ts'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { axeViolations, axeViolationsInBothSchemes } from './axe.ts'
import { openDashboard } from './open-dashboard.ts'

const dashboard = await openDashboard()
const { directory } = dashboard.service.ctx

let org: Org
let owner: SignedInMember
let mia: SignedInMember

beforeEach(async () => {
  ;({ org, owner } = await dashboard.organization('owner'))
  mia = await org.member('member')
})

const companies = () => `/o/org-${org.id}/objects/companies`
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const ended = (page: Page) => heading(page, 'You are no longer a member of Initech')

async function membershipOf({ userId }: SignedInMember): Promise<string> {
  const { members } = (await owner.get<{ members: Member[] }>('/members')).body
  return members.find(({ user }) => user.id === userId)?.id ?? ''
}

const remove = async (member: SignedInMember) => owner.delete(`/members/${await membershipOf(member)}`)

const follows = (page: Page) =>
  page.waitForResponse((response) => response.url().includes('/events/stream') && response.ok())

async function openFollowing(page: Page, path: string): Promise<void> {
  const following = follows(page)
  await page.goto(path)
  await following
  await page.getByRole('heading', { level: 1 }).first().waitFor()
}

test('the open page of a removed member says so without a reload, and links to another organization', async () => {
  const other = await dashboard.service.org({ name: 'Globex' })
  await directory.run(sql`insert into members (id, organization_id, user_id, role)
    values (${newId()}, ${other.id}, ${mia.userId}, 'member')`)
  await org.post('/objects/companies/records', { data: { name: 'Secret Holdings' } })
  const page = await dashboard.visit(mia)
  await openFollowing(page, companies())
  await page.getByRole('link', { name: 'Secret Holdings' }).waitFor()
  await remove(mia)
  await ended(page).waitFor()
  await expect.poll(() => page.getByText('Secret Holdings').count()).toBe(0)
  for (const width of [1440, 375]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await axeViolationsInBothSchemes(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  }
  await page.getByRole('link', { name: 'Open Globex' }).press('Enter')
  await page.waitForURL(`**/o/org-${other.id}`)
  await heading(page, 'Home').waitFor()
})

test('every open tab of a removed member says that the membership has ended', async () => {
  const page = await dashboard.visit(mia)
  await openFollowing(page, companies())
  const second = await page.context().newPage()
  await second.goto(`/o/org-${org.id}/activities`)
  await second.getByRole('heading', { name: 'Activities' }).first().waitFor()
  await remove(mia)
  await Promise.all([ended(page).waitFor(), ended(second).waitFor()])
  await page.getByRole('link', { name: 'Create an organization' }).waitFor()
})

test('without live updates, the next request shows a removed member that the membership has ended', async () => {
  await org.post('/objects/companies/records', { data: { name: 'Secret Holdings' } })
  const page = await dashboard.visit(mia)
  await page.route('**/events/stream*', (route) => route.abort())
  await page.goto(companies())
  await page.getByRole('link', { name: 'Secret Holdings' }).waitFor()
  await remove(mia)
  await page.getByRole('link', { name: 'Activities' }).click()
  await ended(page).waitFor()
  await page.reload()
  await heading(page, 'You are not a member of this organization').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Sign in as another user' }).click()
  await heading(page, 'Sign in to Rapport').waitFor()
})

test('the page of a deleted organization says so without a reload', async () => {
  const page = await dashboard.visit(mia)
  await openFollowing(page, companies())
  await dashboard.service.ctx.db.run(sql`delete from attributes where org = ${org.org}`)
  await directory.run(sql`delete from organizations where id = ${org.id}`)
  await ended(page).waitFor()
})

test('a changed role shows a note on the open page, which then offers what the role allows', async () => {
  const page = await dashboard.visit(mia)
  await openFollowing(page, `/o/org-${org.id}/settings/members`)
  await page.getByText('Only owners and admins can invite members').waitFor()
  await owner.patch(`/members/${await membershipOf(mia)}`, { role: 'admin' })
  await page.getByText('You are now an admin of Initech').waitFor()
  await page.getByRole('button', { name: 'Invite', exact: true }).waitFor()
  await owner.patch(`/members/${await membershipOf(mia)}`, { role: 'member' })
  await page.getByText('You are now a member of Initech').waitFor()
  await page.getByRole('button', { name: 'Invite', exact: true }).waitFor({ state: 'detached' })
})

test('the open page asks to sign in again after the session was ended elsewhere', async () => {
  const page = await dashboard.visit(mia)
  await openFollowing(page, companies())
  await directory.run(sql`delete from sessions where user_id = ${mia.userId}`)
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
})
