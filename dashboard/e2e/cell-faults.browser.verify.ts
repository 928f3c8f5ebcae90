import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { axeViolations } from './axe.ts'
import { addRecord, addThings, dataOf } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()
let org: Org
let ada: SignedInMember
let lamp: string
let things: string

beforeEach(async () => {
  ;({ org, member: ada } = await dashboard.organization('member'))
  things = await addThings(org, [
    { name: 'Name', type: 'text' },
    { name: 'Mail', type: 'email' },
    { name: 'Person', type: 'name' },
    { name: 'Color', type: 'text' },
    { name: 'Size', type: 'text' },
  ])
  await addRecord(org, 'things', { name: 'Desk' })
  lamp = await addRecord(org, 'things', { name: 'Lamp' })
})

const cell = (page: Page, row: number, column: number) => page.locator(`#cell-${row}-${column}`)
const REASON = 'Not saved: Enter an email address, such as ada@example.com'

async function openTable(colorScheme: 'light' | 'dark' = 'light') {
  const page = await dashboard.open(things, ada, { viewport: { width: 1600, height: 800 }, colorScheme })
  await page.getByRole('rowheader', { name: 'Lamp' }).waitFor()
  return page
}

async function typeInto(page: Page, target: Locator, text: string) {
  await target.click({ position: { x: 3, y: 3 } })
  await page.keyboard.press('Enter')
  await page.locator('input:focus').waitFor()
  await page.keyboard.type(text)
}

test('a refused cell is marked with the reason, and the next edit starts with the typed text', async () => {
  const page = await openTable('dark')
  await typeInto(page, cell(page, 0, 1), 'no address')
  await page.keyboard.press('Enter')
  await cell(page, 0, 1).and(page.locator('[aria-invalid=true]')).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('cell-1-1')
  await page.keyboard.press('ArrowUp')
  await page.getByRole('tooltip', { name: REASON }).waitFor()
  await expect.poll(() => cell(page, 0, 1).getByRole('img', { name: REASON }).count()).toBe(1)
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  const field = page.getByRole('textbox', { name: 'Mail' })
  await expect.poll(() => field.inputValue()).toBe('no address')
  await field.fill('lamp@example.com')
  await page.keyboard.press('Enter')
  await expect.poll(() => dataOf(org, 'things', lamp)).toMatchObject({ mail: 'lamp@example.com' })
  await expect.poll(() => page.locator('[aria-invalid=true]').count()).toBe(0)
})

test('a refused value on a record page is marked, and the next edit starts with the typed text', async () => {
  const page = await dashboard.open(`${things}/${lamp}`, ada)
  await page.getByRole('button', { name: 'Edit Mail' }).click()
  await page.getByRole('textbox', { name: 'Mail' }).fill('no address')
  await page.keyboard.press('Enter')
  await page.getByText(REASON, { exact: true }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Edit Mail' }).press('Enter')
  await expect.poll(() => page.getByRole('textbox', { name: 'Mail' }).inputValue()).toBe('no address')
})

test('toasts are shown above the bar of selected records', async () => {
  const page = await openTable()
  await page.getByRole('checkbox', { name: 'Select Desk' }).check()
  const bar = page.getByRole('region', { name: 'Selected records' })
  await typeInto(page, cell(page, 0, 1), 'no address')
  await page.keyboard.press('Enter')
  const note = page.getByRole('alert').filter({ hasText: 'email address' })
  await note.waitFor()
  const top = (await bar.boundingBox())?.y ?? 0
  await expect
    .poll(async () => {
      const box = await note.boundingBox()
      return box ? box.y + box.height : undefined
    })
    .toBeLessThanOrEqual(top)
})

test('a click on another cell or a checkbox saves the open editor and still takes effect', async () => {
  const page = await openTable()
  await typeInto(page, cell(page, 0, 3), 'Red')
  await cell(page, 1, 3).click()
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('cell-1-3')
  await cell(page, 0, 3).getByText('Red').waitFor()
  await typeInto(page, cell(page, 0, 3), 'Blue')
  await page.getByRole('checkbox', { name: 'Select Desk' }).click()
  await page.getByRole('region', { name: 'Selected records' }).waitFor()
  await expect.poll(() => dataOf(org, 'things', lamp)).toMatchObject({ color: 'Blue' })
})

test('a click into the search next to the table saves the open editor and focuses the search', async () => {
  const page = await openTable()
  await typeInto(page, cell(page, 0, 3), 'Red')
  await page.getByLabel('Quick search in things', { exact: true }).click()
  await page.locator('#cell-0-3').getByText('Red').waitFor()
  await page.keyboard.type('desk')
  await page.getByRole('rowheader', { name: 'Lamp' }).waitFor({ state: 'detached' })
  expect(await dataOf(org, 'things', lamp)).toMatchObject({ color: 'Red' })
})

async function openRecord() {
  const page = await dashboard.open(`${things}/${lamp}`, ada)
  await page.getByRole('button', { name: 'Edit Color' }).waitFor()
  return page
}

test('on a record page, nothing around a value moves while it is edited', async () => {
  const page = await openRecord()
  const color = page.getByRole('button', { name: 'Edit Color' })
  for (const name of ['Mail', 'Person']) {
    const before = await color.boundingBox()
    await page.getByRole('button', { name: `Edit ${name}` }).click()
    await page.locator('input:focus').waitFor()
    await expect.poll(() => color.boundingBox()).toEqual(before)
    if (name === 'Person') expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: `Edit ${name}` }).waitFor()
  }
})

