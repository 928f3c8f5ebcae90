// The inbox, comments with mentions, and notification settings.
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { Comment } from '../../contract/comments.ts'
import { mentionOf } from '../../contract/mentions.ts'
import type { NotificationSettings } from '../../contract/notifications.ts'
import type { Reminder } from '../../contract/reminders.ts'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { axeViolations } from './axe.ts'
import { addActivity, addRecord } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { chooseFromMenu } from './steps.fixture.ts'

const dashboard = await openSharedDashboard()
let org: Org
let mia: SignedInMember
let home: string
let rocket: string

beforeEach(async () => {
  ;({ org, member: mia } = await dashboard.organization('member'))
  home = `/o/org-${org.id}`
  rocket = await addRecord(org, 'deals', { name: 'Rocket' })
})

const comment = (text: string) => org.post<Comment>(`/objects/deals/records/${rocket}/comments`, { text })
const commentTexts = async () =>
  (await org.get<{ comments: Comment[] }>(`/objects/deals/records/${rocket}/comments`)).body.comments.map(
    ({ text }) => text,
  )

test('the bell counts new notifications on an open page, and its panel opens them', async () => {
  const page = await dashboard.open(home, mia)
  await page.getByRole('button', { name: 'Notifications N' }).waitFor()
  await comment(`${mentionOf(mia.userId)}: sign it`)
  await page.getByRole('button', { name: 'Notifications 1 unread' }).waitFor()
  await page.keyboard.press('n')
  const panel = page.getByRole('dialog', { name: 'Notifications' })
  const entry = panel.getByRole('link', { name: 'Olivia Owner mentioned you on Rocket' })
  await entry.waitFor()
  await panel.getByText('@Mia Member: sign it').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await entry.press('Enter')
  await page.getByRole('heading', { name: 'Rocket' }).waitFor()
  await page.getByRole('button', { name: 'Notifications N' }).waitFor()
})

test('in a narrow window N opens the inbox, also after the sidebar was open', async () => {
  const page = await dashboard.visit(mia, { viewport: { width: 600, height: 800 } })
  const inbox = page.getByRole('heading', { name: 'Inbox', level: 1 })
  for (const isOpened of [false, true]) {
    await page.goto(home)
    await page.getByRole('link', { name: 'Notifications' }).first().waitFor()
    if (isOpened) await page.getByRole('button', { name: 'Navigation' }).click()
    await page.keyboard.press('n')
    await inbox.waitFor()
    await expect.poll(() => page.getByRole('dialog', { name: 'Notifications' }).count()).toBe(0)
  }
})

test('the inbox is filtered, read and archived', async () => {
  await comment(`${mentionOf(mia.userId)}: sign it`)
  await addActivity(org, { type: 'task', title: 'Call Acme', assignee: mia.userId })
  const page = await dashboard.open(`${home}/inbox`, mia)
  const entries = page.getByRole('main').getByRole('listitem')
  await expect.poll(() => entries.count()).toBe(2)
  expect(await axeViolations(page)).toEqual([])
  await entries.filter({ hasText: 'Call Acme' }).getByRole('button', { name: 'Mark as read' }).click()
  await page.getByText('Unread', { exact: true }).click()
  await expect.poll(() => entries.count()).toBe(1)
  await entries.getByRole('button', { name: 'Archive' }).click()
  await page.getByText('You have read everything.').waitFor()
  await page.getByText('Archived', { exact: true }).click()
  await entries.filter({ hasText: 'mentioned you on Rocket' }).waitFor()
  await entries.getByRole('button', { name: 'Move to the inbox' }).click()
  await page.getByText('All', { exact: true }).click()
  await expect.poll(() => entries.count()).toBe(2)
  await page.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Mentions' }).click()
  await expect.poll(() => entries.count()).toBe(1)
})

