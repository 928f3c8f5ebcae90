// Owners of records and assignees of tasks.
import { beforeEach, expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { axeViolations } from './axe.ts'
import { addActivity, addRecord, dataOf } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()
const OWNER_COLUMN = 6
let org: Org
let mia: SignedInMember
let deals: string
let rocket: string

beforeEach(async () => {
  ;({ org, member: mia } = await dashboard.organization('member'))
  deals = `/o/org-${org.id}/objects/deals`
  rocket = await addRecord(org, 'deals', { name: 'Rocket' })
})

const ownerOf = async (id: string) => (await dataOf(org, 'deals', id))['owner']
const visit = () => dashboard.visit(mia, { viewport: { width: 1800, height: 800 } })

test('the owner is chosen by keyboard in a cell of the table', async () => {
  const page = await visit()
  await page.goto(deals)
  await page.locator('#cell-0-0').click({ position: { x: 3, y: 3 } })
  for (let column = 0; column < OWNER_COLUMN; column++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Mia Member' }).waitFor()
  await page.keyboard.type('mia')
  await page.keyboard.press('Enter')
  await expect.poll(() => ownerOf(rocket)).toBe(mia.userId)
  const cell = page.locator(`#cell-0-${OWNER_COLUMN}`)
  await cell.getByText('Mia Member').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Clear' }).click()
  await expect.poll(() => ownerOf(rocket)).toBe(undefined)
})

test('the owner is chosen by keyboard on the page of a record', async () => {
  const page = await visit()
  await page.goto(`${deals}/${rocket}`)
  await page.getByRole('button', { name: 'Edit Owner' }).press('Enter')
  await page.locator('input:focus').waitFor()
  await page.keyboard.type('olivia')
  await page
    .getByRole('option', { name: 'Olivia Owner' })
    .and(page.locator('[data-combobox-selected]'))
    .waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => ownerOf(rocket)).toBe(org.userId)
  await page.getByText('Olivia Owner').first().waitFor()
  expect(await axeViolations(page)).toEqual([])
})

test('the creator owns a new deal and finds it under My deals', async () => {
  const page = await visit()
  await page.goto(`${deals}?create=1`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Ladder')
  await page.getByRole('button', { name: 'Create deal', exact: false }).last().click()
  await page.getByText('Ladder').waitFor()
  await page.getByRole('button', { name: 'Deals', exact: true }).click()
  await page.getByRole('menuitem', { name: 'My deals' }).click()
  await page.getByText('Owner is me').waitFor()
  await page.getByText('Rocket').waitFor({ state: 'detached' })
  await page.getByText('Ladder').waitFor()
  expect(await axeViolations(page)).toEqual([])
})

test('My tasks shows the open tasks that are assigned to the member', async () => {
  await addActivity(org, { type: 'task', title: 'Call Acme', assignee: mia.userId })
  await addActivity(org, { type: 'task', title: 'Call Umbrella', assignee: org.userId })
  const page = await visit()
  await page.goto(`/o/org-${org.id}/activities`)
  await page.getByRole('button', { name: 'Call Umbrella' }).waitFor()
  await page.getByRole('button', { name: 'My tasks' }).press('Enter')
  await page.getByRole('button', { name: 'Call Umbrella' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Call Acme' }).waitFor()
  await page.getByRole('button', { name: 'Assigned to me' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
})
