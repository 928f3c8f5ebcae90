// Pages on a slow network, whose answers come one by one, each after a frame: nothing on them moves.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addActivity, addRecord } from './crm.fixture.ts'
import { openDashboard } from './open-dashboard.ts'
import { addReport, PIPELINE, runOf, setUp } from './reports.fixture.ts'
import { addWorkflow, THANKS } from './workflows.fixture.ts'

const dashboard = await openDashboard()
const { owner, org, base, deal } = await setUp(dashboard.service)

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

const company = await addRecord(org, 'companies', { name: 'Acme', domain: 'acme.example' })
for (const stage of ['Lead', 'Qualified', 'Won']) await deal(`Deal ${stage}`, stage, 1200)
for (const days of [-3, -1, 2]) {
  await addActivity(org, { type: 'task', title: `Task ${days}`, activityDate: inDays(days) })
  await addActivity(org, { type: 'call', title: `Call ${days}`, activityDate: inDays(days) })
}
const report = await addReport(owner)
await runOf(owner, report)
await addWorkflow(owner, { name: 'Thanks', definition: THANKS })

/** By the page's address: what is there when all of it is. */
const PAGES: readonly (readonly [address: string, last: string])[] = [
  ['', 'Activities this week'],
  ['/activities', 'Call -3'],
  ['/objects/companies', 'Acme'],
  ['/objects/deals', 'Deal Won'],
  [`/objects/companies/${company}`, 'acme.example'],
  ['/reports', PIPELINE.name],
  [`/reports/${report.id}`, '3 rows'],
  [`/reports/${report.id}/edit`, '3 rows'],
  ['/reports/dashboards', 'dashboard'],
  ['/workflows', 'When a deal’s stage changes to Won'],
  ['/settings/objects', 'Companies'],
  ['/settings/members', 'Mia Member'],
  ['/settings/api-keys', 'API keys'],
]

/** Sums up what Chrome calls the shifts of a page; what a click or a key brings about is none. */
const OBSERVE = `
  window.shifts = []
  new PerformanceObserver((list) => {
    for (const one of list.getEntries())
      if (!one.hadRecentInput)
        window.shifts.push({
          value: one.value,
          what: one.sources.map(({ node }) => node && (node.className || node.parentElement?.className || node.textContent)),
        })
  }).observe({ type: 'layout-shift', buffered: true })`

const PAINTED = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

/** Every answer waits until the page has drawn the one before. @returns whether any is still on its way */
async function oneByOne(page: Page): Promise<() => boolean> {
  let before = Promise.resolve()
  let underWay = 0
  await page.route('**/dashboard/api/**', (route) => {
    if (route.request().resourceType() === 'eventsource') return route.continue()
    underWay++
    const own = before.then(async () => {
      const response = await route.fetch()
      await page.evaluate(PAINTED)
      await route.fulfill({ response })
    })
    before = own
      .catch(() => undefined)
      .then(() => {
        underWay--
      })
    return own
  })
  return () => underWay > 0
}

interface Shift {
  value: number
  what: unknown[]
}

test.each(PAGES)('%s: its layout shifts by less than 0.02 while it loads', async (address, last) => {
  const page = await dashboard.visit(owner, { viewport: { width: 1440, height: 900 }, own: {} })
  await page.addInitScript(OBSERVE)
  const isLoading = await oneByOne(page)
  await page.goto(`${base}${address}`)
  await page.locator('main').getByText(last).first().waitFor()
  await expect.poll(isLoading, { timeout: 15_000 }).toBe(false)
  await page.evaluate(PAINTED)
  const shifts = await page.evaluate<Shift[]>('window.shifts')
  const sum = shifts.reduce((total, { value }) => total + value, 0)
  expect(sum, JSON.stringify(shifts, null, 1)).toBeLessThan(0.02)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('what the document of a table asks for ahead is not asked for again', async () => {
  const page = await dashboard.visit(owner)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/dashboard/api/')) asked.push(`${request.method()} ${request.url()}`)
  })
  await page.goto(`${base}/objects/companies`)
  await page.getByText('acme.example').waitFor()
  expect(asked.some((one) => /^GET .*\/companies\/records\?/.test(one))).toBe(true)
  expect(asked.filter((one) => one.endsWith('/records/search'))).toEqual([])
  expect(asked).toEqual([...new Set(asked)])
})
