import { expect, test } from 'vitest'
import {
  chooseByKeys,
  hasFocus,
  isForEverybody,
  isForEverybodyInBothSchemes,
  pressOn,
  pressShortcut,
  takesFocus,
} from '../journey-keys.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'
import { chart, rows, setUp } from '../reports.fixture.ts'
import { button, dialogOf, row } from '../workflow-pages.fixture.ts'

const dashboard = await openSharedDashboard()

test('templates become reports by mouse and by keyboard, and reports are searched, renamed and deleted', async () => {
  const { owner, base, deal, list } = await setUp(dashboard.service)
  await deal('Acme expansion', 'Won', 1200)
  const page = await dashboard.visit(owner)
  const dialog = dialogOf(page)
  const heading = (name: string) => page.getByRole('heading', { name, level: 1, exact: true }).waitFor()
  const names = async () => (await list()).map(({ name }) => name)
  const item = (name: string) => page.getByRole('menuitem', { name })
  await page.goto(`${base}/reports`)
  await page.getByRole('heading', { name: 'No reports yet' }).waitFor()
  await button(page, /^Pipeline by stage/).click()
  await dialog.getByRole('figure', { name: 'Bar chart: Pipeline by stage' }).waitFor()
  await isForEverybody(page)
  await button(dialog, 'Use template').click()
  await heading('Pipeline by stage')
  await chart(page, 'Bar chart: Pipeline by stage').waitFor()
  await rows(page, 'Rows of Pipeline by stage').getByText('$1,200').waitFor()

  await page.getByRole('link', { name: 'Reports' }).first().click()
  await row(page, /Pipeline by stage/).waitFor()
  await pressOn(page, button(page, 'Templates'))
  await takesFocus(page, 'dialog')
  await pressOn(page, button(dialog, /^Pipeline by stage/))
  await pressOn(page, button(dialog, 'Use template'))
  await heading('Pipeline by stage 2')
  await chart(page, 'Bar chart: Pipeline by stage 2').waitFor()

  await page.getByRole('link', { name: 'Reports' }).first().click()
  await chooseByKeys(page, button(page, 'More for Pipeline by stage 2'), item('Rename'))
  await hasFocus(dialog.getByLabel('Name'))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Open deals')
  await page.keyboard.press('Enter')
  await row(page, /Open deals/).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await isForEverybodyInBothSchemes(page)
  await pressShortcut(page, '/')
  await hasFocus(page.getByRole('searchbox', { name: 'Search reports' }))
  await page.keyboard.type('open')
  await row(page, /Pipeline by stage/).waitFor({ state: 'detached' })
  await button(page, 'More for Open deals').click()
  await item('Delete report').click()
  await dialog.getByText('This also deletes its definition and 1 run with results.').waitFor()
  await button(dialog, 'Delete report').click()
  await page.getByRole('heading', { name: 'No matching reports' }).waitFor()
  await expect.poll(names).toEqual(['Pipeline by stage'])
})
