import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { axeViolationsInBothSchemes } from './axe.ts'
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
    { name: 'Done', type: 'checkbox' },
  ])
  const usd = (amount: number) => ({ amount, currency: 'USD' })
  await addRecord(org, 'things', {
    name: 'A',
    weight: 1.5,
    price: usd(10.25),
    sold: '2026-01-02',
    done: true,
  })
  await addRecord(org, 'things', { name: 'B', weight: 2, price: usd(5) })
  await addRecord(org, 'things', {
    name: 'C',
    price: { amount: 7, currency: 'EUR' },
    sold: '2025-03-04',
    done: false,
  })
  await addRecord(org, 'things', { name: 'D', weight: 11000 })
})

async function openTable(width = 1440, search = '') {
  const page = await dashboard.open(`${things}${search}`, ada, { viewport: { width, height: 800 } })
  await page.getByText('4 things', { exact: true }).waitFor()
  return page
}

const foot = (page: Page, name: string | RegExp) =>
  page.getByRole('group', { name: 'Summaries of columns' }).getByRole('button', { name })

async function choose(page: Page, column: string, summary: string) {
  await foot(page, new RegExp(`(Summarize|of) ${column}`)).click()
  await page.getByRole('menuitem', { name: summary, exact: true }).click()
}

test('each column shows its chosen summary at its foot, with amounts separated by currency', async () => {
  const page = await openTable()
  await choose(page, 'Weight', 'Sum')
  await foot(page, 'Sum of Weight: 11,003.5').waitFor()
  await choose(page, 'Weight', 'Average')
  await foot(page, 'Average of Weight: 3,667.8333').waitFor()
  await choose(page, 'Price', 'Sum')
  await foot(page, 'Sum of Price: €7 + $15.25').waitFor()
  await choose(page, 'Sold', 'Earliest')
  await foot(page, 'Earliest of Sold: Mar 4, 2025').waitFor()
  await choose(page, 'Done', 'Checked')
  await foot(page, 'Checked of Done: 1 (25%)').waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await choose(page, 'Weight', 'None')
  await foot(page, 'Summarize Weight').waitFor()
})

test('summaries follow the filter and changes by others, and are saved in the view', async () => {
  const page = await openTable(1440, '?columns=name,weight::sum')
  await foot(page, 'Sum of Weight: 11,003.5').waitFor()
  await addRecord(org, 'things', { name: 'E', weight: 0.5 })
  await foot(page, 'Sum of Weight: 11,004').waitFor()
  const filter = encodeURIComponent(JSON.stringify(['weight', 'lessThan', '10']))
  await page.goto(`${things}?columns=name,weight::sum&filter=${filter}`)
  await foot(page, 'Sum of Weight: 4').waitFor()
  await page.getByRole('button', { name: 'Save view' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Light')
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await page.waitForURL(/view=/)
  await page.reload()
  await foot(page, 'Sum of Weight: 4').waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.has('columns')).toBe(false)
})

test('by keyboard and at phone width: the menu opens, sets a summary and returns the focus', async () => {
  const page = await openTable(375)
  await foot(page, 'Summarize Weight').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Sum', exact: true }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await foot(page, /of Weight:/).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toMatch(/of Weight/)
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
  expect(overflow).toBe(0)
})

test('the foot scrolls with the columns', async () => {
  const page = await openTable(700)
  await page.getByRole('grid').evaluate('(grid) => grid.scrollTo({ left: 200 })')
  const leftOf = async (selector: string) => (await page.locator(selector).boundingBox())?.x
  await expect
    .poll(async () => {
      const box = await foot(page, 'Summarize Sold').boundingBox()
      return box?.x === (await leftOf('#cell-0-3'))
    })
    .toBe(true)
})
