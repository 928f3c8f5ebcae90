import { expect, test } from 'vitest'
import { axeViolations, axeViolationsInBothSchemes } from './axe.ts'
import { openDashboard } from './open-dashboard.ts'

const dashboard = await openDashboard()
const HOUR = 3_600_000

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()

async function busy() {
  const org = await dashboard.service.org({ name: 'Initech' })
  const member = await org.member('member')
  const deal = (name: string, stage: string, amount: number) =>
    member.post('/objects/deals/records', { data: { name, stage, amount: { amount, currency: 'USD' } } })
  await deal('Rocket', 'Lead', 1_500_000)
  await deal('Anvil', 'Lead', 0)
  await deal('Magnet', 'Won', 40)
  await member.post('/activities', { title: 'Send the offer', type: 'task', activityDate: inHours(-30) })
  await member.post('/activities', { title: 'Lunch', type: 'meeting', activityDate: inHours(30) })
  await member.post('/activities', { title: 'First call', type: 'call' })
  return { org, member }
}

test('tells what changed, how deals stand, and what is due', async () => {
  const { org, member } = await busy()
  const page = await dashboard.visit(member)
  await page.goto(`/o/org-${org.id}`)
  const recent = page.getByRole('region', { name: 'Recently changed' })
  await recent.getByRole('link', { name: 'Magnet' }).waitFor()
  expect(await recent.getByRole('link').allTextContents()).toEqual(['Magnet', 'Anvil', 'Rocket'])
  await recent.getByText('Created by you').first().waitFor()
  const stages = page.getByRole('region', { name: 'Deals by stage' })
  await stages.getByRole('row', { name: 'Lead 2 $1.5M' }).waitFor()
  await stages.getByRole('row', { name: 'Won 1 $40' }).waitFor()
  const week = page.getByRole('region', { name: 'Activities this week' }).getByRole('listitem')
  expect(await week.count()).toBe(7)
  expect(await week.last().textContent()).toMatch(/: 1$/)
  const coming = page.getByRole('region', { name: 'Upcoming and overdue' })
  expect(await coming.getByRole('listitem').getByRole('link').allTextContents()).toEqual([
    'Send the offer',
    'Lunch',
  ])
})

test('leads to the records of a stage, and to the board', async () => {
  const { org, member } = await busy()
  const page = await dashboard.visit(member)
  await page.goto(`/o/org-${org.id}`)
  await page.getByRole('link', { name: 'Won' }).click()
  // Home names the same records: these are those of the table.
  const table = page.getByRole('grid')
  await table.getByRole('link', { name: 'Magnet' }).waitFor()
  expect(await table.getByRole('link', { name: 'Rocket' }).count()).toBe(0)
  await page.goBack()
  await page.getByRole('link', { name: 'Open board' }).click()
  await page.getByRole('region', { name: 'Proposal' }).waitFor()
})

test('a new organization sees the next steps, each gone when it is done', async () => {
  const org = await dashboard.service.org({ name: 'Globex' })
  const owner = await org.member('owner')
  const page = await dashboard.visit(owner)
  await page.goto(`/o/org-${org.id}`)
  const steps = page.getByRole('region', { name: 'Next steps' })
  await steps.getByRole('link', { name: 'Import companies' }).waitFor()
  expect(await page.getByRole('region', { name: 'Deals by stage' }).count()).toBe(0)
  expect(await axeViolations(page)).toEqual([])
  await steps.getByRole('link', { name: 'Create a deal' }).click()
  await page.getByRole('dialog', { name: 'Create deal' }).waitFor()
  await owner.post('/objects/deals/records', { data: { name: 'First' } })
  await page.goto(`/o/org-${org.id}`)
  await page.getByRole('region', { name: 'Deals by stage' }).waitFor()
  expect(await steps.getByRole('link', { name: 'Create a deal' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Hide next steps' }).click()
  await steps.waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByRole('region', { name: 'Recently changed' }).waitFor()
  expect(await steps.count()).toBe(0)
})

test('what cannot be loaded is said, and can be tried again', async () => {
  const { org, member } = await busy()
  const page = await dashboard.visit(member)
  await page.route('**/records/groups', (route) =>
    route.fulfill({ status: 500, json: { error: 'internal_error', message: 'Broken', details: {} } }),
  )
  await page.goto(`/o/org-${org.id}`)
  const stages = page.getByRole('region', { name: 'Deals by stage' })
  await stages.getByRole('alert').waitFor()
  await page.unroute('**/records/groups')
  // A click waits for the button to rest; by then the page may have tried by itself.
  await stages.getByRole('button', { name: 'Try again' }).dispatchEvent('click')
  await stages.getByRole('row', { name: /^Lead 2/ }).waitFor()
})

test('is accessible and fits a phone', async () => {
  const { org, member } = await busy()
  const page = await dashboard.visit(member, { viewport: { width: 375, height: 740 } })
  await page.goto(`/o/org-${org.id}`)
  await page.getByRole('row', { name: /^Lead 2/ }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375)
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
})
