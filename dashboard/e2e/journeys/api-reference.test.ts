import { test } from 'vitest'
import { openDashboard } from '../open-dashboard.ts'

const dashboard = await openDashboard()

// One visit: loading the reference takes longer than what is done in it.
test('the API reference opens from the settings, and operations and guides are found by mouse and by keyboard', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  const page = await dashboard.visit(await org.member('owner'))
  await page.goto(`/o/org-${org.id}/settings`)
  await page.getByRole('link', { name: 'API reference' }).click()
  await page.getByRole('heading', { name: 'Rapport API', level: 1 }).waitFor()
  const sidebar = page.getByRole('complementary')
  await sidebar.getByRole('link', { name: 'Records', exact: true }).click()
  await page.waitForURL(/#tag\/records/)
  await sidebar.getByRole('link', { name: /^Create a record/ }).waitFor()
  await page.keyboard.press('Control+k')
  await page.locator('[role=dialog] input:focus').waitFor()
  await page.keyboard.type('deliver again')
  await page.getByRole('option', { name: /^Operation: Deliver again/ }).click()
  await page.waitForURL(/\/replay$/)
  await page.getByRole('heading', { name: 'Deliver again', exact: true }).waitFor()

  await sidebar.getByRole('button', { name: /Introduction/ }).click()
  await sidebar.getByRole('link', { name: 'Guide: Webhooks' }).click()
  await page.getByRole('heading', { name: 'Verify, deduplicate, respond' }).waitFor()
  await page.getByText('timingSafeEqual').first().waitFor()
  await page.keyboard.press('Control+k')
  await page.locator('[role=dialog] input:focus').waitFor()
  await page.keyboard.type('record.updated')
  await page
    .getByRole('option', { name: /record\.updated/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'record.updated' }).waitFor()
})
