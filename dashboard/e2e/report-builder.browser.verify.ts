import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { CHART_TYPES } from '../../contract/report-states.ts'
import type { ReportDefinition, ReportDetail } from '../../contract/reports.ts'
import { CHART_NAMES } from '../features/reports/chart/drawing.ts'
import { axeViolations } from './axe.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import {
  button,
  cells,
  drag,
  dragUntilTaken,
  field,
  isFocused,
  isSaved,
  type Made,
  openList,
  part,
  sentence,
  setUpBuilder,
  tabTo,
} from './report-builder.fixture.ts'

const dashboard = await openSharedDashboard()
const setUp = () => setUpBuilder(dashboard.service)

/** The mouse reaches only elements in the viewport. */
const TALL = { viewport: { width: 1440, height: 1100 } }

const WON: ReportDefinition = {
  name: 'Won by sector and quarter',
  source: { objectId: 'deals', alias: 'deal' },
  joins: [{ alias: 'company', via: 'deal.company' }],
  filters: { field: 'deal.stage', operator: 'equals', value: 'Won' },
  groupBy: [
    { key: 'sector', field: 'company.sector' },
    { key: 'close_date', field: 'deal.close_date', bucket: 'quarter', fill: true },
  ],
  measures: [{ key: 'sum_amount', op: 'sum', field: 'deal.amount' }],
}

const rowsAre = (page: Page, rows: string[][]) => expect.poll(() => cells(page)).toEqual(rows)

const RESULT = [
  ['Energy', 'Q1 2026', '$350'],
  ['Energy', 'Q2 2026', '$0'],
  ['Media', 'Q1 2026', '$0'],
  ['Media', 'Q2 2026', '$4,000'],
]

/** The report that both ways of building create. */
async function isBuilt({ list, definitionOf }: Made, page: Page) {
  await page.waitForURL(/\/edit$/)
  await isSaved(page)
  const [report] = await list()
  expect(await definitionOf(report?.id ?? '')).toEqual(WON)
  await page.reload()
  await part(page, 'Sum of amount').waitFor()
  await part(page, 'Close date (quarter)').waitFor()
  await part(page, 'Company of deal').waitFor()
  await expect.poll(() => cells(page)).toMatchObject(RESULT)
}

describe('building won amount by sector and quarter from an empty report', () => {
  test('by mouse: a join by name, and fields dragged to their sentences', async () => {
    const made = await setUp()
    const page = await dashboard.open(`${made.base}/new`, made.owner, TALL)
    await button(page, 'Deals').click()
    await rowsAre(page, [])
    await button(page, 'Join').click()
    await page.getByRole('option', { name: 'Company of deal' }).click()
    await dragUntilTaken(page, field(page, 'Company', 'Sector'), sentence(page, 'by'))
    await dragUntilTaken(page, field(page, 'Deal', 'Close date'), sentence(page, 'by'))
    await part(page, 'Close date (month)').click()
    await page.getByRole('combobox', { name: 'By' }).click()
    await page.getByRole('option', { name: 'Quarter' }).click()
    await page.keyboard.press('Escape')
    await dragUntilTaken(page, field(page, 'Deal', 'Amount'), sentence(page, 'Show'))
    await button(page, 'Remove Number of deals').click()
    await dragUntilTaken(page, field(page, 'Deal', 'Stage'), sentence(page, 'where'))
    const form = page.getByRole('dialog')
    await form.getByRole('combobox', { name: 'Value' }).click()
    await page.getByRole('option', { name: 'Won' }).click()
    await button(form, 'Add filter').click()
    await expect.poll(() => cells(page)).toMatchObject(RESULT)
    await page.getByLabel('Name of the report').fill(WON.name)
    await button(page, 'Save').click()
    await isBuilt(made, page)
  })

  test('using only the keyboard', async () => {
    const made = await setUp()
    const page = await dashboard.visit(made.owner, TALL)
    const { keyboard } = page
    await page.goto(`${made.base}/new`)
    const choose = async (add: string, typed: string) => {
      await tabTo(page, button(page, add))
      await keyboard.press('Enter')
      await page.locator('[role=dialog] input:focus').waitFor()
      await keyboard.type(typed)
      await keyboard.press('Enter')
    }
    const travelTo = async (target: Locator) => {
      await target.waitFor()
      while (!(await isFocused(target))) await keyboard.press('ArrowDown')
    }
    // Before the list is open, keys may have no effect.
    const travelToOption = async (name: string) => {
      await page.getByRole('option', { name }).waitFor()
      const chosen = page.locator('[role=option][data-combobox-selected]')
      while ((await chosen.allInnerTexts())[0] !== name) await keyboard.press('ArrowDown')
    }
    await tabTo(page, button(page, 'Deals'))
    await keyboard.press('Enter')
    await choose('Join', 'company of deal')
    await part(page, 'Company of deal').waitFor()
    await choose('Group', 'sector')
    await part(page, 'Sector of company').waitFor()
    await choose('Group', 'close date')
    await part(page, 'Close date (month)').waitFor()
    await tabTo(page, part(page, 'Close date (month)'))
    await keyboard.press('Enter')
    await tabTo(page, page.getByRole('combobox', { name: 'By' }))
    await keyboard.type(' ')
    await travelToOption('Quarter')
    await keyboard.press('Enter')
    await part(page, 'Close date (quarter)').waitFor()
    await keyboard.press('Escape')
    // Enter on a field in the list offers what dragging does.
    await tabTo(page, field(page, 'Deal', 'Amount'))
    await keyboard.press('Enter')
    await travelTo(page.getByRole('menuitem', { name: 'Sum of amount' }))
    await keyboard.press('Enter')
    await tabTo(page, part(page, 'Number of deals'))
    await keyboard.press('Delete')
    await choose('Filter', 'stage')
    await tabTo(page, page.getByRole('combobox', { name: 'Value' }))
    await keyboard.press('ArrowDown')
    await travelToOption('Won')
    await keyboard.press('Enter')
    await tabTo(page, button(page, 'Add filter'))
    await keyboard.press('Enter')
    await part(page, 'Stage is Won').waitFor()
    await tabTo(page, page.getByLabel('Name of the report'))
    await keyboard.type(WON.name)
    await keyboard.press('ControlOrMeta+s')
    await isBuilt(made, page)
  })
})

