import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Webhooks } from '../../contract/webhooks.ts'
import type { Org } from '../../server/test/factories.ts'
import { insertEndpoint } from '../../server/webhooks/endpoint.fixture.ts'
import { axeViolations, axeViolationsInBothSchemes } from './axe.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { addAttempt, addDelivery } from './webhooks.fixture.ts'

const dashboard = await openSharedDashboard()
const { service, base } = dashboard
const { ctx } = service

/** The address of an organization's portal link, on this service. */
async function linkOf(org: Org): Promise<string> {
  const { body } = await org.get<Webhooks>('/webhooks')
  const { pathname, hash } = new URL(body.portalUrl)
  return pathname + hash
}

async function setUp(name = 'Initech') {
  const org = await service.org({ name })
  const rows = await insertEndpoint(ctx, org.org, { url: `https://${name.toLowerCase()}.example.com/hooks` })
  return { org, rows, link: await linkOf(org) }
}

/** The paths of all requests of the page. */
function pathsOf(page: Page): string[] {
  const paths: string[] = []
  page.on('request', (request) => void paths.push(new URL(request.url()).pathname))
  return paths
}

async function enter(page: Page, link: string) {
  await page.goto(link)
  await page.getByRole('link', { name: 'Endpoints' }).waitFor()
}

const isApi = (path: string) => /^\/(?:dashboard\/)?api\//.test(path)

describe('opening the portal', () => {
  test('a link opens the portal without signing in, and the address keeps no token', async () => {
    const { link } = await setUp()
    const page = await dashboard.visit()
    const asked = pathsOf(page)
    await enter(page, link)
    await expect.poll(() => page.url()).toBe(`${base}/portal`)
    await page.getByText('Initech', { exact: true }).waitFor()
    await page.getByText(/^Session ends /).waitFor()
    await page.getByText('initech.example.com').first().waitFor()
    expect(asked.filter(isApi)).toEqual([])
    expect(asked.filter((path) => path === '/portal/api/session')).toHaveLength(1)
    const token = link.split('=')[1] ?? ''
    expect(
      await page.evaluate('JSON.stringify([history.state, {...sessionStorage}, {...localStorage}])'),
    ).not.toContain(token)
    expect(await page.context().cookies()).toEqual([])
  })

  test('the session lasts as long as the tab, and does not work in another tab', async () => {
    const { link } = await setUp()
    const page = await dashboard.visit()
    await enter(page, link)
    await page.reload()
    await page.getByText(/^Session ends /).waitFor()
    const other = await page.context().newPage()
    await other.goto('/portal')
    await other.getByRole('heading', { name: 'Open the portal with a link' }).waitFor()
    expect(await axeViolations(other)).toEqual([])
  })

  test('a mistyped or expired link says how to get a new one', async () => {
    const { org, link } = await setUp()
    await ctx.db.run(sql`update portal_tokens set expires_at = now() where org = ${org.org}`)
    for (const dead of [link, '/portal#token=mistyped']) {
      const page = await dashboard.open(dead)
      await page.getByRole('heading', { level: 1, name: 'This link is no longer valid' }).waitFor()
      await page.getByText('GET /api/v1/webhooks').waitFor()
      await expect.poll(() => page.url()).toBe(`${base}/portal`)
      expect(await axeViolations(page)).toEqual([])
    }
  })

  test('while the service cannot be reached, the link is kept and retried automatically', async () => {
    const { link } = await setUp()
    const page = await dashboard.visit()
    let isAway = true
    await page.route('**/portal/api/session', (route) => (isAway ? route.abort() : route.continue()))
    await page.goto(link)
    await page.getByRole('heading', { name: 'The server cannot be reached' }).waitFor()
    isAway = false
    await page.getByText(/^Session ends /).waitFor()
  })

  test('? lists only the shortcuts of the portal', async () => {
    const { link } = await setUp()
    const page = await dashboard.visit()
    await enter(page, link)
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Shortcuts' })
    await list.getByText('Next delivery').waitFor()
    await expect.poll(() => list.getByText('Search and commands').count()).toBe(0)
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
  })

  test('another link in the same tab shows the other organization', async () => {
    const [first, second] = [await setUp('Initech'), await setUp('Globex')]
    const page = await dashboard.visit()
    await enter(page, first.link)
    await page.evaluate(`location.href = ${JSON.stringify(second.link)}`)
    await page.getByText('Globex', { exact: true }).waitFor()
    await expect.poll(() => page.getByText('initech.example.com').count()).toBe(0)
    await expect.poll(() => page.url()).toBe(`${base}/portal`)
  })
})

