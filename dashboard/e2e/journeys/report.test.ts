import type { Download, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  chooseByKeys,
  isForEverybody,
  isForEverybodyInBothSchemes,
  pressOn,
  pressShortcut,
} from '../journey-keys.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'
import { addReport, chart, history, rows, setUp } from '../reports.fixture.ts'
import { button, row } from '../workflow-pages.fixture.ts'

const dashboard = await openSharedDashboard()

const textOf = async (file: Download) => (await (await file.createReadStream()).toArray()).join('')
/** Waits until the run has ended: before that, another run cannot start. */
const hasRun = (page: Page) => page.getByText(/^The report is running/).waitFor({ state: 'detached' })
const format = (page: Page, name: string) => page.getByRole('menuitem', { name })

test('a report is run by button and by shortcut, two runs are compared, and the results are downloaded', async () => {
  const { owner, deal, pageOf } = await setUp(dashboard.service)
  await deal('Acme expansion', 'Won', 1200)
  const report = await addReport(owner)
  const page = await dashboard.open(pageOf(report), owner, { viewport: { width: 1440, height: 900 } })
  await page.getByText('Not run yet').waitFor()
  await button(page, 'Run now').first().click()
  const table = rows(page, 'Rows of Pipeline by stage')
  await chart(page, 'Bar chart: Pipeline by stage').waitFor()
  await table.getByText('$1,200').waitFor()
  await history(page).getByText('1 row').waitFor()
  await hasRun(page)

  await deal('Globex renewal', 'Lead', 800)
  await pressShortcut(page, 'r')
  await table.getByText('$800').waitFor()
  await history(page).getByRole('listitem').nth(1).waitFor()
  await hasRun(page)
  await isForEverybodyInBothSchemes(page)
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    button(page, 'Download')
      .click()
      .then(() => format(page, 'CSV').click()),
  ])
  expect((await textOf(csv)).trim().split(/\r?\n/).slice(1).toSorted()).toEqual([
    expect.stringMatching(/^Lead,1,800/),
    expect.stringMatching(/^Won,1,1200/),
  ])
  const [xlsx] = await Promise.all([
    page.waitForEvent('download'),
    chooseByKeys(page, button(page, 'Download'), format(page, 'Excel')),
  ])
  expect(xlsx.suggestedFilename()).toBe('Pipeline by stage.xlsx')

  await pressOn(page, button(history(page), /^Compare with the run of/))
  const difference = page.getByRole('region', { name: 'Difference between two runs' })
  await row(page, /Lead/).getByText('Added').waitFor()
  await difference.getByRole('switch', { name: 'Only changes' }).click({ force: true })
  await row(page, /Won/).getByText('The same').waitFor()
  await isForEverybody(page)
  await button(difference, 'Close comparison').click()
  await history(page).getByRole('link').nth(1).click()
  await page.waitForURL(/run=/)
  await table.getByText('$800').waitFor({ state: 'detached' })
  await table.getByText('$1,200').waitFor()
})
