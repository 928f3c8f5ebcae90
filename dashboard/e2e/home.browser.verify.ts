import { expect, test } from 'vitest'
import { axeViolations, axeViolationsInBothSchemes } from './axe.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()
const HOUR = 3_600_000

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()

async function busy() {
  const { org, member } = await dashboard.organization('member')
  const deal = (name: string, stage: string, amount: number) =>
    member.post('/objects/deals/records', {
      data: { name, stage, amount: { amount, currency: 'USD' }, owner: member.userId },
    })
  await deal('Rocket', 'Lead', 1_500_000)
  await deal('Anvil', 'Lead', 0)
  await deal('Magnet', 'Won', 40)
  const task = { type: 'task', assignee: member.userId }
  await member.post('/activities', { ...task, title: 'Send the offer', activityDate: inHours(-30) })
  await member.post('/activities', { ...task, title: 'Call back', activityDate: inHours(40) })
  await member.post('/activities', { title: 'Lunch', type: 'meeting', activityDate: inHours(30) })
  await member.post('/activities', { title: 'First call', type: 'call' })
  return { org, member }
}

test('shows my tasks, the stages of my deals, recent changes, and upcoming activities', async () => {
  const { org, member } = await busy()
  await org.post('/objects/deals/records', { data: { name: 'Spring', stage: 'Won' } })
  await org.post('/activities', { title: 'Dinner', type: 'meeting', activityDate: inHours(35) })
  const page = await dashboard.open(`/o/org-${org.id}`, member)
  const recent = page.getByRole('region', { name: 'Recent changes' })
  await recent.getByRole('link', { name: 'Magnet' }).waitFor()
  await expect
    .poll(() => recent.getByRole('link').allTextContents())
    .toEqual(['Spring', 'Magnet', 'Anvil', 'Rocket'])
  await recent
    .getByRole('listitem')
    .filter({ hasText: 'Magnet' })
    .getByText('Created', { exact: true })
    .waitFor()
  await recent
    .getByRole('listitem')
    .filter({ hasText: 'Spring' })
    .getByText('Created by Olivia Owner')
    .waitFor()
  const stages = page.getByRole('region', { name: 'My pipeline' })
  await stages.getByRole('row', { name: 'Lead 2 $1.5M' }).waitFor()
  await stages.getByRole('row', { name: 'Won 1 $40' }).waitFor()
  const bars = (stage: string) => stages.getByRole('row', { name: stage }).locator('[data-bar]')
  await expect.poll(() => bars('Lead').count()).toBe(1)
  await expect.poll(() => bars('Won').count()).toBe(0)
  await stages.getByText('Everyone’s').click()
  const all = page.getByRole('region', { name: 'Deals by stage' })
  await all.getByRole('row', { name: 'Won 2 $40' }).waitFor()
  const week = page.getByRole('region', { name: 'Activities this week' }).getByRole('listitem')
  await expect.poll(() => week.count()).toBe(7)
  await expect.poll(() => week.last().textContent()).toMatch(/: 1$/)
  const tasks = page.getByRole('region', { name: 'My tasks' }).getByRole('listitem').getByRole('link')
  await expect.poll(() => tasks.allTextContents()).toEqual(['Send the offer', 'Call back'])
  const coming = page.getByRole('region', { name: 'Upcoming' })
  await expect
    .poll(() => coming.getByRole('listitem').getByRole('link').allTextContents())
    .toEqual(['Lunch', 'Dinner'])
  await expect.poll(() => coming.getByText('Olivia Owner').count()).toBe(1)
  await coming.getByRole('listitem').filter({ hasText: 'Dinner' }).getByText('Olivia Owner').waitFor()
})

test('a task is completed in its row, also by keyboard, and reopened', async () => {
  const { org, member } = await busy()
  const page = await dashboard.open(`/o/org-${org.id}`, member)
  const tasks = page.getByRole('region', { name: 'My tasks' })
  const isDone = async () =>
    (await member.get<{ activities: object[] }>('/activities?isOpen=false')).body.activities.length
  const box = tasks.getByRole('checkbox', { name: 'Done: Send the offer' })
  // Other parts of the page are loaded later and move it.
  await page.getByRole('region', { name: 'Upcoming' }).getByRole('link').first().waitFor()
  await page.getByRole('region', { name: 'My pipeline' }).getByRole('row').first().waitFor()
  const before = await box.boundingBox()
  await box.click()
  await expect.poll(isDone).toBe(1)
  await tasks.getByText('Done', { exact: true }).waitFor()
  await expect
    .poll(() => tasks.getByRole('listitem').getByRole('link').allTextContents())
    .toEqual(['Send the offer', 'Call back'])
  await expect.poll(() => box.boundingBox()).toEqual(before)
  await box.focus()
  await page.keyboard.press('Space')
  await expect.poll(isDone).toBe(0)
  await expect.poll(() => box.isChecked()).toBe(false)
  await page.keyboard.press('Space')
  await expect.poll(isDone).toBe(1)
  await tasks.getByText('Done', { exact: true }).waitFor()
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(isDone).toBe(0)
  await expect.poll(() => box.isChecked()).toBe(false)
})

