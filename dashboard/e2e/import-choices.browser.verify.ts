// The choices for rows that match a record, made by keyboard, and undoing an import on a phone.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import { accessible, button, choose, counts, heading } from './import.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { holdsFocus, work } from './steps.fixture.ts'

const dashboard = await openSharedDashboard()
const { service } = dashboard
const CSV = 'Name,Industry\nAcme Inc,Finance\nGlobex,Energy\n'
const PHONE = { viewport: { width: 375, height: 800 } }

/** An organization with one company, and its import page. */
async function openPage(options?: typeof PHONE) {
  const org = await service.org()
  const owner = await org.member('owner')
  const data = { name: 'Acme', industry: 'Technology' }
  expect((await owner.post('/objects/companies/records', { data })).status).toBe(201)
  const page = await dashboard.open(`/o/org-${org.id}/objects/companies/import`, owner, options)
  await heading(page, 'Choose a CSV file')
  return { owner, page }
}

const industries = async (member: SignedInMember) => {
  const path = '/objects/companies/records?order=asc'
  const { body } = await member.get<{ records: { data: Record<string, string> }[] }>(path)
  return body.records.map(({ data }) => [data['name'], data['industry']])
}

const radio = (page: Page, name: string) => page.getByRole('radio', { name, exact: true })
const SKIP = 'Skip rows that match a record, create the others'
const UPDATE = 'Update the record that a row matches, create the others'

async function check(page: Page): Promise<void> {
  await button(page, 'Check 2 rows').press('Enter')
  await work(service, page.getByRole('heading', { name: 'What the import would do', exact: true }))
}

async function run(page: Page, rows: string): Promise<void> {
  await button(page, `Import ${rows}`).press('Enter')
  await work(service, page.getByRole('heading', { name: 'Import completed', exact: true }))
}

const fits = (page: Page) =>
  expect.poll(() => page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)

test('matching rows are counted, and are skipped if the user chooses so by keyboard', async () => {
  const { owner, page } = await openPage()
  await choose(page, CSV)
  await heading(page, 'Map the columns')
  await check(page)
  await page.getByText('1 row matches a company that exists, and creates another one.').waitFor()
  await accessible(page)

  await button(page, 'Back to mapping').press('Enter')
  await heading(page, 'Map the columns')
  await radio(page, 'Create a record for every row').press('ArrowDown')
  await expect.poll(() => radio(page, SKIP).isChecked()).toBe(true)
  await page.reload()
  await expect.poll(() => radio(page, SKIP).isChecked()).toBe(true)
  await accessible(page)
  await check(page)
  await page.getByText('1 row matches a company that exists, and is skipped.').waitFor()
  await expect.poll(() => counts(page)).toEqual({ Creates: '1', Updates: '0', Skips: '1', Errors: '0' })
  const skipped = page.getByRole('region', { name: 'Skipped rows' })
  await skipped.getByText('Line 2 matches').waitFor()
  await skipped.getByRole('link', { name: 'Acme' }).waitFor()
  await accessible(page)

  await run(page, '1 row')
  await expect.poll(() => counts(page)).toEqual({ Created: '1', Updated: '0', Skipped: '1', Failed: '0' })
  await accessible(page)
  expect(await industries(owner)).toEqual([
    ['Acme', 'Technology'],
    ['Globex', 'Energy'],
  ])
  await skipped.getByRole('link', { name: 'Acme' }).press('Enter')
  await page.getByRole('heading', { name: 'Acme', exact: true }).waitFor()
})

test('on a phone, rows update matching records, and the import is undone', async () => {
  const { owner, page } = await openPage(PHONE)
  await choose(page, CSV)
  await heading(page, 'Map the columns')
  await radio(page, UPDATE).check()
  await fits(page)
  await accessible(page)
  await check(page)
  await page.getByText('1 row matches a company that exists, and updates it.').waitFor()
  await fits(page)
  await accessible(page)
  await run(page, '2 rows')
  await expect
    .poll(() => industries(owner))
    .toEqual([
      ['Acme Inc', 'Finance'],
      ['Globex', 'Energy'],
    ])
  await fits(page)

  await button(page, 'Undo import').click()
  const dialog = page.getByRole('dialog', { name: 'Undo this import?' })
  await holdsFocus(dialog)
  await dialog.getByText('1 record that it updated gets the earlier values back.').waitFor()
  await fits(page)
  await accessible(page)
  await dialog.getByRole('button', { name: 'Undo import' }).click()
  await heading(page, 'Import undone')
  await accessible(page)
  await expect.poll(() => industries(owner)).toEqual([['Acme', 'Technology']])
  await page.getByRole('button', { name: 'Import another file' }).click()
  await page.getByRole('row').filter({ hasText: 'companies.csv' }).getByText('Undone').waitFor()
  await fits(page)
})

test('on a phone, four counts and a skipped row fit the screen', async () => {
  const { page } = await openPage(PHONE)
  await choose(page, CSV)
  await heading(page, 'Map the columns')
  await radio(page, SKIP).check()
  await check(page)
  await page.getByRole('region', { name: 'Skipped rows' }).waitFor()
  await fits(page)
  await accessible(page)
})