test('the session gives access to nothing else', async () => {
  const { org, link } = await setUp()
  const page = await dashboard.visit()
  await enter(page, link)
  const kept = await page.evaluate<string>('sessionStorage.getItem("rapport-portal-session")')
  const { session } = JSON.parse(kept) as { session: string }
  const headers = { authorization: `Bearer ${session}`, cookie: `better-auth.session_token=${session}` }
  for (const path of [
    '/api/v1/objects',
    '/api/v1/webhooks',
    `/dashboard/api/organizations/org-${org.id}/objects`,
    `/dashboard/api/organizations/org-${org.id}/webhooks/portal`,
  ])
    expect((await fetch(`${base}${path}`, { headers })).status, path).toBe(401)
  for (const path of ['/portal/api/objects', '/portal/api/members', '/portal/api/session'])
    expect((await fetch(`${base}${path}`, { headers })).status, path).toBeGreaterThanOrEqual(404)
  await page.goto(`/o/org-${org.id}`)
  await page.getByRole('heading', { name: 'Sign in to Rapport' }).waitFor()
})

test('when the session ends, the page stays and says so', async () => {
  const { org, rows, link } = await setUp()
  await addDelivery(ctx, rows)
  const page = await dashboard.visit()
  await enter(page, link)
  await page.goto(`/portal/endpoints/${rows.endpoint}`)
  const log = page.getByRole('table', { name: 'Deliveries, newest first' })
  await log.getByText('record.created').waitFor()
  await ctx.db.run(sql`delete from portal_tokens where org = ${org.org}`)
  await page.getByRole('alert').getByText('Your session has ended.').waitFor()
  await log.getByText('record.created').waitFor()
  expect(await axeViolations(page)).toEqual([])
  const asked = pathsOf(page)
  await page.getByRole('button', { name: 'Replay', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Replay all failed since…' }).click()
  await page.getByRole('button', { name: 'Replay failed' }).click()
  await page.getByRole('dialog').getByText('Your session has ended: ask for a new link').waitFor()
  expect(asked.filter((path) => path.startsWith('/portal/api/'))).toEqual([])
  await page.reload()
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
})

test('a delivery is replayed in the portal', async () => {
  const { rows, link } = await setUp()
  const refused = { status: 500, failure: 'status', message: 'The receiver answered 500' } as const
  const { id, event } = await addDelivery(ctx, rows, { state: 'failed', attempts: [refused] })
  const page = await dashboard.visit(undefined, { viewport: { width: 1440, height: 900 } })
  await enter(page, link)
  await page.goto(`/portal/endpoints/${rows.endpoint}?delivery=${id}`)
  const pane = page.getByRole('region', { name: 'Delivery', exact: true })
  await pane.getByRole('button', { name: 'Replay' }).click()
  await page.getByText('Waiting for the response').waitFor()
  await addAttempt(ctx, { ...rows, event }, { state: 'succeeded', status: 200, trigger: 'replay' })
  await page.getByText('Delivered: 200 in 96 ms').waitFor()
})

test('a missing endpoint shows a link back into the portal', async () => {
  const { link } = await setUp()
  const page = await dashboard.visit()
  await enter(page, link)
  await page.goto('/portal/endpoints/0198c0de-0000-7000-8000-000000000001')
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
  await page.getByRole('link', { name: 'Show endpoints' }).click()
  await page.getByText('initech.example.com').first().waitFor()
})

test.each([1440, 375])('at %d px no page has violations', async (width) => {
  const long = 'International Consolidated Widgets and Sprockets of Northern Europe'
  const { org } = await setUp('Initech')
  await ctx.directory.run(sql`update organizations set name = ${long} where id = ${org.id}`)
  await ctx.cells.copy()
  const page = await dashboard.visit(undefined, { viewport: { width, height: 800 } })
  await enter(page, await linkOf(org))
  const sides = () => page.evaluate('document.documentElement.scrollWidth')
  await page.getByText('initech.example.com').first().waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  expect(await sides()).toBe(width)
  await page.getByRole('link', { name: 'Event types' }).first().click()
  await page.waitForURL('**/portal/event-types')
  await page.getByText('A record is created in any object').first().waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  expect(await sides()).toBe(width)
})

test('the color scheme can be chosen', async () => {
  const { link } = await setUp()
  const page = await dashboard.visit()
  await enter(page, link)
  await page.getByRole('button', { name: 'Appearance' }).click()
  await page.getByRole('menuitem', { name: 'Dark' }).click()
  await expect.poll(() => page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe('dark')
})
