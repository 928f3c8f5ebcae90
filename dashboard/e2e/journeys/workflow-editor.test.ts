import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addRecord } from '../crm.fixture.ts'
import { hasFocus, isForEverybodyInBothSchemes, pressShortcut, takesFocus } from '../journey-keys.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'
import { tabTo } from '../report-builder.fixture.ts'
import { field, focused, isSaved, node, setUpEditor } from '../workflow-editor.fixture.ts'
import { button, dialogOf, pane, steps } from '../workflow-pages.fixture.ts'

const dashboard = await openSharedDashboard()

const isAt = (page: Page, stop: string) => expect.poll(() => focused(page)).toBe(stop)

async function choose(page: Page, name: string, option: string) {
  await pane(page).getByRole('combobox', { name, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Adds a trigger and a condition, by mouse. */
async function buildByMouse(page: Page) {
  await page.getByLabel('Name of the workflow').fill('Thank for large deals')
  await choose(page, 'Object', 'Deals')
  await button(page, 'Add the first step').click()
  await page.getByRole('option', { name: /^Continue only if/ }).click()
  await node(page, 'Continue only if').waitFor()
  await pane(page).getByLabel('Value', { exact: true }).fill('{{trigger.data.amount}}')
  await choose(page, 'Operator', 'is more than')
  await pane(page).getByLabel('Compared with').fill('50000')
}

/** Adds a step after the condition, by keyboard. */
async function addStepByKeys(page: Page) {
  const { keyboard } = page
  await node(page, 'Continue only if').focus()
  await isAt(page, 'steps[0]')
  await keyboard.press('a')
  await hasFocus(page.getByRole('combobox', { name: 'Find a step' }))
  await keyboard.type('note')
  await page.locator('[data-combobox-selected]').getByText('Create activity').waitFor()
  await keyboard.press('Enter')
  await isAt(page, 'steps[1]')
  await keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe(null)
  await tabTo(page, field(page, 'Title'))
  await keyboard.type('Thanks')
  await keyboard.press('Escape')
  await isAt(page, 'steps[1]')
}

test('a workflow is built by mouse and keyboard, tested on a record, saved, and a version is restored', async () => {
  const { org, owner, base, list, definitionOf } = await setUpEditor(dashboard.service)
  await addRecord(org, 'deals', { name: 'Large', amount: { amount: '90000', currency: 'EUR' } })
  const page = await dashboard.open(`${base}/workflows?create=1`, owner, {
    viewport: { width: 1440, height: 1000 },
  })
  await page.getByRole('link', { name: /^Start from scratch/ }).click()
  await steps(page).waitFor()
  await buildByMouse(page)
  await addStepByKeys(page)
  await page.getByText('No problems').waitFor()
  await isForEverybodyInBothSchemes(page)

  await pressShortcut(page, 'Control+s')
  await page.waitForURL(/\/edit$/)
  await page.getByRole('heading', { name: 'Edit', level: 1 }).waitFor()
  const [workflow] = await list()
  const id = workflow?.id ?? ''
  expect((await definitionOf(id)).definition).toMatchObject({
    trigger: 'manual',
    triggerConfig: { objectId: 'deals' },
    steps: [
      {
        type: 'condition',
        config: { when: { left: '{{trigger.data.amount}}', operator: 'greaterThan' } },
      },
      { type: 'create_activity', config: { title: 'Thanks' } },
    ],
  })
  await button(page, 'Test').click()
  await takesFocus(page, 'dialog')
  await dialogOf(page).getByText('the test uses “Large”').waitFor()
  await button(dialogOf(page), 'Run test').click()
  await page.getByText('Test completed').waitFor()
  await button(steps(page), /^Create activity.*Completed/).waitFor()
  expect((await owner.get<{ activities: [] }>('/activities')).body.activities).toEqual([])

  await node(page, 'Create activity').click()
  await field(page, 'Title').fill('Well done')
  await button(page, 'Save').click()
  await isSaved(page)
  await button(page, 'Versions').click()
  await takesFocus(page, 'dialog')
  const panel = dialogOf(page)
  await panel.getByRole('insertion').getByText('Well done').waitFor()
  await button(panel, /^Version 1/).click()
  await button(panel, 'Restore version 1').click()
  await panel.waitFor({ state: 'detached' })
  await isSaved(page)
  expect((await definitionOf(id)).definition.steps[1]).toMatchObject({ config: { title: 'Thanks' } })
})
