import { test } from 'vitest'
import {
  hasFocus,
  isForEverybody,
  isForEverybodyInBothSchemes,
  optionByKeys,
  pressShortcut,
  takesFocus,
} from './journey-keys.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { button, dialogOf, row, runs, setUp, steps } from './workflow-pages.fixture.ts'
import { addRun, WAITING_STEPS } from './workflows.fixture.ts'

const dashboard = await openSharedDashboard()
const { service } = dashboard

const WIDE = { width: 1440, height: 900 }

test('runs are filtered by keyboard, and a waiting run is opened and cancelled on a phone', async () => {
  const { org, owner, thanks, pageOf } = await setUp(service)
  const workflow = await thanks()
  const rows = { org: org.org, workflow: workflow.id }
  await addRun(service.ctx, rows, { status: 'waiting', title: 'Globex', steps: WAITING_STEPS })
  await addRun(service.ctx, rows, { title: 'Initrode' })
  const page = await dashboard.visit(owner, { viewport: WIDE })
  const dialog = dialogOf(page)
  await page.goto(pageOf(workflow))
  await row(page, /Initrode/).waitFor()
  await pressShortcut(page, 'f')
  await hasFocus(page.getByRole('combobox', { name: 'State' }))
  await optionByKeys(page, 'Waiting')
  await row(page, /Initrode/).waitFor({ state: 'detached' })
  await isForEverybodyInBothSchemes(page)
  await page.setViewportSize({ width: 375, height: 812 })
  await runs(page).getByRole('link', { name: 'Globex' }).click()
  await page.getByRole('status').getByText('Waiting').waitFor()
  await button(steps(page), /^Wait/).click()
  await dialog.getByRole('heading', { name: 'Wait' }).waitFor()
  await takesFocus(page, 'dialog')
  await isForEverybody(page)
  await pressShortcut(page, 'Escape')
  await dialog.waitFor({ state: 'detached' })
  await button(page, 'Cancel run').click()
  await button(dialog, 'Cancel run').click()
  await page.getByRole('status').getByText('Cancelled').waitFor()
})
