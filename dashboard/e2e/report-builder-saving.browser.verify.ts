import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ReportDefinition, ReportRun } from '../../contract/reports.ts'
import { axeViolationsInBothSchemes } from './axe.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { button, cells, isFocused, isSaved, part, setUpBuilder } from './report-builder.fixture.ts'

const dashboard = await openSharedDashboard()
const setUp = () => setUpBuilder(dashboard.service)

const COUNT: ReportDefinition = {
  name: 'Deals by stage',
  source: { objectId: 'deals', alias: 'deal' },
  groupBy: [{ key: 'stage', field: 'deal.stage' }],
  measures: [{ key: 'deals', op: 'count' }],
}

/** A definition with every part. */
const WHOLE: ReportDefinition = {
  version: 1,
  name: 'Everything',
  description: 'All there is',
  source: { objectId: 'companies', alias: 'firm' },
  joins: [
    { alias: 'deal', objectId: 'deals', via: 'deal.company', to: 'firm', type: 'inner' },
    { alias: 'who', via: 'deal.contact', type: 'left' },
  ],
  filters: {
    or: [
      { field: 'deal.close_date', operator: 'equals', value: { relative: 'last_365_days' } },
      {
        and: [
          { field: 'firm.name', operator: 'contains', value: 'u' },
          { field: 'who.email', operator: 'isEmpty', value: 'true' },
        ],
      },
    ],
  },
  groupBy: [
    { key: 'city', field: 'firm.address.city', label: 'Town' },
    { key: 'made', field: 'deal.created_at', bucket: 'week', timezone: 'Europe/Paris', fill: true },
  ],
  measures: [
    { key: 'won', op: 'sum', field: 'deal.amount', label: 'Worth' },
    { key: 'share', op: 'percentage' },
  ],
  having: { and: [{ key: 'won', operator: 'between', value: [0, 100000] }] },
  sort: [{ key: 'won', order: 'desc' }, { key: 'city' }],
  limit: 50,
  chart: { type: 'line', x: 'made', y: ['won'], series: 'city' },
}

const name = (page: Page) => page.getByLabel('Name of the report')

async function statusesOf(owner: Awaited<ReturnType<typeof setUp>>['owner'], id = '') {
  const { body } = await owner.get<{ runs: ReportRun[] }>(`/reports/${id}/runs`)
  return body.runs.map(({ status }) => status)
}

async function open(definition: ReportDefinition) {
  const all = await setUp()
  const report = await all.make(definition)
  const page = await dashboard.open(`${all.base}/${report.id}/edit`, all.owner, {
    viewport: { width: 1440, height: 1000 },
  })
  await part(page, /./).first().waitFor()
  return { ...all, report, page }
}

