// Files of the dashboard that cannot be loaded, for example offline or after an upgrade: the page stays usable.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openWithCompanies } from './two-companies.fixture.ts'

const { dashboard, member, path: COMPANIES } = await openWithCompanies()

/** @returns a function that lets further requests pass, and the number of refused requests */
async function without(page: Page, files: RegExp) {
  let [refused, isRefused] = [0, true]
  await page.route(files, (route) => {
    if (!isRefused) return route.continue()
    refused += 1
    return route.abort()
  })
  const letPass = () => {
    isRefused = false
  }
  return { letPass, refused: () => refused }
}

const visit = () => dashboard.visit(member, { own: {} })
const row = (page: Page) => page.getByRole('rowheader', { name: 'Fenchurch' })
const note = (page: Page) => page.getByText('A part of this page could not be loaded')
const search = (page: Page) => page.getByRole('combobox', { name: 'Search records, pages and commands' })

test('without the file of notifications, the page is still rendered', async () => {
  const page = await visit()
  const { refused } = await without(page, /\/assets\/notifications-.*\.js$/)
  await page.goto(COMPANIES)
  await row(page).waitFor()
  await expect.poll(refused).toBeGreaterThan(0)
  await page.keyboard.press('Control+k')
  await search(page).waitFor()
  await page.keyboard.press('Escape')
  await row(page).waitFor()
})

test('without the file of the search, the page stays, and opening the search reports the error each time', async () => {
  const page = await visit()
  const { refused } = await without(page, /\/assets\/palette-.*\.js$/)
  await page.goto(COMPANIES)
  await row(page).waitFor()
  await page.keyboard.press('Control+k')
  await note(page).waitFor()
  expect(refused()).toBeGreaterThan(0)
  await note(page).waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  await note(page).waitFor()
  await row(page).waitFor()
})

test('without the file that loads a page, the document is reloaded once', async () => {
  const page = await visit()
  await page.goto(COMPANIES)
  await row(page).waitFor()
  let loads = 0
  page.on('domcontentloaded', () => {
    loads += 1
  })
  const { letPass } = await without(page, /\/assets\/loaders-.*\.js$/)
  await page.getByRole('link', { name: 'Reports', exact: true }).click()
  await page.getByText('A file of this page could not be loaded').waitFor()
  expect(loads).toBe(1)
  letPass()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor()
})
