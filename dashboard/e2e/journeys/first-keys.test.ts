// Keys that are pressed before the code that takes them is there: none is lost, and none acts on the page below.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addRecord } from '../crm.fixture.ts'
import { hasFocus } from '../journey-keys.fixture.ts'
import { openDashboard } from '../open-dashboard.ts'

const dashboard = await openDashboard()
const org = await dashboard.service.org({ name: 'Initech' })
const member = await org.member('member')
await addRecord(org, 'companies', { name: 'Fenchurch', domain: 'fenchurch.example' })
await addRecord(org, 'companies', { name: 'Globex', domain: 'globex.example' })
const COMPANIES = `/o/org-${org.id}/objects/companies`

const visit = (width: number) => dashboard.visit(member, { own: { viewport: { width, height: 760 } } })

/** Holds files. @returns lets them go */
async function hold(page: Page, files: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(files, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

const field = (page: Page) => page.getByRole('combobox', { name: 'Search records, pages and commands' })

test.each([1280, 375])('of a page that is not drawn yet (%i pixels wide)', async (width) => {
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

test.each([1280, 375])('of a search that is not loaded yet (%i pixels wide)', async (width) => {
  const page = await visit(width)
  const letGo = await hold(page, /\/assets\/palette-.*\.js$/)
  const asked = page.waitForRequest(/\/assets\/palette-.*\.js$/)
  await page.goto(COMPANIES)
  await page.getByRole('rowheader', { name: 'Fenchurch' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('cfn?')
  await asked
  letGo()
  await expect.poll(() => field(page).inputValue()).toBe('cfn?')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('of a search that is not loaded yet, in a field', async () => {
  const page = await visit(1280)
  const letGo = await hold(page, /\/assets\/palette-.*\.js$/)
  const asked = page.waitForRequest(/\/assets\/palette-.*\.js$/)
  await page.goto(COMPANIES)
  await page.getByRole('rowheader', { name: 'Globex' }).waitFor()
  await page.keyboard.press('c')
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Initrode')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('glob')
  await asked
  letGo()
  await expect.poll(() => field(page).inputValue()).toBe('glob')
  await page.keyboard.press('Escape')
  await hasFocus(name)
  await expect.poll(() => name.inputValue()).toBe('Initrode')
})
