import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { WorkflowTemplate } from '../../contract/workflow-dashboard.ts'
import { axeViolationsInBothSchemes } from './axe.ts'
import { addRecord } from './crm.fixture.ts'
import { openDashboard } from './open-dashboard.ts'
import { button, dialogOf, pane, row, runs, setUp as setUpIn, steps } from './workflow-pages.fixture.ts'
import { addRun, addWorkflow, BY_HAND, FAILED_STEPS, THANKS } from './workflows.fixture.ts'

const dashboard = await openDashboard()
const { service } = dashboard
const { ctx } = service
const setUp = () => setUpIn(service)

const closed = (page: Page) => dialogOf(page).waitFor({ state: 'detached' })
/** Forced, because the track covers the switch input. */
const flip = (page: Page, name: string) => page.getByRole('switch', { name }).click({ force: true })

describe('the list', () => {
  test('shows what starts each workflow, the results of its last runs, and its next run', async () => {
    const { org, owner, base, thanks } = await setUp()
    const { id } = await thanks()
    for (const status of ['completed', 'completed', 'failed'] as const)
      await addRun(ctx, { org: org.org, workflow: id }, { status })
    await addWorkflow(owner, {
      name: 'Weekly list',
      enabled: true,
      definition: {
        trigger: 'schedule',
        triggerConfig: { cron: '0 9 * * 1', timezone: 'Europe/Berlin' },
        steps: [{ key: 'halt', type: 'stop', config: {} }],
      },
    })
    const page = await dashboard.open(base, owner)
    await page.getByRole('link', { name: 'Workflows' }).click()
    const won = row(page, /Big deal won/)
    const weekly = row(page, /Weekly list/)
    await won.getByText('When a deal’s stage changes to Won').waitFor()
    await weekly.getByText('Every Monday at 09:00 (Europe/Berlin)').waitFor()
    await won.getByRole('img', { name: 'Last 3 runs: 2 completed, 1 failed' }).waitFor()
    await won.getByText('66.6%').waitFor()
    await expect.poll(() => won.locator('time').first().innerText()).toMatch(/^\w{3} \d+, \d+:\d\d\s[AP]M$/)
    await weekly.getByRole('img', { name: 'No runs yet' }).waitFor()
    await expect.poll(() => weekly.getByRole('time').count()).toBe(1)
    await expect.poll(() => weekly.getByRole('switch').isChecked()).toBe(true)
  })

  test('switches workflows on and off, and lists everything that prevents a workflow from running', async () => {
    const { owner, base, list, thanks } = await setUp()
    await thanks()
    await addWorkflow(owner, {
      name: 'Draft',
      definition: { trigger: 'manual', steps: [{ key: 'mail', type: 'send_email', config: {} }] },
    })
    const page = await dashboard.open(`${base}/workflows`, owner)
    await flip(page, 'Off: Big deal won')
    await page.getByRole('switch', { name: 'On: Big deal won' }).waitFor()
    const isEnabled = async () => (await list()).find(({ name }) => name === 'Big deal won')?.enabled
    await expect.poll(isEnabled).toBe(true)
    await flip(page, 'On: Big deal won')
    await expect.poll(isEnabled).toBe(false)

    await flip(page, 'Off: Draft')
    const dialog = dialogOf(page)
    await dialog.getByText('3 things are wrong').waitFor()
    await dialog.getByText('Send email “mail”:').first().waitFor()
    await expect
      .poll(() => dialog.getByRole('link', { name: 'Edit workflow' }).getAttribute('href'))
      .toMatch(/\/edit$/)
    await page.keyboard.press('Escape')
    await closed(page)
    await expect.poll(() => page.getByRole('switch', { name: 'Off: Draft' }).isChecked()).toBe(false)
  })

  test('a member can read the list, and sees who can change it', async () => {
    const { org, base, list, pageOf, thanks } = await setUp()
    const workflow = await thanks()
    const page = await dashboard.open(`${base}/workflows`, await org.member('member'))
    await flip(page, 'Off: Big deal won')
    await page.getByText('Only owners and admins can switch workflows on and off').waitFor()
    await button(page, 'Create workflow').hover()
    await page.getByText('Only owners and admins can create workflows').waitFor()
    await page.keyboard.press('c')
    await expect.poll(() => dialogOf(page).count()).toBe(0)
    expect((await list())[0]?.enabled).toBe(false)
    await page.goto(`${pageOf(workflow)}?tab=settings`)
    await page.getByText('Only owners and admins can rename, edit and delete workflows.').waitFor()
    await expect.poll(() => page.getByLabel('Name').getAttribute('readonly')).not.toBeNull()
    await expect.poll(() => button(page, 'Delete workflow').count()).toBe(0)
  })
})

