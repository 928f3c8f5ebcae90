import { test } from 'vitest'
import {
  hasFocus,
  isForEverybody,
  isForEverybodyInBothSchemes,
  pressOn,
  pressShortcut,
} from './journey-keys.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { button, dialogOf, row, setUp } from './workflow-pages.fixture.ts'
import { addRun, addWorkflow, BY_HAND, WAITING_STEPS } from './workflows.fixture.ts'

const dashboard = await openSharedDashboard()
const { service } = dashboard

/** A workflow that is on, with three open runs and one that has ended. */
async function withOpenRuns() {
  const made = await setUp(service)
  const workflow = await addWorkflow(made.owner, { name: 'Escalate', definition: BY_HAND, enabled: true })
  const rows = { org: made.org.org, workflow: workflow.id }
  await addRun(service.ctx, rows, { status: 'waiting', title: 'Globex', steps: WAITING_STEPS })
  await addRun(service.ctx, rows, { status: 'queued', title: 'Initrode' })
  await addRun(service.ctx, rows, { status: 'queued', title: 'Hooli' })
  await addRun(service.ctx, rows, { title: 'Acme' })
  return { ...made, workflow }
}

const NOTE = /cancelled 3 open runs/

test('switching off asks what to do with open runs, by keyboard', async () => {
  const { owner, workflow, pageOf } = await withOpenRuns()
  const page = await dashboard.visit(owner, { viewport: { width: 1440, height: 900 } })
  const dialog = dialogOf(page)
  const flip = (state: string) => page.getByRole('switch', { name: state, exact: true })
  await page.goto(pageOf(workflow))
  await row(page, /Initrode/).waitFor()
  await pressOn(page, flip('On'), 'Space')
  await dialog.getByText('3 runs are still open.').waitFor()
  await hasFocus(dialog.getByRole('radio', { name: 'Finish them' }))
  await isForEverybodyInBothSchemes(page)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await flip('On').waitFor()

  await pressOn(page, flip('On'), 'Space')
  await hasFocus(dialog.getByRole('radio', { name: 'Finish them' }))
  await page.keyboard.press('ArrowDown')
  await hasFocus(dialog.getByRole('radio', { name: 'Pause them' }))
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await flip('Off').waitFor()
  await page.getByText('3 open runs are paused.').waitFor()
  await isForEverybodyInBothSchemes(page)
  await pressOn(page, flip('Off'), 'Space')
  await flip('On').waitFor()
  await page.getByText('3 open runs are paused.').waitFor({ state: 'detached' })
  await service.drain()

  await pressOn(page, flip('On'), 'Space')
  await hasFocus(dialog.getByRole('radio', { name: 'Finish them' }))
  await page.keyboard.press('ArrowUp')
  await hasFocus(dialog.getByRole('radio', { name: 'Cancel them' }))
  await button(dialog, 'Switch off and cancel 3 runs').waitFor()
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await service.drain()
  await page.getByText(NOTE).waitFor()
  await row(page, /Initrode/)
    .getByText('Cancelled', { exact: true })
    .waitFor()
  await row(page, /Acme/).getByText('Completed').waitFor()
})

test('all open runs are cancelled by mouse on a phone, and each run says who cancelled it', async () => {
  const { owner, workflow, pageOf } = await withOpenRuns()
  const page = await dashboard.visit(owner, { viewport: { width: 375, height: 812 } })
  const dialog = dialogOf(page)
  await page.goto(pageOf(workflow))
  await button(page, 'Cancel all open').click()
  await dialog.getByText('The workflow stays on').waitFor()
  await isForEverybody(page)
  await button(dialog, 'Cancel 3 runs').click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Cancelling open runs: 0 of 3').waitFor()
  await isForEverybodyInBothSchemes(page)
  await service.drain()
  await page.getByText(NOTE).waitFor()
  await button(page, 'Cancel all open').waitFor({ state: 'detached' })
  await page.getByRole('switch', { name: 'On' }).waitFor()
  await page.getByRole('link', { name: 'Globex' }).click()
  await page.getByText('Cancelled by').waitFor()
})

test('a shortcut of the page works while a switch has the focus', async () => {
  const { owner, workflow, pageOf } = await withOpenRuns()
  const page = await dashboard.open(pageOf(workflow), owner)
  await row(page, /Acme/).waitFor()
  await page.getByRole('switch', { name: 'On' }).focus()
  await pressShortcut(page, 'r')
  await dialogOf(page)
    .getByRole('heading', { name: /Run “Escalate”/ })
    .waitFor()
})
