import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeViolationsInBothSchemes } from './axe.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { addReport, chart, history, PIPELINE, rows, runOf, setUp as setUpIn } from './reports.fixture.ts'
import { button, dialogOf, row } from './workflow-pages.fixture.ts'

const dashboard = await openSharedDashboard()
const { service } = dashboard
const setUp = () => setUpIn(service)

const closed = (page: Page) => dialogOf(page).waitFor({ state: 'detached' })
const item = (page: Page, name: string) => page.getByRole('menuitem', { name })

describe('the list', () => {
  test('shows when each report was run and who created it, and searches by words', async () => {
    const { org, owner, base } = await setUp()
    const report = await addReport(owner)
    await addReport(await org.member('member'), { name: 'Won by month', description: 'What came in' })
    await runOf(owner, report)
    const page = await dashboard.open(base, owner)
    await page.getByRole('link', { name: 'Reports' }).click()
    const pipeline = row(page, /Pipeline by stage/)
    await pipeline.getByText('What is open, and what it is worth').waitFor()
    await expect.poll(() => pipeline.getByRole('time').count()).toBe(1)
    await row(page, /Won by month/)
      .getByText('Never')
      .waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('month CAME')
    await pipeline.waitFor({ state: 'detached' })
    await expect.poll(() => row(page, /Won by month/).count()).toBe(1)
    await page.keyboard.type(' nothing')
    await page.getByRole('heading', { name: 'No matching reports' }).waitFor()
    const tabs = page.getByRole('navigation', { name: 'Reports and dashboards' }).getByRole('link')
    await expect.poll(() => tabs.allTextContents()).toEqual(['Reports', 'Dashboards'])
    await expect.poll(() => tabs.first().getAttribute('aria-current')).toBe('page')
  })

  test('a report is renamed, copied, and deleted with its runs', async () => {
    const { owner, base, list } = await setUp()
    const report = await addReport(owner)
    await addReport(owner, { name: 'Taken' })
    await runOf(owner, report)
    await runOf(owner, report)
    await owner.post('/workflows', {
      name: 'Weekly figures',
      definition: {
        trigger: 'schedule',
        triggerConfig: { cron: '0 9 * * 1' },
        steps: [{ key: 'report', type: 'run_report', config: { reportId: report.id } }],
      },
    })
    await owner.post('/report-dashboards', {
      name: 'Sales',
      tiles: [{ id: 'a', reportId: report.id, x: 0, y: 0, w: 6, h: 8 }],
    })
    const page = await dashboard.open(`${base}/reports`, owner)
    await button(page, 'More for Pipeline by stage').click()
    await item(page, 'Rename').click()
    await dialogOf(page).getByLabel('Name').fill('Taken')
    await button(dialogOf(page), 'Rename report').click()
    await dialogOf(page).getByText('Another report has the name "Taken"').waitFor()
    await dialogOf(page).getByLabel('Name').fill('Open deals')
    await button(dialogOf(page), 'Rename report').click()
    await row(page, /Open deals/).waitFor()

    await button(page, 'More for Open deals').click()
    await item(page, 'Duplicate').click()
    await page.getByRole('heading', { name: 'Open deals 2', level: 1 }).waitFor()
    await page.getByText('Not run yet').waitFor()
    expect((await list()).map(({ name }) => name)).toEqual(['Open deals', 'Open deals 2', 'Taken'])

    await page.getByRole('link', { name: 'Reports' }).first().click()
    await button(page, 'More for Open deals').first().click()
    await item(page, 'Delete report').click()
    await dialogOf(page).getByText('This also deletes its definition and 2 runs with results.').waitFor()
    await dialogOf(page).getByText('It is removed from 1 dashboard too.').waitFor()
    await dialogOf(page).getByText('The workflow “Weekly figures” runs it, and will fail.').waitFor()
    await button(dialogOf(page), 'Delete report').click()
    await closed(page)
    await row(page, /^Open deals Made/).waitFor({ state: 'detached' })
    expect((await list()).map(({ name }) => name)).toEqual(['Open deals 2', 'Taken'])
  })
})

