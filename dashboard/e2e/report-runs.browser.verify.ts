import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { ReportRun } from '../../contract/reports.ts'
import type { Workflow, WorkflowWithDefinition } from '../../contract/workflows.ts'
import { selectMail } from '../../server/mail/store.ts'
import { axeViolations } from './axe.ts'
import { openDashboard } from './open-dashboard.ts'
import { addReport, chart, history, PIPELINE, rows, runOf, setUp as setUpIn } from './reports.fixture.ts'
import { interceptFirst } from './steps.fixture.ts'
import { button, dialogOf, row } from './workflow-pages.fixture.ts'

const dashboard = await openDashboard()
const { service } = dashboard
const setUp = () => setUpIn(service)

const difference = (page: Page) => page.getByRole('region', { name: 'Difference between two runs' })

test('a report is run, and every run keeps its result', async () => {
  const { owner, deal, pageOf } = await setUp()
  await deal('Acme expansion', 'Won', 1200)
  const report = await addReport(owner)
  const page = await dashboard.open(pageOf(report), owner)
  await page.getByText('Not run yet').waitFor()
  await button(page, 'Run now').first().click()
  await chart(page, 'Bar chart: Pipeline by stage').waitFor()
  await rows(page, 'Rows of Pipeline by stage').getByText('$1,200').waitFor()
  await page.getByText(/^Last run/).waitFor()
  await history(page).getByText('1 row').waitFor()

  await deal('Globex renewal', 'Lead', 800)
  await button(page, 'Run now').click()
  await rows(page, 'Rows of Pipeline by stage').getByText('$800').waitFor()
  await history(page).getByRole('link').nth(1).click()
  await page.waitForURL(/run=/)
  await rows(page, 'Rows of Pipeline by stage').getByText('$800').waitFor({ state: 'detached' })
  await expect.poll(() => history(page).locator('[aria-current]').count()).toBe(1)
})

test('the result of a run is requested once, even if the report is run again', async () => {
  const { owner, deal, pageOf } = await setUp()
  await deal('Acme expansion', 'Won', 1200)
  const report = await addReport(owner)
  const { id } = await runOf(owner, report)
  const page = await dashboard.visit(owner)
  let asked = 0
  page.on('request', (request) => {
    if (request.url().endsWith(`/runs/${id}`)) asked++
  })
  await page.goto(`${pageOf(report)}?run=${id}`)
  await rows(page, 'Rows of Pipeline by stage').getByText('$1,200').waitFor()
  await deal('Globex renewal', 'Lead', 800)
  await button(page, 'Run now').click()
  await rows(page, 'Rows of Pipeline by stage').getByText('$800').waitFor()
  await history(page).getByRole('link').nth(1).click()
  await rows(page, 'Rows of Pipeline by stage').getByText('$800').waitFor({ state: 'detached' })
  expect(asked).toBe(1)
})

test('two runs are compared, with the largest change first', async () => {
  const { owner, deal, pageOf, org } = await setUp()
  const acme = await deal('Acme expansion', 'Won', 1200)
  await deal('Globex renewal', 'Lead', 800)
  await deal('Initrode', 'Lost', 50)
  await deal('Hooli', 'Proposal', 5)
  const report = await addReport(owner)
  await runOf(owner, report)
  await org.patch(`/objects/deals/records/${acme}`, { data: { amount: { amount: 2000, currency: 'USD' } } })
  await deal('Umbrella', 'Qualified', 10)
  const { body } = await org.get<{ records: { id: string }[] }>(
    '/objects/deals/records?filter[stage][equals]=Lost',
  )
  await org.delete(`/objects/deals/records/${body.records[0]?.id}`)
  await runOf(owner, report)

  const page = await dashboard.open(pageOf(report), owner)
  await button(history(page), /^Compare with the run of/).click()
  const view = difference(page)
  await view.getByText('1 added · 1 removed · 1 changed · 2 the same').waitFor()
  await row(page, /Won/).getByText('+$800 (+66.7%)').waitFor()
  await row(page, /Qualified/)
    .getByText('Added')
    .waitFor()
  await row(page, /Lost/).getByText('Removed').waitFor()
  await expect.poll(() => row(page, /Lead/).count()).toBe(0)
  const stages = () => view.getByRole('rowheader').allTextContents()
  await button(view, 'Sum of amount').click()
  expect(await stages()).toEqual(['Won', 'Lost', 'Qualified'])
  await view.getByRole('switch', { name: 'Only changes' }).click({ force: true })
  await row(page, /Lead/).getByText('The same').waitFor()
  expect((await stages()).length).toBe(5)
  await button(view, 'Close comparison').click()
  await chart(page, /^Bar chart/).waitFor()
})

