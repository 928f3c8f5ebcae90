import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { axeViolationsInBothSchemes } from './axe.ts'
import { addRecord, addThings, dataOf, objectId } from './crm.fixture.ts'
import { openSharedDashboard, type Visit } from './open-dashboard.ts'
import { interceptFirst, keepNotes } from './steps.fixture.ts'
import { tableOf } from './table.fixture.ts'

const COLUMNS = 'Name Mail Weight Price Sold Stage Tags Firm Keeper Person Created'.split(' ')
const dashboard = await openSharedDashboard()
const { cell, choose } = tableOf(COLUMNS)
let org: Org
let ada: SignedInMember
let things: string
/** In the order of the table: the newest first. */
let ids: string[]

beforeEach(async () => {
  ;({ org, member: ada } = await dashboard.organization('member'))
  things = await addThings(org, [
    { name: 'Name', type: 'text', isRequired: true },
    { name: 'Mail', type: 'email', isUnique: true },
    { name: 'Weight', type: 'number' },
    { name: 'Price', type: 'currency' },
    { name: 'Sold', type: 'date' },
    { name: 'Stage', type: 'select', config: { options: ['Open', 'Won', 'Lost'] } },
    { name: 'Tags', type: 'list' },
    { name: 'Firm', type: 'reference', config: { allowed_object_id: await objectId(org, 'companies') } },
    { name: 'Keeper', type: 'member' },
    { name: 'Person', type: 'name' },
  ])
  ids = []
  for (const name of ['Third', 'Second', 'First']) ids.unshift(await addRecord(org, 'things', { name }))
})

const data = (row: number) => dataOf(org, 'things', ids[row] ?? '')
const column = (slug: string) => Promise.all(ids.map(async (_, row) => (await data(row))[slug]))

async function openTable(options: Visit = {}) {
  const page = await dashboard.open(things, ada, { viewport: { width: 2600, height: 800 }, ...options })
  return page
}

/** Dispatches a paste event, as Ctrl+V does. */
const paste = (page: Page, content: { text?: string; html?: string }) =>
  page.evaluate(`{
    const clipboardData = new DataTransfer()
    const { text = '', html = '' } = ${JSON.stringify(content)}
    clipboardData.setData('text/plain', text)
    if (html) clipboardData.setData('text/html', html)
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    document.activeElement.dispatchEvent(event)
  }`)

const dialog = (page: Page) => page.getByRole('dialog', { name: /^Paste/ })
const confirm = (page: Page) => dialog(page).getByRole('button', { name: 'Paste' }).click()

test('a block with every type is announced with its counts, then written and undone as one step', async () => {
  const firm = await addRecord(org, 'companies', { name: 'Acme', domain: 'acme.example.com' })
  const page = await openTable({ own: { locale: 'de-DE' } })
  await choose(page, 'Mail')
  const block = [
    ['a@example.com', '1.500,5', '12.500,50 €', '20.11.2026', 'won', 'vip; eu', 'acme', 'Mia Member'],
    ['b@example.com', '(7)', '9', '3. März 2027', 'Lost', 'vip', 'acme.example.com', ada.email],
  ]
  await paste(page, { text: block.map((cells) => cells.join('\t')).join('\r\n') })
  await dialog(page).getByText('16 cells of 2 things will change.').waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  expect(await column('mail')).toEqual([undefined, undefined, undefined])
  await page.keyboard.press('Enter')
  await page.getByText('16 cells pasted').waitFor()
  expect(await data(0)).toMatchObject({
    mail: 'a@example.com',
    weight: 1500.5,
    price: { amount: 12500.5, currency: 'EUR' },
    sold: '2026-11-20',
    stage: 'Won',
    tags: ['vip', 'eu'],
    firm,
    keeper: ada.userId,
  })
  expect(await data(1)).toMatchObject({
    weight: -7,
    price: { amount: 9, currency: 'USD' },
    sold: '2027-03-03',
    firm,
    keeper: ada.userId,
  })
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('2 records restored').waitFor()
  expect(await data(0)).toEqual({ name: 'First' })
})

