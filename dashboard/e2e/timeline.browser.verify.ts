// The descriptions of changes and of linked records in the timeline of a record.
import { expect, test } from 'vitest'
import { addActivity, addRecord, objectId } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()

test('a set or removed value is described as such, and a chip keeps its text at 1024 px', async () => {
  const { org, member } = await dashboard.organization('member')
  const ida = await addRecord(org, 'people', { name: { firstName: 'Ida', lastName: 'Müller' } })
  const deal = await addRecord(org, 'deals', { name: 'Rocket' })
  await member.patch(`/objects/deals/records/${deal}`, { data: { contact: ida } })
  await member.patch(`/objects/deals/records/${deal}`, { data: { contact: null } })
  const linkedRecords = [
    { objectId: await objectId(org, 'deals'), recordId: deal },
    { objectId: await objectId(org, 'people'), recordId: ida },
  ]
  const title = 'Ask about the price of rockets'
  await addActivity(org, { type: 'task', title, assignee: member.userId, linkedRecords })
  const page = await dashboard.open(`/o/org-${org.id}/objects/deals/${deal}`, member, {
    viewport: { width: 1024, height: 800 },
  })
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByRole('button', { name: '2 changes by Mia Member' }).click()
  await timeline.getByText('Ida Müller').first().waitFor()
  const changes = timeline.getByRole('listitem').filter({ hasText: /^Contact:/ })
  await expect
    .poll(async () => (await changes.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')))
    .toEqual([
      expect.stringMatching(/Contact: Ida Müller removed/),
      expect.stringMatching(/Contact: set to Ida Müller/),
    ])
  const task = timeline.getByRole('listitem').filter({ hasText: title })
  const chip = task.getByRole('link', { name: 'Ida Müller' }).locator('span').last()
  await expect.poll(() => chip.evaluate((text) => text.scrollWidth <= text.clientWidth)).toBe(true)
})

test('text in a form stays when the window becomes narrow and wide again', async () => {
  const { org, member } = await dashboard.organization('member')
  const deal = await addRecord(org, 'deals', { name: 'Rocket' })
  const page = await dashboard.open(`/o/org-${org.id}/objects/deals/${deal}`, member, {
    viewport: { width: 1024, height: 744 },
  })
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.evaluate((column) => column.setAttribute('data-seen', ''))
  await page.setViewportSize({ width: 744, height: 1024 })
  await page.getByText('Related', { exact: true }).waitFor()
  await page.setViewportSize({ width: 1024, height: 744 })
  await timeline.waitFor()
  await expect.poll(() => timeline.getAttribute('data-seen')).toBe('')
})
