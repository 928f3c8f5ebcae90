import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeViolations } from '../axe.ts'
import { addRecord } from '../crm.fixture.ts'
import { hasFocus, pressShortcut } from '../journey-keys.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'
import { expectAccessible } from '../steps.fixture.ts'

const dashboard = await openSharedDashboard()

const field = (page: Page) => page.getByRole('combobox', { name: 'Search records, pages and commands' })
/** An option of the final results: they no longer move under the pointer. */
const found = (page: Page, name: RegExp) =>
  page.locator('[role=listbox]:not([data-stale])').getByRole('option', { name })

/** The active option, which Enter runs. */
const active = (page: Page, name: RegExp) => found(page, name).and(page.locator('[aria-selected=true]'))

/** Opens the search by its shortcut. */
async function openPalette(page: Page): Promise<void> {
  await pressShortcut(page, 'Control+k')
  await hasFocus(field(page))
}

test('the search receives the first letters after its shortcut, and none acts on the page', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  await addRecord(org, 'companies', { name: 'Fenchurch' })
  const page = await dashboard.open(`/o/org-${org.id}/objects/companies`, await org.member('member'))
  await page.getByRole('rowheader', { name: 'Fenchurch' }).waitFor()
  await pressShortcut(page, 'Control+k')
  // Without waiting: on the page, "f" would open the filter, "n" the notifications and "c" the create panel.
  for (const letter of 'fenc') await page.keyboard.press(letter)
  await expect.poll(() => field(page).inputValue()).toBe('fenc')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(1)
  await active(page, /Fenchurch/).waitFor()
})

test('people with the same name are distinguished by a hint below the name', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  const company = await addRecord(org, 'companies', { name: 'Acme' })
  await addRecord(org, 'people', { name: 'Rosa Gruber', company, email: 'rosa@acme.example' })
  await addRecord(org, 'people', { name: 'Rosa Gruber', email: 'rosa@home.example' })
  const page = await dashboard.open(`/o/org-${org.id}`, await org.member('member'), {
    viewport: { width: 375, height: 740 },
  })
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  await openPalette(page)
  await page.keyboard.type('rosa')
  await found(page, /Rosa Gruber.*Acme · rosa@acme\.example.*Person/).waitFor()
  await found(page, /Rosa Gruber.*rosa@home\.example.*Person/).waitFor()
  await expectAccessible(page)
})

test('the palette finds a record, opens a page and runs a command, by keyboard and by mouse', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  await addRecord(org, 'companies', { name: 'Zephyr Works' })
  await addRecord(org, 'deals', { name: 'Zephyr order' })
  const page = await dashboard.open(`/o/org-${org.id}`, await org.member('member'))
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  await openPalette(page)
  await page.keyboard.type('zephyr w')
  await active(page, /Zephyr Works/).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/objects/companies/*')
  await page.getByRole('heading', { level: 1, name: 'Zephyr Works' }).waitFor()

  await page.getByRole('button', { name: /^Search/ }).click()
  await hasFocus(field(page))
  await page.keyboard.type('zephyr o')
  await found(page, /Zephyr order/).click()
  await page.waitForURL('**/objects/deals/*')
  await page.getByRole('heading', { level: 1, name: 'Zephyr order' }).waitFor()

  await openPalette(page)
  await page.keyboard.type('notifications')
  await found(page, /Settings: Notifications/).click()
  await page.waitForURL('**/settings/notifications')
  await openPalette(page)
  await page.keyboard.type('switch to dark')
  await active(page, /dark/i).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  await field(page).waitFor({ state: 'detached' })
  expect(await axeViolations(page)).toEqual([])
  await openPalette(page)
  await page.keyboard.press('Escape')
  await field(page).waitFor({ state: 'detached' })
})
