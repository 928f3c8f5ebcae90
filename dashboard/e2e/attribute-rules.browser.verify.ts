// Rules of an attribute for new records, set by keyboard, also on a phone.
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Attribute } from '../../contract/attributes.ts'
import { axeViolationsInBothSchemes } from './axe.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { button, option } from './steps.fixture.ts'

const dashboard = await openSharedDashboard()

async function setUp() {
  const { org, owner } = await dashboard.organization('owner')
  await owner.post('/objects/people/attributes', { name: 'Nickname', type: 'text' })
  for (const data of [{ name: 'Ada' }, { name: 'Bob' }, { name: 'Cy', nickname: 'C' }])
    await owner.post('/objects/people/records', { data })
  const nickname = async () =>
    (await owner.get<Attribute>('/objects/people/attributes/nickname')).body as Attribute
  return { org, owner, nickname, address: `/o/org-${org.id}/settings/objects/people?panel=nickname` }
}

const onPhone = (page: Page) => page.setViewportSize({ width: 375, height: 812 })

test('an attribute is made required by keyboard, and the panel says how many records have no value', async () => {
  const { owner, nickname, address } = await setUp()
  const page = await dashboard.visit(owner)
  await onPhone(page)
  await page.goto(address)
  const panel = page.getByRole('dialog')
  const required = panel.getByRole('checkbox', { name: 'Required' })
  await required.press('Space')
  await panel.getByText('2 records have no value. They stay as they are until one is given.').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375)
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await button(panel, 'Save changes').press('Enter')
  await panel.waitFor({ state: 'detached' })
  expect((await nickname()).isRequired).toBe(true)
  await page.goto(address)
  await expect.poll(() => required.isChecked()).toBe(true)
  await required.press('Space')
  await button(panel, 'Save changes').press('Enter')
  await panel.waitFor({ state: 'detached' })
  expect((await nickname()).isRequired).toBe(false)
})

test('an attribute is made unique by keyboard, unless records share a value: these are listed', async () => {
  const { org, owner, nickname, address } = await setUp()
  const twin = { data: { name: 'Dot', nickname: 'C' } }
  const { body } = await owner.post<{ id: string }>('/objects/people/records', twin)
  const page = await dashboard.visit(owner)
  await onPhone(page)
  await page.goto(address)
  const panel = page.getByRole('dialog')
  const unique = panel.getByRole('checkbox', { name: 'Unique' })
  await unique.press('Space')
  await button(panel, 'Save changes').press('Enter')
  const list = panel.getByRole('list', { name: 'Values that several records have' })
  await list.getByRole('link', { name: 'Record 2' }).waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  expect((await nickname()).isUnique).toBe(false)
  await owner.patch(`/objects/people/records/${body.id}`, { data: { nickname: 'D' } })
  await button(panel, 'Save changes').press('Enter')
  await panel.waitFor({ state: 'detached' })
  expect((await nickname()).isUnique).toBe(true)
  expect((await org.get(`/objects/people/records/by/nickname/D`)).body).toMatchObject({ id: body.id })

  await page.goto(address)
  await expect.poll(() => unique.isChecked()).toBe(true)
  await panel.getByRole('checkbox', { name: 'Case-sensitive' }).waitFor()
  await unique.press('Space')
  await panel.getByText('Imports and programs can then no longer find records by this value.').waitFor()
  await expect.poll(() => panel.getByRole('checkbox', { name: 'Case-sensitive' }).count()).toBe(0)
  await button(panel, 'Save changes').press('Enter')
  await panel.waitFor({ state: 'detached' })
  expect((await nickname()).isUnique).toBe(false)
})

test('a refused change of an attribute saves no part of it', async () => {
  const { org, owner } = await setUp()
  const config = { options: ['A', 'B'] }
  await owner.post('/objects/people/attributes', { name: 'Badge', type: 'select', config })
  for (const name of ['Eve', 'Fay'])
    await owner.post('/objects/people/records', { data: { name, badge: 'A' } })
  const page = await dashboard.open(`/o/org-${org.id}/settings/objects/people?panel=badge`, owner)
  const panel = page.getByRole('dialog')
  await panel.getByRole('textbox', { name: 'Option A' }).fill('Z')
  const unique = panel.getByRole('checkbox', { name: 'Unique' })
  await unique.press('Space')
  await button(panel, 'Save changes').press('Enter')
  await panel.getByRole('list', { name: 'Values that several records have' }).waitFor()
  const badge = async () => (await owner.get<Attribute>('/objects/people/attributes/badge')).body
  expect(await badge()).toMatchObject({ isUnique: false, config })
  await unique.press('Space')
  await button(panel, 'Save changes').press('Enter')
  await panel.waitFor({ state: 'detached' })
  expect(await badge()).toMatchObject({ isUnique: false, config: { options: ['Z', 'B'] } })
})

