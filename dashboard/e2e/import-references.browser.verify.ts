// A column that names companies by one of their attributes.
import { expect, test } from 'vitest'
import { button, choose, counts, heading } from './import.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { work } from './steps.fixture.ts'

const dashboard = await openSharedDashboard()
const { service } = dashboard

test('a column is mapped to the domain of the company', async () => {
  const org = await service.org()
  const owner = await org.member('owner')
  const data = { name: 'Acme', domain: 'acme.com' }
  const { body: company } = await owner.post<{ id: string }>('/objects/companies/records', { data })
  const page = await dashboard.visit(owner)
  const title = (name: string) => page.getByRole('heading', { name, exact: true })
  await page.goto(`/o/org-${org.id}/objects/people/import`)
  await choose(page, 'Name,Firm\nAda,www.Acme.com\nBo,Acme\n', 'people.csv')
  await heading(page, 'Map the columns')
  const target = page.getByRole('combobox', { name: 'Attribute for Firm', exact: true })
  await target.click()
  for (const name of ['Company', 'Company → Name', 'Company → Domain'])
    await page.getByRole('option', { name, exact: true }).waitFor()
  await page.getByRole('option', { name: 'Company → Domain', exact: true }).click()
  await expect.poll(() => target.inputValue()).toBe('Company → Domain')
  await page.getByText('Finds companies by domain', { exact: true }).waitFor()
  await page.getByLabel('Create companies that do not exist').uncheck()

  await button(page, 'Check 2 rows').click()
  await work(service, title('What the import would do'))
  await expect.poll(() => counts(page)).toEqual({ Creates: '1', Updates: '0', Errors: '1' })
  await page.getByText('No company has "Acme" as domain').first().waitFor()
  await button(page, /^Import 1 row/).click()
  await work(service, title('Import completed'))
  const { body } = await owner.get<{ records: { data: object }[] }>('/objects/people/records')
  expect(body.records.map((one) => one.data)).toMatchObject([{ company: company.id }])
})
