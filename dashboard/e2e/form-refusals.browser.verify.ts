// The errors that a form shows after a refusal, and how long it shows them.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { button, choose } from './import.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { HALT, setUpEditor } from './workflow-editor.fixture.ts'
import { dialogOf } from './workflow-pages.fixture.ts'
import { addWorkflow } from './workflows.fixture.ts'

const dashboard = await openSharedDashboard()
const setUp = () => setUpEditor(dashboard.service)

/** Responds to POST requests. Other requests of the address continue. */
const answerPosts = (page: Page, address: string, status: number, json: object) =>
  page.route(address, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status, json }) : route.continue(),
  )

const refusal = (path: string, message: string) => ({
  error: 'validation_error',
  message: 'The request is invalid',
  details: { errors: [{ path, message }] },
})

async function openNewEndpoint() {
  const { owner, base } = await setUp()
  const page = await dashboard.open(`${base}/settings/webhooks?create=1`, owner)
  const dialog = dialogOf(page)
  await dialog.getByLabel('URL').fill('https://example.com/hooks')
  return { page, dialog, submit: () => dialog.getByRole('button', { name: 'Add endpoint' }).click() }
}

test('creating a workflow from a template shows why its name was refused', async () => {
  const { owner, base } = await setUp()
  const page = await dashboard.open(`${base}/workflows?create=1`, owner)
  const dialog = dialogOf(page)
  await dialog.getByRole('button', { name: /^Follow up on lost deals/ }).click()
  await dialog.getByLabel('Name').fill('n'.repeat(201))
  await dialog.getByRole('button', { name: 'Create workflow' }).click()
  await dialog.getByText(/200 characters/).waitFor()
  await expect.poll(() => dialog.getByLabel('Name').getAttribute('aria-invalid')).toBe('true')
  await expect.poll(() => dialog.getByText(/200 characters/).count()).toBe(1)
})

test('the error of one header disappears when it is corrected, and does not move to another row', async () => {
  const { dialog, submit } = await openNewEndpoint()
  const problem = dialog.getByText('Letters, digits and hyphens only')
  const name = dialog.getByLabel('Name of header 1')
  await dialog.getByRole('button', { name: 'Add header' }).click()
  await name.fill('bad name')
  await dialog.getByLabel('URL').fill('')
  await submit()
  await problem.waitFor()
  await name.fill('good-name')
  await problem.waitFor({ state: 'detached' })
  await name.fill('bad name')
  await submit()
  await problem.waitFor()
  await dialog.getByRole('button', { name: 'Remove header bad name' }).click()
  await dialog.getByRole('button', { name: 'Add header' }).click()
  await name.waitFor()
  await expect.poll(() => problem.count()).toBe(0)
})

test('a reached limit is shown with the message of the service', async () => {
  const { page, dialog, submit } = await openNewEndpoint()
  await answerPosts(page, '**/webhooks/endpoints', 429, {
    error: 'rate_limit_exceeded',
    message: 'An organization has 20 endpoints at most',
    details: { retryAfter: 43 },
  })
  await submit()
  await dialog.getByText('An organization has 20 endpoints at most').waitFor()
})

test('an earlier error disappears when the next attempt fails the check of the form', async () => {
  const { page, dialog, submit } = await openNewEndpoint()
  await answerPosts(page, '**/webhooks/endpoints', 400, refusal('rateLimit', 'is wrong'))
  const refused = dialog.getByText('This cannot be saved as it is')
  await submit()
  await refused.waitFor()
  await dialog.getByLabel('URL').fill('')
  await submit()
  await refused.waitFor({ state: 'detached' })
})

test('a running test of a workflow is shown when its dialog is opened again', async () => {
  const { owner, edit } = await setUp()
  const page = await dashboard.visit(owner)
  await edit(page, await addWorkflow(owner, { name: 'Short', definition: HALT }))
  const { promise: isSeen, resolve: see } = Promise.withResolvers<void>()
  await page.route('**/workflow-dry-run', async (route) => {
    await isSeen
    await route.continue()
  })
  const run = dialogOf(page).getByRole('button', { name: 'Run test' })
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await run.click()
  await page.keyboard.press('Escape')
  await dialogOf(page).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await expect.poll(() => run.getAttribute('data-loading')).toBe('true')
  see()
  await page.getByText('Test completed').waitFor()
})

test.each([
  ['config', 'Reference'],
  ['isUnique', 'Text'],
])('a new attribute of an import shows an error of %s at its field', async (path, type) => {
  const { owner, base } = await setUp()
  const page = await dashboard.visit(owner)
  await answerPosts(page, '**/objects/companies/attributes', 400, refusal(path, 'is wrong'))
  await page.goto(`${base}/objects/companies/import`)
  await choose(page, 'Name,Extra\nAcme,People\n')
  await page.getByRole('combobox', { name: 'Attribute for Extra', exact: true }).click()
  await page.getByRole('option', { name: 'New attribute…' }).click()
  const dialog = dialogOf(page)
  await dialog.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: type, exact: true }).click()
  if (type === 'Reference') {
    await dialog.getByRole('combobox', { name: 'Refers to' }).click()
    await page.getByRole('option', { name: 'People' }).click()
  }
  await button(page, 'Add attribute').click()
  await dialog.getByText('This cannot be saved as it is').waitFor()
  await expect.poll(() => dialog.getByText('This cannot be saved as it is').count()).toBe(1)
  // A message above the buttons would be an alert.
  await expect.poll(() => dialog.getByRole('alert').count()).toBe(0)
})
