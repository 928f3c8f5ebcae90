import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ReportDashboard, ReportTile } from '../../contract/report-dashboards.ts'
import type { ReportDefinition, ReportDetail } from '../../contract/reports.ts'
import { axeViolationsInBothSchemes } from './axe.ts'
import { addRecord } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()

const WIDE = { viewport: { width: 1440, height: 900 } }
const PHONE = { viewport: { width: 375, height: 760 } }

const BY_STAGE: ReportDefinition = {
  name: 'Deals by stage',
  source: { objectId: 'deals', alias: 'deal' },
  groupBy: [{ key: 'stage', field: 'deal.stage' }],
  measures: [{ key: 'deals', op: 'count' }],
  chart: { type: 'bar', x: 'stage', y: ['deals'] },
}
const ALL: ReportDefinition = {
  name: 'All deals',
  source: { objectId: 'deals', alias: 'deal' },
  measures: [{ key: 'deals', op: 'count' }],
  chart: { type: 'number', y: ['deals'] },
}

async function setUp() {
  const { org, owner } = await dashboard.organization('owner')
  for (const [name, stage] of [
    ['One', 'Lead'],
    ['Two', 'Won'],
    ['Three', 'Won'],
  ])
    await addRecord(org, 'deals', { name, stage })
  const report = async (definition: ReportDefinition) =>
    (await owner.post<ReportDetail>('/reports', { definition })).body
  const run = (id: string) => owner.post(`/reports/${id}/run`)
  const make = async (tiles: readonly ReportTile[], who = owner) =>
    (await who.post<ReportDashboard>('/report-dashboards', { name: 'Sales', tiles })).body
  const read = async (id: string) => (await owner.get<ReportDashboard>(`/report-dashboards/${id}`)).body
  return { org, owner, base: `/o/org-${org.id}/reports/dashboards`, report, run, make, read }
}

const tileOf = (id: string, reportId: string, more: Partial<ReportTile> = {}): ReportTile => ({
  ...{ id, reportId, x: 0, y: 0, w: 6, h: 8 },
  ...more,
})

/** A dashboard with both reports next to each other, with results. */
async function twoTiles() {
  const set = await setUp()
  const [stages, all] = [await set.report(BY_STAGE), await set.report(ALL)]
  await set.run(stages.id)
  await set.run(all.id)
  const made = await set.make([tileOf('a', stages.id), tileOf('b', all.id, { x: 6 })])
  const placeOf = async (id: string) => {
    const tile = (await set.read(made.id)).tiles.find((one) => one.id === id)
    return tile && [tile.x, tile.y, tile.w, tile.h]
  }
  const open = async (options: Parameters<typeof dashboard.visit>[1] = WIDE) => {
    const page = await dashboard.open(`${set.base}/${made.id}`, set.owner, options)
    await tile(page, 'Deals by stage').getByText('Won', { exact: true }).waitFor()
    return page
  }
  return { ...set, made, placeOf, open, stages, all }
}

const tile = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialogOf = (page: Page) => page.getByRole('dialog')
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })

async function drag(page: Page, from: { x: number; y: number }, by: { x: number; y: number }) {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + by.x / 2, from.y + by.y / 2, { steps: 5 })
  await page.mouse.move(from.x + by.x, from.y + by.y, { steps: 8 })
  await page.mouse.up()
}

async function boxOf(page: Page, name: string) {
  const box = await tile(page, name).boundingBox()
  if (!box) throw new Error(`${name} is not on the page`)
  return box
}

test('a dashboard is created, two reports are added, and they are run one after the other', async () => {
  const { owner, base, report } = await setUp()
  await report(BY_STAGE)
  await report(ALL)
  const page = await dashboard.open(base, owner, WIDE)
  await page.getByRole('heading', { name: 'No dashboards yet' }).waitFor()
  await page.keyboard.press('c')
  await page.getByRole('textbox', { name: 'Name' }).fill('Sales')
  await page.getByRole('textbox', { name: 'Description' }).fill('For Mondays')
  await dialogOf(page).getByRole('button', { name: 'Create dashboard' }).click()
  await page.getByRole('heading', { name: 'Nothing here yet' }).waitFor()
  for (const name of ['Deals by stage', 'All deals']) {
    await button(page, 'Add report').click()
    await page.getByRole('combobox', { name: 'Report' }).fill(name)
    await page.getByRole('option', { name }).click()
    await button(page, 'Add').click()
    await tile(page, name).getByText('This report has not been run yet.').waitFor()
  }
  await button(page, 'Refresh').click()
  await tile(page, 'Deals by stage').getByRole('application').waitFor()
  await tile(page, 'All deals').getByText('3', { exact: true }).waitFor()
  await tile(page, 'All deals').getByText('1 row').waitFor()
  await button(page, 'Refresh').waitFor()
  await page.getByRole('link', { name: 'Dashboards' }).first().click()
  await page.getByRole('row', { name: /Sales For Mondays 2 reports/ }).waitFor()
})

