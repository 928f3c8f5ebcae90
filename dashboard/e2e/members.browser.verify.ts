import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { tokenIn } from '../../server/identity/visitor.fixture.ts'
import { axeViolations } from './axe.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()

const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name })

async function setUp() {
  const { org, owner } = await dashboard.organization('owner')
  return { org, owner, settings: `/o/org-${org.id}/settings` }
}

test('roles can be changed, except that of the last owner', async () => {
  const { org, owner, settings } = await setUp()
  await org.member('member')
  const page = await dashboard.open(`${settings}/members`, owner)
  const initials = page
    .getByRole('row', { name: /Mia Member/ })
    .locator('[data-initials=M]')
    .last()
  await expect.poll(() => initials.getAttribute('style')).toMatch(/background: var\(--tint-\d-surface\)/)
  await page.getByRole('combobox', { name: 'Role of Mia Member' }).last().click()
  await page.getByRole('option', { name: 'Admin' }).click()
  await page.getByText('Mia Member is now an admin').waitFor()
  await expect
    .poll(async () => {
      const { body } = await owner.get<{ members: { role: string }[] }>('/members')
      return body.members.map(({ role }) => role)
    })
    .toEqual(['owner', 'owner', 'admin'])
  await button(page, 'Remove Olivia Owner').click()
  await button(page.getByRole('dialog'), 'Remove member').click()
  await page.getByRole('row', { name: /Olivia Owner/ }).waitFor({ state: 'detached' })
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const leave = button(page, 'Leave the organization')
  await expect.poll(() => leave.getAttribute('aria-disabled')).toBe('true')
  await leave.press('Enter')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await leave.hover()
  await page.getByRole('tooltip').filter({ hasText: 'at least one owner' }).waitFor()
})

test('joining, role changes and leaving appear without a reload, and a removal is confirmed', async () => {
  const { owner, settings } = await setUp()
  const page = await dashboard.visit(owner)
  const following = page.waitForResponse((response) => response.url().includes('/events/stream'))
  await page.goto(`${settings}/members`)
  await following
  const guest = await (await dashboard.service.org()).member('member')
  const sent = await owner.post<{ inviteUrl: string }>('/invitations', { email: guest.email, role: 'member' })
  const invited = page.getByRole('row', { name: new RegExp(guest.email) })
  await invited.getByText('Expires').waitFor()
  await guest.session.post(`/invitations/${tokenIn(sent.body.inviteUrl)}/accept`, {})
  await page.getByRole('table', { name: 'Members' }).getByText(guest.email).waitFor()
  await page.getByRole('heading', { name: 'Invitations' }).waitFor({ state: 'detached' })
  await guest.session.patch('/profile', { name: 'Grace Hopper' })
  await page.getByRole('row', { name: /Grace Hopper/ }).waitFor()
  await button(page, 'Remove Grace Hopper').click()
  await button(page.getByRole('dialog'), 'Remove member').click()
  await page.getByText('Grace Hopper was removed from Initech').waitFor()
  await page.getByRole('row', { name: /Grace Hopper/ }).waitFor({ state: 'detached' })
})

test('removing a member lists their API keys and invitations, and revokes the keys on request', async () => {
  const { org, owner, settings } = await setUp()
  const admin = await org.member('admin')
  await admin.post('/api-keys', { name: 'Website forms', scopes: null })
  await owner.post('/api-keys', { name: 'Nightly sync', scopes: null })
  await admin.post('/invitations', { email: 'bo@example.com', role: 'member' })
  const page = await dashboard.open(`${settings}/members`, owner)
  await button(page, 'Remove Mia Member').click()
  const dialog = page.getByRole('dialog')
  const keys = dialog.getByRole('list', { name: 'API keys' })
  await keys.getByText('Website forms').waitFor()
  await expect.poll(() => keys.getByText('Nightly sync').count()).toBe(0)
  await dialog.getByRole('list', { name: 'Invitations' }).getByText('bo@example.com').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('checkbox', { name: 'Revoke this key' }).check()
  await button(dialog, 'Remove member').click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByText('bo@example.com').count()).toBe(0)
  const { body } = await owner.get<{ apiKeys: { name: string }[] }>('/api-keys')
  expect(body.apiKeys.map(({ name }) => name)).toEqual(['Nightly sync', 'test'])
})

test('removing a member transfers the records that they own to another member', async () => {
  const { org, owner, settings } = await setUp()
  const mia = await org.member('member')
  const data = { name: 'Big', owner: mia.userId }
  const deal = await owner.post<{ id: string }>('/objects/deals/records', { data })
  const page = await dashboard.open(`${settings}/members`, owner)
  await button(page, 'Remove Mia Member').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Records and tasks of this member: 1 deal (Owner).').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await button(dialog, 'Remove member').click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('0 of 1 record or task reassigned').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await dashboard.service.drain()
  await page.getByText('0 of 1 record or task reassigned').waitFor({ state: 'detached' })
  const { body } = await owner.get<{ data: object }>(`/objects/deals/records/${deal.body.id}`)
  expect(body.data).toMatchObject({ owner: owner.userId })
})

test('demoting an admin to member says what ends, and keeps their API keys unless they are selected', async () => {
  const { org, owner, settings } = await setUp()
  const admin = await org.member('admin')
  await admin.post('/api-keys', { name: 'Website forms', scopes: null })
  await admin.post('/invitations', { email: 'bo@example.com', role: 'member' })
  const page = await dashboard.open(`${settings}/members`, owner)
  await page.getByRole('combobox', { name: 'Role of Mia Member' }).last().click()
  await page.getByRole('option', { name: 'Member' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('They keep working').waitFor()
  await dialog.getByText('bo@example.com').waitFor()
  await button(dialog, 'Make a member').click()
  await page.getByRole('heading', { name: 'Invitations' }).waitFor({ state: 'detached' })
  const { body } = await owner.get<{ apiKeys: unknown[] }>('/api-keys')
  expect(body.apiKeys).toHaveLength(2)
})

test('an invitation is renewed with a new link, and cancelled', async () => {
  const { owner, settings } = await setUp()
  await owner.post('/invitations', { email: 'bo@example.com', role: 'member' })
  const page = await dashboard.open(`${settings}/members`, owner)
  await button(page, 'Send again to bo@example.com').click()
  await page.getByText(/\/invitation\/[\w-]{43}$/).waitFor()
  await button(page, 'Done').click()
  await button(page, 'Cancel the invitation of bo@example.com').click()
  await button(page.getByRole('dialog'), 'Cancel invitation').click()
  await page.getByRole('heading', { name: 'Invitations' }).waitFor({ state: 'detached' })
})