test('a comparison stays when the report is run again, also if that run fails', async () => {
  const { org, owner, deal, pageOf } = await setUp()
  await deal('Acme expansion', 'Won', 1200)
  const report = await addReport(owner)
  const first = await runOf(owner, report)
  await deal('Globex renewal', 'Won', 800)
  await runOf(owner, report)
  const page = await dashboard.open(`${pageOf(report)}?compare=${first.id}`, owner)
  await row(page, /Won/).getByText('+$800 (+66.7%)').waitFor()
  await deal('Initrode', 'Won', 400)
  await button(page, 'Run now').click()
  await row(page, /Won/).getByText('+$1,200 (+100%)').waitFor()

  const region = await owner.post<{ id: string }>('/objects/deals/attributes', {
    name: 'Region',
    type: 'text',
  })
  await owner.patch(`/reports/${report.id}`, {
    definition: { ...PIPELINE, filters: { field: 'deal.region', operator: 'isEmpty', value: 'true' } },
  })
  await org.delete(`/objects/deals/attributes/${region.body.id}`)
  await page.reload()
  await button(page, 'Run now').click()
  await page.getByRole('alert').getByText('This run failed').waitFor()
  await difference(page).getByRole('heading', { name: 'There are no results to compare' }).waitFor()
  await owner.patch(`/reports/${report.id}`, { definition: PIPELINE })
  await button(page.getByRole('alert'), 'Run again').click()
  await row(page, /Won/).getByText('+$1,200 (+100%)').waitFor()
})

test('runs before a change of the report say so, and a comparison covers the common parts', async () => {
  const { owner, deal, pageOf } = await setUp()
  await deal('Acme expansion', 'Won', 1200)
  const report = await addReport(owner)
  const first = await runOf(owner, report)
  const change = async (part: object) =>
    expect(
      (await owner.patch(`/reports/${report.id}`, { definition: { ...PIPELINE, ...part } })).status,
    ).toBe(200)
  await change({
    measures: [{ key: 'deals', op: 'count' }],
    filters: { field: 'deal.stage', operator: 'equals', value: 'Won' },
  })
  await runOf(owner, report)
  const page = await dashboard.open(`${pageOf(report)}?run=${first.id}`, owner)
  await page
    .getByText('The report was changed after this run. The run is shown with its own definition.')
    .waitFor()
  await page.getByText('the number of deals and the sum of amount').waitFor()
  await page.goto(`${pageOf(report)}?compare=${first.id}`)
  const view = difference(page)
  await view
    .getByText('The report was changed between the two runs. Only what both have is compared.')
    .waitFor()
  await view.getByText('stage is Won').waitFor()
  await view.getByRole('heading', { name: 'No differences' }).waitFor()
  await view.getByText('1 column that only one of them has is left out.').waitFor()

  await change({
    groupBy: [{ key: 'closed', field: 'deal.close_date', bucket: 'month' }],
    chart: { type: 'table' },
  })
  await runOf(owner, report)
  await page.goto(`${pageOf(report)}?compare=${first.id}`)
  await difference(page).getByRole('heading', { name: 'They cannot be compared' }).waitFor()
})

test('results are downloaded for spreadsheets', async () => {
  const { owner, deal, pageOf } = await setUp()
  await deal('Acme expansion', 'Won', 1200)
  const report = await addReport(owner)
  await runOf(owner, report)
  const page = await dashboard.open(pageOf(report), owner)
  const take = async (name: string) => {
    await button(page, 'Download').click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name }).click(),
    ])
    return file
  }
  const csv = await take('CSV')
  expect(csv.suggestedFilename()).toBe('Pipeline by stage.csv')
  const text = (await (await csv.createReadStream()).toArray()).join('')
  expect(text.trim().split(/\r?\n/).at(-1)).toMatch(/^Won,1,1200/)
  expect((await take('Excel')).suggestedFilename()).toBe('Pipeline by stage.xlsx')
})