test('Ctrl+Z while a completion is being saved undoes this completion', async () => {
  const { org, member } = await busy()
  const page = await dashboard.open(`/o/org-${org.id}`, member)
  const box = page.getByRole('checkbox', { name: 'Done: Send the offer' })
  const [saving, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/activities/*', async (route) => {
    asked.resolve()
    await saving.promise
    await route.continue()
  })
  await box.press('Space')
  await asked.promise
  await page.keyboard.press('ControlOrMeta+z')
  saving.resolve()
  await page.getByText('Undone: "Send the offer" done').waitFor()
  await expect.poll(() => box.isChecked()).toBe(false)
  const { body } = await member.get<{ activities: object[] }>('/activities?isOpen=false')
  expect(body.activities).toEqual([])
})

test('links lead to the records of a stage and to the board', async () => {
  const { org, member } = await busy()
  const page = await dashboard.open(`/o/org-${org.id}`, member)
  await page.getByRole('link', { name: 'Won' }).click()
  // Home also shows these records, so look in the table.
  const table = page.getByRole('grid')
  await table.getByRole('link', { name: 'Magnet' }).waitFor()
  await expect.poll(() => table.getByRole('link', { name: 'Rocket' }).count()).toBe(0)
  await page.goBack()
  await page.getByRole('link', { name: 'Open board' }).click()
  await page.getByRole('region', { name: 'Proposal' }).waitFor()
})

test('a new organization sees next steps, and each disappears when it is done', async () => {
  const org = await dashboard.service.org({ name: 'Globex' })
  const owner = await org.member('owner')
  const page = await dashboard.open(`/o/org-${org.id}`, owner)
  const steps = page.getByRole('region', { name: 'Next steps' })
  await steps.getByRole('link', { name: 'Import companies' }).waitFor()
  await expect.poll(() => page.getByRole('region', { name: 'My pipeline' }).count()).toBe(0)
  expect(await axeViolations(page)).toEqual([])
  await steps.getByRole('link', { name: 'Create a deal' }).click()
  await page.getByRole('dialog', { name: 'Create deal' }).waitFor()
  await owner.post('/objects/deals/records', { data: { name: 'First' } })
  await page.goto(`/o/org-${org.id}`)
  await page.getByRole('region', { name: 'My pipeline' }).waitFor()
  await expect.poll(() => steps.getByRole('link', { name: 'Create a deal' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Hide next steps' }).click()
  await steps.waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByRole('region', { name: 'Recent changes' }).waitFor()
  await expect.poll(() => steps.count()).toBe(0)
})

test('a part that cannot be loaded shows an error and can be retried', async () => {
  const { org, member } = await busy()
  const page = await dashboard.visit(member)
  let isBroken = true
  await page.route('**/records/groups', (route) =>
    isBroken
      ? route.fulfill({ status: 500, json: { error: 'internal_error', message: 'Broken', details: {} } })
      : route.continue(),
  )
  await page.goto(`/o/org-${org.id}`)
  const stages = page.getByRole('region', { name: 'My pipeline' })
  await stages.getByRole('alert').waitFor()
  const again = stages.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  isBroken = false
  // The page may have retried automatically before the button is pressed.
  await again.dispatchEvent('click', undefined, { timeout: 2000 }).catch(() => undefined)
  await stages.getByRole('row', { name: /^Lead 2/ }).waitFor()
})

test('is accessible and fits a phone', async () => {
  const { org, member } = await busy()
  const page = await dashboard.open(`/o/org-${org.id}`, member, { viewport: { width: 375, height: 740 } })
  await page.getByRole('row', { name: /^Lead 2/ }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375)
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
})

test('with reduced motion, a changed style reaches all texts in one step', async () => {
  const { org, member } = await busy()
  const page = await dashboard.open(`/o/org-${org.id}`, member, { reducedMotion: 'reduce' })
  await page.getByRole('heading', { name: 'My tasks' }).waitFor()
  // With transitions, an element would start its own when that of its parent has ended, frame by frame.
  const lineHeight = `document.documentElement.style.setProperty('--mantine-line-height', '3'),
    getComputedStyle(document.querySelector('h2.truncate')).lineHeight`
  expect(await page.evaluate(lineHeight)).toBe('42px')
})
