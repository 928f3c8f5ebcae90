import { expect, test } from 'vitest'
import { openSharedDashboard } from './open-dashboard.ts'
import { button } from './steps.fixture.ts'

const dashboard = await openSharedDashboard()

const CSV = 'Company,Industry\nAcme,Technology\nGlobex,Finance\n'

test('the upload of a file continues after the connection was lost, and can be cancelled in the meantime', async () => {
  const org = await dashboard.service.org({ name: 'Hooli' })
  const page = await dashboard.visit(await org.member('owner'))
  let isAway = true
  await page.route('**/imports/*/upload?**', (route) => (isAway ? route.abort() : route.continue()))
  await page.goto(`/o/org-${org.id}/objects/companies/import`)
  const file = { name: 'companies.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) }
  await page.locator('input[type=file]').setInputFiles(file)
  const lost = page.getByText('The connection was lost.')
  await lost.waitFor()
  const removed = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await button(page, 'Cancel upload').press('Enter')
  expect((await removed).status()).toBe(200)
  await button(page, 'Choose file').waitFor()

  await page.locator('input[type=file]').setInputFiles(file)
  await lost.waitFor()
  isAway = false
  await page.getByRole('heading', { name: 'Map the columns', exact: true }).waitFor()
  await page.getByText('2 rows').first().waitFor()
})