describe('saving', () => {
  test('a name is required and must be unique', async () => {
    const { owner, base, make, list } = await setUp()
    await make(COUNT)
    const page = await dashboard.open(`${base}/new?object=deals`, owner)
    await button(page, 'Save').click()
    await page.getByText('Give the report a name').waitFor()
    await expect.poll(() => isFocused(name(page))).toBe(true)
    await page.keyboard.type(COUNT.name)
    await button(page, 'Save').click()
    await page.getByText('Another report has this name').waitFor()
    await name(page).fill('Deals counted')
    await page.keyboard.press('ControlOrMeta+s')
    await page.waitForURL(/\/edit$/)
    expect((await list()).map((one) => one.name).toSorted()).toEqual(['Deals by stage', 'Deals counted'])
  })

  test('a new report is run, and no progress is shown after the run', async () => {
    const { owner, base, list } = await setUp()
    const page = await dashboard.open(`${base}/new?object=deals`, owner)
    await name(page).fill('Deals counted')
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByRole('figure').waitFor()
    await button(page, 'Group').click()
    await page.getByRole('option', { name: 'Stage', exact: true }).click()
    await part(page, 'Stage').waitFor()
    await expect.poll(() => cells(page)).toHaveLength(2)
    await button(page, 'Save').click()
    await page.waitForURL(/\/edit$/)
    await isSaved(page)
    await result.getByRole('figure').waitFor()
    await expect.poll(() => result.getAttribute('aria-busy')).toBe('false')
    await expect.poll(() => result.getByRole('status').innerText()).toBe('')
    const [report] = await list()
    await expect.poll(() => statusesOf(owner, report?.id)).toEqual(['completed'])
    await page.getByRole('link', { name: 'Back to the report' }).click()
    await page.getByText(/^Last run/).waitFor()
  })

  test('a report is run again after its query changed, but not after its name changed', async () => {
    const { page, owner, report } = await open(COUNT)
    await name(page).fill('Deals counted')
    await button(page, 'Save').click()
    await isSaved(page)
    await page.getByLabel('Rows at most').fill('20')
    await button(page, 'Save').click()
    await expect.poll(() => statusesOf(owner, report.id)).toEqual(['completed'])
  })

  test('unchanged parts of a definition are saved unchanged', async () => {
    const { page, definitionOf, report } = await open(WHOLE)
    await part(page, 'Town').waitFor()
    await name(page).fill('Everything again')
    await button(page, 'Save').click()
    await isSaved(page)
    expect(await definitionOf(report.id)).toEqual({ ...WHOLE, name: 'Everything again' })
  })

  test('a copy gets another name, and further changes apply to the copy', async () => {
    const { page, list, base } = await open(COUNT)
    await button(page, 'More save options').click()
    await page.getByRole('menuitem', { name: 'Save as a copy' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Another')
    await button(page, 'Save copy').click()
    await expect.poll(() => name(page).inputValue()).toBe('Another')
    const copy = (await list()).find((one) => one.name === 'Another')
    await expect.poll(() => page.url()).toContain(`${base}/${copy?.id}/edit`)
  })

  test.each([
    ['Use mine', 20],
    ['Keep the saved version', 7],
  ] as const)('someone else has saved in between: %s', async (choice, limit) => {
    const { page, owner, report, definitionOf } = await open(COUNT)
    await owner.patch(`/reports/${report.id}`, { definition: { ...COUNT, limit: 7 } })
    await page.getByLabel('Rows at most').fill('20')
    await button(page, 'Save').click()
    await page.getByText('The two versions differ in the number of rows').waitFor()
    await button(page, choice).click()
    await isSaved(page)
    expect((await definitionOf(report.id)).limit).toBe(limit)
  })

  test("members save another member's report only as a copy", async () => {
    const { org, base, make } = await setUp()
    const { id } = await make(COUNT)
    const member = await org.member('member')
    const page = await dashboard.open(`${base}/${id}/edit`, member)
    await button(page, 'Save').focus()
    await page.getByText(/can change this report: save a copy/).waitFor()
    await button(page, 'More save options').click()
    await page.getByRole('menuitem', { name: 'Save as a copy' }).click()
    await button(page, 'Save copy').click()
    await expect.poll(() => name(page).inputValue()).toBe('Deals by stage (copy)')
  })
})

describe('unsaved changes', () => {
  test('are asked about before the page is left', async () => {
    const { page, definitionOf, report } = await open(COUNT)
    await page.getByLabel('Rows at most').fill('20')
    await page.getByRole('link', { name: 'Home' }).click()
    await button(page, 'Stay').click()
    await expect.poll(() => page.getByLabel('Rows at most').inputValue()).toBe('20')
    await page.getByRole('link', { name: 'Home' }).click()
    await button(page, 'Leave without saving').click()
    await page.getByRole('heading', { name: 'Home' }).first().waitFor()
    expect(await definitionOf(report.id)).toEqual(COUNT)
  })

  test('are restored after a reload, and can be discarded', async () => {
    const { page } = await open(COUNT)
    page.on('dialog', (dialog) => void dialog.accept())
    await page.getByLabel('Rows at most').fill('20')
    await page.getByText('Not saved yet').waitFor()
    await page.reload()
    await page.getByText('Your unsaved changes were restored.').waitFor()
    await expect.poll(() => page.getByLabel('Rows at most').inputValue()).toBe('20')
    await button(page, 'Discard').click()
    await isSaved(page)
    await expect.poll(() => page.getByLabel('Rows at most').inputValue()).toBe('')
  })

  test('of an older version are discarded for good, and the newer version is edited without a conflict', async () => {
    const { page, owner, report, definitionOf } = await open(COUNT)
    page.on('dialog', (dialog) => void dialog.accept())
    const rows = page.getByLabel('Rows at most')
    await rows.fill('20')
    await page.getByText('Not saved yet').waitFor()
    await owner.patch(`/reports/${report.id}`, { definition: { ...COUNT, limit: 7 } })
    await page.reload()
    await page.getByText('Your unsaved changes were restored.').waitFor()
    await button(page, 'Discard').click()
    await expect.poll(() => rows.inputValue()).toBe('7')
    await expect.poll(() => button(page, 'Undo').getAttribute('aria-disabled')).toBe('true')
    await rows.fill('9')
    await button(page, 'Save').click()
    await isSaved(page)
    expect((await definitionOf(report.id)).limit).toBe(9)
  })
})

test.each([1440, 375])('is accessible at %i px', async (width) => {
  const { owner, base, make } = await setUp()
  const { id } = await make(WHOLE)
  const page = await dashboard.open(`${base}/${id}/edit`, owner, { viewport: { width, height: 900 } })
  await page
    .getByRole('region', { name: 'Result' })
    .getByText(/rows?$/)
    .last()
    .waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth')
  expect(overflow).toBeLessThanOrEqual(0)
  await button(page, 'Measure').click()
  await page.getByRole('option').first().waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await page.keyboard.press('Escape')
  await part(page, 'Worth').click()
  await page.getByRole('dialog').getByLabel('Name').waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
})