test('a failed run says why, and the earlier result stays visible', async () => {
  const { org, owner, deal, pageOf } = await setUp()
  await deal('Acme expansion', 'Won', 1200)
  const attribute = await owner.post<{ id: string }>('/objects/deals/attributes', {
    name: 'Region',
    type: 'text',
  })
  const report = await addReport(owner, {
    groupBy: [{ key: 'region', field: 'deal.region' }],
    chart: { type: 'table' },
  })
  await runOf(owner, report)
  expect((await org.delete(`/objects/deals/attributes/${attribute.body.id}`)).status).toBe(200)
  const page = await dashboard.open(pageOf(report), owner)
  await page.getByText('region (deleted)').waitFor()
  await button(page, 'Run now').click()
  const note = page.getByRole('alert')
  await note.getByText('This run failed').waitFor()
  await expect
    .poll(() => note.getByRole('link', { name: 'Edit report' }).getAttribute('href'))
    .toMatch(/\/edit$/)
  await history(page)
    .getByText(/^Failed/)
    .waitFor()
  await page.goto(pageOf(report))
  await page.getByRole('alert').getByText('This run failed').waitFor()
  await rows(page, /^Rows of/).waitFor()
  const { runs } = (await owner.get<{ runs: ReportRun[] }>(`/reports/${report.id}/runs`)).body
  const [failed, completed] = runs
  await page.goto(`${pageOf(report)}?run=${failed?.id}`)
  await history(page)
    .getByText(/^Failed/)
    .waitFor()
  // A run without results cannot be compared.
  await expect.poll(() => button(history(page), /^Compare with the run of/).count()).toBe(0)
  await page.goto(`${pageOf(report)}?run=${failed?.id}&compare=${completed?.id}`)
  await difference(page).getByRole('heading', { name: 'There are no results to compare' }).waitFor()
  await difference(page)
    .getByText(/^The run of .* failed\.$/)
    .waitFor()
  expect(await axeViolations(page)).toEqual([])
})

test('a run that waited too long for other reports says what to do, and can be run again', async () => {
  const { owner, deal, pageOf } = await setUp()
  await deal('Acme expansion', 'Won', 1200)
  const report = await addReport(owner)
  const page = await dashboard.open(pageOf(report), owner)
  const busy = { status: 429, json: { error: 'report_busy', message: 'Other reports are running' } }
  await interceptFirst(page, `**/reports/${report.id}/run`, (route) => route.fulfill(busy))
  await button(page, 'Run now').first().click()
  const note = page.getByRole('alert')
  await note.getByText('Other reports are running').waitFor()
  await note.getByText(/Run it again when the others are done/).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await button(note, 'Run again').click()
  await chart(page, 'Bar chart: Pipeline by stage').waitFor()
  await expect.poll(() => note.count()).toBe(0)
})

test('scheduling a report creates a workflow, and the report’s runs name the workflow', async () => {
  const { owner, base, deal, pageOf } = await setUp()
  await deal('Acme expansion', 'Won', 1200)
  const report = await addReport(owner)
  const page = await dashboard.open(pageOf(report), owner)
  const schedules = page.getByRole('region', { name: 'Schedule' })
  await schedules.getByText(/^Not scheduled/).waitFor()
  await button(schedules, 'Add schedule').click()
  const dialog = dialogOf(page)
  await dialog.getByLabel('At').fill('07:30')
  await button(dialog, 'Fri').click()
  await dialog.getByRole('combobox', { name: 'Send the results to' }).click()
  await page.getByRole('option').first().click()
  await dialog
    .getByText(/^Friday, .* at 7:30 AM/)
    .first()
    .waitFor()
  await button(dialog, 'Schedule report').click()
  await dialog.waitFor({ state: 'detached' })
  const name = 'Pipeline by stage, every Monday and Friday at 07:30'
  await schedules.getByRole('link', { name }).waitFor()
  await schedules.getByText(/next .*7:30 AM/).waitFor()

  const { body } = await owner.get<{ workflows: Workflow[] }>('/workflows')
  const [made] = body.workflows
  expect(made).toMatchObject({ name, enabled: true, trigger: 'schedule' })
  const { definition } = (await owner.get<WorkflowWithDefinition>(`/workflows/${made?.id}`)).body
  expect(definition.triggerConfig).toEqual({ cron: '30 7 * * 1,5' })
  expect(definition.steps.map(({ type }) => type)).toEqual(['run_report', 'send_email'])
  expect(
    (await owner.post<{ problems: unknown[] }>('/workflow-check', { definition })).body.problems,
  ).toEqual([])
  service.advance(7 * 86_400_000)
  await service.runWorkflows()
  const [mail] = await selectMail(service.ctx.directory, 1)
  expect(mail?.subject).toMatch(/^Pipeline by stage, \d/)
  expect(mail?.body).toContain('Won | 1 | 1200 USD')
  expect(mail?.body).toContain(`${pageOf(report)}?run=`)
  await page.goto(pageOf(report))
  await history(page)
    .getByRole('link', { name: `By ${name}` })
    .first()
    .click()
  await page.waitForURL(/\/workflows\/.*\/runs\//)
  await page.goto(`${base}/workflows`)
  await row(page, /Pipeline by stage/)
    .getByText('Every Monday and Friday at 07:30', { exact: true })
    .waitFor()
})
