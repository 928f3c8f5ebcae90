// Merges records from the table and from a record page, and undoes the merge.
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { axeViolations, axeViolationsInBothSchemes } from './axe.ts'
import { addActivity, addRecord, dataOf, objectId } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { keepNotes } from './steps.fixture.ts'

const dashboard = await openSharedDashboard()
let org: Org
let member: SignedInMember
let acme: string
let inc: string
let table: string

beforeEach(async () => {
  ;({ org, member } = await dashboard.organization('member'))
  table = `/o/org-${org.id}/objects/companies`
  acme = await addRecord(org, 'companies', { name: 'Acme' })
  inc = await addRecord(org, 'companies', { name: 'Acme Inc', domain: 'acme.example' })
  await addRecord(org, 'people', { name: 'Ada', company: inc })
  const companies = await objectId(org, 'companies')
  await addActivity(org, { title: 'Call', linkedRecords: [{ objectId: companies, recordId: inc }] })
})

const dialogOf = (page: Page) => page.getByRole('dialog')

/** By keyboard only. The newest record is the first row. */
async function openFromTable(page: Page): Promise<void> {
  await page.goto(table)
  await page.locator('#cell-0-0').click({ position: { x: 3, y: 3 } })
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await page.getByText('2 companies selected').waitFor()
  await page.getByRole('button', { name: 'Merge' }).press('Enter')
  await dialogOf(page).getByText('No other record, activity or file changes.').waitFor()
}

test('by keyboard: selected records are merged as chosen, and Undo restores both', async () => {
  const page = await dashboard.visit(member)
  await openFromTable(page)
  const dialog = dialogOf(page)
  await dialog.getByRole('radio', { name: 'Keep Acme', exact: true }).press('Space')
  await dialog.getByRole('radio', { name: 'Name of Acme Inc' }).press('Space')
  await dialog.getByText('1 reference from other records and 1 activity will move to Acme.').waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Merge 2 companies' }).press('Enter')
  await page.getByText('2 companies merged into Acme').waitFor()
  expect(await dataOf(org, 'companies', acme)).toMatchObject({ name: 'Acme Inc', domain: 'acme.example' })
  expect((await org.get(`/objects/companies/records/${inc}`)).body).toMatchObject({ mergedInto: acme })
  await page.getByText('2 companies selected').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await page.getByText('Merge undone: 1 company restored').waitFor()
  expect((await dataOf(org, 'companies', acme))['name']).toBe('Acme')
  expect(await dataOf(org, 'companies', inc)).toMatchObject({ name: 'Acme Inc', domain: 'acme.example' })
})

test('Undo of a merge shows each value that was changed since, with its current value', async () => {
  const page = await dashboard.open(table, member, { viewport: { width: 390, height: 844 } })
  await keepNotes(page)
  await page.getByRole('checkbox', { name: /^Select all/ }).press('Space')
  await page.getByRole('button', { name: 'Merge' }).press('Enter')
  const dialog = dialogOf(page)
  await dialog.getByRole('radio', { name: 'Keep Acme', exact: true }).press('Space')
  await dialog.getByRole('radio', { name: 'Name of Acme Inc' }).press('Space')
  await dialog.getByRole('button', { name: 'Merge 2 companies' }).press('Enter')
  await page.getByText('2 companies merged into Acme').waitFor()
  await org.patch(`/objects/companies/records/${acme}`, { data: { name: 'Acme Group' } })
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  const left = page.getByRole('dialog', { name: '1 value was not restored' })
  const record = left.getByRole('region', { name: 'Acme Group' })
  await record.getByText('Name: the value was changed since the merge').waitFor()
  await record.getByText('Now').waitFor()
  await record.getByText('Acme Group').nth(1).waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await left.getByRole('button', { name: 'Close' }).last().press('Enter')
  await left.waitFor({ state: 'detached' })
  expect((await dataOf(org, 'companies', acme))['name']).toBe('Acme Group')
})

test('on a phone: a record is merged into another one, whose page opens; the merge is undone there', async () => {
  const page = await dashboard.open(`${table}/${acme}`, member, { viewport: { width: 375, height: 700 } })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Merge with…' }).click()
  await dialogOf(page).getByRole('combobox', { name: 'Companies to merge it with' }).fill('Acme Inc')
  await page.getByRole('option', { name: 'Acme Inc' }).click()
  await dialogOf(page).getByRole('button', { name: 'Continue' }).click()
  const dialog = dialogOf(page)
  await dialog.getByRole('radio', { name: 'Keep Acme Inc' }).click()
  await dialog.getByText('No other record, activity or file changes.').waitFor()
  expect(await axeViolations(page)).toEqual([])
  const width = () => page.evaluate<number>('document.documentElement.scrollWidth')
  expect(await width()).toBe(375)
  await dialog.getByRole('button', { name: 'Merge 2 companies' }).click()
  await page.waitForURL(`**${table}/${inc}`)
  await page.goto(`${table}/${acme}`)
  await page.waitForURL(`**${table}/${inc}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Undo last merge' }).click()
  await dialogOf(page).getByText('1 company will return').waitFor()
  await dialogOf(page).getByRole('button', { name: 'Undo merge' }).click()
  await page.getByText('Merge undone: 1 company restored').waitFor()
  expect((await dataOf(org, 'companies', acme))['name']).toBe('Acme')
})

test('several records with the same name can be chosen', async () => {
  for (let n = 0; n < 2; n++) await addRecord(org, 'companies', { name: 'Twin' })
  const page = await dashboard.open(`${table}/${acme}`, member)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Merge with…' }).click()
  const others = dialogOf(page).getByRole('combobox', { name: 'Companies to merge it with' })
  const options = page.getByRole('option', { name: /^Twin/ })
  for (const left of [2, 1]) {
    await others.fill('Twin')
    await expect.poll(() => page.getByRole('option').count()).toBe(left)
    await options.first().click()
  }
  await page.keyboard.press('Escape')
  await dialogOf(page).getByRole('button', { name: 'Continue' }).click()
  await dialogOf(page).getByRole('button', { name: 'Merge 3 companies' }).waitFor()
})

test('a merge that is not possible is reported before it is confirmed', async () => {
  const page = await dashboard.visit(member)
  await org.post('/objects/companies/attributes', {
    name: 'Size',
    type: 'select',
    config: { options: ['S', 'M'] },
  })
  await openFromTable(page)
  await org.delete(`/objects/companies/records/${acme}?permanent=true`)
  await dialogOf(page).getByRole('radio', { name: 'Name of Acme', exact: true }).click()
  await dialogOf(page).getByRole('alert').getByText('These records cannot be merged like this').waitFor()
})
