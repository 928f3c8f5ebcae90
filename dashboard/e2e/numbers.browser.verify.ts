import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { axeViolations } from './axe.ts'
import { addRecord, addThings, dataOf } from './crm.fixture.ts'
import { openSharedDashboard, type Visit } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()
let org: Org
let ada: SignedInMember
let lamp: string
let things: string

beforeEach(async () => {
  ;({ org, member: ada } = await dashboard.organization('member'))
  things = await addThings(org, [
    { name: 'Name', type: 'text' },
    { name: 'Weight', type: 'number' },
    { name: 'Price', type: 'currency' },
    { name: 'Sold', type: 'date' },
  ])
  lamp = await addRecord(org, 'things', { name: 'Lamp', weight: 50000 })
})

const values = () => dataOf(org, 'things', lamp)
const cell = (page: Page, column: number) => page.locator(`#cell-0-${column}`)

async function openTable(options: Visit = {}, search = '') {
  const page = await dashboard.open(`${things}${search}`, ada, {
    viewport: { width: 1600, height: 800 },
    ...options,
  })
  return page
}

async function type(page: Page, column: number, text: string) {
  await cell(page, column).click({ position: { x: 3, y: 3 } })
  await page.keyboard.press('Enter')
  await page.locator('input:focus').waitFor()
  await page.keyboard.type(text)
}

test('a German "1.500" is read as 1500, and shown in full before it is saved', async () => {
  const page = await openTable({ own: { locale: 'de-DE' } })
  await type(page, 1, '1.500')
  await page.getByRole('status').filter({ hasText: 'Saved as 1\u202f500' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await values())['weight']).toBe(1500)
  await type(page, 1, '1,5')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await values())['weight']).toBe(1.5)
  await cell(page, 1).press('Enter')
  await expect.poll(() => page.getByRole('textbox', { name: 'Weight' }).inputValue()).toBe('1,5')
})

test('separators, currency signs and "k" are accepted in cells and on record pages', async () => {
  const page = await openTable()
  await type(page, 1, '12k')
  await page.keyboard.press('Enter')
  await type(page, 2, '€12,500.50')
  await page.keyboard.press('Enter')
  await expect.poll(values).toMatchObject({ weight: 12000, price: { amount: 12500.5, currency: 'EUR' } })
  await page.goto(`${things}/${lamp}`)
  await page.getByRole('button', { name: 'Edit Weight' }).click()
  await page.getByRole('textbox', { name: 'Weight' }).fill('(1,200)')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await values())['weight']).toBe(-1200)
})

test('a filter on "50,000" finds 50000, and a filter with an invalid number cannot be added', async () => {
  const page = await openTable()
  await page.getByRole('grid').waitFor()
  await page.keyboard.press('f')
  await page.getByRole('combobox', { name: 'Find an attribute' }).fill('weight')
  await page.keyboard.press('Enter')
  const value = page.getByRole('textbox', { name: 'Value' })
  await value.fill('plenty')
  await page.getByText('Enter a number, such as 12,500.5').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Add filter' }).isDisabled()).toBe(true)
  await value.fill('50,000')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Weight is 50,000', exact: true }).waitFor()
  await page.getByRole('rowheader', { name: 'Lamp' }).waitFor()
})

test.each([
  ['weight', 'greaterThan', '50,000', 'Enter a number'],
  ['weight', 'between', '5', 'Enter two values'],
  ['price', 'lessThan', 'NaN', 'Enter a number'],
  ['sold', 'equals', 'tomorrow', 'Choose a day'],
])(
  'a link with a filter on %s that %s "%s" shows a chip to correct',
  async (slug, operator, operand, words) => {
    const filter = JSON.stringify([slug, operator, operand])
    const page = await openTable({}, `?filter=${encodeURIComponent(filter)}`)
    const chip = page.getByRole('search').getByRole('button', { name: words })
    await chip.waitFor()
    await page.getByRole('heading', { name: 'A filter has to be corrected' }).waitFor()
    await expect.poll(() => page.getByRole('grid').count()).toBe(0)
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: /^Remove filter/ }).click()
    await page.getByRole('rowheader', { name: 'Lamp' }).waitFor()
  },
)

test('a value that cannot be saved shows what to enter, not the advice for programs', async () => {
  await org.post('/objects/things/attributes', { name: 'Mail', type: 'email' })
  const page = await openTable()
  await page.getByRole('grid').waitFor()
  await page.keyboard.press('c')
  const panel = page.getByRole('dialog', { name: 'Create thing' })
  await panel.getByRole('textbox', { name: 'Weight' }).fill('heavy')
  await panel.getByRole('textbox', { name: 'Price' }).fill('1.123456')
  await panel.getByRole('textbox', { name: 'Mail' }).fill('nowhere')
  await page.keyboard.press('ControlOrMeta+Enter')
  await panel.getByText('Enter a number, such as 12,500.50', { exact: true }).waitFor()
  await panel
    .getByText('Enter an amount, such as 12,500.50, and choose a currency', { exact: true })
    .waitFor()
  await panel.getByText('Enter an email address, such as ada@example.com', { exact: true }).waitFor()
  await expect.poll(() => panel.getByText(/Send/).count()).toBe(0)
})
