// Keys pressed before the code that handles them is loaded: none is lost, and none acts on the page below.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { hasFocus } from './journey-keys.fixture.ts'
import { openWithCompanies } from './two-companies.fixture.ts'

const { dashboard, member, path: COMPANIES } = await openWithCompanies()

const visit = (width: number) => dashboard.visit(member, { own: { viewport: { width, height: 760 } } })

/** Holds requests for files. @returns a function that releases them */
async function hold(page: Page, files: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(files, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

const field = (page: Page) => page.getByRole('combobox', { name: 'Search records, pages and commands' })

test.each([1280, 375])('keeps keys for the search before the page is rendered (%i px)', async (width) => {
  const page = await visit(width)
  const letGo = await hold(page, /\/assets\/.*\.js$/)
  await page.goto(COMPANIES, { waitUntil: 'commit' })
  await page.locator('.shell').waitFor()
  await expect.poll(() => page.evaluate('window.firstKeys !== undefined')).toBe(true)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('fencx')
  await page.keyboard.press('Backspace')
  letGo()
  await expect.poll(() => field(page).inputValue()).toBe('fenc')
  await page.keyboard.type('hurch')
  await page.getByRole('option', { name: /Fenchurch/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Fenchurch' }).waitFor()
})

test.each([1280, 375])('keeps keys for the search while it is loading (%i px)', async (width) => {
  const page = await visit(width)
  const letGo = await hold(page, /\/assets\/palette-.*\.js$/)
  const asked = page.waitForRequest(/\/assets\/palette-.*\.js$/)
  await page.goto(COMPANIES)
  await page.getByRole('rowheader', { name: 'Fenchurch' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('cfn?')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('x')
  await asked
  letGo()
  await expect.poll(() => field(page).inputValue()).toBe('cfnx?')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('keeps keys for a panel while it is loading, and for a search opened from its field', async () => {
  const page = await visit(1280)
  const showPanel = await hold(page, /\/assets\/create-panel-.*\.js$/)
  const letGo = await hold(page, /\/assets\/palette-.*\.js$/)
  const asked = page.waitForRequest(/\/assets\/palette-.*\.js$/)
  await page.goto(COMPANIES)
  await page.getByRole('rowheader', { name: 'Globex' }).waitFor()
  await page.keyboard.press('c')
  await page.keyboard.type('Initrode')
  // Only the browser knows which field is next, so the text for that field is not written into this one.
  await page.keyboard.press('Tab')
  await page.keyboard.type('initrode.example')
  showPanel()
  const name = page.getByRole('textbox', { name: 'Name' })
  await expect.poll(() => name.inputValue()).toBe('Initrode')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('glob')
  await asked
  letGo()
  await expect.poll(() => field(page).inputValue()).toBe('glob')
  await page.keyboard.press('Escape')
  await hasFocus(name)
  await expect.poll(() => name.inputValue()).toBe('Initrode')
})
