import { expect, test } from 'vitest'
import type { Webhooks } from '../../../contract/webhooks.ts'
import { insertEndpoint } from '../../../server/webhooks/endpoint.fixture.ts'
import {
  isForEverybody,
  isForEverybodyInBothSchemes,
  pressOn,
  pressShortcut,
  takesFocus,
} from '../journey-keys.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'
import { addAttempt, addDelivery } from '../webhooks.fixture.ts'
import { row } from '../workflow-pages.fixture.ts'

const dashboard = await openSharedDashboard()
const { ctx } = dashboard.service

test('the portal opens by its link without an account, shows deliveries, and replays one by keyboard', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  const rows = await insertEndpoint(ctx, org.org, { url: 'https://initech.example.com/hooks' })
  const refused = { status: 500, failure: 'status', message: 'The receiver answered 500' } as const
  const { event } = await addDelivery(ctx, rows, { state: 'failed', attempts: [refused] })
  const { pathname, hash } = new URL((await org.get<Webhooks>('/webhooks')).body.portalUrl)
  const page = await dashboard.open(pathname + hash, undefined, { viewport: { width: 1440, height: 900 } })
  await page.getByText('Initech', { exact: true }).waitFor()
  await page.getByText(/^Session ends /).waitFor()
  await page.waitForURL(/\/portal$/)
  await row(page, /initech\.example\.com/)
    .getByRole('link')
    .waitFor()
  await isForEverybodyInBothSchemes(page)
  await pressShortcut(page, '?')
  const shortcuts = page.getByRole('dialog', { name: 'Shortcuts' })
  await shortcuts.getByText('Next delivery').waitFor()
  await takesFocus(page, 'dialog')
  await pressShortcut(page, 'Escape')
  await shortcuts.waitFor({ state: 'detached' })

  await pressOn(page, row(page, /initech\.example\.com/).getByRole('link'))
  await row(page, /record\.created/)
    .getByText('Failed')
    .waitFor()
  await pressShortcut(page, 'j')
  const pane = page.getByRole('region', { name: 'Delivery', exact: true })
  await pane.getByText('The receiver answered 500').waitFor()
  await isForEverybodyInBothSchemes(page)
  await pressOn(page, pane.getByRole('button', { name: 'Replay' }))
  await page.getByText('Waiting for the response').waitFor()
  await addAttempt(ctx, { ...rows, event }, { state: 'succeeded', status: 200, trigger: 'replay' })
  await page.getByText('Delivered: 200 in 96 ms').waitFor()

  await page.setViewportSize({ width: 375, height: 800 })
  await page.getByRole('dialog').getByRole('heading', { name: 'Response' }).waitFor()
  await takesFocus(page, 'dialog')
  await isForEverybody(page)
  await pressShortcut(page, 'Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Event types' }).first().click()
  await page.getByText('A record is created in any object').first().waitFor()
  await isForEverybody(page)
  await page.getByRole('button', { name: 'Appearance' }).click()
  await page.getByRole('menuitem', { name: 'Dark' }).click()
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  await expect
    .poll(() => page.context().cookies())
    .toMatchObject([{ name: 'rapport-color-scheme', value: 'dark' }])
})