describe('templates', () => {
  test('without any reports, a template is previewed and used, and its chart is shown', async () => {
    const { owner, base, deal, list } = await setUp()
    await deal('Acme expansion', 'Won', 1200)
    await deal('Globex renewal', 'Lead', 800)
    const page = await dashboard.open(`${base}/reports`, owner)
    await page.getByRole('heading', { name: 'No reports yet' }).waitFor()
    const cards = page.getByRole('region', { name: 'Templates' }).getByRole('button')
    await expect.poll(() => cards.count()).toBe(10)
    await button(page, /^Pipeline by stage/).click()
    const dialog = dialogOf(page)
    await dialog.getByRole('figure', { name: 'Bar chart: Pipeline by stage' }).waitFor()
    await dialog.getByText('the number of deals and the sum of amount').waitFor()
    await expect
      .poll(() => dialog.getByRole('link', { name: 'Edit first' }).getAttribute('href'))
      .toContain(`${base}/reports/new?ready=pipeline`)
    await button(dialog, 'Use template').click()
    await page.getByRole('heading', { name: 'Pipeline by stage', level: 1 }).waitFor()
    await chart(page, 'Bar chart: Pipeline by stage').waitFor()
    await rows(page, 'Rows of Pipeline by stage').getByText('$1,200').waitFor()
    await history(page).getByText('2 rows').waitFor()
    expect((await list()).map(({ name }) => name)).toEqual(['Pipeline by stage'])
  })

  test('by keyboard only, a template becomes a report with its own name that is run again', async () => {
    const { owner, base } = await setUp()
    await addReport(owner)
    const page = await dashboard.open(`${base}/reports`, owner)
    await button(page, 'Templates').focus()
    await page.keyboard.press('Enter')
    await button(dialogOf(page), /^Pipeline by stage/).focus()
    await page.keyboard.press('Enter')
    await button(dialogOf(page), 'Use template').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Pipeline by stage 2', level: 1 }).waitFor()
    await history(page).getByRole('listitem').first().waitFor()
    await page.keyboard.press('r')
    await expect.poll(() => history(page).getByRole('listitem').count()).toBe(2)
    await page.keyboard.press('e')
    await page.waitForURL(/\/edit$/)
  })
})

test('a member runs reports of others, changes their own, and sees why the others are locked', async () => {
  const { org, owner, base, pageOf, deal } = await setUp()
  await deal('Acme expansion', 'Won', 1200)
  const report = await addReport(owner)
  const member = await org.member('member')
  const own = await addReport(member, { name: 'Mine' })
  const page = await dashboard.open(pageOf(report), member)
  await button(page, 'Run now').first().click()
  await chart(page, /^Bar chart/).waitFor()
  await button(page, 'Edit').hover()
  await page.getByText(/created it: only they, owners and admins can change it/).waitFor()
  await button(page, 'More for Pipeline by stage').click()
  await expect.poll(() => item(page, 'Rename').isDisabled()).toBe(true)
  await expect.poll(() => item(page, 'Delete report').isDisabled()).toBe(true)
  await item(page, 'Schedule').click()
  await dialogOf(page).getByText('A schedule is a workflow: owners and admins create those.').waitFor()
  await page.keyboard.press('Escape')
  await closed(page)
  await page.goto(pageOf(own))
  await expect
    .poll(() => page.getByRole('link', { name: 'Edit' }).getAttribute('href'))
    .toBe(`${base}/reports/${own.id}/edit`)
  await button(page, 'More for Mine').click()
  await item(page, 'Delete report').click()
  await dialogOf(page).getByText('It has never been run.').waitFor()
  await button(dialogOf(page), 'Delete report').click()
  await page.waitForURL(/\/reports$/)
  await row(page, /Mine/).waitFor({ state: 'detached' })
})

test('a report of another organization, or a deleted run, is shown as not found', async () => {
  const { owner, base, pageOf } = await setUp()
  const foreign = await addReport((await setUp()).owner)
  const report = await addReport(owner)
  const page = await dashboard.open(`${base}/reports/${foreign.id}`, owner)
  await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor()
  await page.goto(`${pageOf(report)}?run=${foreign.id}`)
  await page.getByRole('link', { name: 'Show the last run' }).click()
  await page.getByText('Not run yet').waitFor()
})

const SIZES = [
  { width: 1440, height: 900 },
  { width: 375, height: 760 },
] as const

test.each(SIZES)('at $width the pages are accessible and fit the screen', async (viewport) => {
  const { owner, base, deal, pageOf } = await setUp()
  const long = `Deals of the ${'very '.repeat(30)}long name`
  await deal('Acme expansion', 'Won', 1200)
  const report = await addReport(owner, { ...PIPELINE, name: long })
  const before = await runOf(owner, report)
  await deal('Globex renewal', 'Lead', 800)
  await runOf(owner, report)
  const page = await dashboard.visit(owner, { viewport })
  const check = async () => {
    expect(await axeViolationsInBothSchemes(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width)
  }
  await page.goto(`${base}/reports`)
  await row(page, /long name/).waitFor()
  await check()
  await page.goto(pageOf(report))
  await chart(page, /^Bar chart/).waitFor()
  await page.getByText('the number of deals and the sum of amount').waitFor()
  await check()
  await page.goto(`${pageOf(report)}?compare=${before.id}`)
  await row(page, /Lead/).getByText('Added').waitFor({ state: 'attached' })
  await check()
  await page.goto(`${pageOf(report)}?schedule=1`)
  await dialogOf(page).getByText('Next times').waitFor()
  await check()
  await page.goto(`${base}/reports?gallery=1&ready="pipeline"`)
  await dialogOf(page).getByRole('figure').waitFor()
  await check()
})
