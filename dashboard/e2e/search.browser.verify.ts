import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeViolations, axeViolationsInBothSchemes } from './axe.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()
const { org, member } = await dashboard.organization('member')
const home = `/o/org-${org.id}`

await member.post('/objects/companies/records', {
  data: { name: 'Zephyr Works', domain: 'zephyr.example.com' },
})
await member.post('/objects/deals/records', { data: { name: 'Zephyr order' } })
await member.post('/objects/people/records', {
  data: { name: { firstName: 'Zoe', lastName: 'Quill' }, email: 'zephyr.fan@example.com' },
})

const field = (page: Page) => page.getByRole('combobox', { name: 'Search records, pages and commands' })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })

async function openSearch(options = {}): Promise<Page> {
  const page = await dashboard.open(home, member, options)
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  await page.keyboard.press('Control+k')
  await field(page).waitFor()
  return page
}

test.each([
  ['zephyr w', 'Zephyr Works', 'companies'],
  ['zephyr o', 'Zephyr order', 'deals'],
  ['zoe', 'Zoe Quill', 'people'],
])('%s finds %s using only the keyboard', async (text, name, object) => {
  const page = await openSearch()
  await page.keyboard.type(text)
  await option(page, new RegExp(name)).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name }).first().waitFor()
  await expect.poll(() => page.url()).toContain(`/objects/${object}/`)
})

test('words in any order and without accents find a record and its notes', async () => {
  await member.post('/objects/people/records', { data: { name: 'José Hopper' } })
  await member.post('/activities', { title: 'Kick-off', summary: 'Talked to Hopper about the café' })
  const page = await openSearch()
  await page.keyboard.type('hopper jose')
  await option(page, /José Hopper/).waitFor()
  await field(page).fill('cafe hopper')
  await option(page, /Kick-off/).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/activities\?activity=/)
  await page.getByText('Edit note', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Kick-off')
})

test('Enter pressed before the results arrive opens the first result', async () => {
  const page = await openSearch()
  await page.keyboard.type('zephyr w')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Zephyr Works' }).first().waitFor()
})

test('shows why a record was found, and arrow keys move the selection', async () => {
  const page = await openSearch()
  await page.keyboard.type('zephyr')
  await option(page, /Zoe Quill.*zephyr\.fan@example\.com/).waitFor()
  const first = await page.getByRole('option', { selected: true }).textContent()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.getByRole('option', { selected: true }).textContent()).not.toBe(first)
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => page.getByRole('option', { selected: true }).textContent()).toBe(first)
  await page.keyboard.press('Escape')
  await field(page).waitFor({ state: 'hidden' })
})

test('opens pages and runs commands', async () => {
  const page = await openSearch()
  await page.keyboard.type('api keys')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/settings/api-keys')
  await page.keyboard.press('Control+k')
  await field(page).fill('create deal')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Create deal' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await field(page).fill('switch to dark')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe('dark')
})

test('signs out', async () => {
  const guest = await org.member('member')
  const page = await dashboard.open(home, guest)
  await page.getByRole('button', { name: /^Search/ }).click()
  await field(page).fill('log out')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sign in to Rapport' }).waitFor()
})

test('offers recently opened records', async () => {
  const page = await openSearch()
  await page.keyboard.type('zephyr o')
  await option(page, /Zephyr order/).click()
  await page.getByRole('heading', { name: 'Zephyr order' }).first().waitFor()
  await page.keyboard.press('Control+k')
  await page
    .getByRole('group', { name: 'Recently viewed' })
    .getByRole('option', { name: /Zephyr order/ })
    .waitFor()
})

test('says when nothing is found, when there are more results, and when the service cannot be reached', async () => {
  const page = await openSearch()
  await page.keyboard.type('qqqq')
  await page.getByText('No results for “qqqq”').waitFor()
  const { body: people } = await member.get<{ id: string }>('/objects/people')
  const answer = { records: [], activities: [], isComplete: false }
  const missing = (reason: string) => ({ ...answer, incomplete: [{ objectId: people.id, reason }] })
  await page.route('**/search?*', (route) => route.fulfill({ json: missing('time') }))
  await field(page).fill('slow')
  await page.getByText('There may be better matches').waitFor()
  await page.route('**/search?*', (route) => route.fulfill({ json: missing('indexing') }))
  await field(page).fill('building')
  await page.getByText('Not all people could be searched: they are still being indexed').waitFor()
  await page.route('**/search?*', (route) => route.abort())
  await field(page).fill('deals')
  await page.getByText('Records cannot be searched now').waitFor()
  await option(page, 'Import deals').waitFor()
})

test('a quick search of a table says if it is incomplete, and then shows no total', async () => {
  const page = await dashboard.visit(member)
  await page.route('**/objects/people/records/search', async (route) => {
    const response = await route.fetch()
    const { records, pagination } = await response.json()
    const { total: _, ...rest } = pagination
    const isAll = String(route.request().postData()).includes('quill')
    const known = isAll ? { isComplete: true } : { isComplete: false, searched: 5000 }
    await route.fulfill({ json: { records, pagination: rest, ...known } })
  })
  await page.goto(`${home}/objects/people`)
  const search = page.getByRole('searchbox', { name: 'Quick search in people' })
  await search.fill('zoe')
  await page
    .getByText('This search takes too long for all people: these are among the newest 5,000.')
    .waitFor()
  expect(await axeViolations(page)).toEqual([])
  await search.fill('unheard of')
  await page.getByText('No matches among the newest records').waitFor()
  await search.fill('quill')
  await page.getByText('1 person', { exact: true }).waitFor()
  await expect.poll(() => page.getByText('takes too long').count()).toBe(0)
})

test('a question mark shows the shortcuts, except in a text field', async () => {
  const page = await openSearch()
  await page.keyboard.type('?')
  await expect.poll(() => field(page).inputValue()).toBe('?')
  await page.keyboard.press('Escape')
  await field(page).waitFor({ state: 'hidden' })
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Shortcuts' }).getByText('Search and commands').waitFor()
  expect(await axeViolations(page)).toEqual([])
})

test('is accessible and fits a phone', async () => {
  const page = await openSearch({ viewport: { width: 375, height: 740 } })
  await page.keyboard.type('zephyr')
  await option(page, /Zephyr Works/).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375)
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
})
