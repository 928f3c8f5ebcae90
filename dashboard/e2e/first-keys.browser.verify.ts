// Keys that follow each other without a pause, on a processor four times slower: what is meant for a layer that opens is
// no shortcut of the page below it.
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { Org } from '../../server/test/factories.ts'
import { addRecord } from './crm.fixture.ts'
import { openDashboard } from './open-dashboard.ts'

const dashboard = await openDashboard()
const SLOWER = 4
let org: Org

beforeEach(async () => {
  org = await dashboard.service.org({ name: 'Initech' })
  await addRecord(org, 'companies', { name: 'Fenchurch', domain: 'fenchurch.example' })
})

async function openSlowly(path: string, name: RegExp): Promise<Page> {
  const page = await dashboard.visit(await org.member('member'), { own: {} })
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.goto(`/o/org-${org.id}${path}`)
  await page.getByText(name).first().waitFor()
  return page
}

const openCompanies = () => openSlowly('/objects/companies', /Fenchurch/)

const idle = (page: Page) =>
  page.evaluate('new Promise((done) => requestIdleCallback(done, { timeout: 2000 }))')

/** All keys are on their way before the first of them has been handled. */
async function pressAtOnce(page: Page, keys: readonly string[]): Promise<void> {
  await idle(page)
  await Promise.all(keys.map((key) => page.keyboard.press(key)))
}

const field = (page: Page) => page.getByRole('combobox', { name: 'Search records, pages and commands' })

/** Once nothing more opens. */
async function dialogsOf(page: Page): Promise<string[]> {
  await page.getByRole('dialog').first().waitFor()
  await idle(page)
  return page.getByRole('dialog').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''))
}

test.each([
  ['the first time', 1],
  ['again', 2],
])('the search takes every letter, %s', async (_, times) => {
  const page = await openCompanies()
  for (let time = 0; time < times; time++) {
    await idle(page)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('fenchurch')
    expect(await field(page).inputValue()).toBe('fenchurch')
    await page.getByRole('option', { name: /Fenchurch/ }).waitFor()
    await page.keyboard.press('Escape')
    await field(page).waitFor({ state: 'detached' })
  }
})

const MODIFIER_CTRL = 2

/** A key as the browser gets it from the system. */
const keyDown = (key: string, modifiers = 0) => ({
  type: 'keyDown' as const,
  key,
  modifiers,
  windowsVirtualKeyCode: key.toUpperCase().charCodeAt(0),
  ...(modifiers === 0 && { text: key }),
})

test('the search takes letters that are sent together, and none acts on the page', async () => {
  const page = await openCompanies()
  const session = await page.context().newCDPSession(page)
  await idle(page)
  // Sent by themselves: with press, the letters would come before Ctrl is released.
  const keys = [keyDown('k', MODIFIER_CTRL), ...['n', 'f', 'c', 'e'].map((letter) => keyDown(letter))]
  await Promise.all(keys.map((key) => session.send('Input.dispatchKeyEvent', key)))
  expect(await field(page).inputValue()).toBe('nfce')
  expect(await dialogsOf(page)).toEqual(['Search'])
  expect(page.url()).not.toContain('create')
})

test.each([
  ['the panel to create a record', 'c', ['f', 'n']],
  ['the box of filters', 'f', ['c', 'n']],
  ['notifications', 'n', ['c', 'f']],
  ['the list of shortcuts', '?', ['c', 'f', 'n']],
])('letters meant for %s open nothing else', async (_, key, letters) => {
  const page = await openCompanies()
  await pressAtOnce(page, [key, ...letters])
  expect(await dialogsOf(page)).toHaveLength(1)
})

test('letters meant for a menu open nothing', async () => {
  const page = await openCompanies()
  const menu = page.getByRole('button', { name: 'Initech' }).first()
  await menu.focus()
  await pressAtOnce(page, ['Enter', 'c', 'f', 'n'])
  await page.getByRole('menu').waitFor()
  await idle(page)
  expect(await page.getByRole('dialog').count()).toBe(0)
})
