import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { axeViolations } from './axe.ts'
import { addRecord, addThings, dataOf, objectId } from './crm.fixture.ts'
import { openSharedDashboard, type Visit } from './open-dashboard.ts'
import { tableOf } from './table.fixture.ts'

const COLUMNS = 'Name Mail Weight Price Sold Person Stage Firm Done Site Phone Keeper'.split(' ')
const dashboard = await openSharedDashboard()
const { cell, choose } = tableOf(COLUMNS)
let org: Org
let ada: SignedInMember
let lamp: string
let things: string

beforeEach(async () => {
  ;({ org, member: ada } = await dashboard.organization('member'))
  things = await addThings(org, [
    { name: 'Name', type: 'text', isRequired: true },
    { name: 'Mail', type: 'email', isUnique: true },
    { name: 'Weight', type: 'number' },
    { name: 'Price', type: 'currency' },
    { name: 'Sold', type: 'date' },
    { name: 'Person', type: 'name' },
    { name: 'Stage', type: 'select', config: { options: ['Open', 'Won', 'Lost'] } },
    { name: 'Firm', type: 'reference', config: { allowed_object_id: await objectId(org, 'companies') } },
    { name: 'Done', type: 'checkbox' },
    { name: 'Site', type: 'url' },
    { name: 'Phone', type: 'phone_number' },
    { name: 'Keeper', type: 'member' },
  ])
  lamp = await addRecord(org, 'things', {
    name: 'Lamp',
    weight: 50000,
    price: { amount: 5, currency: 'EUR' },
  })
})

const values = () => dataOf(org, 'things', lamp)
/** A wide window with room for every column: hidden columns are not rendered. */
async function openTable(options: Visit = {}) {
  const page = await dashboard.open(things, ada, { viewport: { width: 2600, height: 800 }, ...options })
  return page
}

describe('typing over a cell', () => {
  test.each<[string, string, unknown]>([
    ['Name', 'Candle', 'Candle'],
    ['Mail', 'ada@example.com', 'ada@example.com'],
    ['Weight', '1,500.5', 1500.5],
    ['Price', '9.99', { amount: 9.99, currency: 'EUR' }],
    ['Sold', 'Nov 20, 2026', '2026-11-20'],
    ['Person', 'Ada King Lovelace', { firstName: 'Ada King', lastName: 'Lovelace' }],
    ['Site', 'example.com/jk', 'https://example.com/jk'],
    ['Phone', '+1 415 555 0132', '+1 415 555 0132'],
  ])('%s: "%s" replaces the value, and Enter moves down', async (column, text, value) => {
    await addRecord(org, 'things', { name: 'First' })
    const page = await openTable()
    await choose(page, column, 1)
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await values())[column.toLowerCase()]).toEqual(value)
  })
})

test('pickers open with the typed text, and Enter takes the first match', async () => {
  const firm = await addRecord(org, 'companies', { name: 'Acme' })
  await addRecord(org, 'companies', { name: 'Other' })
  const page = await openTable()
  await choose(page, 'Stage')
  await page.keyboard.type('lo')
  await page.getByRole('option', { name: 'Lost' }).waitFor()
  await expect.poll(() => page.getByRole('option').count()).toBe(1)
  await page.keyboard.press('Enter')
  await cell(page, 'Stage').getByText('Lost').waitFor()
  await choose(page, 'Firm')
  await page.keyboard.type('acm')
  await page.getByRole('option', { name: 'Acme' }).waitFor()
  await page.keyboard.press('Enter')
  await cell(page, 'Firm').getByText('Acme').waitFor()
  await choose(page, 'Keeper')
  await page.keyboard.type('mia')
  await page.getByRole('option', { name: 'Mia' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(values).toMatchObject({ stage: 'Lost', firm, keeper: ada.userId })
})

test('text composed with an input method or a dead key goes into the editor', async () => {
  const page = await openTable()
  const session = await page.context().newCDPSession(page)
  const key = { type: 'rawKeyDown', windowsVirtualKeyCode: 229, code: 'KeyN' } as const
  await choose(page, 'Name')
  await session.send('Input.dispatchKeyEvent', { ...key, key: 'Process' })
  await session.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 })
  // Enter ends the composition, not the edit.
  await session.send('Input.insertText', { text: '日本' })
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await values())['name']).toBe('日本')
  await choose(page, 'Name')
  await session.send('Input.dispatchKeyEvent', { ...key, key: 'Dead', code: 'BracketLeft' })
  await session.send('Input.imeSetComposition', { text: '´', selectionStart: 1, selectionEnd: 1 })
  await session.send('Input.insertText', { text: 'é' })
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await values())['name']).toBe('é')
})

