import { afterAll, expect, test } from 'vitest'
import type { Endpoint, EndpointSecret } from '../../../contract/webhooks.ts'
import { startReceiver } from '../../../server/test/receiver.ts'
import {
  chooseByKeys,
  hasFocus,
  isForEverybody,
  isForEverybodyInBothSchemes,
  pressOn,
  pressShortcut,
  takesFocus,
} from '../journey-keys.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'
import { button, dialogOf, row } from '../workflow-pages.fixture.ts'

const dashboard = await openSharedDashboard()
const receiver = await startReceiver()
afterAll(() => receiver.close())

async function setUp() {
  const { org, owner } = await dashboard.organization('owner')
  const webhooks = `/o/org-${org.id}/settings/webhooks`
  const list = async () => (await owner.get<{ endpoints: Endpoint[] }>('/webhooks/endpoints')).body.endpoints
  return { owner, webhooks, list }
}

test('an endpoint is added by mouse, edited by keyboard, disabled and enabled', async () => {
  const { owner, webhooks, list } = await setUp()
  const page = await dashboard.visit(owner)
  const dialog = dialogOf(page)
  await page.goto(webhooks)
  await page.getByText('No endpoints yet').waitFor()
  await button(page, 'Add endpoint').click()
  await hasFocus(dialog.getByLabel('URL'))
  await dialog.getByLabel('URL').fill('example.com/hooks')
  await dialog.getByLabel('Description').fill('Billing')
  await dialog.getByText('Start with https://').waitFor()
  await isForEverybody(page)
  await dialog.getByLabel('URL').fill(`${receiver.url}/hooks`)
  await dialog.getByRole('checkbox', { name: 'All events' }).uncheck()
  await dialog.getByRole('checkbox', { name: 'Records' }).check()
  await button(dialog, 'Add endpoint').click()
  await page.getByRole('tab', { name: 'Deliveries' }).waitFor()
  await dialog.waitFor({ state: 'detached' })
  expect(await list()).toMatchObject([
    { description: 'Billing', eventTypes: ['record.created', 'record.updated', 'record.deleted'] },
  ])

  await pressShortcut(page, 'e')
  await hasFocus(dialog.getByLabel('URL'))
  await page.keyboard.press('Tab')
  await hasFocus(dialog.getByLabel('Description'))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Ledger')
  await page.keyboard.press('Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Ledger').waitFor()

  await button(page, 'More actions').click()
  await page.getByRole('menuitem', { name: 'Disable endpoint' }).click()
  const disabled = page.getByRole('region', { name: 'Disabled' })
  await disabled.getByText('This endpoint was disabled manually').waitFor()
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await isForEverybodyInBothSchemes(page)
  await chooseByKeys(
    page,
    button(page, 'More actions'),
    page.getByRole('menuitem', { name: 'Enable endpoint' }),
  )
  await disabled.waitFor({ state: 'detached' })
  expect(await list()).toMatchObject([{ description: 'Ledger', isEnabled: true }])
  await page.getByRole('link', { name: 'Webhooks' }).last().click()
  await row(page, /hooks/).getByText('Active').waitFor()
  await isForEverybodyInBothSchemes(page)
})

test('the secret of an endpoint is shown and rotated, a test event is sent, and event types are looked up', async () => {
  const { owner, webhooks } = await setUp()
  const { body: endpoint } = await owner.post<Endpoint>('/webhooks/endpoints', {
    url: `${receiver.url}/hooks`,
  })
  const secret = async () =>
    (await owner.get<EndpointSecret>(`/webhooks/endpoints/${endpoint.id}/secret`)).body.secret
  const first = await secret()
  const page = await dashboard.visit(owner)
  const dialog = dialogOf(page)
  await page.goto(`${webhooks}/${endpoint.id}`)
  await page.getByRole('tab', { name: 'Verify' }).click()
  const code = page.getByRole('tabpanel', { name: 'Node.js', exact: true })
  await code.getByText('whsec_••••').first().waitFor()
  await button(page, 'Reveal secret').first().click()
  await code.getByText(first).waitFor()
  await isForEverybody(page)
  await pressOn(page, button(page, 'Rotate secret'))
  await dialog.getByText('also signs for 24 hours').waitFor()
  await takesFocus(page, 'dialog')
  await pressOn(page, button(dialog, 'Rotate secret'))
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(/^The previous secret also signs until/).waitFor()
  await code.getByText(await secret()).waitFor()

  await button(page, 'Send test event').click()
  await page.getByRole('combobox', { name: 'Event type' }).click()
  await page.getByRole('option', { name: 'activity.created' }).click()
  await page.getByText('"type": "activity.created"').waitFor()
  await page.getByRole('button', { name: 'Send test', exact: true }).click()
  await page.getByRole('region', { name: 'Result' }).getByText('Response 200').waitFor()
  await isForEverybody(page)

  await page.getByRole('link', { name: 'Webhooks' }).last().click()
  await page.getByRole('link', { name: 'event types' }).click()
  const types = page.getByRole('navigation', { name: 'Event types' })
  await pressOn(page, types.getByRole('link', { name: 'record.updated' }))
  await page.waitForURL(/\?type=record\.updated$/)
  await page.getByText('"type": "record.updated"').waitFor()
  await isForEverybodyInBothSchemes(page)
  await types.getByRole('link', { name: 'workflow.failed' }).click()
  await page.getByRole('heading', { name: 'workflow.failed' }).waitFor()
})
