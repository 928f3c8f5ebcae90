import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Attribute } from '../../contract/attributes.ts'
import { axeViolationsInBothSchemes } from './axe.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()

const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })

/** A deleted attribute "Nickname" for which a person has a value. */
async function setUp() {
  const { org, owner } = await dashboard.organization('owner')
  const attributes = '/objects/people/attributes'
  const { body } = await owner.post<Attribute>(attributes, { name: 'Nickname', type: 'text' })
  await owner.post('/objects/people/records', { data: { name: { firstName: 'Ada' }, nickname: 'Countess' } })
  await owner.delete(`${attributes}/${body.id}`)
  const page = await dashboard.visit(owner)
  const open = () => page.goto(`/o/org-${org.id}/settings/objects/people`)
  const dataOf = async () => {
    const { body: list } = await owner.get<{ records: { data: object }[] }>('/objects/people/records')
    return list.records.map(({ data }) => data)
  }
  return { owner, page, open, dataOf, trash: page.getByRole('region', { name: 'Deleted attributes' }) }
}

test('restoring a deleted attribute restores its values', async () => {
  const { page, open, dataOf, trash } = await setUp()
  await open()
  await button(trash, 'Restore Nickname').click()
  await page.getByText('1 value returns to records').waitFor()
  await button(page, 'Restore attribute').click()
  await page.getByText('Nickname was restored').waitFor()
  await trash.waitFor({ state: 'detached' })
  await button(page, 'Move Nickname').waitFor()
  expect(await dataOf()).toMatchObject([{ nickname: 'Countess' }])
})

test('a deleted attribute is restored by keyboard, with another slug if its own is taken', async () => {
  const { owner, page, open, dataOf, trash } = await setUp()
  await owner.post('/objects/people/attributes', { name: 'Nickname', type: 'number' })
  await open()
  await button(trash, 'Restore Nickname').press('Enter')
  await page.getByText('Another attribute has the slug nickname now.').waitFor()
  await page.getByRole('dialog').getByLabel('Slug').fill('byname')
  await page.keyboard.press('Enter')
  await trash.waitFor({ state: 'detached' })
  expect(await dataOf()).toMatchObject([{ byname: 'Countess' }])
})

test('a deleted attribute is deleted permanently, on a phone', async () => {
  const { owner, page, open, trash } = await setUp()
  await page.setViewportSize({ width: 375, height: 800 })
  await open()
  await button(trash, 'Delete permanently: Nickname').waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await button(trash, 'Delete permanently: Nickname').click()
  await button(page, 'Delete permanently').click()
  await trash.waitFor({ state: 'detached' })
  expect((await owner.get('/objects/people/trashed-attributes')).body).toMatchObject({ attributes: [] })
})

/** A deleted object with one record. */
async function deleteObject() {
  const { org, owner } = await dashboard.organization('owner')
  await owner.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
  await owner.post('/objects/projects/attributes', { name: 'Name', type: 'text' })
  await owner.post('/objects/projects/records', { data: { name: 'Atlas' } })
  const page = await dashboard.visit(owner)
  const settings = `/o/org-${org.id}/settings/objects`
  await page.goto(`${settings}/projects`)
  await button(page, 'Delete object').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('under “Deleted objects”').waitFor()
  await dialog.getByRole('textbox').fill('Projects')
  await button(dialog, 'Delete object').press('Enter')
  const trash = page.getByRole('region', { name: 'Deleted objects' })
  await trash.waitFor()
  return { owner, page, settings, trash }
}

test('restoring a deleted object restores its records', async () => {
  const { owner, page, trash } = await deleteObject()
  await button(trash, 'Restore Projects').click()
  await page.getByText('return with it, and its views.').waitFor()
  await button(page, 'Restore object').click()
  await page.getByText('Projects was restored').waitFor()
  await trash.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Projects' }).first().waitFor()
  const { body } = await owner.get('/objects/projects/records')
  expect(body).toMatchObject({ records: [{ data: { name: 'Atlas' } }] })
})

test('deleted objects are restored with another slug or deleted permanently, by keyboard on a phone', async () => {
  const { owner, page, settings, trash } = await deleteObject()
  await page.setViewportSize({ width: 375, height: 800 })
  await owner.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
  await page.goto(settings)
  await button(trash, 'Restore Projects').waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await button(trash, 'Restore Projects').press('Enter')
  await page.getByRole('dialog').getByLabel('Slug').fill('old_projects')
  await page.keyboard.press('Enter')
  await trash.waitFor({ state: 'detached' })
  expect((await owner.get('/objects/old_projects/records')).body).toMatchObject({ records: [{}] })
  await owner.delete('/objects/old_projects')
  await page.reload()
  await button(trash, 'Delete permanently: Projects').press('Enter')
  await page.getByRole('dialog').getByRole('textbox').fill('Projects')
  await page.keyboard.press('Enter')
  await trash.waitFor({ state: 'detached' })
  expect((await owner.get('/trashed-objects')).body).toMatchObject({ objects: [] })
})
