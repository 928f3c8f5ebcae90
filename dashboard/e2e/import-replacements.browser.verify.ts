import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessible, button, choose, counts, heading } from './import.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()
const { service } = dashboard

async function check(page: Page, rows: string): Promise<void> {
  await button(page, `Check ${rows}`).click()
  await heading(page, 'Checking the file')
  await service.drain()
  await heading(page, 'What the import would do')
}

/** Waits until the service has checked the replacement. The page stays open. */
async function checkedAgain(page: Page, status: string): Promise<void> {
  await page.getByText('Checking again with your choice.').waitFor()
  await service.drain()
  await page.getByText(status).waitFor()
}

test('replacing a wrong value checks all its rows; it can be undone, and is imported', async () => {
  const org = await service.org()
  const owner = await org.member('owner')
  const page = await dashboard.open(`/o/org-${org.id}/objects/deals/import`, owner)
  const stageOf = (row: number) => (row < 120 ? 'Won!' : row < 140 ? 'none' : 'Lead')
  const rows = Array.from({ length: 150 }, (_, row) => `Deal ${row},${stageOf(row)}`)
  await choose(page, ['Name,Stage', ...rows].join('\n'), 'deals.csv')
  await check(page, '150 rows')
  const problems = page.getByRole('region', { name: 'Problems' }).getByRole('row')
  await expect.poll(() => problems.nth(1).innerText()).toMatch(/^2, 3, 4 and 117 more\s+Stage\s+Won!/)

  await button(page, 'Replace Won! in Stage, 120 rows').press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'New value' }).waitFor()
  await accessible(page)
  await page.keyboard.type('Won')
  await page.getByRole('option', { name: 'Won', exact: true }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Replace in 120 rows' }).press('Enter')
  await checkedAgain(page, '20 rows still have errors.')
  expect(await counts(page)).toEqual({ Creates: '130', Updates: '0', Errors: '20' })
  await expect
    .poll(() => page.evaluate('document.activeElement?.textContent'))
    .toBe('What the import would do')

  await page.setViewportSize({ width: 375, height: 800 })
  await accessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
  await button(page, 'Replace none in Stage, 20 rows').click()
  await dialog.getByRole('button', { name: 'Leave empty' }).click()
  await checkedAgain(page, 'No errors left.')
  await accessible(page)
  await button(page, 'Undo: Stage, “Won!” becomes “Won”').click()
  await checkedAgain(page, '120 rows still have errors.')

  await button(page, 'Back to mapping').click()
  await check(page, '150 rows')
  await page.getByText('“none” becomes empty').waitFor()
  await button(page, 'Import 30 rows').click()
  await heading(page, 'Importing')
  await service.drain()
  await heading(page, 'Import completed')
  expect(await counts(page)).toEqual({ Created: '30', Updated: '0', Failed: '120' })
})
