import { expect, test } from 'vitest'
import { addActivity, addRecord } from '../crm.fixture.ts'
import { hasFocus, pressShortcut } from '../journey-keys.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'
import { button, expectAccessible, holdsFocus, option } from '../steps.fixture.ts'

const dashboard = await openSharedDashboard()

test('a meeting is created, activities are filtered and searched, and a task is completed', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  const acme = await addRecord(org, 'companies', { name: 'Acme' })
  await addRecord(org, 'companies', { name: 'Globex' })
  await addActivity(org, { type: 'call', title: 'Old call', activityDate: '2020-01-02T10:00:00Z' })
  await addActivity(org, { type: 'task', title: 'Late task', activityDate: '2020-01-03T10:00:00Z' })
  const page = await dashboard.open(`/o/org-${org.id}/activities`, await org.member('member'))
  await page.getByRole('region', { name: 'Overdue · 1' }).getByText('Late task').waitFor()
  await button(page, 'Old call').waitFor()

  const box = page.getByRole('checkbox', { name: 'Done: Late task' })
  await box.focus()
  await hasFocus(box)
  await page.keyboard.press('Space')
  await page.getByRole('region', { name: 'Overdue · 1' }).waitFor({ state: 'detached' })
  const done = async () => (await org.get('/activities?isOpen=false')).body
  await expect.poll(done).toMatchObject({ activities: [{ title: 'Late task' }] })

  await pressShortcut(page, 'c')
  const panel = page.getByRole('dialog', { name: 'New activity' })
  await holdsFocus(panel)
  await panel.getByText('Meeting', { exact: true }).click()
  await panel.getByRole('textbox', { name: 'Title' }).fill('Board meeting')
  await panel.getByRole('combobox', { name: 'Linked records' }).fill('acm')
  await option(page, 'Globex').waitFor({ state: 'detached' })
  await option(page, /^Acme/).click()
  await page.getByRole('listbox').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'hidden' })
  await expectAccessible(page)
  await button(panel, /^Create activity/).click()
  await panel.waitFor({ state: 'detached' })
  await button(page, 'Board meeting').waitFor()
  const { body } = await org.get('/activities?search=board')
  expect(body).toMatchObject({ activities: [{ type: 'meeting', linkedRecords: [{ recordId: acme }] }] })

  await button(page, 'Filter').click()
  const kind = page.getByRole('combobox', { name: 'Type' })
  await kind.click()
  await option(page, 'Task').click()
  await button(page, 'Old call').waitFor({ state: 'detached' })
  await hasFocus(kind)
  await page.keyboard.press('Escape')
  await kind.waitFor({ state: 'detached' })
  await button(page, /^Type is task/).click()
  await button(page, 'Old call').waitFor()
  const search = page.getByRole('searchbox', { name: 'Search activities' })
  await pressShortcut(page, '/')
  await hasFocus(search)
  await page.keyboard.type('late')
  await button(page, 'Board meeting').waitFor({ state: 'detached' })
  await expect.poll(() => new URL(page.url()).search).toBe('?q=late')
  await expectAccessible(page)
})
