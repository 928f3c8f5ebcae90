import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { ReportDashboard } from '../../../contract/report-dashboards.ts'
import type { SignedInMember } from '../../../server/test/dashboard-client.ts'
import {
  arrowTo,
  chooseByKeys,
  hasFocus,
  isForEverybody,
  isForEverybodyInBothSchemes,
  pressShortcut,
} from '../journey-keys.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'
import { addReport, setUp } from '../reports.fixture.ts'

const dashboard = await openSharedDashboard()

const tile = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })

async function add(page: Page, name: string) {
  await button(page, 'Add report').click()
  await hasFocus(page.getByRole('combobox', { name: 'Report' }))
  await page.keyboard.type(name)
  await page.getByRole('option', { name }).click()
  await button(page, 'Add').click()
  await tile(page, name).getByText('This report has not been run yet.').waitFor()
}

/** Changes a tile twice, and undoes both changes. */
async function moveByKeys(page: Page, owner: SignedInMember) {
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const place = async () => {
    const { body } = await owner.get<ReportDashboard>(`/report-dashboards/${id}`)
    const { x, y, w, h } = body.tiles[0] ?? {}
    return [x, y, w, h]
  }
  const before = await place()
  await chooseByKeys(page, button(page, 'Actions for Deals by stage'), item(page, 'Narrower'))
  await expect.poll(place).toEqual([0, 0, 5, 8])
  await arrowTo(page, item(page, 'Taller'))
  await page.keyboard.press('Enter')
  await expect.poll(place).toEqual([0, 0, 5, 9])
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await isForEverybodyInBothSchemes(page)
  await pressShortcut(page, 'ControlOrMeta+z')
  await expect.poll(place).toEqual([0, 0, 5, 8])
  await button(page, 'Undo').click()
  await expect.poll(place).toEqual(before)
}

test('a dashboard is created, two reports are added and run, and a tile is moved by keyboard', async () => {
  const { owner, base, deal } = await setUp(dashboard.service)
  for (const stage of ['Lead', 'Won', 'Lost']) await deal(`A deal: ${stage}`, stage, 10)
  const count = [{ key: 'deals', op: 'count' as const }]
  await addReport(owner, {
    name: 'All deals',
    groupBy: [],
    measures: count,
    chart: { type: 'number', y: ['deals'] },
  })
  await addReport(owner, { name: 'Deals by stage' })
  const page = await dashboard.open(`${base}/reports`, owner, { viewport: { width: 1440, height: 900 } })
  await page.getByRole('link', { name: 'Dashboards', exact: true }).click()
  await page.getByRole('heading', { name: 'No dashboards yet' }).waitFor()
  await pressShortcut(page, 'c')
  await hasFocus(page.getByRole('textbox', { name: 'Name' }))
  await page.keyboard.type('Sales')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Nothing here yet' }).waitFor()
  await add(page, 'Deals by stage')
  await add(page, 'All deals')
  await button(page, 'Refresh').click()
  await tile(page, 'Deals by stage').getByRole('application').waitFor()
  await tile(page, 'All deals').getByText('3', { exact: true }).waitFor()
  await tile(page, 'All deals').getByText('1 row').waitFor()
  await button(page, 'Refresh').waitFor()

  await moveByKeys(page, owner)

  await page.setViewportSize({ width: 375, height: 760 })
  await button(page, 'Actions for All deals').click()
  await item(page, 'Remove from dashboard').waitFor()
  await isForEverybody(page)
  await item(page, 'Open report').click()
  await page.getByRole('heading', { name: 'All deals', level: 1 }).waitFor()
})
