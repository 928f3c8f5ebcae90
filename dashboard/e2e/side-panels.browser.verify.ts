// Panels next to the table for creating and viewing a record.
import { expect, test } from 'vitest'
import { axeViolationsInBothSchemes } from './axe.ts'
import { addRecord } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()
const { org, member } = await dashboard.organization('member')
const admin = await org.member('admin')
for (const name of ['Nickname', 'Hobby'])
  await admin.post('/objects/people/attributes', { name, type: 'text' })
const acme = await addRecord(org, 'companies', { name: 'Acme' })
const people = `/o/org-${org.id}/objects/people`

const WIDE = { viewport: { width: 1440, height: 900 } }

test('the form shows six fields, and others on request', async () => {
  const page = await dashboard.open(`${people}?create=1`, member, WIDE)
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

test('the table can be used while the panel is open, and Escape closes the panel', async () => {
  const page = await dashboard.open(`/o/org-${org.id}/objects/companies?peek=${acme}`, member, WIDE)
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

test('after an edit in the panel, the focus returns to where the edit began', async () => {
  const page = await dashboard.open(`/o/org-${org.id}/objects/companies?peek=${acme}`, member, WIDE)
  const panel = page.getByRole('dialog', { name: 'Acme' })
  const edit = panel.getByRole('button', { name: 'Edit Employees' })
  await edit.press('Enter')
  await panel.getByRole('textbox', { name: 'Employees' }).fill('120')
  await page.keyboard.press('Enter')
  await panel.getByText('120').waitFor()
  await edit.and(page.locator(':focus')).waitFor()
})

test('a new deal starts in the first stage, and fields are in the order of the object', async () => {
  const page = await dashboard.open(`/o/org-${org.id}/objects/deals?create=1`, member, WIDE)
  const panel = page.getByRole('dialog', { name: 'Create deal' })
  await panel.getByRole('textbox', { name: 'Name' }).fill('Rocket')
  await expect.poll(() => panel.getByRole('combobox', { name: 'Stage' }).inputValue()).toBe('Lead')
  const labels = await panel.locator('label').allInnerTexts()
  expect(labels.map((label) => label.replace(/\s*\*/, ''))).toEqual(
    expect.arrayContaining(['Name', 'Amount', 'Stage', 'Close date', 'Company', 'Contact', 'Owner']),
  )
  await page.keyboard.press('Control+Enter')
  await panel.waitFor({ state: 'hidden' })
  const { body } = await member.get<{ records: { data: object }[] }>('/objects/deals/records')
  expect(body.records[0]?.data).toMatchObject({ name: 'Rocket', stage: 'Lead', owner: member.userId })
})

test('the footer of the form covers the fields behind it', async () => {
  for (let number = 1; number <= 8; number++)
    await admin.post('/objects/companies/attributes', { name: `Flag ${number}`, type: 'checkbox' })
  for (let number = 1; number <= 4; number++)
    await admin.post('/objects/companies/attributes', { name: `Price ${number}`, type: 'currency' })
  const page = await dashboard.open(`/o/org-${org.id}/objects/companies?create=1`, member, {
    viewport: { width: 1440, height: 500 },
  })
  const panel = page.getByRole('dialog', { name: 'Create company' })
  await panel.getByRole('button', { name: /^More fields/ }).click()
  await panel.getByText('Price 4').waitFor()
  const covered = `(() => {
    const footer = document.querySelector('[type=submit]').closest('[class*=formFooter]')
    let body = footer.closest('form')
    while (getComputedStyle(body).overflowY !== 'auto') body = body.parentElement
    const found = new Set()
    for (let top = 0; top < body.scrollHeight - body.clientHeight; top += 7) {
      body.scrollTop = top
      const box = footer.getBoundingClientRect()
      for (let x = box.left + 1; x < box.right; x += 8) {
        for (const y of [box.top + 6, box.bottom + 4]) {
          const element = document.elementFromPoint(x, y)
          if (element?.closest('form') && !footer.contains(element)) found.add(element.tagName)
        }
      }
    }
    return [...found]
  })()`
  expect(await page.evaluate(covered)).toEqual([])
})

test('a quick look does not dim the page, and a drawer dims it a little', async () => {
  const page = await dashboard.visit(member, { viewport: { width: 1024, height: 740 } })
  const veil = () =>
    page.evaluate<string>(
      `getComputedStyle(document.querySelector('.mantine-Drawer-overlay, .mantine-Overlay-root')).backgroundColor`,
    )
  await page.goto(`/o/org-${org.id}/objects/companies?peek=${acme}`)
  await page.getByRole('dialog', { name: 'Acme' }).waitFor()
  expect(await veil()).toBe('rgba(0, 0, 0, 0)')
  await page.goto(`/o/org-${org.id}/objects/companies?create=1`)
  await page.getByRole('dialog', { name: 'Create company' }).waitFor()
  expect(await veil()).toBe('rgba(0, 0, 0, 0.22)')
})

test('on a phone, the panel covers the page', async () => {
  const page = await dashboard.open(`${people}?create=1`, member, { viewport: { width: 375, height: 740 } })
  const panel = page.getByRole('dialog', { name: 'Create person' })
  await panel.getByRole('textbox', { name: 'First name' }).waitFor()
  await expect.poll(async () => (await panel.boundingBox())?.width).toBe(375)
  await panel.getByRole('button', { name: 'Close' }).click()
  await panel.waitFor({ state: 'hidden' })
})