test('every chart type can be chosen and is rendered', async () => {
  const { owner, base, make } = await setUp()
  const { id } = await make(WON)
  const page = await dashboard.open(`${base}/${id}/edit`, owner, TALL)
  const result = page.getByRole('region', { name: 'Result' })
  await result.getByRole('figure').waitFor()
  for (const type of CHART_TYPES) {
    const name = CHART_NAMES[type]
    const kind = page.getByRole('radio', { name: name.replace(/ chart$/, ''), exact: true })
    await kind.check({ force: true })
    const drawn =
      type === 'table'
        ? result.getByRole('table')
        : page.getByRole('figure', { name: `${name}: ${WON.name}` })
    // A scatter chart needs two measures, and the page says so.
    await (type === 'scatter' ? result.getByRole('note') : drawn).waitFor()
  }
  await page.getByRole('radio', { name: 'Area', exact: true }).check({ force: true })
  await page.getByRole('combobox', { name: 'X axis' }).click()
  await page.getByRole('option', { name: 'Close date (quarter)' }).click()
  await button(page, 'Save').click()
  await isSaved(page)
  const { body } = await owner.get<ReportDetail>(`/reports/${id}`)
  expect(body.definition.chart).toEqual({ type: 'area', x: 'close_date' })
})

describe('during building', () => {
  test('problems are shown at their sentence, and the last result stays', async () => {
    const { owner, base } = await setUp()
    const page = await dashboard.open(`${base}/new?object=deals`, owner, TALL)
    await page.getByRole('region', { name: 'Result' }).getByRole('figure').waitFor()
    await button(page, 'Remove Number of deals').click()
    await sentence(page, 'Show').getByText('Choose what to measure, or what to group by').waitFor()
    await page.locator('[data-stale]').waitFor()
    await page.getByText('1 problem', { exact: true }).waitFor()
    await page.keyboard.press('ControlOrMeta+z')
    await part(page, 'Number of deals').waitFor()
    await expect.poll(() => page.locator('[data-stale]').count()).toBe(0)
  })

  test('a deleted field is reported, and can be removed', async () => {
    const { owner, base, make } = await setUp()
    const { body: made } = await owner.post<{ id: string }>('/objects/deals/attributes', {
      name: 'Region',
      type: 'text',
    })
    const { id } = await make({ ...WON, groupBy: [{ key: 'region', field: 'deal.region' }] })
    await owner.delete(`/objects/deals/attributes/${made.id}`)
    const page = await dashboard.open(`${base}/${id}/edit`, owner, TALL)
    await sentence(page, 'by').getByText('This field no longer exists').waitFor()
    await button(page, 'Remove deal.region').click()
    await page.getByRole('region', { name: 'Result' }).getByRole('figure').waitFor()
  })

  test('removing a join says what is removed with it', async () => {
    const { owner, base, make } = await setUp()
    const { id } = await make(WON)
    const page = await dashboard.open(`${base}/${id}/edit`, owner, TALL)
    await button(page, 'Remove Company of deal').click()
    const form = page.getByRole('dialog')
    await form.getByText('the group Sector of company').waitFor()
    await button(form, 'Remove this join').click()
    await part(page, 'Sector of company').waitFor({ state: 'detached' })
    await expect.poll(() => part(page, 'Close date (quarter)').count()).toBe(1)
  })

  test('parts are reordered by keyboard and by mouse', async () => {
    const { owner, base, make, definitionOf } = await setUp()
    const { id } = await make(WON)
    const page = await dashboard.open(`${base}/${id}/edit`, owner, TALL)
    const keys = async () => (await definitionOf(id)).groupBy?.map(({ key }) => key)
    await part(page, 'Sector of company').focus()
    await page.keyboard.press('Alt+ArrowRight')
    await expect.poll(() => isFocused(part(page, 'Sector of company'))).toBe(true)
    await page.keyboard.press('ControlOrMeta+s')
    await isSaved(page)
    expect(await keys()).toEqual(['close_date', 'sector'])
    await drag(page, part(page, 'Sector of company'), part(page, 'Close date (quarter)'))
    await button(page, 'Save').click()
    await isSaved(page)
    expect(await keys()).toEqual(['sector', 'close_date'])
  })

  test('rows replace groups, with an order and a limit', async () => {
    const { owner, base } = await setUp()
    const page = await dashboard.open(`${base}/new?object=deals`, owner, TALL)
    await page.getByText('Rows', { exact: true }).click()
    await dragUntilTaken(page, field(page, 'Deal', 'Amount'), sentence(page, 'Show'))
    await part(page, 'Amount').waitFor()
    await openList(button(page, 'Order'), page.getByRole('option', { name: 'Amount' }))
    await page.getByRole('option', { name: 'Amount' }).click()
    await page.getByLabel('Rows at most').fill('2')
    await expect
      .poll(() => cells(page))
      .toEqual([
        ['Deal 100', '$100'],
        ['Deal 250', '$250'],
      ])
  })

  test('filters start with a field and form groups, and conditions on measures omit groups', async () => {
    const { owner, base, make, definitionOf } = await setUp()
    await owner.post('/objects/deals/attributes', { name: 'Sure', type: 'checkbox' })
    const { id } = await make({ ...WON, groupBy: [{ key: 'sector', field: 'company.sector' }] })
    const page = await dashboard.open(`${base}/${id}/edit`, owner, TALL)
    await field(page, 'Deal', 'Sure').click()
    await page.getByRole('menuitem', { name: 'Filter' }).click()
    await page.getByRole('dialog').getByRole('combobox', { name: 'Operator' }).click()
    await page.getByRole('option', { name: 'is not checked' }).click()
    await button(page, 'Add filter').click()
    await part(page, 'Sure is not checked').waitFor()
    await button(page, 'Filter').click()
    await page.getByLabel('Group with the last filter').check()
    await page.getByRole('option', { name: 'Close date', exact: true }).click()
    await button(page, 'Add filter').click()
    await part(page, 'Close date is in the last 30 days').waitFor()
    await button(page, 'Condition').last().click()
    await page.getByRole('option', { name: 'Sum of amount' }).click()
    await part(page, 'Sum of amount is more than 0').click()
    await page.getByRole('dialog').getByLabel('Value').fill('400')
    await button(page, 'Apply').click()
    await part(page, 'Sum of amount is more than 400').waitFor()
    await button(page, 'Remove the group').click()
    await expect.poll(() => cells(page)).toEqual([['Media', '$4,000']])
    await button(page, 'Save').click()
    await isSaved(page)
    expect(await definitionOf(id)).toMatchObject({
      filters: { and: [WON.filters] },
      having: { key: 'sum_amount', operator: 'greaterThan', value: '400' },
    })
  })
})

test('a filter reads an attribute of a referenced record without a join, by keyboard', async () => {
  const made = await setUp()
  const page = await dashboard.open(`${made.base}/new`, made.owner, TALL)
  await button(page, 'Deals').click()
  await rowsAre(page, [])
  await button(page, 'Filter').click()
  await page.locator('[role=dialog] input:focus').waitFor()
  await page.keyboard.type('company sector')
  await page.getByRole('option', { name: 'Company → Sector', exact: true }).waitFor()
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog')
  await form.getByRole('combobox', { name: 'Value' }).click()
  await page.getByRole('option', { name: 'Media' }).click()
  await form.getByRole('button', { name: 'Add filter' }).click()
  await part(page, 'Company → Sector is Media').waitFor()
  expect(await axeViolations(page)).toEqual([])
})