test('Escape reverts the typed text; after another Escape, letters are shortcuts of the page again', async () => {
  const page = await openTable()
  await choose(page, 'Name')
  await page.keyboard.type('c')
  await page.getByRole('textbox', { name: 'Name' }).waitFor()
  await expect.poll(() => page.getByRole('dialog', { name: 'Create thing' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('cell-0-0')
  expect((await values())['name']).toBe('Lamp')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('cell-0-0')
  await page.keyboard.press('Escape')
  await page.keyboard.type('c')
  await page.getByRole('dialog', { name: 'Create thing' }).waitFor()
})

test('Tab and Enter save the typed text and move on; an unreadable day is refused with a reason', async () => {
  await addRecord(org, 'things', { name: 'First' })
  const page = await openTable()
  await choose(page, 'Name')
  await page.keyboard.type('One')
  await page.keyboard.press('Tab')
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('cell-0-1')
  await page.keyboard.press('Shift+Tab')
  await choose(page, 'Sold')
  await page.keyboard.type('tomorrow')
  await page.getByRole('status').filter({ hasText: 'Saved as' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('cell-1-4')
  await page.keyboard.type('soonish')
  await page.keyboard.press('Enter')
  await cell(page, 'Sold', 1)
    .getByRole('img', { name: /Not saved: Choose a day/ })
    .waitFor()
  await cell(page, 'Name').getByText('One').waitFor()
})

test('a name with a comma is read as last name, first name, and shown before it is saved', async () => {
  const page = await openTable()
  await choose(page, 'Person')
  await page.keyboard.type('Lovelace, Ada')
  await page.getByRole('status').filter({ hasText: 'Saved as first name Ada, last name Lovelace' }).waitFor()
  await page.keyboard.press('Enter')
  await expect
    .poll(async () => (await values())['person'])
    .toEqual({ firstName: 'Ada', lastName: 'Lovelace' })
})

test('Space toggles a checkbox, and selects the row in other cells', async () => {
  const page = await openTable()
  await choose(page, 'Done')
  await page.keyboard.press('Space')
  await expect.poll(async () => (await values())['done']).toBe(true)
  await expect.poll(() => page.getByText('1 thing selected').count()).toBe(0)
  await page.keyboard.press('Shift+Space')
  await page.getByText('1 thing selected').waitFor()
})

describe('cells of a range', () => {
  const NAMES = ['Third', 'Second', 'First']
  let ids: string[]

  beforeEach(async () => {
    ids = []
    for (const [at, name] of NAMES.entries())
      ids.push(await addRecord(org, 'things', { name, weight: at + 1, stage: 'Open' }))
  })

  const column = (slug: string) => Promise.all(ids.map(async (id) => (await dataOf(org, 'things', id))[slug]))

  /** The newest record comes first: the rows are First, Second, Third, Lamp. */
  async function mark(page: Page, from: string, down: number, right = 0) {
    await choose(page, from)
    for (let at = 0; at < down; at++) await page.keyboard.press('Shift+ArrowDown')
    for (let at = 0; at < right; at++) await page.keyboard.press('Shift+ArrowRight')
  }

  test('Delete clears all cells in one step, and Undo restores them', async () => {
    const page = await openTable()
    await mark(page, 'Weight', 2, 4)
    await page.keyboard.press('Delete')
    await page.getByText('6 cells cleared').waitFor()
    expect(await column('weight')).toEqual([undefined, undefined, undefined])
    expect(await column('stage')).toEqual([undefined, undefined, undefined])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => column('weight')).toEqual([1, 2, 3])
    await expect.poll(() => column('stage')).toEqual(['Open', 'Open', 'Open'])
    await cell(page, 'Weight').getByText('3').waitFor()
  })

  test('required cells stay and show the reason, and other cells are cleared', async () => {
    const page = await openTable()
    await mark(page, 'Name', 1, 2)
    await page.keyboard.press('Backspace')
    await cell(page, 'Name', 1).getByRole('img', { name: 'Not saved: Enter a value' }).waitFor()
    await page.getByText('2 cells not cleared: each says why where it is marked').waitFor()
    expect(await column('name')).toEqual(NAMES)
    await expect.poll(() => column('weight')).toEqual([1, undefined, undefined])
    expect(await axeViolations(page)).toEqual([])
  })

  test('Ctrl+D fills the first row of a range into its other rows, or the row above into a single row', async () => {
    const page = await openTable()
    await mark(page, 'Weight', 2)
    await page.keyboard.press('ControlOrMeta+d')
    await page.getByText('2 cells filled').waitFor()
    await expect.poll(() => column('weight')).toEqual([3, 3, 3])
    await choose(page, 'Stage', 3)
    await page.keyboard.press('ControlOrMeta+d')
    await expect.poll(async () => (await values())['stage']).toBe('Open')
  })

  test('a unique value is refused in cells of further records', async () => {
    await org.patch(`/objects/things/records/${ids[2]}`, { data: { mail: 'ada@example.com' } })
    const page = await openTable()
    await cell(page, 'Mail').getByText('ada@example.com').waitFor()
    await mark(page, 'Mail', 1)
    await page.keyboard.press('ControlOrMeta+d')
    await cell(page, 'Mail', 1)
      .getByRole('img', { name: /Not saved/ })
      .waitFor()
    await expect.poll(() => cell(page, 'Mail', 1).innerText()).toBe('')
  })

  test('cutting cells can be undone', async () => {
    const page = await openTable({ permissions: ['clipboard-read', 'clipboard-write'] })
    await mark(page, 'Weight', 1)
    await page.keyboard.press('ControlOrMeta+x')
    await page.getByText('2 cells cleared').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('3\n2')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => column('weight')).toEqual([1, 2, 3])
  })
})

test('typing in one of 10,000 rows renders no other row', async () => {
  for (let from = 0; from < 10_000; from += 100) {
    const records = Array.from({ length: 100 }, (_, at) => ({ data: { name: `Thing ${from + at}` } }))
    await org.post('/objects/things/records/bulk', { records })
  }
  const page = await openTable()
  await choose(page, 'Name', 3)
  await page.evaluate(`
    window.drawn = new Map()
    window.changedMs = performance.now()
    new MutationObserver((changes) => {
      window.changedMs = performance.now()
      for (const { target, type, attributeName } of changes) {
        const row = (target.nodeType === 1 ? target : target.parentElement)?.closest('[role=row]')
        if (row) window.drawn.set(row.getAttribute('aria-rowindex'), [type, attributeName, target.className])
      }
    }).observe(document.querySelector('[role=grid]'), { subtree: true, childList: true, attributes: true, characterData: true })
  `)
  // Column widths and the record count arrive after the first rows.
  await expect.poll(() => page.evaluate('performance.now() - window.changedMs > 1000')).toBe(true)
  await page.evaluate('window.drawn.clear()')
  await page.keyboard.type('A name that is typed letter by letter')
  const others = await page.evaluate('[...window.drawn].filter(([row]) => row !== "5")')
  expect(others).toEqual([])
  expect(await page.evaluate('window.drawn.has("5")')).toBe(true)
  await page.keyboard.press('Enter')
  await cell(page, 'Name', 3).getByText('A name that is typed').waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBeLessThan(80)
})
