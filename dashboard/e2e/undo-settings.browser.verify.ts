// Saved settings can be undone in their note.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openSharedDashboard } from './open-dashboard.ts'
import { keepNotes } from './steps.fixture.ts'

const dashboard = await openSharedDashboard()
const org = await dashboard.service.org({ name: 'Initech' })
const settings = `/o/org-${org.id}/settings`

const undo = (page: Page, label: string) =>
  page.getByRole('alert').filter({ hasText: label }).getByRole('button', { name: 'Undo', exact: true })

test('saved settings are undone in their note, except values that were changed since', async () => {
  const admin = await org.member('admin')
  const page = await dashboard.visit(admin)
  await admin.post('/objects', { singularName: 'Pet', pluralName: 'Pets', slug: 'pets' })
  await page.goto(`${settings}/objects/pets`)
  await keepNotes(page)
  const section = page.getByRole('region', { name: 'Retention' })
  const days = section.getByLabel('Days without a change')
  await days.fill('730')
  await section.getByRole('button', { name: 'Save retention' }).press('Enter')
  await undo(page, 'Retention saved').press('Enter')
  await expect.poll(() => days.inputValue()).toBe('')
  expect((await admin.get('/objects/pets/retention')).body).toMatchObject({ days: null })
  await page.getByLabel('Plural name').fill('Animals')
  await page.getByRole('button', { name: /^Save changes/ }).press('Enter')
  await undo(page, 'Animals saved').press('Enter')
  await expect.poll(() => page.getByLabel('Plural name').inputValue()).toBe('Pets')

  await page.goto(`${settings}/organization`)
  await keepNotes(page)
  const trash = page.getByLabel('Days in the trash')
  await page.getByLabel('Name').first().fill('Initrode')
  await trash.fill('45')
  await page.getByRole('button', { name: /^Save changes/ }).press('Enter')
  await undo(page, 'Organization saved').waitFor()
  await admin.patch('/organization', { trashDays: 60 })
  await undo(page, 'Organization saved').press('Enter')
  await page.getByText('1 value was changed since and kept').waitFor()
  await expect
    .poll(async () => (await admin.get('/organization')).body)
    .toMatchObject({ name: 'Initech', trashDays: 60 })
  await expect.poll(() => page.getByLabel('Name').first().inputValue()).toBe('Initech')
  await expect.poll(() => trash.inputValue()).toBe('60')
})

test('saved rules of an attribute, the role of a member and the own name are undone in their note', async () => {
  const owner = await org.member('owner')
  const mia = await org.member('member')
  const page = await dashboard.visit(owner)
  await owner.post('/objects/companies/attributes', { name: 'Code', slug: 'code', type: 'text' })
  const rules = async () => (await owner.get('/objects/companies/attributes/code')).body
  await page.goto(`${settings}/objects/companies`)
  await keepNotes(page)
  await page.getByRole('button', { name: 'Code', exact: true }).click()
  const panel = page.getByRole('dialog')
  await panel.getByLabel('Name').fill('Serial')
  await panel.getByRole('checkbox', { name: 'Unique' }).check()
  await panel.getByRole('button', { name: /^Save changes/ }).press('Enter')
  await panel.waitFor({ state: 'detached' })
  expect(await rules()).toMatchObject({ name: 'Serial', isUnique: true })
  await undo(page, 'Serial saved').press('Enter')
  await page.getByRole('button', { name: 'Code', exact: true }).waitFor()
  await expect.poll(rules).toMatchObject({ name: 'Code', isUnique: false })

  const role = async () => {
    const { body } = await owner.get<{ members: { user: { id: string }; role: string }[] }>('/members')
    return body.members.find(({ user }) => user.id === mia.userId)?.role
  }
  await page.goto(`${settings}/members`)
  await keepNotes(page)
  await page.getByRole('row').filter({ hasText: mia.email }).getByRole('combobox').click()
  await page.getByRole('option', { name: 'Admin' }).click()
  await undo(page, 'Mia Member is now an admin').press('Enter')
  await page.getByText('Undone: Mia Member is now an admin').waitFor()
  expect(await role()).toBe('member')

  await page.goto(`${settings}/profile`)
  await keepNotes(page)
  const name = page.getByLabel('Name')
  const before = await name.inputValue()
  await name.fill('Olga Owner')
  await page.getByRole('button', { name: 'Save name' }).press('Enter')
  await undo(page, 'Name saved').press('Enter')
  await expect.poll(() => name.inputValue()).toBe(before)
})
