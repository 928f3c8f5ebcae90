// Pages on a slow network, whose answers come one by one, each after a frame: nothing on them moves.
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { openPlace, type PlaceToOpen, placesToOpen, routesOf } from './every-page.fixture.ts'
import { openDashboard } from './open-dashboard.ts'

const dashboard = await openDashboard()
const places = await placesToOpen(dashboard.service)

const SHIFT_MAX = 0.02
const SIZES = [
  [1440, 900],
  [1024, 768],
  [375, 760],
] as const

/** What Chrome calls the shifts of a page since it began to load; what a click or a key brings about is none. */
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
 * In each document: every answer waits until the page has drawn the one before. The page does it itself: where the test
 * runner handles requests, Chrome keeps no file, and compiles all scripts for each document again.
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

interface Shift {
  value: number
  what: unknown[]
}

test('every page that the router has is opened', async () => {
  const page = await dashboard.visit()
  const opened = new Set(places.map(({ route }) => route))
  expect([...opened].toSorted()).toEqual((await routesOf(page)).toSorted())
})

/** What moves while the page loads in a window of this size. */
async function shiftsAt(page: Page, place: PlaceToOpen, [width, height]: readonly [number, number]) {
  await page.setViewportSize({ width, height })
  await openPlace(page, place)
  await expect.poll(() => page.evaluate('underWay')).toBe(0)
  await page.evaluate(PAINTED)
  // Pages for people without an account may ask for nothing.
  if (place.visitor) expect(await page.evaluate('answers')).toBeGreaterThan(0)
  const shifts = await page.evaluate<Shift[]>(SHIFTS)
  return { width, sum: shifts.reduce((total, { value }) => total + value, 0), shifts }
}

test.each(places)('$route with “$shows” hardly moves while it loads', async (place) => {
  const page = await dashboard.visit(place.visitor)
  const script = await page.context().addInitScript({ content: ONE_BY_ONE })
  onTestFinished(() => script.dispose())
  const found = []
  for (const size of SIZES) found.push(await shiftsAt(page, place, size))
  const moving = found.filter(({ sum }) => sum >= SHIFT_MAX)
  expect(moving).toEqual([])
})

test('what the document of a table asks for ahead is not asked for again', async () => {
  const place = places.find(({ address }) => address.endsWith('/objects/companies'))
  if (!place) throw new Error('No table is opened')
  const page = await dashboard.visit(place.visitor)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/dashboard/api/')) asked.push(`${request.method()} ${request.url()}`)
  })
  await openPlace(page, place)
  await page.getByText('acme.example').waitFor()
  expect(asked.some((one) => /^GET .*\/companies\/records\?/.test(one))).toBe(true)
  expect(asked.filter((one) => one.endsWith('/records/search'))).toEqual([])
  // The stream of live updates does not announce notifications from before it was open, so they are counted again then.
  const others = asked.filter((one) => !one.endsWith('/inbox/unread'))
  expect(others).toEqual([...new Set(others)])
})
