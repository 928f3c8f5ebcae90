// Erasing a record from its page, and the privacy log in the settings.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { readConfig } from '../../server/config/config.ts'
import { axeViolations } from './axe.ts'
import { openDashboard } from './open-dashboard.ts'

const { backup } = readConfig({ BACKUP_URL: '/backups', BACKUP_RETENTION_DAYS: '30' })
const dashboard = await openDashboard({ backup })
const PEOPLE = '/objects/people/records'

async function setUp() {
  const { org, admin } = await dashboard.organization('admin')
  const create = async (data: object) => (await org.post<{ id: string }>(PEOPLE, { data })).body.id
  const ada = await create({ name: 'Ada Lovelace', email: 'ada@example.com' })
  await create({ name: 'Charles Babbage', job_title: 'Friend of Ada Lovelace' })
  return { org, admin, ada, root: `/o/org-${org.id}` }
}

async function openErasure(page: Page, address: string) {
  await page.goto(address)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Erase…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('list', { name: 'Mentions in other texts' }).getByText('Charles Babbage').waitFor()
  return dialog
}

test('an admin erases a record after a preview and after typing its name, and the log shows it', async () => {
  const { org, admin, ada, root } = await setUp()
  const page = await dashboard.visit(admin)
  const dialog = await openErasure(page, `${root}/objects/people/${ada}`)
  await dialog.getByRole('list', { name: 'What is erased' }).getByText('1 record', { exact: true }).waitFor()
  await dialog.getByText('Backups keep the data for 30 more days.').waitFor()
  expect(await axeViolations(page)).toEqual([])
  const confirm = dialog.getByRole('button', { name: 'Erase for good' })
  await expect.poll(() => confirm.isDisabled()).toBe(true)
  await dialog.getByLabel('Type Ada Lovelace to confirm').fill('Ada Lovelace')
  await page.keyboard.press('Enter')
  await page.getByText('The erasure runs in the background').waitFor()
  await dashboard.service.drain()
  expect((await org.get(`${PEOPLE}/${ada}`)).status).toBe(404)
  await page.goto(`${root}/settings/privacy`)
  const log = page.getByRole('table', { name: 'Erasures' })
  await log.getByText('Erased').waitFor()
  await log.getByText(ada).waitFor()
  await expect.poll(() => log.textContent()).not.toContain('Ada Lovelace')
  expect(await axeViolations(page)).toEqual([])
})

test('a running erasure shows its progress and ends in place, at phone width too', async () => {
  const { admin, ada, root } = await setUp()
  await admin.post(`${PEOPLE}/${ada}/erasure`, { confirm: ada })
  const page = await dashboard.open(`${root}/settings/privacy`, admin, {
    own: { viewport: { width: 375, height: 800 } },
  })
  await page.getByText('Running').waitFor()
  await page.getByRole('progressbar').waitFor({ state: 'attached' })
  expect(await axeViolations(page)).toEqual([])
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  expect(width).toBeLessThanOrEqual(375)
  await dashboard.service.drain()
  await page.getByRole('table').getByText('Erased').waitFor()
})

test('members can neither erase records nor see the log', async () => {
  const { org, ada, root } = await setUp()
  const page = await dashboard.open(`${root}/objects/people/${ada}`, await org.member('member'))
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
  await expect.poll(() => page.getByRole('menuitem', { name: 'Erase…' }).count()).toBe(0)
  await page.goto(`${root}/settings/privacy`)
  await page.getByText('Privacy is for owners and admins').waitFor()
})

test('an admin downloads all data about a record, and the log shows it', async () => {
  const { admin, ada, root } = await setUp()
  const page = await dashboard.open(`${root}/objects/people/${ada}`, admin)
  await page.getByRole('button', { name: 'More actions' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Download archive' }).click()
  expect((await downloading).suggestedFilename()).toBe('Ada Lovelace.zip')
  await page.goto(`${root}/settings/privacy`)
  await page.getByRole('table', { name: 'Erasures' }).getByText('Archive').waitFor()
})
