import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { axeViolations } from './axe.ts'
import { addActivity, addRecord } from './crm.fixture.ts'
import { openSharedDashboard, type Visit } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()
let org: Org
let ada: SignedInMember
let acme: string
let companies: string

beforeEach(async () => {
  ;({ org, member: ada } = await dashboard.organization('member'))
  acme = await addRecord(org, 'companies', { name: 'Acme' })
  companies = `/o/org-${org.id}/objects/companies`
})

const offer = (page: Page) => page.getByRole('region', { name: 'Draft' })
const restore = (page: Page) => offer(page).getByRole('button', { name: 'Restore draft' })
const SMALL_AND_DARK: Visit = { viewport: { width: 375, height: 800 }, colorScheme: 'dark' }

async function openCreate(page: Page) {
  await page.goto(`${companies}?create=1`)
  const panel = page.getByRole('dialog', { name: 'Create company' })
  const name = panel.getByRole('textbox', { name: 'Name' })
  await name.waitFor()
  return { panel, name }
}

async function openComposer(page: Page, record: string) {
  await page.goto(`${companies}/${record}`)
  const composer = page.getByRole('form', { name: 'New activity' })
  const title = composer.getByRole('textbox', { name: 'Title' })
  await title.waitFor()
  return { composer, title }
}

const noOffer = (page: Page) => expect.poll(() => offer(page).count()).toBe(0)

test('text typed into the create panel is offered again after Escape, until the record is saved', async () => {
  const page = await dashboard.visit(ada, SMALL_AND_DARK)
  const { panel, name } = await openCreate(page)
  await noOffer(page)
  await name.fill('Globex')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await openCreate(page)
  await offer(page).waitFor()
  expect(await axeViolations(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375)
  await restore(page).press('Enter')
  await expect.poll(() => name.inputValue()).toBe('Globex')
  await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('Globex')
  await page.keyboard.press('ControlOrMeta+Enter')
  await panel.waitFor({ state: 'detached' })
  await openCreate(page)
  await noOffer(page)
})

test('a click outside the panel keeps a draft; Discard and Cancel delete it', async () => {
  const page = await dashboard.visit(ada, { viewport: { width: 1024, height: 768 } })
  const { panel, name } = await openCreate(page)
  await name.fill('Globex')
  await page.mouse.click(20, 400)
  await panel.waitFor({ state: 'detached' })
  await openCreate(page)
  await offer(page).getByRole('button', { name: 'Discard' }).click()
  await offer(page).waitFor({ state: 'detached' })
  await name.fill('Hooli')
  await panel.getByRole('button', { name: 'Cancel' }).click()
  await panel.waitFor({ state: 'detached' })
  await openCreate(page)
  await noOffer(page)
})

test('restoring a draft keeps the text that was typed while the draft was offered', async () => {
  await org.post('/objects/companies/attributes', { name: 'Motto', type: 'text' })
  const page = await dashboard.visit(ada)
  const { panel, name } = await openCreate(page)
  await name.fill('Globex')
  await panel.getByRole('button', { name: /More fields/ }).click()
  await panel.getByRole('textbox', { name: 'Motto' }).fill('Rockets')
  await page.keyboard.press('Escape')
  await openCreate(page)
  await name.fill('Hooli')
  await name.fill('')
  await page.keyboard.press('Escape')
  await openCreate(page)
  await name.fill('Hooli')
  await restore(page).click()
  await expect.poll(() => panel.getByRole('textbox', { name: 'Motto' }).inputValue()).toBe('Rockets')
  await expect.poll(() => name.inputValue()).toBe('Hooli')
})

test('an unsaved note is offered again only on its record', async () => {
  const other = await addRecord(org, 'companies', { name: 'Umbrella' })
  const page = await dashboard.visit(ada)
  const { composer, title } = await openComposer(page, acme)
  await title.fill('Called about the offer')
  await openComposer(page, other)
  await noOffer(page)
  await openComposer(page, acme)
  await restore(page).click()
  await expect.poll(() => title.inputValue()).toBe('Called about the offer')
  const saved = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/activities'),
  )
  await composer.getByRole('button', { name: 'Save note' }).click()
  expect((await saved).status()).toBe(201)
  await page
    .getByRole('button', { name: /Called about the offer/ })
    .first()
    .waitFor()
  await openComposer(page, acme)
  await noOffer(page)
})

test('restoring the draft of a change keeps changes of others in other fields', async () => {
  const linkedRecords = [{ objectId: 'companies', recordId: acme }]
  const note = { type: 'note', title: 'Fair', summary: 'In Rome', linkedRecords }
  const id = await addActivity(org, note)
  const page = await dashboard.visit(ada)
  const dialog = page.getByRole('dialog', { name: 'Edit note' })
  const title = dialog.getByRole('textbox', { name: 'Title' })
  const open = async () => {
    await page.goto(`/o/org-${org.id}/activities`)
    await page.getByRole('button', { name: 'Fair' }).first().click()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await title.waitFor()
  }
  await open()
  await title.fill('Spring fair')
  await page.keyboard.press('Escape')
  await title.waitFor({ state: 'detached' })
  expect((await org.patch(`/activities/${id}`, { summary: 'In Paris' })).status).toBe(200)
  await open()
  await expect.poll(() => title.inputValue()).toBe('Fair')
  await restore(page).click()
  await expect.poll(() => title.inputValue()).toBe('Spring fair')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { body } = await org.get(`/activities/${id}`)
  expect(body).toMatchObject({ title: 'Spring fair', summary: 'In Paris' })
})

test('a draft is not shown to another user, and is deleted on sign-out', async () => {
  const bob = await org.member('member')
  const page = await dashboard.visit(ada)
  const draftsKept = () =>
    page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('rapport-draft')).length")
  const { name } = await openCreate(page)
  await name.fill('Globex')
  expect(await draftsKept()).toBe(1)
  const [cookie = '', value = ''] = bob.cookie.split('=', 2)
  const own = await page.context().cookies()
  await page
    .context()
    .addCookies([{ name: cookie, value, url: dashboard.base, httpOnly: true, sameSite: 'Lax' }])
  await openCreate(page)
  await noOffer(page)
  await page.context().addCookies(own)
  await openCreate(page)
  await offer(page).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /: profile and appearance$/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in*')
  expect(await draftsKept()).toBe(0)
})
