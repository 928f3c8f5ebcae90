import { expect, test } from 'vitest'
import { mentionOf } from '../../../contract/mentions.ts'
import type { NotificationSettings } from '../../../contract/notifications.ts'
import { addActivity, addRecord } from '../crm.fixture.ts'
import { hasFocus, pressShortcut } from '../journey-keys.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'
import { button, expectAccessible, holdsFocus, option } from '../steps.fixture.ts'

const dashboard = await openSharedDashboard()

test('the bell opens a mention, the inbox is read and archived, and a kind of notification is turned off', async () => {
  const { org, member: mia } = await dashboard.organization('member')
  const rocket = await addRecord(org, 'deals', { name: 'Rocket' })
  const home = `/o/org-${org.id}`
  const page = await dashboard.open(home, mia)
  await button(page, 'Notifications N').waitFor()
  await org.post(`/objects/deals/records/${rocket}/comments`, { text: `${mentionOf(mia.userId)}: sign it` })
  await button(page, 'Notifications 1 unread').waitFor()
  await pressShortcut(page, 'n')
  const panel = page.getByRole('dialog', { name: 'Notifications' })
  await holdsFocus(panel)
  const entry = panel.getByRole('link', { name: 'Olivia Owner mentioned you on Rocket' })
  await entry.waitFor()
  await expectAccessible(page)
  await entry.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Rocket' }).waitFor()
  await button(page, 'Notifications N').waitFor()

  await addActivity(org, { type: 'task', title: 'Call Acme', assignee: mia.userId })
  await button(page, 'Notifications 1 unread').waitFor()
  await page.goto(`${home}/inbox`)
  const entries = page.getByRole('main').getByRole('listitem')
  await expect.poll(() => entries.count()).toBe(2)
  await expectAccessible(page)
  await button(entries.filter({ hasText: 'Call Acme' }), 'Mark as read').click()
  await button(page, 'Notifications N').waitFor()
  await button(entries.filter({ hasText: 'Rocket' }), 'Archive').press('Enter')
  await expect.poll(() => entries.count()).toBe(1)
  await page.getByText('Archived', { exact: true }).click()
  await entries.filter({ hasText: 'mentioned you on Rocket' }).waitFor()
  await button(entries, 'Move to the inbox').click()
  await entries.first().waitFor({ state: 'detached' })
  await page.getByText('All', { exact: true }).click()
  await expect.poll(() => entries.count()).toBe(2)

  await page.goto(`${home}/settings/notifications`)
  const settings = async () => (await mia.get<NotificationSettings>('/inbox/settings')).body.kinds
  const due = page.getByRole('switch', { name: 'Due today in the inbox' })
  await due.focus()
  await hasFocus(due)
  await page.keyboard.press('Space')
  await expect.poll(async () => (await settings()).due.inApp).toBe(false)
  await page.getByRole('combobox', { name: 'Mentions by email' }).click()
  await option(page, 'Daily').click()
  await expect.poll(async () => (await settings()).mentioned.mail).toBe('daily')
  await expectAccessible(page)
})

test('on a phone, the bell opens the inbox', async () => {
  const { org, member: mia } = await dashboard.organization('member')
  await addActivity(org, { type: 'task', title: 'Call Acme', assignee: mia.userId })
  const page = await dashboard.open(`/o/org-${org.id}`, mia, { viewport: { width: 375, height: 700 } })
  await page.getByRole('link', { name: 'Notifications 1 unread' }).click()
  await page.getByRole('link', { name: /Call Acme/ }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375)
  await expectAccessible(page)
})
