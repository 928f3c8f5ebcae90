import { afterAll, expect, test } from 'vitest'
import { startReceiver } from '../../../server/test/receiver.ts'
import { addRecord } from '../crm.fixture.ts'
import {
  hasFocus,
  isForEverybody,
  isForEverybodyInBothSchemes,
  optionByKeys,
  pressOn,
  pressShortcut,
} from '../journey-keys.fixture.ts'
import { openDashboard } from '../open-dashboard.ts'
import { row } from '../workflow-pages.fixture.ts'

const dashboard = await openDashboard()
const { service } = dashboard
const receiver = await startReceiver()
afterAll(() => receiver.close())

test('a failed delivery is opened by keyboard, its attempts are read, and it is replayed', async () => {
  const org = await service.org({ name: 'Initech' })
  const owner = await org.member('owner')
  const { body: endpoint } = await owner.post<{ id: string }>('/webhooks/endpoints', { url: receiver.url })
  receiver.answer({ status: 503, body: 'Closed for repairs' })
  const page = await dashboard.visit(owner, { viewport: { width: 1440, height: 900 } })
  const pane = page.getByRole('region', { name: 'Delivery', exact: true })
  const request = page.getByRole('region', { name: 'Request' })
  await addRecord(org, 'companies', { name: 'Initrode' })
  await service.deliver()
  await page.goto(`/o/org-${org.id}/settings/webhooks/${endpoint.id}`)
  const line = row(page, /record\.created/)
  await line.getByText('503').waitFor()
  await line.getByText('Waiting').waitFor()

  await pressShortcut(page, 'j')
  await hasFocus(pane.getByRole('heading', { name: 'record.created' }))
  await page.getByRole('region', { name: 'Response' }).getByText('Closed for repairs').waitFor()
  await isForEverybodyInBothSchemes(page)
  receiver.answer({ status: 200 })
  await pressShortcut(page, 'r')
  await page.getByText('Waiting for the response').waitFor()
  await service.deliver()
  await page.getByText(/^Delivered: 200 in \d/).waitFor()
  await line.getByText('Delivered').waitFor()
  // The same event id, so that receivers can drop duplicates.
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  await page.getByRole('button', { name: /^Attempt 1/ }).click()
  await page.getByRole('region', { name: 'Response' }).getByText('Closed for repairs').waitFor()
  await request.getByRole('switch', { name: 'Pretty' }).check()
  await request.getByText('"name": "Initrode"').waitFor()
  await pressOn(page, page.getByRole('button', { name: 'Close (Esc)' }))
  await pane.waitFor({ state: 'detached' })
  await isForEverybody(page)

  await pressShortcut(page, 'f')
  await hasFocus(page.getByRole('combobox', { name: 'State' }))
  await optionByKeys(page, 'Failed')
  await page.getByRole('heading', { name: 'No matching deliveries' }).waitFor()
  await pressOn(page, page.getByRole('button', { name: 'Show all deliveries' }))
  await line.waitFor()
})