test('on a record page, a click outside the editor takes effect, even if saving moves its target', async () => {
  const page = await openRecord()
  await page.getByRole('button', { name: 'Edit Mail' }).click()
  await page.getByRole('textbox', { name: 'Mail' }).fill('lamp@example.com')
  await page.getByRole('button', { name: 'Edit Color' }).click()
  await page.getByRole('textbox', { name: 'Color' }).fill('Red and green '.repeat(20).trim())
  const box = await page.getByRole('button', { name: 'Edit Size' }).boundingBox()
  await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 10)
  await page.mouse.down()
  await page.mouse.up()
  await page.getByRole('textbox', { name: 'Size' }).waitFor()
  await expect
    .poll(() => dataOf(org, 'things', lamp))
    .toMatchObject({
      mail: 'lamp@example.com',
      color: 'Red and green '.repeat(20).trim(),
    })
})

/** @returns a function that releases the requests that read or change the record */
async function holdRequests(page: Page, method: 'GET' | 'PATCH') {
  const held = Promise.withResolvers<void>()
  await page.route(
    (url) => url.pathname.endsWith(`/records/${lamp}`),
    async (route) => {
      if (route.request().method() === method) await held.promise
      return route.continue()
    },
  )
  return held.resolve
}

async function enterValue(page: Page, name: string, text: string) {
  // Not a click: it could hit a link in the value.
  await page.getByRole('button', { name: `Edit ${name}` }).press('Enter')
  await page.getByRole('textbox', { name }).fill(text)
  await page.keyboard.press('Enter')
}

test('editing a value again while it is being saved causes no conflict', async () => {
  const page = await openRecord()
  const release = await holdRequests(page, 'PATCH')
  await enterValue(page, 'Mail', 'Lamp@Example.com')
  await enterValue(page, 'Mail', 'desk@example.com')
  release()
  await expect.poll(() => dataOf(org, 'things', lamp)).toMatchObject({ mail: 'desk@example.com' })
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

test('conflicts of two values are shown one after the other', async () => {
  const page = await openRecord()
  const release = await holdRequests(page, 'GET')
  await enterValue(page, 'Mail', 'mine@example.com')
  await enterValue(page, 'Size', 'Mine')
  const theirs = { mail: 'theirs@example.com', size: 'Theirs' }
  await org.patch(`/objects/things/records/${lamp}`, { data: theirs })
  release()
  const question = (name: string) => page.getByRole('dialog', { name: `${name} was changed by someone else` })
  // The order of the questions does not matter.
  await Promise.all(
    ['Mail', 'Size'].map((name) => question(name).getByRole('button', { name: 'Use mine' }).click()),
  )
  await expect
    .poll(() => dataOf(org, 'things', lamp))
    .toMatchObject({ mail: 'mine@example.com', size: 'Mine' })
})