describe('the gallery', () => {
  test('a workflow is created from a template by keyboard, with its own name', async () => {
    const { owner, base, list } = await setUp()
    await addWorkflow(owner, { name: 'Follow up on lost deals', definition: THANKS })
    const page = await dashboard.open(`${base}/workflows`, owner)
    await row(page, /Follow up on lost deals/).waitFor()
    await page.keyboard.press('c')
    const dialog = dialogOf(page)
    await button(dialog, /^Follow up on lost deals/).focus()
    await page.keyboard.press('Enter')
    await dialog.getByRole('region', { name: 'What it does' }).waitFor()
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Follow up on lost deals 2')
    await dialog.getByLabel('Name').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await closed(page)
    await page.getByRole('heading', { name: 'Follow up on lost deals 2', level: 1 }).waitFor()
    await steps(page).getByText('When a deal’s stage changes to Lost').waitFor()
    const created = (await list()).find(({ name }) => name === 'Follow up on lost deals 2')
    expect(created).toMatchObject({ trigger: 'record/updated', enabled: false })
  })

  test('without any workflows, it leads to the templates and to the editor', async () => {
    const { owner, base } = await setUp()
    const page = await dashboard.open(`${base}/workflows`, owner)
    await page.getByRole('heading', { name: 'No workflows yet' }).waitFor()
    await button(page, 'Create workflow').click()
    await button(dialogOf(page), /^Announce new large deals/).waitFor()
    const empty = dialogOf(page).getByRole('link', { name: /^Start from scratch/ })
    await expect.poll(() => empty.getAttribute('href')).toBe(`${base}/workflows/new`)
  })
})

