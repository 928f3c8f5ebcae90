import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeViolationsInBothSchemes } from '../axe.ts'
import { addRecord, dataOf } from '../crm.fixture.ts'
import { hasFocus } from '../journey-keys.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'
import { button } from '../steps.fixture.ts'

const dashboard = await openSharedDashboard()

const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const card = (within: Page | Locator, name: string) => within.getByRole('link', { name, exact: true })

/** Waits until the head of a column has this text. */
const headSays = (page: Page, name: string, text: string) =>
  expect
    .poll(async () => (await column(page, name).locator('header').innerText()).replace(/\s+/g, ' '))
    .toBe(text)

/** Drags by mouse, and drops the card when the column shows that it accepts it. */
async function drag(page: Page, name: string, to: Locator): Promise<void> {
  const from = await card(page, name).boundingBox()
  const target = await to.boundingBox()
  if (!from || !target) throw new Error('The board is not drawn')
  await page.mouse.move(from.x + 20, from.y + 8)
  await page.mouse.down()
  await page.mouse.move(from.x + 60, from.y + 20, { steps: 4 })
  await page.mouse.move(target.x + 100, target.y + 200, { steps: 8 })
  await to.and(page.locator('[data-under]')).waitFor()
  await page.mouse.up()
}

/** Waits for the screen reader text about a card that is moved by keyboard. */
const said = (page: Page, text: string) => page.getByText(text).waitFor({ state: 'attached' })

test('a card is dragged by mouse and moved by keyboard, and the column counts are updated', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  const deal = (name: string, stage: string, amount: number, currency = 'USD') =>
    addRecord(org, 'deals', { name, stage, amount: { amount, currency } })
  const rocket = await deal('Rocket', 'Lead', 1000)
  await deal('Anvil', 'Lead', 250.5)
  await deal('Magnet', 'Qualified', 40, 'EUR')
  const page = await dashboard.open(`/o/org-${org.id}/objects/deals?kind=board`, await org.member('member'), {
    viewport: { width: 1440, height: 800 },
  })
  await card(column(page, 'Lead'), 'Rocket').waitFor()
  await card(column(page, 'Qualified'), 'Magnet').waitFor()
  await headSays(page, 'Lead', 'Lead 2 deals Amount: $1,250.50')
  await headSays(page, 'Qualified', 'Qualified 1 deal Amount: €40')
  expect(await axeViolationsInBothSchemes(page)).toEqual([])

  await drag(page, 'Rocket', column(page, 'Qualified'))
  await card(column(page, 'Qualified'), 'Rocket').waitFor()
  await headSays(page, 'Lead', 'Lead 1 deal Amount: $250.50')
  await headSays(page, 'Qualified', 'Qualified 2 deals Amount: €40 · $1,000')
  await expect.poll(() => dataOf(org, 'deals', rocket)).toMatchObject({ stage: 'Qualified' })

  const dragged = card(column(page, 'Qualified'), 'Rocket')
  await dragged.focus()
  await hasFocus(dragged)
  await page.keyboard.press('Space')
  await said(page, 'Rocket picked up from Qualified, column 2 of 6')
  await page.keyboard.press('ArrowRight')
  await said(page, 'Proposal, column 3 of 6')
  await page.keyboard.press('Space')
  await said(page, 'Rocket moved to Proposal, column 3 of 6')
  await hasFocus(card(column(page, 'Proposal'), 'Rocket'))
  await expect.poll(() => dataOf(org, 'deals', rocket)).toMatchObject({ stage: 'Proposal' })

  await button(page, 'Display').click()
  const totals = page.getByRole('group', { name: 'Total of each column' })
  await totals.getByRole('menuitemradio', { name: 'None' }).click()
  await headSays(page, 'Lead', 'Lead 1 deal')

  await button(page, 'Collapse Won').click()
  await button(page, 'Expand Won').waitFor()
  await card(page, 'Rocket').focus()
  await hasFocus(card(page, 'Rocket'))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Rocket' }).waitFor()
})
