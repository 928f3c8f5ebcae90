import type { Locator, Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Endpoint, EndpointSecret } from '../../contract/webhooks.ts'
import { startReceiver } from '../../server/test/receiver.ts'
import { axeViolationsInBothSchemes } from './axe.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()
const receiver = await startReceiver()
afterAll(() => receiver.close())
beforeEach(() => receiver.answer({}))

const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name })
const dialogOf = (page: Page) => page.getByRole('dialog')
const closed = (page: Page) => dialogOf(page).waitFor({ state: 'detached' })

async function setUp() {
  const { org, owner } = await dashboard.organization('owner')
  const webhooks = `/o/org-${org.id}/settings/webhooks`
  const list = async () => (await owner.get<{ endpoints: Endpoint[] }>('/webhooks/endpoints')).body.endpoints
  const make = async (fields: object = {}) => {
    const url = `${receiver.url}/hooks`
    const { body } = await owner.post<Endpoint>('/webhooks/endpoints', { url, ...fields })
    return { endpoint: body, path: `${webhooks}/${body.id}` }
  }
  const secretOf = async ({ id }: Endpoint) =>
    (await owner.get<EndpointSecret>(`/webhooks/endpoints/${id}/secret`)).body.secret
  /** Sets the state that the webhook engine would set. */
  const leave = ({ id }: Endpoint, what: 'failing' | 'gone') =>
    dashboard.service.ctx.db.run(
      what === 'failing'
        ? sql`update webhook_endpoints set failing_since = now() where org = ${org.org} and id = ${id}`
        : sql`
            update webhook_endpoints set is_enabled = false, disabled_reason = 'gone', disabled_at = now()
            where org = ${org.org} and id = ${id}`,
    )
  return { org, owner, webhooks, list, make, secretOf, leave }
}

describe('adding and changing', () => {
  test('an endpoint is added: errors are shown at their fields, and its page opens next', async () => {
    const { owner, webhooks, list } = await setUp()
    const page = await dashboard.open(webhooks, owner)
    await button(page, 'Add endpoint').click()
    const dialog = dialogOf(page)
    const url = dialog.getByLabel('URL')
    await url.fill('example.com/hooks')
    await url.press('Tab')
    await dialog.getByText('Start with https://').waitFor()
    await url.fill('http://example.com')
    await dialog.getByText('Without encryption').waitFor()
    await url.fill(`${receiver.url}/hooks`)
    await dialog.getByLabel('Description').fill('Billing')

    const box = (name: string) => dialog.getByRole('checkbox', { name })
    await box('All events').uncheck()
    await button(dialog, 'Add endpoint').click()
    await dialog.getByText('Choose at least one').waitFor()
    await box('Records').check()
    await box('record.deleted').uncheck()
    // The checkboxes "Records" and "All" are partly checked.
    await expect.poll(() => dialog.locator('input:indeterminate').count()).toBe(2)
    await dialog.getByRole('combobox', { name: 'Objects' }).click()
    await page.getByRole('option', { name: 'Deals' }).click()
    await dialog.getByRole('combobox', { name: 'Changed attributes' }).click()
    await page.getByRole('option', { name: /^Stage/ }).click()

    await button(dialog, 'Add header').click()
    await dialog.getByLabel('Name of header 1').fill('Host')
    await dialog.getByLabel('Value of header 1').fill('example.com')
    await dialog.getByLabel('Rate limit').fill('20')
    await button(dialog, 'Add endpoint').click()
    await dialog.getByText('This name is reserved: choose another one').waitFor()
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe('Name of header 1')
    await dialog.getByLabel('Name of header 1').fill('X-Tenant')
    await button(dialog, 'Add endpoint').click()

    await page.getByRole('tab', { name: 'Deliveries' }).waitFor()
    const [endpoint] = await list()
    await expect.poll(() => new URL(page.url()).pathname).toBe(`${webhooks}/${endpoint?.id}`)
    expect(endpoint).toMatchObject({
      url: `${receiver.url}/hooks`,
      description: 'Billing',
      eventTypes: ['record.created', 'record.updated'],
      changedAttributes: ['stage'],
      headers: [{ name: 'X-Tenant', value: 'example.com' }],
      rateLimit: 20,
    })
    await page.getByText('Records of Deals · Updates that change stage').waitFor()
    await page.getByText('X-Tenant: ••••').waitFor()
    await button(page, 'Reveal values').click()
    await page.getByText('X-Tenant: example.com').waitFor()
  })

  test('an endpoint is added by keyboard only', async () => {
    const { owner, webhooks, list } = await setUp()
    const page = await dashboard.open(webhooks, owner)
    await button(page, 'Add endpoint').waitFor()
    await page.keyboard.press('c')
    await dialogOf(page).getByLabel('URL').and(page.locator(':focus')).waitFor()
    await page.keyboard.type(`${receiver.url}/typed`)
    await page.keyboard.press('Tab')
    await page.keyboard.type('Typed')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    // Unchecks “Records”: all other events stay selected.
    await page.keyboard.press('Space')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('tab', { name: 'Deliveries' }).waitFor()
    const types = ['activity.created', 'activity.updated', 'activity.deleted']
    expect(await list()).toMatchObject([
      { description: 'Typed', eventTypes: [...types, 'workflow.completed', 'workflow.failed'] },
    ])
  })

  test("an edit sends only changed fields, and another person's change stays", async () => {
    const { owner, make, list } = await setUp()
    const { endpoint, path } = await make({ description: 'Before' })
    const page = await dashboard.open(`${path}?edit=1`, owner)
    await dialogOf(page).getByLabel('Rate limit').fill('5')
    await owner.patch(`/webhooks/endpoints/${endpoint.id}`, { description: 'Theirs' })
    await page.getByText('Theirs').waitFor()
    await button(dialogOf(page), 'Save changes').click()
    await closed(page)
    await expect.poll(() => new URL(page.url()).search).toBe('')
    expect(await list()).toMatchObject([{ description: 'Theirs', rateLimit: 5 }])
    await page.getByText('5 requests per second').waitFor()
    await page.keyboard.press('e')
    await dialogOf(page).waitFor()
    await page.keyboard.press('Escape')
    await closed(page)
  })
})