describe('running', () => {
  test('a workflow is run on a record with parameters, and its run is followed to the end', async () => {
    const { org, owner, pageOf } = await setUp()
    await addRecord(org, 'deals', { name: 'Acme expansion' })
    const workflow = await addWorkflow(owner, { name: 'Escalate', definition: BY_HAND, enabled: true })
    const page = await dashboard.open(pageOf(workflow), await org.member('member'))
    await page.getByText('Its runs appear here as they happen.').waitFor()
    await button(page, 'Run now').click()
    const dialog = dialogOf(page)
    await dialog.getByRole('combobox', { name: 'Deal' }).click()
    await page.getByRole('option', { name: 'Acme expansion' }).click()
    await dialog.getByLabel('Reason').fill('   ')
    await button(dialog, 'Run workflow').click()
    await dialog.getByText('This is required').waitFor()
    await dialog.getByLabel('Reason').fill('They asked twice')
    await button(dialog, 'Run workflow').click()
    await page.waitForURL(/\/runs\//)
    await page.getByRole('status').getByText('Queued').waitFor()
    await page.getByRole('link', { name: 'Acme expansion' }).first().waitFor()
    await service.runWorkflows()
    await page.getByRole('status').getByText('Completed').waitFor()
    await button(steps(page), /^Stop/).click()
    await pane(page).getByRole('region', { name: 'Output' }).getByText('They asked twice').waitFor()
    await page.getByRole('link', { name: 'Escalate' }).first().click()
    await row(page, /Acme expansion/)
      .getByText('Manual')
      .waitFor()
  })

  test('a workflow that is off says so and cannot be run', async () => {
    const { owner, pageOf } = await setUp()
    const workflow = await addWorkflow(owner, { name: 'Escalate', definition: BY_HAND })
    const page = await dashboard.open(`${pageOf(workflow)}?run=1`, owner)
    await button(page, 'Run now').focus()
    await page.getByText('Switch it on to run it').waitFor()
    await button(page, 'Run now').press('Enter')
    await expect.poll(() => dialogOf(page).count()).toBe(0)
  })

  test('a record page and selected rows offer a button for each manual workflow', async () => {
    const { org, owner, base } = await setUp()
    const acme = await addRecord(org, 'deals', { name: 'Acme expansion' })
    await addRecord(org, 'deals', { name: 'Globex renewal' })
    const person = await addRecord(org, 'people', { name: { firstName: 'Ada', lastName: 'Lovelace' } })
    await addWorkflow(owner, { name: 'Escalate', definition: BY_HAND, enabled: true })
    await addWorkflow(owner, { name: 'Not now', definition: BY_HAND })
    const page = await dashboard.open(`${base}/objects/deals/${acme}`, owner)
    await button(page, 'Run').click()
    await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['Escalate'])
    await page.getByRole('menuitem', { name: 'Escalate' }).click()
    await dialogOf(page).getByText('It runs on Acme expansion.').waitFor()
    await dialogOf(page).getByLabel('Reason').fill('a')
    await dialogOf(page).getByLabel('Reason').press('Enter')
    await page.waitForURL(/\/runs\//)

    await page.goto(`${base}/objects/people/${person}`)
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    await expect.poll(() => button(page, 'Run').count()).toBe(0)

    await page.goto(`${base}/objects/deals`)
    await page.getByRole('checkbox', { name: /all/i }).first().check()
    await button(page.getByRole('region', { name: 'Selected records' }), 'Run').click()
    await page.getByRole('menuitem', { name: 'Escalate' }).click()
    const dialog = dialogOf(page)
    await dialog.getByText('It runs once for each of the 2 deals.').waitFor()
    await dialog.getByLabel('Reason').fill('b')
    await button(dialog, /^Run workflow/).click()
    await dialog.getByText('0 of 2 runs finished').waitFor()
    await service.runWorkflows()
    await dialog.getByText('All 2 runs are finished: 2 completed').waitFor()
    await button(dialog, 'Done').click()
    await closed(page)
  })
})

test('a workflow is renamed to a unique name, and deleted with its runs', async () => {
  const { org, owner, list, pageOf, thanks } = await setUp()
  const workflow = await thanks()
  await addWorkflow(owner, { name: 'Taken', definition: THANKS })
  await addRun(ctx, { org: org.org, workflow: workflow.id })
  await addRun(ctx, { org: org.org, workflow: workflow.id }, { status: 'waiting' })
  const page = await dashboard.open(`${pageOf(workflow)}?tab=settings`, owner)
  await page.getByLabel('Name').fill('Taken')
  await button(page, 'Save changes').click()
  await page.getByText('Another workflow has this name').waitFor()
  await page.getByLabel('Name').fill('Large deal won')
  await button(page, 'Save changes').click()
  await page.getByRole('heading', { name: 'Large deal won', level: 1 }).waitFor()
  await page
    .getByText('This also deletes its versions and the history of 2 runs, and cancels 1 open run.')
    .waitFor()
  await button(page, 'Delete workflow').click()
  await dialogOf(page).getByLabel('Type Large deal won to confirm').fill('Large deal won')
  await button(dialogOf(page), 'Delete workflow').click()
  await row(page, /Taken/).waitFor()
  expect((await list()).map(({ name }) => name)).toEqual(['Taken'])
})

test('secrets are set, replaced and removed, and never shown', async () => {
  const { org, owner, base } = await setUp()
  await addWorkflow(owner, {
    name: 'Tell the ERP',
    definition: {
      trigger: 'manual',
      steps: [
        {
          key: 'erp',
          type: 'http_request',
          config: {
            url: 'https://erp.example.com',
            headers: { authorization: 'Bearer {{secrets.ERP_TOKEN}}' },
          },
        },
      ],
    },
  })
  const page = await dashboard.open(`${base}/settings/workflow-secrets`, owner)
  await button(page, 'New secret').click()
  const dialog = dialogOf(page)
  await dialog.getByRole('textbox', { name: 'Name' }).fill('erp-token')
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('ERP_TOKEN')
  await dialog.getByLabel(/^Value/).fill('s3cret')
  await button(dialog, 'Save secret').click()
  await closed(page)
  await row(page, /ERP_TOKEN/)
    .getByRole('link', { name: 'Tell the ERP' })
    .waitFor()
  await button(page, 'Replace ERP_TOKEN').click()
  await expect.poll(() => dialog.getByLabel(/^Value/).inputValue()).toBe('')
  await dialog.getByLabel(/^Value/).fill('other')
  await button(dialog, 'Replace value').click()
  await closed(page)
  expect(JSON.stringify((await owner.get('/workflow-secrets')).body)).not.toMatch(/s3cret|other/)
  await button(page, 'Remove ERP_TOKEN').click()
  await dialog.getByLabel('Type ERP_TOKEN to confirm').fill('ERP_TOKEN')
  await button(dialog, 'Remove secret').click()
  await page.getByRole('heading', { name: 'No secrets yet' }).waitFor()

  const member = await dashboard.open(`${base}/settings/workflow-secrets`, await org.member('member'))
  await member.getByText('Workflow secrets are for owners and admins').waitFor()
})

test('a missing workflow or run, and a lost connection, are reported', async () => {
  const { owner, base, pageOf, thanks } = await setUp()
  const workflow = await thanks()
  const page = await dashboard.open(`${base}/workflows/0198c0de-0000-7000-8000-000000000001`, owner)
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
  await page.goto(`${pageOf(workflow)}/runs/0198c0de-0000-7000-8000-000000000001`)
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
  await page.goto(pageOf(workflow))
  await page.getByText('No runs yet').waitFor()
  await page.context().setOffline(true)
  await page.getByText('This may be out of date').waitFor()
})

test.each([1440, 375])('every page is accessible and fits the screen, at %i px', async (width) => {
  const { org, owner, base, pageOf, thanks } = await setUp()
  const workflow = await thanks()
  const rows = { org: org.org, workflow: workflow.id }
  const made = { status: 'failed', error: 'No title', failure: 'step_failed', steps: FAILED_STEPS } as const
  const run = await addRun(ctx, rows, made)
  await addRun(ctx, rows, { status: 'waiting', title: `A very ${'long '.repeat(60)}name` })
  await addWorkflow(owner, { name: `A very ${'long '.repeat(30)}name`, definition: BY_HAND, enabled: true })
  await owner.put(`/workflow-secrets/${'LONG_'.repeat(12)}`, { value: 'x' })
  const { body } = await owner.get<{ templates: WorkflowTemplate[] }>('/workflow-templates')
  const template = body.templates.find(({ inputs }) => inputs.some(({ kind }) => kind === 'endpoint'))
  const page = await dashboard.visit(owner, { viewport: { width, height: 800 } })
  const places: [string, Locator][] = [
    [`${base}/workflows`, row(page, /Big deal won/)],
    [`${base}/workflows?create=1`, button(page, /^Announce new large deals/)],
    [`${base}/workflows?create=1&template=${template?.id}`, page.getByLabel('What it does')],
    [pageOf(workflow), runs(page)],
    [`${pageOf(workflow)}?tab=definition`, steps(page).getByText('Tell the ERP')],
    [`${pageOf(workflow)}?tab=settings`, button(page, 'Delete workflow')],
    [`${pageOf(workflow)}/runs/${run}`, steps(page).getByText('Not reached')],
    [`${pageOf(workflow)}/runs/${run}?step=steps[0]`, page.getByRole('heading', { name: 'Find records' })],
    [`${base}/settings/workflow-secrets`, row(page, /LONG_/)],
  ]
  for (const [path, sign] of places) {
    await page.goto(path)
    await sign.first().waitFor()
    expect(await axeViolationsInBothSchemes(page), path).toEqual([])
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(overflow, path).toBeLessThanOrEqual(0)
  }
})
