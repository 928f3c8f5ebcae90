import { expect, test } from 'vitest'
import { axeViolationsInBothSchemes } from '../axe.ts'
import { addRecord, dataOf } from '../crm.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'
import { button, chooseFromMenu, expectAccessible, holdsFocus, work } from '../steps.fixture.ts'

const dashboard = await openSharedDashboard()

test('duplicate companies are found, merged by keyboard, and dismissed by mouse', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  const acme = await addRecord(org, 'companies', { name: 'Acme Trading' })
  await addRecord(org, 'companies', { name: 'Acme Trading Inc', domain: 'acme.example' })
  for (const name of ['Globex Sisters', 'Globex Sister', 'Hooli']) await addRecord(org, 'companies', { name })
  const page = await dashboard.open(`/o/org-${org.id}/objects/companies`, await org.member('member'))
  await chooseFromMenu(button(page, 'More actions'), 'Duplicates')
  await page.getByRole('heading', { name: 'Find duplicate companies' }).waitFor()
  await button(page, 'Find duplicates').press('Enter')
  await button(page, 'Cancel search').waitFor()
  await work(dashboard.service, button(page, 'Search again'))
  const rows = page.getByRole('row').filter({ has: page.getByRole('rowheader') })
  await expect.poll(() => rows.count()).toBe(2)
  expect(await axeViolationsInBothSchemes(page)).toEqual([])

  await button(page, 'Merge Acme Trading, Acme Trading Inc').press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('No other record, activity or file changes.').waitFor()
  await holdsFocus(dialog)
  await dialog.getByRole('radio', { name: 'Name of Acme Trading Inc' }).press('Space')
  await expectAccessible(page)
  await button(dialog, 'Merge 2 companies').press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => rows.count()).toBe(1)
  const merged = { name: 'Acme Trading Inc', domain: 'acme.example' }
  await expect.poll(() => dataOf(org, 'companies', acme)).toMatchObject(merged)

  await button(page, 'Not duplicates: Globex Sisters, Globex Sister').click()
  await page.getByRole('heading', { name: 'No duplicate companies' }).waitFor()
  await page.getByText('Dismissed', { exact: true }).click()
  await button(page, 'List again: Globex Sisters, Globex Sister').click()
  await page.getByRole('heading', { name: 'No dismissed groups' }).waitFor()
})
