import { test } from 'vitest'
import { addRecord } from '../crm.fixture.ts'
import { chooseByKeys, hasFocus, isForEverybodyInBothSchemes } from '../journey-keys.fixture.ts'
import { openDashboard } from '../open-dashboard.ts'
import { button, dialogOf, pane, row, setUp, steps } from '../workflow-pages.fixture.ts'
import { addWorkflow, BY_HAND } from '../workflows.fixture.ts'

const dashboard = await openDashboard()
const { service } = dashboard

const WIDE = { width: 1440, height: 900 }

test('a workflow is run on a record by keyboard, and its run is followed to the end', async () => {
  const { org, owner, base } = await setUp(service)
  const deal = await addRecord(org, 'deals', { name: 'Acme expansion' })
  await addWorkflow(owner, { name: 'Escalate', definition: BY_HAND, enabled: true })
  const page = await dashboard.open(`${base}/objects/deals/${deal}`, owner, { viewport: WIDE })
  const run = page.getByRole('button', { name: 'Run', exact: true })
  await chooseByKeys(page, run, page.getByRole('menuitem', { name: 'Escalate' }))
  await dialogOf(page).getByText('It runs on Acme expansion.').waitFor()
  await hasFocus(dialogOf(page).getByLabel('Reason'))
  await page.keyboard.type('They asked twice')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/runs\//)
  await page.getByRole('status').getByText('Queued').waitFor()
  await service.runWorkflows()
  await page.getByRole('status').getByText('Completed').waitFor()
  await button(steps(page), /^Stop.*Completed/).click()
  await pane(page).getByRole('region', { name: 'Output' }).getByText('They asked twice').waitFor()
  await isForEverybodyInBothSchemes(page)
  await page.getByRole('link', { name: 'Undo its changes' }).press('Enter')
  await dialogOf(page).getByText('There is nothing to undo').waitFor()
  await dialogOf(page).getByText('Escalate').waitFor()
  await page.keyboard.press('Escape')
  await dialogOf(page).waitFor({ state: 'detached' })
  await page.goBack()
  await page.getByRole('link', { name: 'Escalate' }).first().click()
  await row(page, /Acme expansion/)
    .getByText('Manual')
    .waitFor()
})