test('the rules of a built-in attribute are shown and cannot be changed', async () => {
  const { org, owner } = await setUp()
  const page = await dashboard.open(`/o/org-${org.id}/settings/objects/people?panel=email`, owner)
  const panel = page.getByRole('dialog')
  await panel.getByText('Required', { exact: true }).waitFor()
  await expect.poll(() => panel.getByRole('checkbox').count()).toBe(0)
})

/** Opens the picker by keyboard and chooses an option. */
async function choose(page: Page, picker: Locator, name: string): Promise<void> {
  await picker.press('ArrowDown')
  await option(page, name).waitFor()
  await picker.fill(name)
  await picker.press('ArrowDown')
  await picker.press('Enter')
}

test('a default is set by keyboard, and new records start with it but may clear it', async () => {
  const { org, owner } = await setUp()
  const page = await dashboard.visit(owner)
  await onPhone(page)
  const settings = `/o/org-${org.id}/settings/objects/deals?panel=stage`
  await page.goto(settings)
  const panel = page.getByRole('dialog')
  await choose(page, panel.getByRole('combobox', { name: 'Default' }), 'Proposal')
  await button(panel, 'No default').waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await button(panel, 'Save changes').press('Enter')
  await panel.waitFor({ state: 'detached' })
  const stage = async () => (await owner.get<Attribute>('/objects/deals/attributes/stage')).body.defaultValue
  expect(await stage()).toBe('Proposal')

  const deals = async () => {
    const { body } = await owner.get<{ records: { data: object }[] }>('/objects/deals/records?order=asc')
    return body.records.map(({ data }) => data)
  }
  const create = async (name: string, isWithout: boolean) => {
    await page.goto(`/o/org-${org.id}/objects/deals?create=1`)
    await panel.getByRole('textbox', { name: 'Name' }).fill(name)
    const field = panel.getByRole('combobox', { name: 'Stage' })
    await expect.poll(() => field.inputValue()).toBe('Proposal')
    if (isWithout) {
      await field.press('ArrowDown')
      await option(page, 'Clear').click()
    }
    await page.keyboard.press('Control+Enter')
    await panel.waitFor({ state: 'detached' })
  }
  await create('With', false)
  expect(await deals()).toMatchObject([{ stage: 'Proposal' }])
  await create('Without', true)
  expect((await deals())[1]).not.toHaveProperty('stage')

  await page.goto(settings)
  await button(panel, 'No default').press('Enter')
  await button(panel, 'Save changes').press('Enter')
  await panel.waitFor({ state: 'detached' })
  expect(await stage()).toBe(null)
})

test('a new attribute gets its default, and an invalid default is refused at its field', async () => {
  const { org, owner } = await setUp()
  const page = await dashboard.open(`/o/org-${org.id}/settings/objects/people?panel=new-attribute`, owner)
  const panel = page.getByRole('dialog')
  await button(panel, /^Phone/).press('Enter')
  await panel.getByLabel('Name').fill('Contact')
  const field = panel.getByRole('textbox', { name: 'Default' })
  await field.fill('nowhere')
  await button(panel, /^Create attribute/).press('Enter')
  await panel.getByText('Enter a phone number with its country code').first().waitFor()
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  await field.fill('+1 555 867 5309')
  await panel.getByRole('checkbox', { name: 'Unique' }).press('Space')
  await expect.poll(() => field.count()).toBe(0)
  await panel.getByRole('checkbox', { name: 'Unique' }).press('Space')
  await expect.poll(() => field.inputValue()).toBe('+1 555 867 5309')
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await button(panel, /^Create attribute/).press('Enter')
  await panel.waitFor({ state: 'detached' })
  const { body } = await owner.get<Attribute>('/objects/people/attributes/contact')
  expect(body).toMatchObject({ defaultValue: '+1 555 867 5309', isUnique: false })
})