test('values that cannot be pasted are listed, and the others are pasted', async () => {
  const page = await openTable()
  await choose(page, 'Mail')
  await paste(page, { text: 'nowhere\t5\nb@example.com\theavy\nc@example.com\theavy' })
  await dialog(page).getByText('3 cells cannot be pasted and will stay as they are:').waitFor()
  await dialog(page).getByText('Mail: “nowhere” – Enter an email address, such as ada@example.com').waitFor()
  await dialog(page).getByText('Weight: “heavy” (2 rows) – Enter a number').waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await confirm(page)
  await page.getByText('3 cells pasted').waitFor()
  expect(await column('mail')).toEqual([undefined, 'b@example.com', 'c@example.com'])
  expect(await column('weight')).toEqual([5, undefined, undefined])
})

test('rows below the last one become records, the header is omitted, and Undo removes the records', async () => {
  const page = await openTable()
  await choose(page, 'Name', 2)
  await paste(page, { text: 'Name\tMail\nDesk\td@example.com\nBed\tb@example.com\n\tx@example.com' })
  await dialog(page).getByText('2 cells of 1 thing will change.').waitFor()
  await dialog(page).getByText('Name – Enter a value').waitFor()
  expect(
    await dialog(page)
      .getByRole('checkbox', { name: /The first row has the names/ })
      .isChecked(),
  ).toBe(true)
  await expect
    .poll(() => dialog(page).getByRole('checkbox', { name: 'Create 1 thing from the rows' }).isChecked())
    .toBe(true)
  await confirm(page)
  await page.getByText('2 cells pasted, 1 thing created').waitFor()
  await page.getByRole('rowheader', { name: 'Bed' }).waitFor()
  expect((await data(2))['name']).toBe('Desk')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('1 record restored, 1 record moved to the trash').waitFor()
  await page.getByText('3 things', { exact: true }).waitFor()
})

test('Undo of a paste asks about a cell that a colleague changed since, and keeps a created record that they changed', async () => {
  const page = await openTable()
  await keepNotes(page)
  await choose(page, 'Weight', 1)
  await paste(page, { text: '5\n6' })
  await confirm(page)
  await page.getByText('2 cells pasted').waitFor()
  await choose(page, 'Name', 2)
  await paste(page, { text: 'Desk\nBed' })
  await confirm(page)
  await page.getByText('1 cell pasted, 1 thing created').waitFor()
  const created = await org.get<{ records: { id: string }[] }>('/objects/things/records?limit=1')
  const [bed] = created.body.records
  await org.patch(`/objects/things/records/${bed?.id}`, { data: { weight: 9 } })
  await org.patch(`/objects/things/records/${ids[1]}`, { data: { weight: 7 } })
  await page.locator('body').press('Control+z')
  await page.getByText('1 record restored. 1 new record stays: changed since').waitFor()
  await page.locator('body').press('Control+z')
  const asked = page.getByRole('dialog', { name: '1 value was not restored' })
  await asked.getByRole('group', { name: 'Second' }).waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  expect(await column('weight')).toEqual([undefined, 7, undefined])
  await asked.getByRole('checkbox', { name: 'Weight was changed since. Restore it anyway' }).press('Space')
  await asked.getByRole('button', { name: 'Restore 1 value' }).press('Enter')
  await page.getByText('1 value restored').waitFor()
  expect(await column('weight')).toEqual([undefined, undefined, undefined])
  expect((await data(2))['name']).toBe('Third')
})

