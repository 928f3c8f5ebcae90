import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addRecord, addThings } from '../crm.fixture.ts'
import { hasFocus, pressShortcut } from '../journey-keys.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'
import { button, expectAccessible, holdsFocus, keepNotes, option } from '../steps.fixture.ts'

const dashboard = await openSharedDashboard()

const COLUMNS = ['Name', 'Count', 'Stage']
const cell = (page: Page, row: number, column: string) =>
  page.locator(`#cell-${row}-${COLUMNS.indexOf(column)}`)

async function choose(page: Page, row: number, column: string): Promise<void> {
  await cell(page, row, column).click({ position: { x: 3, y: 3 } })
  await hasFocus(cell(page, row, column))
}

async function shelf() {
  const { org, member } = await dashboard.organization('member')
  const address = await addThings(org, [
    { name: 'Name', type: 'text', isRequired: true },
    { name: 'Count', type: 'number' },
    { name: 'Stage', type: 'select', config: { options: ['Open', 'Won'] } },
  ])
  for (const [name, count, stage] of [
    ['Chair', 4, 'Won'],
    ['Bed', 2, 'Open'],
    ['Lamp', 9, 'Won'],
  ])
    await addRecord(org, 'things', { name, count, stage })
  /** The stored counts, by name. */
  const counts = async () => {
    const { body } = await org.get<{ records: { data: Record<string, unknown> }[] }>(
      '/objects/things/records',
    )
    return Object.fromEntries(body.records.map(({ data }) => [data['name'], data['count']]))
  }
  return { org, member, address, counts }
}

const names = (page: Page) => expect.poll(() => page.getByRole('rowheader').allInnerTexts())

async function createDesk(page: Page): Promise<void> {
  await button(page, 'Create').click()
  const panel = page.getByRole('dialog', { name: 'Create thing' })
  await holdsFocus(panel)
  await panel.getByRole('textbox', { name: 'Name', exact: true }).fill('Desk')
  await panel.getByRole('combobox', { name: 'Stage' }).click()
  await option(page, 'Won').click()
  await expectAccessible(page)
  await button(panel, /^Create thing/).click()
  await panel.waitFor({ state: 'detached' })
  await names(page).toEqual(['Desk', 'Lamp', 'Bed', 'Chair'])
}

/** Filters by the stage "Won" and saves the view. */
async function saveView(page: Page): Promise<void> {
  await pressShortcut(page, 'f')
  await hasFocus(page.getByRole('combobox', { name: 'Find an attribute' }))
  await page.keyboard.type('stage')
  await page.keyboard.press('Enter')
  await hasFocus(page.getByRole('combobox', { name: 'Value' }))
  await option(page, 'Won').click()
  await button(page, 'Stage is Won').waitFor()
  await page.getByText('3 things', { exact: true }).waitFor()
  await button(page, 'Save view').click()
  const dialog = page.getByRole('dialog', { name: 'Save as a new view' })
  await hasFocus(dialog.getByRole('textbox', { name: 'Name' }))
  await page.keyboard.type('Won things')
  await page.keyboard.press('Enter')
  await button(page, 'Things: Won things').waitFor()
}

async function openQuickLook(page: Page): Promise<void> {
  await choose(page, 0, 'Name')
  await page.keyboard.press('Shift+Enter')
  const look = page.getByRole('dialog', { name: 'Desk' })
  await look.getByText('Won').first().waitFor()
  await expectAccessible(page)
  await button(look, 'Close').click()
  await look.waitFor({ state: 'detached' })
  await hasFocus(cell(page, 0, 'Name'))
}

test('creates a thing, types and fills values, undoes the changes, filters, saves a view and sorts', async () => {
  const { member, address, counts } = await shelf()
  const page = await dashboard.open(address, member, { viewport: { width: 1440, height: 800 } })
  await keepNotes(page)
  await names(page).toEqual(['Lamp', 'Bed', 'Chair'])
  await createDesk(page)

  await choose(page, 0, 'Count')
  await page.keyboard.type('12')
  await page.keyboard.press('Enter')
  await hasFocus(cell(page, 1, 'Count'))
  await cell(page, 0, 'Count').getByText('12').waitFor()
  await expect.poll(counts).toEqual({ Desk: 12, Lamp: 9, Bed: 2, Chair: 4 })
  await page.keyboard.press('Shift+ArrowDown')
  await expect.poll(() => page.locator('[data-marked]').count()).toBe(2)
  await page.keyboard.press('ControlOrMeta+d')
  await expect.poll(counts).toEqual({ Desk: 12, Lamp: 9, Bed: 9, Chair: 4 })
  await cell(page, 2, 'Count').getByText('9').waitFor()
  await page.getByText('1 cell filled').waitFor()
  await pressShortcut(page, 'ControlOrMeta+z')
  await expect.poll(counts).toEqual({ Desk: 12, Lamp: 9, Bed: 2, Chair: 4 })
  await cell(page, 2, 'Count').getByText('2').waitFor()

  await page.keyboard.press('Escape')
  await page.locator('[id^=cell-]:focus').waitFor({ state: 'detached' })
  await saveView(page)
  await page.getByRole('tab', { name: 'All' }).click()
  await page.getByText('4 things', { exact: true }).waitFor()
  await hasFocus(page.getByRole('tab', { name: 'All' }))
  await page.keyboard.press('ArrowRight')
  await hasFocus(page.getByRole('tab', { name: 'Won things' }))
  await page.keyboard.press('Enter')
  await page.getByText('3 things', { exact: true }).waitFor()
  await button(page, 'Count').click()
  await page.getByRole('menuitem', { name: 'Sort ascending' }).click()
  await names(page).toEqual(['Chair', 'Lamp', 'Desk'])
  await button(page, 'Discard').click()
  await names(page).toEqual(['Desk', 'Lamp', 'Chair'])
  await openQuickLook(page)
})

test('filters by the API key that created things', async () => {
  const { org, address } = await shelf()
  const page = await dashboard.open(address, await org.member('admin'), {
    viewport: { width: 1440, height: 800 },
  })
  await names(page).toEqual(['Lamp', 'Bed', 'Chair'])
  await createDesk(page)
  await pressShortcut(page, 'f')
  await hasFocus(page.getByRole('combobox', { name: 'Find an attribute' }))
  await page.keyboard.type('created by')
  await page.keyboard.press('Enter')
  await hasFocus(page.getByRole('combobox', { name: 'Value' }))
  await option(page, 'test (API key)').click()
  await button(page, 'Created by is test (API key)').waitFor()
  await names(page).toEqual(['Lamp', 'Bed', 'Chair'])
})
