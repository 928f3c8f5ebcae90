import type { Locator, Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { startReceiver } from '../../server/test/receiver.ts'
import { insertEndpoint } from '../../server/webhooks/endpoint.fixture.ts'
import { axeViolations, axeViolationsInBothSchemes } from './axe.ts'
import { openDashboard } from './open-dashboard.ts'
import { addAttempt, addDelivery } from './webhooks.fixture.ts'

const dashboard = await openDashboard()
const { service } = dashboard
const { ctx } = service

const REFUSED = {
  status: 500,
  failure: 'status',
  message: 'The receiver answered 500',
  response: 'no',
} as const

async function setUp() {
  const org = await service.org({ name: 'Initech' })
  const owner = await org.member('owner')
  const rows = await insertEndpoint(ctx, org.org)
  return { org, owner, rows, address: `/o/org-${org.id}/settings/webhooks/${rows.endpoint}` }
}

const log = (page: Page) => page.getByRole('table', { name: 'Deliveries, newest first' })
const lines = (page: Page) =>
  log(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader') })
const pane = (page: Page) => page.getByRole('region', { name: 'Delivery', exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** By how many pixels the content of the open delivery is wider than its panel. */
const STICKS_OUT = `Array.from(document.querySelectorAll('[role=dialog], section[aria-label=Delivery]'),
  (one) => one.scrollWidth - one.clientWidth)`
const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

async function choose(page: Page, field: string, option: string) {
  await page.getByRole('combobox', { name: field, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

describe('the log', () => {
  test('shows the time, event, response, duration, number of attempts and result of each delivery', async () => {
    const { owner, rows, address } = await setUp()
    await addDelivery(ctx, rows, { minutesAgo: 3, state: 'failed', attempts: [REFUSED, REFUSED] })
    await addDelivery(ctx, rows, {
      minutesAgo: 2,
      state: 'cancelled',
      attempts: [{ failure: 'timeout', total: 15_000 }],
    })
    await addDelivery(ctx, rows, { minutesAgo: 1, state: 'pending', type: 'activity.updated' })
    await addDelivery(ctx, rows, { trigger: 'test', attempts: [{ status: 204, trigger: 'test', total: 35 }] })
    const page = await dashboard.open(address, owner)
    await lines(page).first().waitFor()
    const all = await lines(page).all()
    const cellsOf = (line: Locator) =>
      line.getByRole('rowheader').or(line.getByRole('cell')).allTextContents()
    const cells = (await Promise.all(all.map(cellsOf))).map((texts) => texts.slice(1).join(' | '))
    expect(cells).toEqual([
      'record.createdTest | 204 | 35 ms | 1 | Delivered',
      'activity.updated |  |  |  | Waiting',
      'record.created | Timed out | 15 s | 1 | Cancelled',
      'record.created | 500 | 96 ms | 2 | Failed',
    ])
    await expect
      .poll(() => lines(page).first().getByRole('time').textContent())
      .toMatch(/^\w{3} \d+, \d+:\d\d:\d\d [AP]M$/)
  })

  test('new deliveries and state changes appear without a reload', async () => {
    const { owner, rows, address } = await setUp()
    const page = await dashboard.open(address, owner)
    await page.getByRole('heading', { name: 'Nothing was sent yet' }).waitFor()
    const { event } = await addDelivery(ctx, rows, { state: 'pending' })
    await log(page).getByText('Waiting').waitFor()
    await addAttempt(ctx, { ...rows, event }, { state: 'succeeded', status: 200 })
    await log(page).getByText('Delivered').waitFor()
    await addDelivery(ctx, rows, { type: 'workflow.failed' })
    await lines(page).nth(1).waitFor()
    await expect.poll(() => lines(page).first().textContent()).toContain('workflow.failed')
  })

  test('filters are kept in the address, and exclude other deliveries', async () => {
    const { owner, rows, address } = await setUp()
    await addDelivery(ctx, rows, { minutesAgo: 26 * 60, state: 'failed', attempts: [REFUSED] })
    await addDelivery(ctx, rows, { minutesAgo: 5, state: 'failed', attempts: [REFUSED] })
    await addDelivery(ctx, rows, {
      minutesAgo: 4,
      state: 'failed',
      type: 'record.deleted',
      attempts: [REFUSED],
    })
    await addDelivery(ctx, rows)
    const page = await dashboard.open(address, owner)
    await expect.poll(() => lines(page).count()).toBe(4)
    await page.keyboard.press('f')
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'Failed' }).click()
    await expect.poll(() => lines(page).count()).toBe(3)
    await choose(page, 'Time', 'Last 24 hours')
    await expect.poll(() => lines(page).count()).toBe(2)
    await choose(page, 'Event type', 'record.deleted')
    await expect.poll(() => lines(page).count()).toBe(1)
    await expect
      .poll(() => searchOf(page))
      .toEqual({ state: 'failed', period: 'day', type: 'record.deleted' })
    await page.reload()
    await expect.poll(() => lines(page).count()).toBe(1)
    await choose(page, 'Event type', 'workflow.failed')
    await page.getByRole('heading', { name: 'No matching deliveries' }).waitFor()
    await button(page, 'Show all deliveries').click()
    await expect.poll(() => lines(page).count()).toBe(4)
  })

  test('the time can be chosen to the second', async () => {
    const { owner, rows, address } = await setUp()
    await addDelivery(ctx, rows, { minutesAgo: 120 })
    await addDelivery(ctx, rows, { minutesAgo: 2 })
    const page = await dashboard.open(address, owner)
    await choose(page, 'Time', 'From … to …')
    await expect.poll(() => lines(page).count()).toBe(2)
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19)
    await page.getByLabel('To', { exact: true }).fill(hourAgo)
    await expect.poll(() => lines(page).count()).toBe(1)
    await expect.poll(() => searchOf(page)['to']).toBe(`${hourAgo}.000Z`)
  })

  test('older deliveries are loaded on demand, also for a period that ends now', async () => {
    const { owner, rows, address } = await setUp()
    for (let minutesAgo = 60; minutesAgo > 0; minutesAgo--) await addDelivery(ctx, rows, { minutesAgo })
    const page = await dashboard.open(`${address}?period=day`, owner)
    await expect.poll(() => lines(page).count()).toBe(50)
    await button(page, 'Load older').click()
    await expect.poll(() => lines(page).count()).toBe(60)
    await page.getByText('Deliveries are kept for 30 days.').waitFor()
    await addDelivery(ctx, rows)
    await expect.poll(() => lines(page).count()).toBe(61)
  })

  test('a list that cannot be refreshed stays and says so', async () => {
    const { owner, rows, address } = await setUp()
    await addDelivery(ctx, rows)
    const page = await dashboard.open(address, owner)
    await lines(page).first().waitFor()
    await page.context().setOffline(true)
    await page.getByText('This list is not up to date').waitFor()
    await expect.poll(() => lines(page).count()).toBe(1)
    await page.context().setOffline(false)
    await page.getByText('This list is not up to date').waitFor({ state: 'detached' })
  })
})

describe('a delivery', () => {
  const BODY = '{"id":"x","data":{"amount":12345678901234567890.10,"name":"Initrode"}}'

  async function open() {
    const made = await setUp()
    const { rows, owner, address } = made
    const older = await addDelivery(ctx, rows, { minutesAgo: 9, type: 'record.deleted' })
    const expired = {
      failure: 'tls' as const,
      message: 'The certificate expired on 3 November 2026: renew it, then replay.',
    }
    const refused = { ...REFUSED, response: '{"error":"down"}', isTruncated: true }
    const one = await addDelivery(ctx, rows, { body: BODY, state: 'pending', attempts: [expired, refused] })
    const page = await dashboard.open(`${address}?delivery=${one.id}`, owner, {
      viewport: { width: 1440, height: 900 },
    })
    await pane(page).getByRole('heading', { name: 'Response' }).waitFor()
    return { ...made, page, one, older }
  }

  test('opens by its address, with request and response', async () => {
    const { page, one } = await open()
    const request = page.getByRole('region', { name: 'Request' })
    const response = page.getByRole('region', { name: 'Response' })
    await expect.poll(() => request.locator('pre').textContent()).toBe(BODY)
    await request.getByText('Sent to 203.0.113.7').waitFor()
    await request.getByText('v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=').waitFor()
    await request.getByRole('switch', { name: 'Pretty' }).check()
    await expect
      .poll(() => request.locator('pre').textContent())
      .toContain('\n    "amount": 12345678901234567890.10,\n')
    await response.getByText('500').waitFor()
    await response.getByText('Only the first 16 KiB').waitFor()
    await pane(page).getByText('The receiver answered 500').waitFor()
    await pane(page).getByText(one.event).first().waitFor()
    const facts = (await pane(page).textContent()) ?? ''
    expect(facts).toMatch(/Next attemptin 1[12] minutes \(/)
    expect(facts).toMatch(/Gives upin 3 days \(/)
    expect(facts).toMatch(
      /DNS1\.2 ms.*Connect8\.4 ms.*TLS22 ms.*Waiting63 ms.*Reading2 ms.*First byte94 ms.*Total96 ms/,
    )
  })

  test('shows every attempt', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: /^Attempt 1/ }).click()
    await pane(page).getByText('The certificate expired on 3 November 2026').waitFor()
    await page.getByRole('region', { name: 'Response' }).getByText('There was no response.').waitFor()
  })

  test('is closed by Escape, which focuses its line; J and K move through the log', async () => {
    const { page, older, one } = await open()
    await page.keyboard.press('j')
    await pane(page).getByRole('heading', { name: 'record.deleted' }).waitFor()
    await expect.poll(() => searchOf(page)).toEqual({ delivery: older.id })
    await page.keyboard.press('k')
    await pane(page).getByRole('heading', { name: 'record.created' }).waitFor()
    await expect.poll(() => searchOf(page)).toEqual({ delivery: one.id })
    await page.keyboard.press('Escape')
    await pane(page).waitFor({ state: 'detached' })
    await expect.poll(() => searchOf(page)).toEqual({})
    await expect.poll(() => page.evaluate('document.activeElement.dataset.delivery')).toBe(one.id)
    await page.keyboard.press('Enter')
    await pane(page).getByRole('heading', { name: 'record.created' }).waitFor()
    await page.goBack()
    await pane(page).waitFor({ state: 'detached' })
  })

  test('that does not exist is reported next to the log', async () => {
    const { page, address } = await open()
    await page.goto(`${address}?delivery=dlv_nothing`)
    await pane(page).getByRole('heading', { name: 'Not found' }).waitFor()
    await lines(page).first().waitFor()
  })

  test('is replayed, and the result is shown in place', async () => {
    const { page, rows, one } = await open()
    const stateOf = () =>
      ctx.db.one<{ trigger: string }>(sql`select trigger from webhook_deliveries where event = ${one.event}`)
    await pane(page).getByRole('button', { name: 'Replay' }).click()
    await page.getByText('Waiting for the response').waitFor()
    expect(await stateOf()).toEqual({ trigger: 'replay' })
    await addAttempt(
      ctx,
      { ...rows, event: one.event },
      { state: 'succeeded', status: 200, trigger: 'replay', total: 35 },
    )
    await page.getByText('Delivered: 200 in 35 ms').waitFor()
    const attempts = page.getByRole('region', { name: 'Attempts' }).getByRole('button')
    await expect.poll(() => attempts.first().textContent()).toMatch(/^Attempt 320035 msReplay/)
    await page.getByRole('region', { name: 'Response' }).getByText('200', { exact: true }).waitFor()
    await lines(page).first().getByText('Delivered').waitFor()
  })

  test('of a disabled endpoint says what to do before a replay', async () => {
    const { page, rows } = await open()
    await ctx.db.run(sql`
      update webhook_endpoints set is_enabled = false, disabled_reason = 'manual', disabled_at = now()
      where id = ${rows.endpoint}`)
    await pane(page).getByRole('button', { name: 'Replay' }).click()
    await pane(page).getByText('This endpoint is disabled: enable it, then replay').waitFor()
  })
})

describe('replays', () => {
  async function open() {
    const made = await setUp()
    for (const minutesAgo of [5, 10, 60 * 30])
      await addDelivery(ctx, made.rows, { minutesAgo, state: 'failed', attempts: [REFUSED] })
    const page = await dashboard.open(made.address, made.owner)
    await lines(page).first().waitFor()
    return { ...made, page }
  }

  test('all failed deliveries since a time are replayed, and the end is reported', async () => {
    const { page } = await open()
    await button(page, 'Replay').click()
    await page.getByRole('menuitem', { name: 'Replay all failed since…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Replay failed deliveries' })
    await dialog
      .getByText('Every delivery to this endpoint that failed since then, or was cancelled')
      .waitFor()
    expect(await axeViolations(page)).toEqual([])
    await dialog.getByRole('radio', { name: 'Last 24 hours' }).check()
    await dialog.getByRole('button', { name: 'Replay failed' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(/^Replaying: 0 failed deliveries since .* so far$/).waitFor()
    await service.drain()
    await page.getByText(/^Replayed 2 failed deliveries since /).waitFor()
    await expect.poll(() => log(page).getByText('Waiting').count()).toBe(2)
  })

  test('an exact time is checked before it is sent', async () => {
    const { page } = await open()
    await button(page, 'Replay').click()
    await page.getByRole('menuitem', { name: 'Replay missing since…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Replay missing events' })
    await dialog.getByRole('radio', { name: 'Exact time' }).check()
    await dialog.getByRole('button', { name: 'Replay missing' }).click()
    await dialog.getByText('Choose a day and a time').waitFor()
    const field = dialog.getByLabel('Since', { exact: true })
    await field.fill('2020-01-01T00:00:00')
    await dialog.getByRole('button', { name: 'Replay missing' }).click()
    await dialog.getByText('Choose a time in the last 30 days').waitFor()
    await field.fill(new Date(Date.now() - 3_600_000).toISOString().slice(0, 19))
    await dialog.getByRole('button', { name: 'Replay missing' }).click()
    await dialog.waitFor({ state: 'detached' })
    await service.drain()
    await page.getByText(/^Nothing to replay: no missing event since /).waitFor()
  })
})

test('a change is delivered, refused, and replayed when the receiver is healthy again', async () => {
  const { org, owner } = await setUp()
  const receiver = await startReceiver()
  receiver.answer({ status: 503, body: 'Closed for repairs' })
  const { body: endpoint } = await owner.post<{ id: string }>('/webhooks/endpoints', { url: receiver.url })
  const page = await dashboard.open(`/o/org-${org.id}/settings/webhooks/${endpoint.id}`, owner, {
    viewport: { width: 1440, height: 900 },
  })
  await page.getByRole('heading', { name: 'Nothing was sent yet' }).waitFor()
  await owner.post('/objects/companies/records', { data: { name: 'Initrode' } })
  await service.deliver()
  await lines(page).first().getByText('503').waitFor()
  await page.keyboard.press('j')
  await page.getByRole('region', { name: 'Response' }).getByText('Closed for repairs').waitFor()
  const sent = receiver.requests[0]?.body.toString()
  await expect
    .poll(() => page.getByRole('region', { name: 'Request' }).locator('pre').textContent())
    .toBe(sent)
  receiver.answer({ status: 200 })
  await page.keyboard.press('r')
  await page.getByText('Waiting for the response').waitFor()
  await service.deliver()
  await page.getByText(/^Delivered: 200 in \d/).waitFor()
  expect(receiver.requests[1]?.body.toString()).toBe(sent)
  expect(receiver.requests[1]?.headers['webhook-id']).toBe(receiver.requests[0]?.headers['webhook-id'])
  await receiver.close()
})

test('a delivery is opened, replayed and closed using only the keyboard', async () => {
  const { owner, rows, address } = await setUp()
  const { id } = await addDelivery(ctx, rows, { state: 'failed', attempts: [REFUSED] })
  const page = await dashboard.open(address, owner, { viewport: { width: 1440, height: 900 } })
  await lines(page).first().waitFor()
  await page.keyboard.press('j')
  await pane(page).getByRole('heading', { name: 'Response' }).waitFor()
  await expect.poll(() => searchOf(page)).toEqual({ delivery: id })
  await page.keyboard.press('r')
  await page.getByText('Waiting for the response').waitFor()
  await page.keyboard.press('Escape')
  await pane(page).waitFor({ state: 'detached' })
})

test.each([1440, 375])(
  'at %d px the log and a delivery have no violations, and nothing is too wide',
  async (width) => {
    const { owner, rows, address } = await setUp()
    const attempts = Array.from({ length: 7 }, () => REFUSED)
    const body = JSON.stringify({ text: 'long'.repeat(200) })
    const { id } = await addDelivery(ctx, rows, { state: 'pending', attempts, body })
    await addDelivery(ctx, rows, { state: 'cancelled', attempts: [{ failure: 'timeout' }] })
    await addDelivery(ctx, rows)
    const page = await dashboard.open(address, owner, { viewport: { width, height: 800 } })
    await lines(page).first().waitFor()
    expect(await axeViolationsInBothSchemes(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    await page.goto(`${address}?delivery=${id}`)
    const delivery = width === 375 ? page.getByRole('dialog') : pane(page)
    await delivery.getByRole('heading', { name: 'Response' }).waitFor()
    await delivery.getByRole('button', { name: 'Show all 7 attempts' }).click()
    expect(await axeViolationsInBothSchemes(page)).toEqual([])
    expect(await page.evaluate(STICKS_OUT)).toEqual([0])
  },
)

test('members see who may use webhooks', async () => {
  const { org, address } = await setUp()
  const page = await dashboard.open(address, await org.member('member'))
  await page.getByRole('heading', { name: 'Webhooks are for owners and admins' }).waitFor()
})
