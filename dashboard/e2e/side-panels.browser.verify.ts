// Creating and looking at a record beside the table.
import { expect, test } from 'vitest'
import { axeViolationsInBothSchemes } from './axe.ts'
import { addRecord } from './crm.fixture.ts'
import { openDashboard } from './open-dashboard.ts'

const dashboard = await openDashboard()
const org = await dashboard.service.org({ name: 'Initech' })
const member = await org.member('member')
const admin = await org.member('admin')
for (const name of ['Nickname', 'Hobby'])
  await admin.post('/objects/people/attributes', { name, type: 'text' })
const acme = await addRecord(org, 'companies', { name: 'Acme' })
const people = `/o/org-${org.id}/objects/people`

const WIDE = { viewport: { width: 1440, height: 900 } }

test('six fields to fill in, the others when they are asked for', async () => {
  const page = await dashboard.visit(member, WIDE)
  await page.goto(`${people}?create=1`)
  const panel = page.getByRole('dialog', { name: 'Create person' })
  await panel.getByRole('textbox', { name: 'First name' }).fill('Ada')
  await panel.getByRole('textbox', { name: 'Job title' }).waitFor()
  await expect.poll(() => panel.getByRole('textbox', { name: 'Hobby' }).count()).toBe(0)
  await panel.getByRole('button', { name: 'More fields (2)' }).click()
  await panel.getByRole('textbox', { name: 'Hobby' }).fill('Looms')
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await panel.waitFor({ state: 'hidden' })
  const { body } = await member.get<{ records: { data: object }[] }>('/objects/people/records')
  expect(body.records[0]?.data).toMatchObject({ name: { firstName: 'Ada' }, hobby: 'Looms' })
})

test('the table stays in use beside the panel, and Escape closes it', async () => {
  const page = await dashboard.visit(member, WIDE)
  await page.goto(`/o/org-${org.id}/objects/companies?peek=${acme}`)
  const panel = page.getByRole('dialog', { name: 'Acme' })
  await panel.waitFor()
  const main = await page.getByRole('main').boundingBox()
  const box = await panel.boundingBox()
  expect((main?.x ?? 0) + (main?.width ?? 0)).toBeLessThanOrEqual(box?.x ?? 0)
  await page.getByLabel('Quick search in companies').fill('acm')
  await page.locator('#cell-0-1').click()
  await panel.waitFor()
  await panel.getByRole('button', { name: 'Edit Domain' }).click()
  await panel.getByRole('textbox', { name: 'Domain' }).fill('acme.example')
  await page.keyboard.press('Enter')
  await page.getByRole('grid').getByText('acme.example').waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })
})

test('on a phone the panel lies over the page', async () => {
  const page = await dashboard.visit(member, { viewport: { width: 375, height: 740 } })
  await page.goto(`${people}?create=1`)
  const panel = page.getByRole('dialog', { name: 'Create person' })
  await panel.getByRole('textbox', { name: 'First name' }).waitFor()
  await expect.poll(async () => (await panel.boundingBox())?.width).toBe(375)
  await panel.getByRole('button', { name: 'Close' }).click()
  await panel.waitFor({ state: 'hidden' })
})
