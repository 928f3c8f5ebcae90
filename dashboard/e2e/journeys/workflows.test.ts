import { expect, test } from 'vitest'
import {
  isForEverybody,
  isForEverybodyInBothSchemes,
  pressOn,
  pressShortcut,
  takesFocus,
} from '../journey-keys.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'
import { button, dialogOf, row, setUp, steps } from '../workflow-pages.fixture.ts'
import { addWorkflow } from '../workflows.fixture.ts'

const dashboard = await openSharedDashboard()

test('a template becomes a workflow, which is switched on and off by mouse and by keyboard', async () => {
  const { owner, base, list } = await setUp(dashboard.service)
  await addWorkflow(owner, {
    name: 'Draft',
    definition: { trigger: 'manual', steps: [{ key: 'mail', type: 'send_email', config: {} }] },
  })
  const page = await dashboard.visit(owner)
  const dialog = dialogOf(page)
  await page.goto(base)
  await page.getByRole('link', { name: 'Workflows' }).click()
  await row(page, /Draft/).waitFor()
  await pressShortcut(page, 'c')
  await button(dialog, /^Announce new large deals/).waitFor()
  await takesFocus(page, 'dialog')
  await isForEverybody(page)
  await pressOn(page, button(dialog, /^Follow up on lost deals/))
  await dialog.getByRole('region', { name: 'What it does' }).waitFor()
  await pressOn(page, dialog.getByLabel('Name'))
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Follow up on lost deals', level: 1 }).waitFor()
  await steps(page).getByText('When a deal’s stage changes to Lost').waitFor()
  await isForEverybodyInBothSchemes(page)

  await page.getByRole('link', { name: 'Workflows' }).first().click()
  const flip = (state: string, name: string) => page.getByRole('switch', { name: `${state}: ${name}` })
  const isEnabled = async () => (await list()).find(({ name }) => name === 'Follow up on lost deals')?.enabled
  // Forced, because the track covers the switch input.
  await flip('Off', 'Follow up on lost deals').click({ force: true })
  await expect.poll(isEnabled).toBe(true)
  await flip('On', 'Follow up on lost deals').waitFor()
  await isForEverybodyInBothSchemes(page)
  await pressOn(page, flip('On', 'Follow up on lost deals'), 'Space')
  await flip('Off', 'Follow up on lost deals').waitFor()
  await expect.poll(isEnabled).toBe(false)

  await flip('Off', 'Draft').click({ force: true })
  await dialog.getByText('3 things are wrong').waitFor()
  await dialog.getByText('subject is required').waitFor()
  await dialog.getByRole('link', { name: 'Edit workflow' }).click()
  await page.waitForURL(/\/edit$/)
  await steps(page).waitFor()
})
