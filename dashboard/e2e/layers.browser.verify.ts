import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { axeViolations } from './axe.ts'
import { addActivity, addRecord, addThings, dataOf } from './crm.fixture.ts'
import { openSharedDashboard, type Visit } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()
const COLORS = { name: 'Colors', type: 'select', isList: true, config: { options: ['Red', 'Green', 'Blue'] } }
const STAGE = { name: 'Stage', type: 'select', config: { options: ['Open', 'Won', 'Lost'] } }
let org: Org
let ada: SignedInMember
let lamp: string
let things: string

beforeEach(async () => {
  ;({ org, member: ada } = await dashboard.organization('member'))
  things = await addThings(org, [{ name: 'Name', type: 'text' }, STAGE, COLORS])
  await addRecord(org, 'things', { name: 'Desk', stage: 'Lost', colors: ['Blue'] })
  lamp = await addRecord(org, 'things', { name: 'Lamp', stage: 'Won', colors: ['Red'] })
})

async function openTable(options: Visit = {}) {
  const page = await dashboard.open(things, ada, {
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'no-preference',
    ...options,
  })
  await page.getByRole('rowheader', { name: 'Lamp' }).waitFor()
  return page
}

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const option = (page: Page, name: string) => page.getByRole('option', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

/** Whether a click in the center of the element would hit the element itself. */
const isUncovered = (target: Locator) =>
  target.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect()
    return node.contains(node.ownerDocument.elementFromPoint(x + width / 2, y + height / 2))
  })

/** Opens the popover of a new filter "Stage is any of", with its list of values open. */
async function openAnyOf(page: Page) {
  await button(page, 'Filter').click()
  const box = dialog(page, 'Filter')
  await box.getByRole('combobox', { name: 'Find an attribute' }).fill('Stage')
  await page.keyboard.press('Enter')
  await box.getByRole('combobox', { name: 'Operator' }).click()
  await option(page, 'is any of').click()
  await box.getByRole('combobox', { name: 'Values' }).click()
  await option(page, 'Won').click()
  await option(page, 'Lost').waitFor()
  return box
}

test.each([
  ['wide', { width: 1280, height: 800 }],
  ['narrow', { width: 820, height: 600 }],
])('the open list of "is any of" does not cover the button when the window is %s', async (_, viewport) => {
  const page = await openTable({ viewport })
  const box = await openAnyOf(page)
  expect(await isUncovered(button(box, 'Add filter'))).toBe(true)
  expect(await axeViolations(page)).toEqual([])
  await option(page, 'Open').click()
  await option(page, 'Lost').waitFor()
  await button(box, 'Add filter').click()
  await page.getByRole('rowheader', { name: 'Desk' }).waitFor({ state: 'detached' })
  await page.getByText('Stage is any of Won, Open').waitFor()
})

test('Escape closes the list, then the filter popover, then clears the selection', async () => {
  const page = await openTable({ reducedMotion: 'reduce' })
  const selected = page.getByRole('region', { name: 'Selected records' })
  await page.getByRole('checkbox', { name: 'Select Desk' }).check()
  const box = await openAnyOf(page)
  await page.keyboard.press('Escape')
  await option(page, 'Lost').waitFor({ state: 'detached' })
  await box.getByText('Won', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await box.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Filter')
  await expect.poll(() => selected.count()).toBe(1)
  await button(page, 'Columns').click()
  await dialog(page, 'Columns').waitFor()
  await page.keyboard.press('Escape')
  await dialog(page, 'Columns').waitFor({ state: 'detached' })
  await expect.poll(() => selected.count()).toBe(1)
  await page.keyboard.press('Escape')
  await selected.waitFor({ state: 'detached' })
})

test('Escape in a panel closes its list, then the panel', async () => {
  const page = await openTable()
  await page.keyboard.press('c')
  const panel = dialog(page, 'Create thing')
  await panel.getByRole('combobox', { name: 'Stage' }).click()
  await option(page, 'Open').waitFor()
  await page.keyboard.press('Escape')
  await option(page, 'Open').waitFor({ state: 'detached' })
  await expect.poll(() => panel.isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
})

test('Escape closes a question above a panel, but not the panel', async () => {
  const linkedRecords = [{ objectId: 'things', recordId: lamp }]
  await addActivity(org, { type: 'note', title: 'Bulb', linkedRecords })
  const page = await dashboard.open(`/o/org-${org.id}/activities`, ada)
  await button(page, 'Bulb').click()
  await button(page, 'Edit').click()
  const panel = dialog(page, 'Edit note')
  await button(panel, 'Delete').click()
  const question = page.getByRole('dialog', { name: 'Delete this note?' })
  await question.waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await expect.poll(() => panel.isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
})

test('Escape in a cell with several options closes the list, and a second Escape reverts the choices', async () => {
  const page = await openTable()
  const cell = page.locator('#cell-0-2')
  const choose = async () => {
    await cell.click({ position: { x: 3, y: 3 } })
    await page.keyboard.press('Enter')
    await option(page, 'Green').click()
    await page.keyboard.press('Escape')
    await option(page, 'Blue').waitFor({ state: 'detached' })
  }
  await choose()
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Colors' }).waitFor({ state: 'detached' })
  await choose()
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await dataOf(org, 'things', lamp))['colors']).toEqual(['Red', 'Green'])
})