test('an undo of a paste that fails is offered again', async () => {
  const page = await openTable()
  await keepNotes(page)
  await choose(page, 'Weight')
  await paste(page, { text: '5\n6' })
  await confirm(page)
  await page.getByText('2 cells pasted').waitFor()
  await interceptFirst(page, '**/change-sets/*/undo', (route) => route.fulfill({ status: 503, json: {} }))
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('It was not undone.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('2 records restored').waitFor()
  expect(await column('weight')).toEqual([undefined, undefined, undefined])
})

test('one value fills the range, and blank cells clear values', async () => {
  const page = await openTable()
  await choose(page, 'Stage')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await paste(page, { text: 'Won' })
  await dialog(page).getByText('3 cells of 3 things will change.').waitFor()
  await confirm(page)
  await page.getByText('3 cells pasted').waitFor()
  expect(await column('stage')).toEqual(['Won', 'Won', 'Won'])
  await choose(page, 'Stage')
  await paste(page, { text: '\nWon\n' })
  await dialog(page).getByText('1 cell of 1 thing will change.').waitFor()
  await dialog(page).getByText('1 cell has the pasted value already.').waitFor()
  await confirm(page)
  await expect.poll(() => column('stage')).toEqual([undefined, 'Won', 'Won'])
})

test('one cell is pasted without a dialog, and shows a refusal', async () => {
  const page = await openTable()
  await choose(page, 'Stage')
  await paste(page, { text: 'lost' })
  await expect.poll(() => column('stage')).toEqual(['Lost', undefined, undefined])
  await cell(page, 'Stage').getByText('Lost').waitFor()
  await choose(page, 'Keeper')
  await paste(page, { text: 'No such name' })
  await cell(page, 'Keeper')
    .getByRole('img', { name: 'Not saved: No member has this name or email address' })
    .waitFor()
  await expect.poll(() => dialog(page).count()).toBe(0)
})

test('cells copied in the dashboard are pasted without loss, by keyboard', async () => {
  const person = { firstName: 'Ada', lastName: 'King of Lovelace' }
  const tags = ['a, b', 'c; d']
  const firms = [
    await addRecord(org, 'companies', { name: 'Twin' }),
    await addRecord(org, 'companies', { name: 'Twin' }),
  ]
  const price = { amount: 1234.5, currency: 'JPY' }
  await org.patch(`/objects/things/records/${ids[0]}`, { data: { person, tags, firm: firms[1], price } })
  const page = await openTable({ permissions: ['clipboard-read', 'clipboard-write'] })
  await cell(page, 'Person').getByText('Ada').waitFor()
  await choose(page, 'Price')
  for (let right = 0; right < 6; right++) await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('ControlOrMeta+c')
  await page.getByText('Copied 7 cells').waitFor()
  await choose(page, 'Price', 1)
  await page.keyboard.press('ControlOrMeta+v')
  await dialog(page).getByText('4 cells of 1 thing will change.').waitFor()
  await confirm(page)
  await page.getByText('4 cells pasted').waitFor()
  expect(await data(1)).toMatchObject({ person, tags, firm: firms[1], price })
})

test('cells of an HTML table with merged cells and line breaks keep their positions', async () => {
  const page = await openTable()
  await choose(page, 'Name')
  const html = `<table><tr><td colspan="2">One</td><td>5</td></tr><tr><td>Two<br>lines</td><td></td><td>6</td></tr></table>`
  await paste(page, { text: 'not this', html })
  await dialog(page).getByText('4 cells of 2 things will change.').waitFor()
  await confirm(page)
  await page.getByText('4 cells pasted').waitFor()
  expect((await column('name')).slice(0, 2)).toEqual(['One', 'Two\nlines'])
  expect((await column('weight')).slice(0, 2)).toEqual([5, 6])
})

test('columns beyond the table and columns of times are omitted, also at phone width', async () => {
  const page = await openTable({ viewport: { width: 375, height: 760 } })
  await cell(page, 'Name').waitFor()
  await choose(page, 'Name')
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await paste(page, { text: 'Ada Lovelace\tnow\tnow\tmore' })
  await dialog(page).getByText('1 column beyond the last one will be left out.').waitFor()
  await dialog(page).getByText('Created, Updated cannot be changed.').waitFor()
  const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
  expect(overflow).toBe(0)
  await confirm(page)
  await expect
    .poll(() => column('person'))
    .toEqual([{ firstName: 'Ada', lastName: 'Lovelace' }, undefined, undefined])
})

test('Escape changes nothing, and the focus stays in its cell', async () => {
  const page = await openTable()
  await choose(page, 'Weight')
  await paste(page, { text: '1\n2' })
  await dialog(page).getByText('2 cells of 2 things will change.').waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('cell-0-2')
  expect(await column('weight')).toEqual([undefined, undefined, undefined])
})
