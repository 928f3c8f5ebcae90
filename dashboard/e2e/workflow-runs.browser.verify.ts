import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { addRecord, objectId } from './crm.fixture.ts'
import { openDashboard } from './open-dashboard.ts'
import {
  button,
  dialogOf,
  pane,
  row,
  runs,
  searchOf,
  setUp as setUpIn,
  steps,
} from './workflow-pages.fixture.ts'
import {
  addRun,
  addWorkflow,
  BY_HAND,
  endRun,
  FAILED_STEPS,
  setSteps,
  WAITING_STEPS,
} from './workflows.fixture.ts'

const dashboard = await openDashboard()
const { service } = dashboard
const { ctx } = service
const setUp = () => setUpIn(service)

const closed = (page: Page) => dialogOf(page).waitFor({ state: 'detached' })

describe('runs', () => {
  test('are filtered by state and paged in the address, and new ones appear', async () => {
    const { org, owner, pageOf, thanks } = await setUp()
    const workflow = await thanks()
    const rows = { org: org.org, workflow: workflow.id }
    for (let made = 0; made < 27; made++)
      await addRun(ctx, rows, { title: `Deal ${made}`, minutesAgo: 100 - made })
    await addRun(ctx, rows, { title: 'Lost', status: 'failed', error: 'The server answered 503' })
    const page = await dashboard.open(pageOf(workflow), owner)
    await page.getByText('1–25 of 28').waitFor()
    await row(page, /Lost/).getByText('The server answered 503').waitFor()
    await button(page, 'Older').click()
    await page.getByText('26–28 of 28').waitFor()
    await expect.poll(() => searchOf(page)).toEqual({ page: '2' })
    await page.keyboard.press('f')
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'Failed' }).click()
    await expect.poll(() => runs(page).getByRole('row').count()).toBe(2)
    await expect.poll(() => searchOf(page)).toEqual({ status: 'failed' })
    await page.goto(`${pageOf(workflow)}?status=cancelled`)
    await button(page, 'Show all runs').click()
    await row(page, /Lost/).waitFor()
    await addRun(ctx, rows, { title: 'Just now', status: 'running', minutesAgo: 0 })
    await row(page, /Just now/)
      .getByText('Running')
      .waitFor()
  })

  test('a failed run shows the failed item, and is continued as a new run', async () => {
    const { org, owner, pageOf, thanks } = await setUp()
    const workflow = await thanks()
    const deal = await addRecord(org, 'deals', { name: 'Globex renewal' })
    const deals = await objectId(org, 'deals')
    const run = await addRun(
      ctx,
      { org: org.org, workflow: workflow.id },
      {
        title: 'Globex renewal',
        status: 'failed',
        failure: 'step_failed',
        error: 'The title is missing',
        steps: FAILED_STEPS,
        input: { event: 'record/updated', objectId: deals, recordId: deal },
      },
    )
    const page = await dashboard.open(`${pageOf(workflow)}/runs/${run}`, owner)
    await page.getByText('Retry goes on from the step that failed').waitFor()
    await pane(page).getByRole('heading', { name: 'Thank them' }).waitFor()
    await pane(page).getByText('4', { exact: true }).waitFor()
    await pane(page).getByLabel('Item').selectOption('2: completed')
    const output = pane(page).getByRole('region', { name: 'Output' })
    await output.getByText('activity 2', { exact: true }).waitFor()
    await button(output, 'Show JSON').click()
    await output.getByText('"id": "activity 2"').waitFor()
    await expect.poll(() => searchOf(page).step).toBe('steps[1].big.steps[1].items[1].steps[0]')
    await button(steps(page), /^Thank them.*Completed/).waitFor()
    await button(steps(page), /^Tell the ERP.*Not reached/).waitFor()

    // Moves from step to step by keyboard.
    await button(steps(page), /^Record updated/).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await pane(page).getByRole('heading', { name: 'Find records' }).waitFor()
    await button(steps(page), /^Record updated/).press('Enter')
    await pane(page).getByRole('link', { name: 'Globex renewal' }).waitFor()

    await button(page, 'Retry').hover()
    await page.getByText('Switch the workflow on to retry it').waitFor()
    await owner.patch(`/workflows/${workflow.id}`, { enabled: true })
    await page.reload()
    await button(page, 'Retry').click()
    await page.getByRole('link', { name: 'Retry of a failed run' }).waitFor()
    await expect.poll(() => page.url()).not.toContain(run)
  })

  test('an open run is followed to its end, and another one is cancelled', async () => {
    const { org, owner, pageOf, thanks } = await setUp()
    const workflow = await thanks()
    const rows = { org: org.org, workflow: workflow.id }
    const waiting = { status: 'waiting', title: 'Acme', steps: WAITING_STEPS } as const
    const [first, second] = [await addRun(ctx, rows, waiting), await addRun(ctx, rows, waiting)]
    const page = await dashboard.open(`${pageOf(workflow)}/runs/${first}`, owner)
    await page.getByRole('status').getByText('Waiting').waitFor()
    await pane(page).getByText('in 59 min.').waitFor()
    await button(steps(page), /^Tell the ERP POST to erp.example.com$/).waitFor()
    await setSteps(ctx, org.org, first, [
      ...WAITING_STEPS.slice(0, 2),
      { path: 'steps[2]', key: 'erp', type: 'http_request', output: { status: 204 }, durationMs: 90 },
    ])
    await endRun(ctx, org.org, first, 'completed')
    await page.getByRole('status').getByText('Completed').waitFor()
    await button(steps(page), /^Tell the ERP.*Completed 90 ms/).waitFor()

    await page.goto(`${pageOf(workflow)}/runs/${second}`)
    await button(page, 'Cancel run').click()
    await button(dialogOf(page), 'Cancel run').click()
    await page.getByRole('status').getByText('Cancelled').waitFor()
    await closed(page)
    await expect.poll(() => button(page, 'Cancel run').count()).toBe(0)
  })

  test('the page shows what the engine did, item by item', async () => {
    const { org, owner, pageOf } = await setUp()
    for (const firstName of ['Ada', 'Grace'])
      await addRecord(org, 'people', { name: { firstName, lastName: 'Contact' } })
    const workflow = await addWorkflow(owner, {
      name: 'Thanks',
      enabled: true,
      definition: {
        trigger: 'manual',
        steps: [
          { key: 'contacts', type: 'find_records', config: { object: 'people' } },
          {
            key: 'isBig',
            type: 'branch',
            config: {
              branches: [
                {
                  name: 'big',
                  when: { left: '{{steps.contacts.count}}', operator: 'greaterThan', right: 1 },
                  steps: [
                    {
                      key: 'each',
                      type: 'for_each',
                      config: {
                        items: '{{steps.contacts.records}}',
                        as: 'person',
                        steps: [
                          {
                            key: 'note',
                            type: 'create_activity',
                            config: {
                              title: 'Thanks, {{person.data.name.firstName}}',
                              linkedRecords: [{ objectId: 'people', recordId: '{{person.id}}' }],
                            },
                          },
                        ],
                      },
                    },
                  ],
                },
              ],
              else: [{ key: 'small', type: 'stop', config: {} }],
            },
          },
        ],
      },
    })
    const page = await dashboard.open(pageOf(workflow), owner)
    await button(page, 'Run now').click()
    await button(dialogOf(page), 'Run workflow').click()
    await page.waitForURL(/\/runs\//)
    await service.runWorkflows()
    await page.getByRole('status').getByText('Completed').waitFor()
    await button(steps(page), /^For each.*Completed 2 items/).waitFor()
    await button(steps(page), /^Stop.*(Skipped|Not reached)/).waitFor()
    await button(steps(page), /^Create activity.*Completed/).click()
    await pane(page).getByLabel('Item').selectOption('1: completed')
    const records = pane(page).getByRole('region', { name: 'Records' })
    await records.getByRole('link', { name: 'Grace Contact' }).waitFor()
    await button(steps(page), /^Find records.*Completed/).click()
    await expect.poll(() => records.getByRole('link').allTextContents()).toHaveLength(2)
  })

  test('keys typed as soon as the dialog is open go into its first field', async () => {
    const { org, owner, base } = await setUp()
    await addWorkflow(owner, { name: 'Escalate', definition: BY_HAND, enabled: true })
    const deal = await addRecord(org, 'deals', { name: 'Globex renewal' })
    const page = await dashboard.open(`${base}/objects/deals/${deal}`, owner, {
      reducedMotion: 'no-preference',
    })
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Escalate' }).click()
    await dialogOf(page).waitFor()
    await page.keyboard.type('They asked twice')
    await expect.poll(() => dialogOf(page).getByLabel('Reason').inputValue()).toBe('They asked twice')
  })

  test('on a phone, the steps are a list, and a step opens above it', async () => {
    const { org, owner, pageOf, thanks } = await setUp()
    const workflow = await thanks()
    const made = { status: 'failed', error: 'No title', failure: 'step_failed', steps: FAILED_STEPS } as const
    const run = await addRun(ctx, { org: org.org, workflow: workflow.id }, made)
    const page = await dashboard.open(`${pageOf(workflow)}/runs/${run}`, owner, {
      viewport: { width: 375, height: 812 },
    })
    await button(steps(page), /^For each/).click()
    await dialogOf(page).getByRole('heading', { name: 'For each' }).waitFor()
    await dialogOf(page).getByLabel('Item').selectOption('3: failed')
    await expect.poll(() => searchOf(page).step).toBe('steps[1].big.steps[1].items[2]')
    await page.keyboard.press('Escape')
    await closed(page)
    await expect.poll(() => searchOf(page)).toEqual({})
  })
})