describe('tiles', () => {
  test('are dragged and resized by mouse, and the changes are undone', async () => {
    const { open, placeOf } = await twoTiles()
    const page = await open()
    const first = await boxOf(page, 'Deals by stage')
    await drag(page, { x: first.x + 200, y: first.y + 18 }, { x: 0, y: 420 })
    await expect.poll(() => placeOf('a')).toEqual([0, 0, 6, 8])
    await drag(page, { x: first.x + 200, y: first.y + 18 }, { x: 620, y: 0 })
    await expect.poll(() => placeOf('a')).toEqual([6, 0, 6, 8])
    // The tile slides to its place: eight rows of 36 px with gaps of 12 px.
    await expect.poll(async () => (await boxOf(page, 'All deals')).y).toBeCloseTo(first.y + 8 * 48, 0)
    const second = await boxOf(page, 'All deals')
    await drag(
      page,
      { x: second.x + second.width - 8, y: second.y + second.height - 8 },
      { x: -200, y: -100 },
    )
    await expect.poll(() => placeOf('b')).toEqual([6, 8, 4, 6])
    await page.reload()
    await tile(page, 'Deals by stage').getByRole('application').waitFor()
    const after = await boxOf(page, 'Deals by stage')
    expect(after.x).toBeGreaterThan(first.x + 300)
  })

  test('are moved and resized by keyboard, and the changes are undone', async () => {
    const { open, placeOf } = await twoTiles()
    const page = await open()
    const menu = page.getByRole('button', { name: 'Actions for Deals by stage' })
    await menu.focus()
    await page.keyboard.press('Enter')
    await item(page, 'Narrower').press('Enter')
    await item(page, 'Narrower').press('Enter')
    await item(page, 'Taller').press('Enter')
    await item(page, 'Move right').press('Enter')
    await expect.poll(() => placeOf('a')).toEqual([1, 0, 4, 9])
    await page.getByText('Deals by stage: column 2, row 1, 4 wide, 9 high').waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.keyboard.press('ControlOrMeta+z')
    await expect.poll(() => placeOf('a')).toEqual([0, 0, 4, 9])
    await button(page, 'Undo').click()
    await expect.poll(() => placeOf('a')).toEqual([0, 0, 4, 8])
  })

  test('get another title, are removed, and are restored', async () => {
    const { open, read, made } = await twoTiles()
    const page = await open()
    await button(page, 'Actions for All deals').click()
    await item(page, 'Change title').click()
    await page.getByRole('textbox', { name: 'Title' }).fill('How many')
    await button(page, 'Save title').click()
    await tile(page, 'How many').waitFor()
    await expect.poll(async () => (await read(made.id)).tiles[1]?.title).toBe('How many')
    await button(page, 'Actions for How many').click()
    await item(page, 'Remove from dashboard').click()
    await tile(page, 'How many').waitFor({ state: 'detached' })
    await expect.poll(async () => (await read(made.id)).tiles.length).toBe(1)
    await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
    await tile(page, 'How many').waitFor()
    await expect.poll(async () => (await read(made.id)).tiles.length).toBe(2)
  })

  test('say when the last run failed, and still show the earlier result', async () => {
    const { owner, base, report, run, make } = await setUp()
    const { body: region } = await owner.post<{ id: string }>('/objects/deals/attributes', {
      name: 'Region',
      type: 'text',
    })
    const groupBy = [{ key: 'region', field: 'deal.region' }]
    const { id } = await report({ ...BY_STAGE, groupBy, chart: { type: 'bar', x: 'region' } })
    await run(id)
    const { id: made } = await make([tileOf('a', id)])
    await owner.delete(`/objects/deals/attributes/${region.id}`)
    const page = await dashboard.open(`${base}/${made}`, owner, WIDE)
    await button(page, 'Actions for Deals by stage').click()
    await item(page, 'Run').click()
    await tile(page, 'Deals by stage')
      .getByText(/^Last run failed: .*region/)
      .waitFor()
    await tile(page, 'Deals by stage').getByRole('application').getByText('No value').waitFor()
  })

  test('a change by another person is not overwritten', async () => {
    const { open, owner, made, placeOf } = await twoTiles()
    const page = await open()
    await owner.patch(`/report-dashboards/${made.id}`, { description: 'Changed meanwhile' })
    await button(page, 'Actions for Deals by stage').click()
    await item(page, 'Narrower').click()
    await page
      .getByRole('alert')
      .getByText(/Version 2 was saved in the meantime/)
      .waitFor()
    await page.getByText('Changed meanwhile').waitFor()
    expect(await placeOf('a')).toEqual([0, 0, 6, 8])
  })
})

