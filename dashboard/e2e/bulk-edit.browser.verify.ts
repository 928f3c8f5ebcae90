// Setting one value for many records: typed text, clearing, and undo.
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { axeViolationsInBothSchemes } from './axe.ts'
import { addRecord, dataOf } from './crm.fixture.ts'
import { openSharedDashboard, type Visit } from './open-dashboard.ts'
import { keepNotes } from './steps.fixture.ts'

const dashboard = await openSharedDashboard()
let org: Org
let mia: SignedInMember
let ids: string[]

beforeEach(async () => {
  ;({ org, member: mia } = await dashboard.organization('member'))
  ids = []
  for (const name of ['Rocket', 'Anvil', 'Magnet'])
    ids.push(await addRecord(org, 'deals', { name, owner: org.userId }))
})

const owners = () => Promise.all(ids.map(async (id) => (await dataOf(org, 'deals', id))['owner']))
const all = (owner: unknown) => ids.map(() => owner)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function selectAll(options: Visit = {}) {
  const page = await dashboard.open(`/o/org-${org.id}/objects/deals`, mia, {
    viewport: { width: 1600, height: 800 },
    ...options,
  })
  await keepNotes(page)
  await page.getByRole('checkbox', { name: 'Select all rows that are loaded' }).click()
  await page.getByText('3 deals selected').waitFor()
  return page
}

async function editOwner(page: Page) {
  await button(page, 'Edit').click()
  const dialog = page.getByRole('dialog', { name: 'Edit 3 deals' })
  await dialog.getByRole('combobox', { name: 'Attribute' }).fill('Owner')
  await page.keyboard.press('Enter')
  return { dialog, owner: dialog.getByRole('combobox', { name: 'Owner' }) }
}

/** Closes the list, which covers the buttons below the only field. */
async function closeList(page: Page) {
  await page.keyboard.press('Escape')
  await page.getByRole('option').first().waitFor({ state: 'detached' })
}

test('a typed name that the list offers is used, and the change can be undone', async () => {
  const page = await selectAll()
  const { dialog, owner } = await editOwner(page)
  await owner.fill('mia')
  await dialog.getByRole('button', { name: 'Change 3 deals' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(owners).toEqual(all(mia.userId))
  await button(page, 'Undo').click()
  await expect.poll(owners).toEqual(all(org.userId))
})

test('an unknown name or an empty field changes nothing', async () => {
  const page = await selectAll()
  const { dialog, owner } = await editOwner(page)
  await dialog.getByRole('button', { name: 'Change 3 deals' }).click()
  await dialog.getByText('Enter a value').waitFor()
  await owner.fill('Stranger')
  await dialog.getByRole('button', { name: 'Change 3 deals' }).press('Enter')
  await dialog.getByText('No member is called “Stranger”').waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await button(page, 'Cancel').click()
  expect(await owners()).toEqual(all(org.userId))
})

test('clearing has a separate button with the number of records', async () => {
  const page = await selectAll({ viewport: { width: 375, height: 740 } })
  const { dialog } = await editOwner(page)
  await dialog.getByRole('button', { name: 'Clear owner on 3 deals' }).click()
  await expect.poll(owners).toEqual(all(undefined))
  await button(page, 'Undo').click()
  await expect.poll(owners).toEqual(all(org.userId))
})

test('"Set owner" and a member are enough to set the owner, by mouse and by keyboard', async () => {
  const page = await selectAll()
  await button(page, 'Set owner').click()
  await page.getByRole('option', { name: 'Mia Member' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(owners).toEqual(all(mia.userId))
  await button(page, 'Set owner').press('Enter')
  await page.locator('input:focus').waitFor()
  await page.keyboard.type('olivia')
  await page.keyboard.press('Enter')
  await expect.poll(owners).toEqual(all(org.userId))
  await page.getByText('3 deals changed').first().waitFor()
})

test.each(['Cancel', 'Close', 'Escape'])('%s does not set a typed name', async (way) => {
  const page = await selectAll()
  let requests = 0
  page.on('request', (request) => {
    if (request.url().includes('/records/bulk')) requests++
  })
  await button(page, 'Set owner').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Owner' }).fill('mia')
  await page.getByRole('option', { name: 'Mia Member' }).waitFor()
  if (way !== 'Close') await closeList(page)
  if (way === 'Escape') await page.keyboard.press('Escape')
  else await button(page, way).click()
  await dialog.waitFor({ state: 'detached' })
  expect(requests).toBe(0)
  expect(await owners()).toEqual(all(org.userId))
})

test('leaving the field keeps the typed name for the button, and clearing ignores the name', async () => {
  const page = await selectAll()
  await button(page, 'Set owner').click()
  const dialog = page.getByRole('dialog')
  const owner = dialog.getByRole('combobox', { name: 'Owner' })
  await owner.fill('mia')
  await page.keyboard.press('Tab')
  await expect.poll(() => owner.inputValue()).toBe('Mia Member')
  await dialog.getByRole('button', { name: 'Change 3 deals' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(owners).toEqual(all(mia.userId))
  await button(page, 'Set owner').click()
  await owner.fill('olivia')
  await closeList(page)
  await button(page, 'Clear owner on 3 deals').click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(owners).toEqual(all(undefined))
})

test('the dialog stays open while it writes, and does not ask before closing after some refusals', async () => {
  const page = await selectAll()
  await button(page, 'Edit').click()
  const dialog = page.getByRole('dialog', { name: 'Edit 3 deals' })
  const answer = Promise.withResolvers<void>()
  await page.route('**/records/bulk', async (route) => {
    await answer.promise
    const failed = [{ index: 0, error: 'must be something else' }]
    await route.fulfill({ json: { created: 0, updated: 2, failed, results: [] } })
  })
  await dialog.getByRole('combobox', { name: 'Attribute' }).fill('Name')
  await page.keyboard.press('Enter')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Rope')
  const sent = page.waitForRequest('**/records/bulk')
  await button(page, 'Change 3 deals').click()
  await sent
  await page.keyboard.press('Escape')
  await dialog.locator('header button').click()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(1)
  answer.resolve()
  await dialog.getByText('1 deal could not be').waitFor()
  await dialog.locator('header button').click()
  await dialog.waitFor({ state: 'detached' })
})

test('values written before the service failed can be undone', async () => {
  for (let n = 0; n < 98; n++)
    ids.push(await addRecord(org, 'deals', { name: `Deal ${n}`, owner: org.userId }))
  const page = await dashboard.open(`/o/org-${org.id}/objects/deals`, mia, {
    viewport: { width: 1600, height: 800 },
  })
  await keepNotes(page)
  await page.getByRole('checkbox', { name: 'Select all rows that are loaded' }).click()
  await page.getByRole('button', { name: 'Select all 101 that match' }).click()
  let requests = 0
  await page.route('**/records/bulk', (route) =>
    ++requests === 1 ? route.continue() : route.fulfill({ status: 500, json: {} }),
  )
  await button(page, 'Set owner').click()
  await page.getByRole('option', { name: 'Mia Member' }).click()
  await page.getByText('100 deals changed').waitFor()
  await button(page, 'Cancel').click()
  await button(page, 'Undo').click()
  await expect.poll(owners).toEqual(all(org.userId))
})