test('a member is mentioned in a comment by keyboard', async () => {
  const page = await dashboard.open(`${home}/objects/deals/${rocket}`, mia)
  const field = page.getByRole('textbox', { name: 'New comment' })
  await field.focus()
  await page.keyboard.type('Hi @oli')
  await page.getByRole('option', { name: 'Olivia Owner' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect.poll(() => field.inputValue()).toBe('Hi @Olivia Owner ')
  await page.keyboard.type('see https://example.com/offer')
  await page.keyboard.press('Control+Enter')
  const written = page.getByRole('region', { name: 'Comments' }).getByRole('listitem')
  await written.getByText('@Olivia Owner').waitFor()
  const link = written.getByRole('link', { name: 'https://example.com/offer' })
  await expect.poll(() => link.getAttribute('rel')).toContain('noopener')
  expect(await commentTexts()).toEqual([`Hi ${mentionOf(org.userId)} see https://example.com/offer`])
  await expect.poll(() => field.inputValue()).toBe('')
})

test('an author edits and deletes a comment, and others see this without a reload', async () => {
  const reader = await dashboard.open(`${home}/objects/deals/${rocket}`, await org.member('member'))
  await reader.getByRole('textbox', { name: 'New comment' }).waitFor()
  const { body } = await mia.post<Comment>(`/objects/deals/records/${rocket}/comments`, {
    text: '<b>Frist</b>',
  })
  const seen = reader.getByRole('region', { name: 'Comments' }).getByRole('listitem')
  await seen.getByText('<b>Frist</b>').waitFor()
  await expect.poll(() => seen.getByRole('button', { name: 'Actions of the comment' }).count()).toBe(0)
  const page = await dashboard.open(`${home}/objects/deals/${rocket}`, mia)
  const mine = page.getByRole('region', { name: 'Comments' }).getByRole('listitem')
  await mine.getByRole('button', { name: 'Actions of the comment' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Edit comment' }).fill('First')
  await mine.getByRole('button', { name: 'Save' }).click()
  await seen.getByText('First', { exact: true }).waitFor()
  await seen.getByText('· edited').waitFor()
  await mine.getByRole('button', { name: 'Actions of the comment' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete comment' }).click()
  await seen.getByText('First').waitFor({ state: 'detached' })
  expect((await org.get(`/comments/${body.id}`)).status).toBe(404)
})

test('settings turn a kind off and choose the daily email', async () => {
  const page = await dashboard.open(`${home}/settings/notifications`, mia)
  const settings = async () => (await mia.get<NotificationSettings>('/inbox/settings')).body
  await page.getByRole('switch', { name: 'Due today in the inbox' }).press('Space')
  await expect.poll(async () => (await settings()).kinds.due.inApp).toBe(false)
  await page.getByRole('combobox', { name: 'Mentions by email' }).click()
  await page.getByRole('option', { name: 'Daily' }).click()
  await expect.poll(async () => (await settings()).kinds.mentioned.mail).toBe('daily')
  const longest = page.getByRole('combobox', { name: 'Disabled endpoints by email' })
  await expect.poll(() => longest.inputValue()).toBe('Immediately')
  expect(await longest.evaluate((input) => input.scrollWidth - input.clientWidth)).toBe(0)
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Berlin')
  await page.getByRole('option', { name: 'Europe/Berlin' }).click()
  await expect.poll(async () => (await settings()).timeZone).toBe('Europe/Berlin')
  expect(await axeViolations(page)).toEqual([])
})

test('on a phone, the bell opens the inbox', async () => {
  await comment(`${mentionOf(mia.userId)}: sign it`)
  const page = await dashboard.open(home, mia, { viewport: { width: 375, height: 700 } })
  await page.getByRole('link', { name: 'Notifications 1 unread' }).click()
  await page.getByRole('link', { name: 'Olivia Owner mentioned you on Rocket' }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375)
  expect(await axeViolations(page)).toEqual([])
})

const openReminder = (page: Page) =>
  chooseFromMenu(page.getByRole('button', { name: 'More actions' }), 'Remind me…')

test('a reminder of a record is set by keyboard, changed and cancelled', async () => {
  const page = await dashboard.open(`${home}/objects/deals/${rocket}`, mia)
  const reminders = async () =>
    (await mia.get<{ reminders: Reminder[] }>(`/reminders?recordId=${rocket}`)).body.reminders
  await openReminder(page)
  const dialog = page.getByRole('dialog', { name: 'Reminder: Rocket' })
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Ask for the signature')
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  expect(await reminders()).toMatchObject([{ note: 'Ask for the signature', beforeMinutes: null }])
  await openReminder(page)
  await dialog.getByRole('button', { name: /^Change the reminder/ }).click()
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Ask again')
  await dialog.getByRole('button', { name: 'Change reminder' }).click()
  await expect.poll(async () => (await reminders())[0]?.note).toBe('Ask again')
  await dialog.waitFor({ state: 'detached' })
  await openReminder(page)
  await dialog.getByRole('button', { name: /^Cancel the reminder/ }).click()
  await expect.poll(reminders).toEqual([])
})

test('cancelling a reminder while it is changed makes room for a new one', async () => {
  const at = new Date(Date.now() + 48 * 3_600_000).toISOString()
  await mia.post('/reminders', { record: { objectId: 'deals', recordId: rocket }, at, note: 'Ask' })
  const page = await dashboard.visit(mia)
  const dialog = page.getByRole('dialog', { name: 'Reminder: Rocket' })
  const question = page.getByRole('dialog', { name: 'Discard what you entered?' })
  await page.goto(`${home}/objects/deals/${rocket}`)
  await openReminder(page)
  await dialog.getByRole('button', { name: /^Change the reminder/ }).click()
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Ask again')
  await dialog.getByRole('button', { name: /^Cancel the reminder/ }).click()
  await dialog.getByRole('button', { name: 'Set reminder' }).waitFor()
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Call')
  await dialog.getByRole('button', { name: 'Set reminder' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { body } = await mia.get<{ reminders: Reminder[] }>(`/reminders?recordId=${rocket}`)
  expect(body.reminders).toMatchObject([{ note: 'Call' }])
  await openReminder(page)
  await dialog.getByLabel('Remind me at').fill('2031-01-05T10:00')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Later')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await openReminder(page)
  await dialog.getByRole('button', { name: 'Restore draft' }).click()
  await expect.poll(() => dialog.getByLabel('Remind me at').inputValue()).toBe('2031-01-05T10:00')
  await dialog.getByRole('button', { name: 'Set reminder' }).waitFor()
})

test('a reminder of a task is set before it is due', async () => {
  const activityDate = new Date(Date.now() + 48 * 3_600_000).toISOString()
  const id = await addActivity(org, { type: 'task', title: 'Call Acme', activityDate })
  const page = await dashboard.open(`${home}/activities`, mia, { viewport: { width: 375, height: 700 } })
  await page.getByRole('button', { name: 'Call Acme' }).click()
  await page.getByRole('button', { name: 'Remind me' }).click()
  await page.getByRole('combobox', { name: 'Remind me' }).click()
  await page.getByRole('option', { name: '1 day before it is due' }).click()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Set reminder' }).click()
  await expect
    .poll(
      async () => (await mia.get<{ reminders: Reminder[] }>(`/reminders?activityId=${id}`)).body.reminders,
    )
    .toMatchObject([{ beforeMinutes: 1440 }])
})
