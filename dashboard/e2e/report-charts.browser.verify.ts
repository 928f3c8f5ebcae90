// Charts and result tables on dashboards: every type, in both schemes, with many rows.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { ReportDashboard, ReportTile } from '../../contract/report-dashboards.ts'
import { CHART_TYPES, type ChartType } from '../../contract/report-states.ts'
import type { ReportDefinition, ReportDetail, ReportResults, ResultColumn } from '../../contract/reports.ts'
import { newId } from '../../server/base/id.ts'
import { axeViolationsInBothSchemes } from './axe.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()
const { db } = dashboard.service.ctx

const STAGES = ['Lead', 'Won', 'Lost']
const MONTHS = ['2026-07-01', '2026-08-01', '2026-09-01', '2026-10-01']
const stage: ResultColumn = {
  ...{ key: 'stage', label: 'Stage', type: 'select', role: 'dimension' },
  options: STAGES,
}
const month: ResultColumn = {
  ...{ key: 'month', label: 'Closed (month)', type: 'date', role: 'dimension' },
  bucket: 'month',
}
const deals: ResultColumn = { key: 'deals', label: 'Deals', type: 'number', role: 'measure' }
const people: ResultColumn = { key: 'people', label: 'People', type: 'number', role: 'measure' }

const definitionOf = (type: ChartType): ReportDefinition => ({
  name: `As ${type}`,
  source: { objectId: 'deals', alias: 'deal' },
  measures: [
    { key: 'deals', op: 'count' },
    { key: 'people', op: 'count' },
  ],
  chart: { type },
})

const rowsOf = (columns: readonly ResultColumn[]): ReportResults['rows'] => {
  const groups = columns.includes(month)
    ? MONTHS.flatMap((one, index) =>
        STAGES.map((name, place) => ({ month: one, stage: name, n: index + place })),
      )
    : STAGES.map((name, place) => ({ stage: name, n: place + 1 }))
  return groups.map(({ n, ...group }) => ({ ...group, deals: 1234 * (n + 1), people: (n * 7) % 5 }))
}

const COLUMNS: Partial<Record<ChartType, ResultColumn[]>> = {
  stacked_bar: [month, stage, deals],
  line: [month, stage, deals],
  area: [month, stage, deals],
  scatter: [stage, deals, people],
  number: [deals],
}

function resultsOf(type: ChartType): Pick<ReportResults, 'columns' | 'rows'> {
  const columns = COLUMNS[type] ?? [stage, deals]
  const rows = type === 'number' ? [{ deals: '12345678901234567890' }] : rowsOf(columns)
  return { columns, rows }
}

type Answer = Pick<ReportResults, 'columns' | 'rows'> & { truncated?: boolean }

async function setUp() {
  const { org, owner } = await dashboard.organization('owner')
  /** Creates a report with these results, independent of its definition. @returns its id */
  const answered = async (definition: ReportDefinition, { columns, rows, truncated = false }: Answer) => {
    const { id } = (await owner.post<ReportDetail>('/reports', { definition })).body
    const results = { columns, rows, truncated, asOf: new Date().toISOString(), executionMs: 3 }
    await db.run(sql`
      insert into report_runs (org, id, report, definition, status, result_count, results, completed_at)
      values (${org.org}, ${newId()}, ${id}, ${JSON.stringify(definition)}::jsonb, 'completed', ${rows.length},
        ${await promisify(gzip)(JSON.stringify(results))}, now())`)
    return id
  }
  const open = async (tiles: ReportTile[], options: Parameters<typeof dashboard.visit>[1]) => {
    const body = { name: 'Charts', tiles }
    const { id } = (await owner.post<ReportDashboard>('/report-dashboards', body)).body
    const page = await dashboard.open(`/o/org-${org.id}/reports/dashboards/${id}`, owner, options)
    return page
  }
  return { answered, open }
}

const tileOf = (reportId: string, index: number): ReportTile => ({
  ...{ id: `t${index}`, reportId, w: 6, h: 8 },
  ...{ x: (index % 2) * 6, y: Math.floor(index / 2) * 8 },
})

async function openAll(options: Parameters<typeof dashboard.visit>[1]): Promise<Page> {
  const { answered, open } = await setUp()
  const ids: string[] = []
  for (const type of CHART_TYPES) ids.push(await answered(definitionOf(type), resultsOf(type)))
  return open(ids.map(tileOf), options)
}

const tile = (page: Page, type: ChartType) => page.getByRole('article', { name: `As ${type}`, exact: true })

const NAMES: readonly (readonly [ChartType, string])[] = [
  ['bar', 'Bar chart'],
  ['stacked_bar', 'Stacked bar chart'],
  ['line', 'Line chart'],
  ['area', 'Area chart'],
  ['pie', 'Pie chart'],
  ['donut', 'Donut chart'],
  ['scatter', 'Scatter chart'],
]

