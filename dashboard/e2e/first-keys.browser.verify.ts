// Keys without pauses, on a processor four times slower: keys for a layer that is opening must not act as shortcuts of
// the page below.
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { Role } from '../../contract/roles.ts'
import type { Endpoint } from '../../contract/webhooks.ts'
import type { Org } from '../../server/test/factories.ts'
import { addRecord } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { addWorkflow, BY_HAND } from './workflows.fixture.ts'

const dashboard = await openSharedDashboard()
const SLOWER = 4
let org: Org
let fenchurch: string

beforeEach(async () => {
  org = await dashboard.service.org({ name: 'Initech' })
  fenchurch = await addRecord(org, 'companies', { name: 'Fenchurch', domain: 'fenchurch.example' })
})

async function visitSlowly(role: Role = 'member'): Promise<Page> {
  const page = await dashboard.visit(await org.member(role), { own: {} })
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  return page
}

const companies = () => `/o/org-${org.id}/objects/companies`

/** Waits until the page is rendered: the document shows the same names before that. */
async function openCompanies(): Promise<Page> {
  const page = await visitSlowly()
  await page.goto(companies())
  await page.getByRole('rowheader', { name: 'Fenchurch' }).waitFor()
  return page
}

/** Sends all keys before the first of them is handled. */
const pressWithoutWaiting = (page: Page, keys: readonly string[]) =>
  // With press, a repeated key would not be released in between and would count as held down.
  Promise.all(keys.flatMap((key) => [page.keyboard.down(key), page.keyboard.up(key)]))

const field = (page: Page) => page.getByRole('combobox', { name: 'Search records, pages and commands' })

/** Waits first, so that the page has time to open anything else. */
async function expectDialogs(page: Page, count: number): Promise<void> {
  await page.evaluate('new Promise((done) => requestIdleCallback(done, { timeout: 2000 }))')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(count)
}

test.each([
  ['the first time', 1],
  ['again', 2],
])('the search receives every letter, %s', async (_, times) => {
  const page = await openCompanies()
  for (let time = 0; time < times; time++) {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('fenchurch')
    await expect.poll(() => field(page).inputValue()).toBe('fenchurch')
    await page.getByRole('option', { name: /Fenchurch/ }).waitFor()
    await page.keyboard.press('Escape')
    await field(page).waitFor({ state: 'detached' })
  }
})

test('the search receives every letter while the first data is loading', async () => {
  const page = await visitSlowly()
  const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/dashboard/api/visitor', async (route) => {
    await isLetGo
    await route.continue()
  })
  await page.goto(companies(), { waitUntil: 'commit' })
  await page.getByRole('heading', { name: 'Loading' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('fen')
  letGo()
  await page.keyboard.type('church')
  await expect.poll(() => field(page).inputValue()).toBe('fenchurch')
})

test('the search receives every letter if first-keys.js is loaded after the page', async () => {
  const page = await visitSlowly()
  const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/first-keys.js', async (route) => {
    await isLetGo
    await route.continue()
  })
  const late = page.waitForResponse('**/first-keys.js')
  await page.goto(companies(), { waitUntil: 'commit' })
  await page.getByRole('rowheader', { name: 'Fenchurch' }).waitFor()
  letGo()
  await (await late).finished()
  await page.evaluate('document.body.ariaBusy = "true"')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('fenchurch')
  await expect.poll(() => field(page).inputValue()).toBe('fenchurch')
})

const MODIFIER_CTRL = 2

/** A key as the browser receives it from the operating system. */
const keyDown = (key: string, modifiers = 0) => ({
  type: 'keyDown' as const,
  key,
  modifiers,
  windowsVirtualKeyCode: key.toUpperCase().charCodeAt(0),
  ...(modifiers === 0 && { text: key }),
})

test('letters sent together with ⌘K go into the search and do not act on the page', async () => {
  const page = await openCompanies()
  const session = await page.context().newCDPSession(page)
  // Sent as separate events: with press, the letters would arrive before Ctrl is released.
  const keys = [keyDown('k', MODIFIER_CTRL), ...['n', 'f', 'c', 'e'].map((letter) => keyDown(letter))]
  await Promise.all(keys.map((key) => session.send('Input.dispatchKeyEvent', key)))
  await expect.poll(() => field(page).inputValue()).toBe('nfce')
  await page.getByRole('dialog', { name: 'Search' }).waitFor()
  await expectDialogs(page, 1)
  await expect.poll(() => page.url()).not.toContain('create')
})

test.each([
  ['Create company', 'c', ['f', 'n']],
  ['Filter', 'f', ['c', 'n']],
  ['Notifications', 'n', ['c', 'f']],
  ['Shortcuts', '?', ['c', 'f', 'n']],
])('letters typed for “%s” open nothing else', async (name, key, letters) => {
  const page = await openCompanies()
  await pressWithoutWaiting(page, [key, ...letters])
  await page.getByRole('dialog', { name }).waitFor()
  await expectDialogs(page, 1)
})

test('letters typed for a menu do not open dialogs', async () => {
  const page = await openCompanies()
  await page.getByRole('button', { name: 'Initech' }).first().focus()
  await pressWithoutWaiting(page, ['Enter', 'c', 'f', 'n'])
  await page.getByRole('menu').waitFor()
  await expectDialogs(page, 0)
})

test('keys typed for a menu choose an item in it', async () => {
  const page = await visitSlowly()
  await page.goto(`${companies()}/${fenchurch}`)
  const actions = page.getByRole('button', { name: 'More actions' })
  await actions.focus()
  await pressWithoutWaiting(page, ['Enter', 'ArrowDown', 'ArrowDown', 'Enter'])
  await page.getByRole('dialog', { name: 'Reminder: Fenchurch' }).waitFor()
})

test('an item is not chosen again while the menu closes', async () => {
  const page = await visitSlowly()
  await page.goto(`${companies()}/${fenchurch}`)
  const actions = page.getByRole('button', { name: 'More actions' })
  await actions.focus()
  await page.evaluate(`
    globalThis.chosen = []
    addEventListener('click', ({ target }) => chosen.push(target.closest('[role=menuitem]')?.textContent), true)
  `)
  await pressWithoutWaiting(page, ['Enter', 'ArrowDown', 'Enter', 'Enter', 'Enter'])
  await page.getByText('ID copied').waitFor()
  await expectDialogs(page, 0)
  const chosen = await page.evaluate<(string | null)[]>('chosen')
  expect(chosen.filter((item) => item === 'Copy ID')).toEqual(['Copy ID'])
})

test('keys typed for a menu choose an item, also if its button has a tooltip', async () => {
  const owner = await org.member('owner')
  const { body: endpoint } = await owner.post<Endpoint>('/webhooks/endpoints', {
    url: 'https://example.com/hooks',
  })
  await addWorkflow(owner, { name: 'Escalate', definition: BY_HAND, enabled: true })
  const deal = await addRecord(org, 'deals', { name: 'Acme expansion' })
  const page = await visitSlowly('owner')
  await page.goto(`/o/org-${org.id}/settings/webhooks/${endpoint.id}`)
  await page.getByRole('button', { name: 'More actions' }).focus()
  await pressWithoutWaiting(page, ['Enter', 'ArrowDown', 'Enter'])
  await page.getByRole('dialog', { name: 'Delete this endpoint?' }).waitFor()
  await page.goto(`/o/org-${org.id}/objects/deals/${deal}`)
  await page.getByRole('button', { name: 'Run', exact: true }).focus()
  await pressWithoutWaiting(page, ['Enter', 'Enter'])
  await page.getByRole('dialog').getByText('It runs on Acme expansion.').waitFor()
})
