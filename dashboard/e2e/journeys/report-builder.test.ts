import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  chooseByKeys,
  hasFocus,
  isForEverybodyInBothSchemes,
  optionByKeys,
  pressOn,
  pressShortcut,
} from '../journey-keys.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'
import {
  button,
  cells,
  dragUntilTaken,
  field,
  isSaved,
  part,
  sentence,
  setUpBuilder,
  tabTo,
} from '../report-builder.fixture.ts'

const dashboard = await openSharedDashboard()

const rowsAre = (page: Page, rows: unknown[]) => expect.poll(() => cells(page)).toMatchObject(rows)

/** Replaces the number of deals with the amount, then adds a group and undoes it. */
async function changeByKeys(page: Page) {
  const { keyboard } = page
  const amount = field(page, 'Deal', 'Amount')
  await chooseByKeys(page, amount, page.getByRole('menuitem', { name: 'Sum of amount' }))
  await part(page, 'Sum of amount').waitFor()
  await hasFocus(amount)
  await pressOn(page, part(page, 'Number of deals'), 'Delete')
  await part(page, 'Number of deals').waitFor({ state: 'detached' })
  await hasFocus(button(page, 'Measure'))
  await pressOn(page, button(page, 'Group'))
  await hasFocus(page.getByRole('combobox', { name: 'Find a field' }))
  await keyboard.type('close date')
  await page.locator('[data-combobox-selected]').getByText('Close date', { exact: true }).waitFor()
  await keyboard.press('Enter')
  await part(page, 'Close date (month)').waitFor()
  await hasFocus(button(page, 'Group'))
  await isForEverybodyInBothSchemes(page)
  await pressShortcut(page, 'ControlOrMeta+z')
  await part(page, 'Close date (month)').waitFor({ state: 'detached' })
}

/** Chooses the field by mouse and its value by keyboard. */
async function filterByStage(page: Page) {
  await button(page, 'Filter').click()
  await hasFocus(page.getByRole('combobox', { name: 'Find a field' }))
  await page.getByRole('option', { name: 'Stage', exact: true }).click()
  await tabTo(page, page.getByRole('combobox', { name: 'Value' }))
  await optionByKeys(page, 'Won')
  await button(page, 'Add filter').click()
  await part(page, 'Stage is Won').waitFor()
}

test('a report is built from empty to saved, by mouse and keyboard, and one change is undone', async () => {
  const { owner, base, list, definitionOf } = await setUpBuilder(dashboard.service)
  const page = await dashboard.open(`${base}/new`, owner, { viewport: { width: 1440, height: 1000 } })
  await button(page, 'Deals').click()
  await page.getByRole('region', { name: 'Result' }).getByRole('figure').waitFor()
  await dragUntilTaken(page, field(page, 'Deal', 'Stage'), sentence(page, 'by'))
  await rowsAre(page, [
    ['Won', '3'],
    ['Lost', '1'],
  ])
  await changeByKeys(page)
  await filterByStage(page)
  await rowsAre(page, [['Won', '$4,350']])
  await page.getByRole('radio', { name: 'Donut', exact: true }).check({ force: true })
  await page.getByLabel('Name of the report').fill('Won deals')
  await page.getByRole('figure', { name: 'Donut chart: Won deals' }).waitFor()
  await pressShortcut(page, 'ControlOrMeta+s')
  await page.waitForURL(/\/edit$/)
  await isSaved(page)
  const [report] = await list()
  expect(await definitionOf(report?.id ?? '')).toMatchObject({
    name: 'Won deals',
    filters: { field: 'deal.stage', operator: 'equals', value: 'Won' },
    groupBy: [{ field: 'deal.stage' }],
    measures: [{ op: 'sum', field: 'deal.amount' }],
    chart: { type: 'donut' },
  })
})