describe('the list', () => {
  test('explains endpoints, then shows the state of each endpoint without a reload', async () => {
    const { owner, webhooks, make, leave } = await setUp()
    const page = await dashboard.open(webhooks, owner)
    await page.getByText('No endpoints yet').waitFor()
    const { endpoint } = await make({ eventTypes: ['workflow.failed'] })
    const row = page.getByRole('row', { name: /hooks/ })
    await row.getByText('Active').waitFor()
    await row.getByText('workflow.failed').waitFor()
    await row.getByRole('img', { name: 'No attempts in the last 24 hours' }).first().waitFor()
    await leave(endpoint, 'failing')
    await row.getByText('Failing').waitFor()
    await leave(endpoint, 'gone')
    await row.getByText('Disabled').waitFor()
    await row.getByText('responded 410 Gone').waitFor()
    await row.getByRole('link').click()
    await page.getByText('wants no more events').waitFor()
    await button(page, 'Enable endpoint').click()
    await page.getByText('Active', { exact: true }).waitFor()
    await expect.poll(() => button(page, 'Enable endpoint').count()).toBe(0)
  })

  test('stays and says so when the service cannot be reached', async () => {
    const { owner, webhooks, make } = await setUp()
    await make()
    const page = await dashboard.open(webhooks, owner)
    await page.getByRole('row', { name: /hooks/ }).waitFor()
    await page.context().setOffline(true)
    await page.getByText('This may be out of date').waitFor()
    await expect.poll(() => page.getByRole('row', { name: /hooks/ }).count()).toBe(1)
    await page.context().setOffline(false)
    await page.getByText('This may be out of date').waitFor({ state: 'detached' })
  })

  test('a member sees who may use webhooks', async () => {
    const { org, webhooks, make } = await setUp()
    const { path } = await make()
    const page = await dashboard.visit(await org.member('member'))
    for (const address of [webhooks, path, `${webhooks}/event-types`]) {
      await page.goto(address)
      await page.getByText('Webhooks are for owners and admins').waitFor()
    }
  })
})

