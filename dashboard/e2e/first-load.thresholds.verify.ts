// A page on a slow connection: what it shows before its scripts are loaded.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addRecord } from './crm.fixture.ts'
import { openDashboard } from './open-dashboard.ts'
import { setUp } from './reports.fixture.ts'

const dashboard = await openDashboard()
const { owner, org, base } = await setUp(dashboard.service)
await addRecord(org, 'companies', { name: 'Acme', domain: 'acme.example' })
await addRecord(org, 'companies', {
  name: 'A company whose name is longer than any column of a table is wide',
  domain: 'a-domain-that-is-longer-than.any-column-of-a-table-is-wide.example',
})
const rocket = await addRecord(org, 'deals', { name: 'Rocket', stage: 'Lead' })

const TABLE = `${base}/objects/companies`

/** Holds all scripts. @returns a function that releases them */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\.js$/, async (route) => {
    await promise
    await route.continue().catch(() => undefined)
  })
  return resolve
}

/** The position of the texts in elements with a class or role of cells, in document order. */
const PLACES = (cells: string) => `[...document.querySelectorAll('${cells}')].map((one) => {
  const { left, top, width } = one.getBoundingClientRect()
  return { text: one.textContent, left: Math.round(left), top: Math.round(top), width: Math.round(width) }
})`

test.each([412, 1350])('the shell shows table rows at their final positions (%i px)', async (width) => {
  const page = await dashboard.visit(owner, { viewport: { width, height: 800 }, own: {} })
  const letGo = await holdScripts(page)
  // Retries, because the document omits rows that a busy machine reads too slowly.
  const open = async () => {
    await page.goto(TABLE, { waitUntil: 'commit' })
    await page.locator('.shell').waitFor()
    return page.locator('.shell-table').getByText('acme.example').count()
  }
  await expect.poll(open).toBe(1)
  const early = await page.evaluate<unknown[]>(
    PLACES('.shell-table > div:not(:first-child) b:nth-child(-n+2) > span'),
  )
  expect(early).toHaveLength(4)
  letGo()
  await page.getByRole('rowheader', { name: 'Acme' }).waitFor()
  const drawn = await page.evaluate<unknown[]>(
    PLACES('[role=rowheader] > a, [role=gridcell][data-column="1"] > :first-child'),
  )
  expect(drawn).toEqual(early)
  await expect.poll(() => page.locator('.shell').count()).toBe(0)
})

const PAGES = [
  ['a record', `/objects/deals/${rocket}`, '.shell-name > b', 'h1.title'],
  ['a board', '/objects/deals?kind=board', '.shell-card', '[data-card]'],
  ['the first page', '', '.shell-home', 'p.title'],
] as const

/** The position of an element's first text, and the size of its letters. */
const textAt = (element: string) => `(() => {
  const range = document.createRange()
  range.selectNodeContents(document.querySelector('${element}'))
  const { left, width, height } = range.getBoundingClientRect()
  return { text: range.toString(), left: Math.round(left), width: Math.round(width), height: Math.round(height) }
})()`

test.each(PAGES)('%s shows its first text before its scripts are loaded', async (_, path, early, drawn) => {
  const own = { timezoneId: 'UTC' }
  const page = await dashboard.visit(owner, { viewport: { width: 412, height: 823 }, own })
  const letGo = await holdScripts(page)
  const open = async () => {
    await page.goto(`${base}${path}`, { waitUntil: 'commit' })
    await page.locator('.shell').waitFor()
    return page.locator(early).count()
  }
  await expect.poll(open).toBeGreaterThan(0)
  const first = await page.evaluate<unknown>(textAt(early))
  letGo()
  await page.locator(drawn).first().waitFor()
  expect(await page.evaluate<unknown>(textAt(drawn))).toEqual(first)
  await expect.poll(() => page.locator('.shell').count()).toBe(0)
})

/** The time at which the largest text was first painted, in milliseconds since the page load began. */
const LARGEST = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
    .observe({ type: 'largest-contentful-paint', buffered: true })
})`

test('no larger content is painted after the first rows, and few files are preloaded', async () => {
  const page = await dashboard.visit(owner, { viewport: { width: 412, height: 823 }, own: {} })
  const letGo = await holdScripts(page)
  let requests = 0
  const open = async () => {
    requests = 0
    await page.goto(TABLE, { waitUntil: 'commit' })
    await page.locator('.shell').waitFor()
    return page.locator('.shell-table').count()
  }
  page.on('request', () => requests++)
  await expect.poll(open).toBe(1)
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  const early = await page.evaluate<number>('performance.now()')
  // Later requests are not counted: the page sends them when it is rendered or when a layer is opened.
  const ahead = requests
  letGo()
  await page.getByRole('rowheader', { name: 'Acme' }).waitFor()
  expect(await page.evaluate<number>(LARGEST)).toBeLessThan(early)
  expect(ahead).toBeLessThanOrEqual(35)
})

test('a page starts in the color scheme that its user chose', async () => {
  const page = await dashboard.open(TABLE, owner, { own: {} })
  await page.getByRole('grid').waitFor()
  await page.evaluate("localStorage.setItem('rapport-color-scheme', 'dark')")
  await page.reload()
  await page.getByRole('grid').waitFor()
  const letGo = await holdScripts(page)
  await page.reload({ waitUntil: 'commit' })
  await page.locator('.shell').waitFor()
  const color = () => page.evaluate('getComputedStyle(document.querySelector(".shell")).backgroundColor')
  expect(await color()).toBe('rgb(23, 23, 26)')
  letGo()
  await page.getByRole('grid').waitFor()
})
