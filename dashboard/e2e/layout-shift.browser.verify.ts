// Pages on a slow network, where each response arrives in a separate frame: no content of a page may move, and no page
// writes an error or a warning to the console.
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { type PageToOpen, pagesToOpen, routesOf, visitPage } from './every-page.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()
const pages = await pagesToOpen(dashboard.service)

const SHIFT_MAX = 0.02
const SIZES = [
  [1440, 900],
  [1024, 768],
  [375, 760],
] as const

/** The layout shifts that Chrome reports since the page load began. Shifts after a click or a key do not count. */
const SHIFTS = `(() => {
  const observer = new PerformanceObserver(() => undefined)
  observer.observe({ type: 'layout-shift', buffered: true })
  const entries = observer.takeRecords()
  observer.disconnect()
  return entries.filter((one) => !one.hadRecentInput).map((one) => ({
    value: one.value,
    what: one.sources.map(({ node, previousRect, currentRect }) => [
      node && (node.className || node.parentElement?.className || node.textContent),
      [previousRect, currentRect].map(({ x, y, width, height }) => [x, y, width, height].join(' ')).join(' → '),
    ]),
  }))
})()`

const PAINTED = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

/**
 * Delays each response until the page has rendered the previous one, in every document. It runs in the page: if the
 * test runner intercepted requests, Chrome would cache no files and compile all scripts again for each document.
 */
const ONE_BY_ONE = `(() => {
  const ask = globalThis.fetch
  let before = Promise.resolve()
  globalThis.underWay = 0
  globalThis.answers = 0
  globalThis.fetch = (...request) => {
    if (!/\\/(dashboard|portal)\\/api\\//.test(new Request(...request).url)) return ask(...request)
    globalThis.underWay++
    const turn = before.then(async () => {
      const answer = await ask(...request)
      await ${PAINTED}
      globalThis.answers++
      return answer
    })
    const ended = () => void globalThis.underWay--
    before = turn.then(ended, ended)
    return turn
  }
})()`

/** Errors and warnings in the console, which also has responses with an error status. */
function collect(page: Page): string[] {
  const written: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      written.push(
        `${page.viewportSize()?.width} px, ${message.type()}: ${message.text()} (${message.location().url})`,
      )
  })
  return written
}

interface Shift {
  value: number
  what: unknown[]
}

test('the list of pages covers every page of the router', async () => {
  const page = await dashboard.visit()
  const opened = new Set(pages.map(({ route }) => route))
  expect([...opened].toSorted()).toEqual((await routesOf(page)).toSorted())
})

/** The layout shifts while the page loads in a window of this size. */
async function shiftsAt(page: Page, target: PageToOpen, [width, height]: readonly [number, number]) {
  await page.setViewportSize({ width, height })
  await visitPage(page, target)
  await expect.poll(() => page.evaluate('underWay')).toBe(0)
  await page.evaluate(PAINTED)
  // Pages for visitors without an account may send no requests.
  if (target.visitor) expect(await page.evaluate('answers')).toBeGreaterThan(0)
  const shifts = await page.evaluate<Shift[]>(SHIFTS)
  return { width, sum: shifts.reduce((total, { value }) => total + value, 0), shifts }
}

test.each(pages)('$route with “$shows” hardly moves while it loads, and logs no error', async (target) => {
  const page = await dashboard.visit(target.visitor)
  const written = collect(page)
  const script = await page.context().addInitScript({ content: ONE_BY_ONE })
  onTestFinished(() => script.dispose())
  const found = []
  for (const size of SIZES) found.push(await shiftsAt(page, target, size))
  // Files that are loaded while the browser is idle.
  await page.waitForLoadState('networkidle')
  const moving = found.filter(({ sum }) => sum >= SHIFT_MAX)
  expect({ moving, written }).toEqual({ moving: [], written: [] })
})

test('data that the document of a table preloads is not requested again', async () => {
  const target = pages.find(({ address }) => address.endsWith('/objects/companies'))
  if (!target) throw new Error('No table is opened')
  const page = await dashboard.visit(target.visitor)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/dashboard/api/')) asked.push(`${request.method()} ${request.url()}`)
  })
  await visitPage(page, target)
  await page.getByText('acme.example').waitFor()
  expect(asked.some((one) => /^GET .*\/companies\/records\?/.test(one))).toBe(true)
  expect(asked.filter((one) => one.endsWith('/records/search'))).toEqual([])
  // The stream does not report notifications from before it was opened, so the page then requests the count again.
  const others = asked.filter((one) => !one.endsWith('/inbox/unread'))
  expect(others).toEqual([...new Set(others)])
})
