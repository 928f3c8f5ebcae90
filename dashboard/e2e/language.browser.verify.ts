// Pages in a browser with another language: texts, numbers and dates are English, but input is read in the browser's
// language.
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { addRecord, addThings } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()
let org: Org
let ada: SignedInMember
let things: string

beforeEach(async () => {
  ;({ org, member: ada } = await dashboard.organization('member'))
  things = await addThings(org, [
    { name: 'Name', type: 'text' },
    { name: 'Weight', type: 'number' },
    { name: 'Price', type: 'currency' },
    { name: 'Sold', type: 'date' },
    { name: 'Address', type: 'address' },
  ])
})

const GERMAN = { locale: 'de-DE', timezoneId: 'Europe/Berlin', viewport: { width: 1600, height: 800 } }

const cell = (page: Page, column: number) => page.locator(`#cell-0-${column}`)

test('in a German browser, a table has English numbers, dates and countries, and a 24-hour clock', async () => {
  const data = {
    name: 'Lamp',
    weight: 18744.5,
    price: { amount: 1234.5, currency: 'EUR' },
    sold: '2026-03-05',
    address: { city: 'Berlin', country: 'DE' },
  }
  const lamp = await addRecord(org, 'things', data)
  const page = await dashboard.open(things, ada, { own: GERMAN })
  await expect.poll(() => cell(page, 1).innerText()).toBe('18,744.5')
  await expect.poll(() => cell(page, 2).innerText()).toBe('€1,234.50')
  await expect.poll(() => cell(page, 3).innerText()).toBe('Mar 5, 2026')
  await expect.poll(() => cell(page, 4).innerText()).toContain('Germany')
  await page.goto(`${things}/${lamp}`)
  await page.getByText('18,744.5').waitFor()
  await page.getByText('Mar 5, 2026').first().waitFor()
  const created = page.locator('dd time').first()
  await created.hover()
  await page
    .getByRole('tooltip')
    .filter({ hasText: /^\w+day, \w+ \d+, \d{4} at \d\d:\d\d:\d\d$/ })
    .waitFor()
})

test('counts have the same digit grouping in the table, in the position of a record and in its pager', async () => {
  for (let batch = 0; batch < 11; batch++) {
    const records = Array.from({ length: 100 }, (_, nr) => ({ data: { name: `Thing ${batch * 100 + nr}` } }))
    await org.post('/objects/things/records/bulk', { mode: 'create', records })
  }
  const page = await dashboard.open(things, ada, { own: GERMAN })
  await page.getByText('1,100 things', { exact: true }).waitFor()
  await page.getByRole('rowheader').first().getByRole('link').click()
  await page.getByText('1 of 1,100', { exact: true }).waitFor()
})

test('a column of timestamps does not mix relative times and dates', async () => {
  await addRecord(org, 'things', { name: 'Lamp' })
  const page = await dashboard.open(things, ada, { own: { viewport: GERMAN.viewport } })
  await page.getByRole('rowheader', { name: 'Lamp' }).waitFor()
  await expect
    .poll(() => page.getByRole('gridcell').locator('time').first().innerText())
    .toMatch(/^\w{3} \d+, \d+:\d\d\s[AP]M$/)
})
