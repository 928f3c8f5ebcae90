import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeViolationsInBothSchemes } from '../axe.ts'
import { addRecord } from '../crm.fixture.ts'
import { hasFocus } from '../journey-keys.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'
import { button, expectAccessible, holdsFocus, option, work } from '../steps.fixture.ts'

const dashboard = await openSharedDashboard()

const settings = (page: Page) => page.getByRole('navigation', { name: 'Settings' })

async function open(page: Page, name: string): Promise<void> {
  await settings(page).getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
}

async function renameOrganization(page: Page): Promise<void> {
  await open(page, 'General')
  await page.getByRole('textbox', { name: 'Name' }).fill('Initrode')
  await page.getByRole('combobox', { name: 'Currency' }).fill('EUR')
  await page.getByRole('option', { name: 'EUR' }).click()
  await button(page, 'Save changes').click()
  await button(page, /Organization: Initrode/).waitFor()
  await expectAccessible(page)
}

/** @returns the key, which is shown only once */
async function createKey(page: Page): Promise<string> {
  await open(page, 'API keys')
  await button(page, 'New key').click()
  const panel = page.getByRole('dialog')
  await holdsFocus(panel)
  await panel.getByLabel('Name').fill('Website forms')
  await panel.getByRole('checkbox', { name: 'Read objects' }).check()
  await panel.getByText('Can read objects. Nothing else.').waitFor()
  await expectAccessible(page)
  await button(panel, /^Create key/).press('Enter')
  const key = await page.getByRole('dialog').getByText(/^svc_/).innerText()
  await button(page, 'Done').click()
  await page.getByRole('row', { name: /Website forms/ }).waitFor()
  return key
}

async function deleteKey(page: Page): Promise<void> {
  const row = page.getByRole('row', { name: /Website forms/ })
  await button(row, /^Delete/).click()
  const dialog = page.getByRole('dialog')
  await holdsFocus(dialog)
  await dialog.getByRole('textbox').fill('Website forms')
  await button(dialog, 'Delete key').click()
  await row.waitFor({ state: 'detached' })
}

test('the owner changes the profile, the organization, a role, and an API key', async () => {
  const { org, owner } = await dashboard.organization('owner')
  await org.member('member')
  const page = await dashboard.open(`/o/org-${org.id}/settings/profile`, owner)
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Mia Renamed')
  await hasFocus(name)
  await page.keyboard.press('Enter')
  await button(page, /^Mia Renamed/).waitFor()
  await expectAccessible(page)
  await renameOrganization(page)
  await open(page, 'Members')
  const member = page.getByRole('row', { name: /Mia Member/ })
  await member.getByRole('combobox', { name: 'Role of Mia Member' }).click()
  await option(page, 'Admin').click()
  const roles = async () => {
    const { body } = await owner.get<{ members: { role: string }[] }>('/members')
    return body.members.map(({ role }) => role).toSorted()
  }
  await expect.poll(roles).toEqual(['admin', 'owner', 'owner'])
  await expectAccessible(page)
  const key = await createKey(page)
  const answer = async () => {
    const headers = { authorization: `Bearer ${key}` }
    return (await fetch(`${dashboard.base}/api/v1/objects`, { headers })).status
  }
  expect(await answer()).toBe(200)
  await deleteKey(page)
  await expect.poll(answer).toBe(401)
})

test('a person is erased from the page of the record, and the privacy log shows it', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  const data = { name: 'Ada Lovelace', email: 'ada@example.com' }
  const ada = await addRecord(org, 'people', data)
  const page = await dashboard.open(`/o/org-${org.id}/objects/people/${ada}`, await org.member('admin'))
  await button(page, 'More actions').click()
  await page.getByRole('menuitem', { name: 'Erase…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('list', { name: 'What is erased' }).getByText('1 record', { exact: true }).waitFor()
  const confirmation = dialog.getByLabel('Type Ada Lovelace to confirm')
  await confirmation.fill('Ada Lovelace')
  await hasFocus(confirmation)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.goto(`/o/org-${org.id}/settings/privacy`)
  const log = page.getByRole('table', { name: 'Erasures' })
  await work(dashboard.service, log.getByText('Erased'))
  await log.getByText(ada).waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
})