const whole = async (page: Page) => {
  for (const [type, name] of NAMES)
    await tile(page, type)
      .getByRole('application', { name: `${name}: As ${type}` })
      .waitFor()
  await tile(page, 'number').getByText('12,345,678,901,234,567,890').waitFor()
  await tile(page, 'funnel').getByText('150% of Lead').waitFor()
  await tile(page, 'table').getByRole('row', { name: 'Sum of 3 rows 11,106' }).waitFor()
}

test.each([1440, 375])('every chart type is rendered, named and accessible, at %i px', async (width) => {
  const page = await openAll({ viewport: { width, height: 900 } })
  await whole(page)
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
})

test('in tiles of half a small screen, every slice and every bar has its label', async () => {
  const { answered, open } = await setUp()
  const names = ['Demo Owner', 'Nora Fields', 'Tomás Reyes']
  const rows = names.map((name, index) => ({ stage: name, deals: 1000 + index }))
  const results = { columns: [stage, deals], rows }
  const bars = await answered(definitionOf('bar'), results)
  const slices = await answered(definitionOf('donut'), results)
  const page = await open([tileOf(bars, 0), tileOf(slices, 1)], { viewport: { width: 1024, height: 768 } })
  const texts = () => tile(page, 'bar').locator('svg text').allTextContents()
  await expect.poll(texts).toEqual(expect.arrayContaining(names))
  const lastName = tile(page, 'donut').getByRole('listitem').last()
  const foot = tile(page, 'donut').locator('footer')
  const isInSight = async () => {
    const [name, below] = [await lastName.boundingBox(), await foot.boundingBox()]
    return name !== null && below !== null && name.y + name.height <= below.y
  }
  await expect.poll(isInSight).toBe(true)
})

test('bars and slices of options have the colors of their chips', async () => {
  const { answered, open } = await setUp()
  const colored: ResultColumn = { ...stage, colors: { Won: 'green' } }
  const results = { columns: [colored, deals], rows: rowsOf([stage, deals]) }
  const bars = await answered(definitionOf('bar'), results)
  const slices = await answered(definitionOf('donut'), results)
  const page = await open([tileOf(bars, 0), tileOf(slices, 1)], { viewport: { width: 1440, height: 900 } })
  const fills = (type: ChartType) =>
    tile(page, type)
      .locator('svg path[fill^="var(--fill"]')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('fill')))
  await expect.poll(() => fills('bar')).toEqual(['var(--fill-0)', 'var(--fill-3)', 'var(--fill-2)'])
  await expect.poll(() => fills('donut')).toEqual(['var(--fill-2)', 'var(--fill-3)', 'var(--fill-0)'])
})

test('the keyboard moves through the values of a chart and shows them exactly', async () => {
  const page = await openAll({ viewport: { width: 1440, height: 900 } })
  await whole(page)
  const chart = tile(page, 'bar').getByRole('application')
  await chart.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  const tip = tile(page, 'bar').locator('dl')
  await expect.poll(() => tip.textContent()).toBe('Deals4,936')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => tip.textContent()).toBe('Deals3,702')
})

test('a chart of truncated results says that it shows only the first rows', async () => {
  const { answered, open } = await setUp()
  const rows = STAGES.map((name) => ({ stage: name, deals: 2 }))
  const id = await answered(definitionOf('number'), { columns: [stage, deals], rows, truncated: true })
  const page = await open([tileOf(id, 0)], { viewport: { width: 1440, height: 900 } })
  await tile(page, 'number').getByText('The chart shows the first 3 rows only.').waitFor()
  await tile(page, 'number')
    .getByText(/the first 3 rows only$/)
    .waitFor()
})

test('with ten thousand rows, the chart says what it omits, and the table renders only visible rows', async () => {
  const { answered, open } = await setUp()
  const name: ResultColumn = { key: 'name', label: 'Name', type: 'text', role: 'dimension' }
  const rows = Array.from({ length: 10_000 }, (_, index) => ({ name: `Company ${index}`, deals: index }))
  const results = { columns: [name, deals], rows }
  const bars = await answered({ ...definitionOf('bar'), name: 'Bars' }, results)
  const list = await answered({ ...definitionOf('table'), name: 'Rows' }, results)
  const page = await open([tileOf(bars, 0), tileOf(list, 1)], { viewport: { width: 1440, height: 900 } })
  await page.getByText('The chart shows the largest 30 of 10,000 groups; the table has all.').waitFor()
  const table = page.getByRole('region', { name: 'Rows of Rows' })
  await table.getByRole('row', { name: 'Sum of 10,000 rows 49,995,000' }).waitFor()
  await expect.poll(() => table.getByRole('row').count()).toBeLessThan(80)
  await table.focus()
  await page.keyboard.press('End')
  await table.getByRole('row', { name: 'Company 9999 9,999' }).waitFor()
  await expect.poll(() => table.getByRole('row').count()).toBeLessThan(80)
})
