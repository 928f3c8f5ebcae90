import { expect, test } from 'vitest'
import { counts } from '../import.fixture.ts'
import { hasFocus } from '../journey-keys.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'
import { button, expectAccessible, holdsFocus, option, work } from '../steps.fixture.ts'

const dashboard = await openSharedDashboard()

const CSV = 'Company,Industry\nAcme,Technology\nGlobex,Finance\n'

test('a small file is mapped, checked and imported, and the import is undone', async () => {
  const { org, owner } = await dashboard.organization('owner')
  const total = async () =>
    (await org.get<{ pagination: { total: number } }>('/objects/companies/records')).body.pagination.total
  const page = await dashboard.open(`/o/org-${org.id}/objects/companies/import`, owner)
  const heading = (name: string) => page.getByRole('heading', { name, exact: true })
  await heading('Choose a CSV file').waitFor()
  await expectAccessible(page)
  const file = { name: 'companies.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) }
  await page.locator('input[type=file]').setInputFiles(file)
  await heading('Map the columns').waitFor()
  const target = page.getByRole('combobox', { name: 'Attribute for Company', exact: true })
  await target.click()
  await hasFocus(target)
  await option(page, 'Name (required)').click()
  await expect.poll(() => target.inputValue()).toBe('Name (required)')
  await expectAccessible(page)

  await button(page, 'Check 2 rows').click()
  await work(dashboard.service, heading('What the import would do'))
  await expect.poll(() => counts(page)).toEqual({ Creates: '2', Updates: '0', Errors: '0' })
  await button(page, 'Import 2 rows').click()
  await work(dashboard.service, heading('Import completed'))
  expect(await total()).toBe(2)
  await expectAccessible(page)

  await button(page, 'Undo import').press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Undo this import?' })
  await holdsFocus(dialog)
  await button(dialog, 'Undo import').press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await heading('Import undone').waitFor()
  expect(await total()).toBe(0)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Open companies' }).click()
  await heading('No companies yet').waitFor()
})
