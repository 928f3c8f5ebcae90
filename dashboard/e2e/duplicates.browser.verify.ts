// The page of duplicate groups: search, merge and dismiss, by keyboard and on a phone.
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { axeViolationsInBothSchemes } from './axe.ts'
import { addRecord } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { chooseFromMenu } from './steps.fixture.ts'

const dashboard = await openSharedDashboard()
let org: Org
let member: SignedInMember
let table: string

beforeEach(async () => {
  ;({ org, member } = await dashboard.organization('member'))
  table = `/o/org-${org.id}/objects/companies`
  for (const name of ['Acme Trading', 'Acme Trading Inc', 'Globex Sisters', 'Globex Sister', 'Hooli'])
    await addRecord(org, 'companies', { name })
})

/** Starts a search and runs its jobs, because these services have no worker. */
async function searchBy(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button }).press('Enter')
  await page.getByRole('button', { name: 'Cancel search' }).waitFor()
  await dashboard.service.drain()
  await page.getByRole('button', { name: 'Search again' }).waitFor()
}

const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('rowheader') })

test("by keyboard: opens the page from the object's menu, merges a group and dismisses a group", async () => {
  const page = await dashboard.open(table, member)
  await chooseFromMenu(page.getByRole('button', { name: 'More actions' }), 'Duplicates')
  await page.getByRole('heading', { name: 'Find duplicate companies' }).waitFor()
  await searchBy(page, 'Find duplicates')
  await rows(page).nth(1).waitFor()
  await expect.poll(() => rows(page).count()).toBe(2)
  await page.getByText('Similar name', { exact: true }).first().waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])

  const merge = page.getByRole('button', { name: 'Merge Acme Trading, Acme Trading Inc' })
  const dismiss = page.getByRole('button', { name: 'Not duplicates: Acme Trading, Acme Trading Inc' })
  expect((await dismiss.boundingBox())?.y).toBe((await merge.boundingBox())?.y)
  await merge.press('Enter')
  await page.getByRole('dialog').getByText('No other record, activity or file changes.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Merge 2 companies' }).press('Enter')
  await page.getByText('2 companies merged into Acme Trading').waitFor()
  await rows(page).nth(1).waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Not duplicates: Globex Sisters, Globex Sister' }).press('Enter')
  await page.getByRole('heading', { name: 'No duplicate companies' }).waitFor()
  await page.getByText('Not duplicates: group dismissed').waitFor()
  await page.getByRole('radio', { name: 'Dismissed' }).press(' ')
  await page.getByRole('button', { name: 'List again: Globex Sisters, Globex Sister' }).press('Enter')
  await page.getByRole('heading', { name: 'No dismissed groups' }).waitFor()
})

test('a search can be cancelled, and the menu shows the number of groups', async () => {
  const page = await dashboard.open(`${table}/duplicates`, member)
  await page.getByRole('button', { name: 'Find duplicates' }).click()
  await page.getByRole('button', { name: 'Cancel search' }).click()
  await page.getByRole('button', { name: 'Find duplicates' }).waitFor()
  await dashboard.service.drain()
  await searchBy(page, 'Find duplicates')
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Companies' }).click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Duplicates 2' }).waitFor()
})

test('on a phone: the page fits the screen, and all buttons work', async () => {
  const page = await dashboard.open(`${table}/duplicates`, member, { viewport: { width: 375, height: 740 } })
  await searchBy(page, 'Find duplicates')
  await rows(page).nth(1).waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375)
  await page.getByRole('button', { name: 'Not duplicates: Acme Trading, Acme Trading Inc' }).click()
  await rows(page).nth(1).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await rows(page).nth(1).waitFor()
})

test('the form of a new record lists likely duplicates, by keyboard and at phone width', async () => {
  const page = await dashboard.open(table, member, { viewport: { width: 390, height: 844 } })
  await page.getByRole('button', { name: 'Create', exact: true }).press('Enter')
  const form = page.getByRole('dialog', { name: 'Create company' })
  await form.getByRole('textbox', { name: 'Name' }).fill('ACME Trading, Inc.')
  await page.keyboard.press('Tab')
  const hint = form.getByRole('status').filter({ hasText: 'This company may exist already' })
  await hint.getByText('Similar name').first().waitFor()
  await expect
    .poll(() => hint.getByRole('link').allInnerTexts())
    .toEqual(['Acme Trading', 'Acme Trading Inc'])
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await form.getByRole('textbox', { name: 'Name' }).fill('Initech')
  await page.keyboard.press('Tab')
  await hint.waitFor({ state: 'detached' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Hooli')
  await page.keyboard.press('Tab')
  await hint.getByRole('link', { name: 'Hooli' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Hooli' }).waitFor()
})