describe('an endpoint', () => {
  test('its secret is hidden, shown, copied and rotated; the code sample then has the new secret', async () => {
    const { owner, make, secretOf } = await setUp()
    const { endpoint, path } = await make()
    const first = await secretOf(endpoint)
    const page = await dashboard.visit(owner, { permissions: ['clipboard-read', 'clipboard-write'] })
    const clipboard = () => page.evaluate('navigator.clipboard.readText()')
    await page.goto(`${path}?tab=verify`)
    const code = page.getByRole('tabpanel', { name: 'Node.js', exact: true })
    await button(code, 'Copy code').click()
    await expect.poll(clipboard).toContain("new Webhook('whsec_••••")
    await button(page, 'Reveal secret').first().click()
    await button(page, 'Copy secret').click()
    await expect.poll(clipboard).toBe(first)
    await button(code, /Cop/).click()
    await expect.poll(clipboard).toContain(`new Webhook('${first}')`)

    await button(page, 'Rotate secret').click()
    await dialogOf(page).getByText('also signs for 24 hours').waitFor()
    await button(dialogOf(page), 'Rotate secret').click()
    await closed(page)
    const second = await secretOf(endpoint)
    expect(second).not.toBe(first)
    await page.getByText(/^The previous secret also signs until/).waitFor()
    await code.getByText(second).waitFor()
    await button(page, 'Hide secret').first().click()
    await expect.poll(() => page.getByText(second).count()).toBe(0)
    await page.getByRole('tab', { name: 'Python' }).click()
    await page.getByText('from http.server').waitFor()
  })

  test('a signed test is sent; its response is shown in place, and its delivery in the log', async () => {
    const { owner, make, secretOf } = await setUp()
    const { endpoint, path } = await make()
    const page = await dashboard.open(path, owner)
    await button(page, 'Send test event').click()
    await page.getByRole('combobox', { name: 'Event type' }).click()
    await page.getByRole('option', { name: 'activity.created' }).click()
    await page.getByText('"type": "activity.created"').waitFor()
    const before = receiver.count()
    await page.getByRole('button', { name: 'Send test', exact: true }).click()
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByText('Response 200').waitFor()
    expect(receiver.count()).toBe(before + 1)
    const { headers, body } = receiver.requests.at(-1) ?? { headers: {}, body: '' }
    const verified = new Webhook(await secretOf(endpoint)).verify(
      String(body),
      headers as Record<string, string>,
    )
    expect(verified).toMatchObject({ type: 'activity.created', test: true })

    receiver.answer({ status: 500, body: '{"why":"no such tenant"}' })
    await page.getByRole('button', { name: 'Send test', exact: true }).click()
    await result.getByText('Response 500', { exact: true }).waitFor()
    await result.getByText('Responded with 500 Internal Server Error: check the receiver’s log').waitFor()
    await result.getByText('no such tenant').waitFor()
    await button(result, 'Show delivery').click()
    await page.waitForURL(/delivery=dlv_/)
    await page.getByRole('tab', { name: 'Deliveries', selected: true }).waitFor()
  })

  test('is disabled, enabled and deleted', async () => {
    const { owner, make, list } = await setUp()
    const { path } = await make()
    const page = await dashboard.open(path, owner)
    const choose = async (name: string) => {
      await button(page, 'More actions').click()
      await page.getByRole('menuitem', { name }).click()
    }
    await choose('Disable endpoint')
    await page
      .getByRole('region', { name: 'Disabled' })
      .getByText('This endpoint was disabled manually')
      .waitFor()
    expect(await list()).toMatchObject([{ isEnabled: false, disabledReason: 'manual' }])
    await choose('Enable endpoint')
    await page.getByRole('region', { name: 'Disabled' }).waitFor({ state: 'detached' })
    expect(await list()).toMatchObject([{ isEnabled: true, disabledReason: null }])
    await choose('Delete endpoint')
    await dialogOf(page).getByText('It receives no more events').waitFor()
    await button(dialogOf(page), 'Delete endpoint').click()
    await page.getByText('No endpoints yet').waitFor()
    expect(await list()).toEqual([])
    await page.goto(path)
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
  })
})

test('the event catalogue shows the fields of each type', async () => {
  const { owner, webhooks } = await setUp()
  const page = await dashboard.open(webhooks, owner)
  await page.getByRole('link', { name: 'event types' }).click()
  await page.getByRole('heading', { name: 'record.created' }).waitFor()
  const nav = page.getByRole('navigation', { name: 'Event types' })
  await nav.getByRole('link', { name: 'record.updated' }).press('Enter')
  await page
    .getByRole('row', { name: /changes/ })
    .first()
    .waitFor()
  await expect.poll(() => new URL(page.url()).search).toBe('?type=record.updated')
  await page.getByText('"type": "record.updated"').waitFor()
  await page.getByRole('radio', { name: 'Fields' }).press('ArrowRight')
  await button(page, 'Copy JSON Schema').waitFor()
})

/** Texts of row headers that are wider than their column. */
const CUT_ROW_HEADERS = `[...document.querySelectorAll('tbody th')]
  .filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)`

test.each([1440, 375])('every page has no axe violations and fits %s pixels', async (width) => {
  const { owner, webhooks, make, leave } = await setUp()
  const page = await dashboard.visit(owner, { viewport: { width, height: 900 } })
  const look = async () => {
    expect(await axeViolationsInBothSchemes(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  }
  await page.goto(webhooks)
  await page.getByText('No endpoints yet').waitFor()
  await look()
  const { path } = await make({
    url: `https://192.0.32.8/${'long-segment/'.repeat(20)}`,
    description: 'What it is for, '.repeat(20),
    headers: [{ name: 'X-Tenant', value: 'initech' }],
  })
  await leave((await make()).endpoint, 'failing')
  await leave((await make()).endpoint, 'gone')
  await page.getByText('Disabled').waitFor()
  await look()
  await page.goto(`${webhooks}?create=1`)
  await button(dialogOf(page), 'Add header').click()
  await button(dialogOf(page), 'Add endpoint').click()
  await dialogOf(page).getByText('Enter a name').waitFor()
  await look()
  for (const part of ['test', 'verify']) {
    await page.goto(`${path}?tab=${part}`)
    await button(page, /^Copy (body|code)/)
      .first()
      .waitFor()
    await look()
  }
  await page.goto(`${webhooks}/event-types?type=activity.created`)
  await page.getByRole('table').waitFor()
  await look()
  expect(await page.evaluate(CUT_ROW_HEADERS)).toEqual([])
})