test('Undo does not affect a tile that another person added', async () => {
  const { open, owner, made, read, all, placeOf } = await twoTiles()
  const page = await open()
  await button(page, 'Actions for Deals by stage').click()
  await item(page, 'Narrower').click()
  await page.keyboard.press('Escape')
  await expect.poll(() => placeOf('a')).toEqual([0, 0, 5, 8])
  await button(page, 'Undo').waitFor()
  const { tiles } = await read(made.id)
  const theirs = tileOf('c', all.id, { y: 8, title: 'Theirs' })
  await owner.patch(`/report-dashboards/${made.id}`, { tiles: [...tiles, theirs] })
  // The other person's tile appears when the dashboard is read again.
  await button(page, 'Actions for All deals').click()
  await item(page, 'Run').click()
  await tile(page, 'Theirs').waitFor()
  await expect.poll(() => button(page, 'Undo').count()).toBe(0)
  await page.keyboard.press('ControlOrMeta+z')
  await button(page, 'Actions for Theirs').click()
  await item(page, 'Narrower').click()
  await expect.poll(() => placeOf('c')).toEqual([0, 8, 5, 8])
  expect(await placeOf('a')).toEqual([0, 0, 5, 8])
  await page.keyboard.press('Escape')
  await button(page, 'Undo').click()
  await expect.poll(() => placeOf('c')).toEqual([0, 8, 6, 8])
})

test('a member reads dashboards of others, and sees who can change them', async () => {
  const { org, base, made } = await twoTiles()
  const page = await dashboard.open(`${base}/${made.id}`, await org.member('member'), WIDE)
  await tile(page, 'All deals').getByText('3', { exact: true }).waitFor()
  await button(page, 'Add report').hover()
  await page.getByRole('tooltip', { name: /owners and admins can change this dashboard/ }).waitFor()
  await button(page, 'Actions for All deals').click()
  await item(page, 'Open report').waitFor()
  await expect.poll(() => item(page, 'Narrower').count()).toBe(0)
  await expect.poll(() => button(page, 'More actions').count()).toBe(0)
})

test('a dashboard is renamed and deleted, and its reports stay', async () => {
  const { open, owner, stages } = await twoTiles()
  const page = await open()
  await button(page, 'More actions').click()
  await item(page, 'Rename').click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Pipeline')
  await button(page, 'Save name').click()
  await page.getByRole('heading', { name: 'Pipeline', level: 1 }).waitFor()
  await button(page, 'More actions').click()
  await item(page, 'Delete dashboard').click()
  await page.getByText('The 2 reports on it stay, with all of their runs.').waitFor()
  await button(page, 'Delete dashboard').click()
  await page.getByRole('heading', { name: 'No dashboards yet' }).waitFor()
  expect((await owner.get(`/reports/${stages.id}`)).status).toBe(200)
})

test.each([
  ['on a screen', WIDE],
  ['on a phone', PHONE],
])('a dashboard is accessible and fits %s', async (_, size) => {
  const { open } = await twoTiles()
  const page = await open(size)
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(size.viewport.width)
  await button(page, 'Actions for Deals by stage').click()
  await item(page, 'Open report').waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
})

test('on a phone, tiles are stacked and cannot be moved', async () => {
  const { open } = await twoTiles()
  const page = await open(PHONE)
  const [first, second] = [await boxOf(page, 'Deals by stage'), await boxOf(page, 'All deals')]
  expect(second.y).toBeGreaterThan(first.y + first.height)
  expect(second.width).toBe(first.width)
  await button(page, 'Actions for Deals by stage').click()
  await item(page, 'Remove from dashboard').waitFor()
  await expect.poll(() => item(page, 'Move down').count()).toBe(0)
})
