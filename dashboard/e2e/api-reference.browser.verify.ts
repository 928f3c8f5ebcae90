// The API reference at /docs: mouse and keyboard use, accessibility, and names that must not wrap. npm test checks only
// its parts (server/http/reference.test.ts), because a browser takes many seconds to render it.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeViolations, axeViolationsOfColors } from './axe.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()

type Scheme = 'light' | 'dark'

/**
 * Opens the operations on records, which are rendered when they are scrolled near. The introduction stays above them.
 */
async function openReference(colorScheme: Scheme, width: number): Promise<Page> {
  const page = await dashboard.open('/docs#tag/records', undefined, {
    colorScheme,
    viewport: { width, height: 900 },
  })
  await page.getByRole('heading', { name: 'Create a record', exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Rapport API', level: 1 }).waitFor()
  await page.locator(`body.${colorScheme}-mode`).waitFor()
  return page
}

test.each<[Scheme, number, Scheme]>([
  ['light', 1440, 'dark'],
  ['dark', 375, 'light'],
])('is accessible, with names of scopes on one line: %s, %i px, then %s', async (first, width, then) => {
  const page = await openReference(first, width)
  const scope = page.getByRole('cell', { name: 'objects:write', exact: true }).locator('code')
  await expect.poll(() => scope.evaluate((code) => code.getClientRects().length)).toBe(1)
  expect(await axeViolations(page)).toEqual([])
  await page.emulateMedia({ colorScheme: then })
  await page.locator(`body.${then}-mode`).waitFor()
  expect(await axeViolationsOfColors(page)).toEqual([])
})

// One visit for all steps: loading the reference takes longer than the steps.
test('the API reference opens from the settings; operations and guides are found by mouse and keyboard', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  const page = await dashboard.open(`/o/org-${org.id}/settings`, await org.member('owner'))
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
