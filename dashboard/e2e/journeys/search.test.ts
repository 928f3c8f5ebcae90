import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeViolations } from '../axe.ts'
import { addRecord } from '../crm.fixture.ts'
import { hasFocus, pressShortcut } from '../journey-keys.fixture.ts'
import { openDashboard } from '../open-dashboard.ts'
import { expectAccessible } from '../steps.fixture.ts'

const dashboard = await openDashboard()

const field = (page: Page) => page.getByRole('combobox', { name: 'Search records, pages and commands' })
/** Once all is found that the text finds: nothing moves under the pointer then. */
const found = (page: Page, name: RegExp) =>
  page.locator('[role=listbox]:not([data-stale])').getByRole('option', { name })

/** The option that Enter runs. */
const active = (page: Page, name: RegExp) => found(page, name).and(page.locator('[aria-selected=true]'))

/** By its key: what is typed next is searched for. */
async function openPalette(page: Page): Promise<void> {
  await pressShortcut(page, 'Control+k')
  await hasFocus(field(page))
}

test('the palette finds a record, goes to a page and gives a command, by keys and by mouse', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  await addRecord(org, 'companies', { name: 'Zephyr Works' })
  await addRecord(org, 'deals', { name: 'Zephyr order' })
  const page = await dashboard.visit(await org.member('member'))
  await page.goto(`/o/org-${org.id}`)
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
