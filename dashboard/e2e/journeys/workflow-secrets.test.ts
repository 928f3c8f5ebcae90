import { expect, test } from 'vitest'
import { hasFocus, isForEverybody, isForEverybodyInBothSchemes, pressOn } from '../journey-keys.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'
import { button, dialogOf, row, setUp } from '../workflow-pages.fixture.ts'

const dashboard = await openSharedDashboard()

test('a secret is added by mouse, replaced by keyboard, removed, and never shown', async () => {
  const { owner, base } = await setUp(dashboard.service)
  const page = await dashboard.visit(owner)
  const dialog = dialogOf(page)
  const closed = () => dialog.waitFor({ state: 'detached' })
  await page.goto(`${base}/settings/workflow-secrets`)
  await button(page, 'New secret').click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('erp-token')
  await dialog.getByLabel(/^Value/).fill('s3cret')
  await button(dialog, 'Save secret').click()
  await closed()
  await row(page, /ERP_TOKEN/).waitFor()
  await isForEverybodyInBothSchemes(page)

  await pressOn(page, button(page, 'Replace ERP_TOKEN'))
  await hasFocus(dialog.getByLabel(/^Value/))
  await isForEverybody(page)
  await page.keyboard.type('other')
  await page.keyboard.press('Enter')
  await closed()
  expect(JSON.stringify((await owner.get('/workflow-secrets')).body)).not.toMatch(/s3cret|other/)
  await button(page, 'Remove ERP_TOKEN').click()
  await button(dialog, 'Remove secret').click()
  await page.getByRole('heading', { name: 'No secrets yet' }).waitFor()
})
