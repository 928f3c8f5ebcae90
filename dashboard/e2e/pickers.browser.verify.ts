import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { axeViolations, axeViolationsInBothSchemes } from './axe.ts'
import { addRecord, addThings, dataOf, objectId } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()
const STAGES = { name: 'Phase', type: 'select', config: { options: ['Open', 'Won', 'Lost'] } }
const COLORS = { name: 'Colors', type: 'select', isList: true, config: { options: ['Red', 'Green', 'Blue'] } }
let org: Org
let ada: SignedInMember
let acme: string
let lamp: string
let things: string

beforeEach(async () => {
  ;({ org, member: ada } = await dashboard.organization('member'))
  acme = await addRecord(org, 'companies', { name: 'Acme' })
  await addRecord(org, 'companies', { name: 'Umbrella' })
  const maker = {
    name: 'Maker',
    type: 'reference',
    config: { allowed_object_id: await objectId(org, 'companies') },
  }
  things = await addThings(org, [{ name: 'Name', type: 'text' }, STAGES, COLORS, maker])
  lamp = await addRecord(org, 'things', { name: 'Lamp', phase: 'Won', colors: ['Red'], maker: acme })
})

const values = () => dataOf(org, 'things', lamp)
const WHOLE = { name: 'Lamp', phase: 'Won', colors: ['Red'] }
const option = (page: Page, name: string) => page.getByRole('option', { name, exact: true })
/** The option of a record, with any hint. */
const record = (page: Page, name: string) => page.getByRole('option', { name: new RegExp(`^${name}\\b`) })
const cell = (page: Page, column: number) => page.locator(`#cell-0-${column}`)
const options = (page: Page) => page.getByRole('option').first()

async function openTable() {
  const page = await dashboard.open(things, ada, { viewport: { width: 1600, height: 800 } })
  await cell(page, 1).getByText('Won').waitFor()
  return page
}

async function openRecord() {
  const page = await dashboard.open(`${things}/${lamp}`, ada)
  await page.getByRole('heading', { level: 1, name: 'Lamp' }).waitFor()
  return page
}

test('choosing the chosen option of a cell keeps it: by Enter, double-click and click', async () => {
  const page = await openTable()
  const isBack = async () => {
    await options(page).waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('document.activeElement.id')).toMatch(/^cell-0-/)
  }
  for (const [column, name] of [
    [1, 'Won'],
    [3, 'Acme'],
  ] as const) {
    await cell(page, column).click({ position: { x: 3, y: 30 } })
    await page.keyboard.press('Enter')
    await record(page, name).and(page.locator('[data-combobox-active]')).waitFor()
    await page.keyboard.press('Enter')
    await isBack()
    await cell(page, column).dblclick({ position: { x: 3, y: 30 } })
    await record(page, name).and(page.locator('[data-combobox-active]')).click()
    await isBack()
  }
  // This later edit is saved after everything that the earlier ones sent.
  await cell(page, 0).click({ position: { x: 3, y: 3 } })
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Name' }).fill('Lantern')
  await page.keyboard.press('Enter')
  await expect.poll(values).toMatchObject({ ...WHOLE, name: 'Lantern', maker: acme })
})

test('on a record page, choosing the chosen option keeps it, and "Clear" clears it', async () => {
  const page = await openRecord()
  for (const [attribute, name] of [
    ['Phase', 'Won'],
    ['Maker', 'Acme'],
  ] as const) {
    const opener = page.getByRole('button', { name: `Edit ${attribute}` })
    await opener.press('Enter')
    await record(page, name).and(page.locator('[data-combobox-active]')).waitFor()
    await page.keyboard.press('Enter')
    await opener.waitFor()
    expect(await values()).toMatchObject({ ...WHOLE, maker: acme })
    await opener.press('Enter')
    await option(page, 'Clear').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('ArrowUp')
    while ((await page.locator('[role=option][data-combobox-selected]').innerText()) !== 'Clear')
      await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await values())[attribute.toLowerCase()]).toBe(undefined)
    await org.patch(`/objects/things/records/${lamp}`, { data: { phase: 'Won', maker: acme } })
    await page.reload()
  }
})

test('an option is chosen by a click during which its hint arrives', async () => {
  await addRecord(org, 'companies', { name: 'Globex', domain: 'globex.example' })
  const bulb = await addRecord(org, 'things', { name: 'Bulb' })
  const page = await dashboard.visit(ada)
  const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/record-names', async (route) => {
    await isLetGo
    await route.continue()
  })
  await page.goto(`${things}/${bulb}`)
  await page.getByRole('button', { name: 'Edit Maker' }).click()
  // On the name, because the list renders the name again.
  await option(page, 'Globex').getByText('Globex').hover()
  await page.mouse.down()
  letGo()
  await option(page, 'Globex globex.example').waitFor()
  await page.mouse.up()
  await expect.poll(async () => (await dataOf(org, 'things', bulb))['maker']).toBeTypeOf('string')
})

test('typing in a cell and Enter take the first match, in small selects and in references', async () => {
  const page = await openTable()
  await cell(page, 1).click({ position: { x: 3, y: 30 } })
  await page.keyboard.press('Enter')
  await options(page).waitFor()
  await page.keyboard.type('lo')
  await page.keyboard.press('Enter')
  await cell(page, 1).getByText('Lost').waitFor()
  await cell(page, 3).click({ position: { x: 3, y: 30 } })
  await page.keyboard.press('Enter')
  await page.locator('input:focus').waitFor()
  // The keys arrive before the service has found the option.
  await page.keyboard.type('umb')
  await page.keyboard.press('Enter')
  await cell(page, 3).getByText('Umbrella').waitFor()
  await cell(page, 2).click({ position: { x: 3, y: 30 } })
  await page.keyboard.press('Enter')
  await page.locator('input:focus').waitFor()
  await page.keyboard.type('blu')
  await page.keyboard.press('Enter')
  await page.keyboard.type('red')
  await page.keyboard.press('Enter')
  for (let press = 0; press < 3; press++) await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await expect.poll(values).toMatchObject({ phase: 'Lost', colors: ['Red', 'Blue'] })
})

test('typed text stays when the name of the chosen record arrives', async () => {
  const page = await openRecord()
  const typed = Promise.withResolvers<void>()
  await page.route('**/record-names', async (route) => {
    await typed.promise
    await route.continue()
  })
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Lamp' }).waitFor()
  await page.getByRole('button', { name: 'Edit Maker' }).press('Enter')
  await page.locator('input:focus').fill('umb')
  await record(page, 'Umbrella').waitFor()
  const named = page.waitForResponse('**/record-names')
  typed.resolve()
  await (await named).finished()
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
  await expect.poll(() => page.locator('input:focus').inputValue()).toBe('umb')
  await record(page, 'Umbrella').click()
  await expect.poll(async () => (await values()).maker).not.toBe(acme)
})

test('in a form, Enter takes an option without submitting, and Ctrl+Enter submits', async () => {
  const page = await dashboard.open(things, ada)
  await page.getByRole('grid').waitFor()
  await page.keyboard.press('c')
  const panel = page.getByRole('dialog', { name: 'Create thing' })
  await panel.getByRole('textbox', { name: 'Name' }).fill('Desk')
  await page.keyboard.press('Enter')
  await panel.getByRole('combobox', { name: 'Phase' }).focus()
  await page.keyboard.type('nothing like it')
  await page.keyboard.press('Enter')
  await page.getByText('No results').waitFor()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('wo')
  await page.keyboard.press('Enter')
  await panel.getByRole('combobox', { name: 'Maker' }).focus()
  await page.keyboard.type('acm')
  await page.keyboard.press('Enter')
  await expect.poll(() => panel.getByRole('combobox', { name: 'Maker' }).inputValue()).toBe('Acme')
  await panel.getByRole('combobox', { name: 'Colors' }).focus()
  await page.keyboard.type('gre')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect.poll(() => panel.isVisible()).toBe(true)
  await page.keyboard.press('ControlOrMeta+Enter')
  await panel.waitFor({ state: 'detached' })
  const { body } = await org.get<{ records: { data: object }[] }>('/objects/things/records')
  expect(body.records.map(({ data }) => data)).toContainEqual(
    expect.objectContaining({ name: 'Desk', phase: 'Won', maker: acme, colors: ['Green'] }),
  )
  expect(body.records).toHaveLength(2)
})

test('in a filter, Enter takes the first match', async () => {
  const page = await openTable()
  await page.keyboard.press('f')
  await page.getByRole('combobox', { name: 'Find an attribute' }).fill('phase')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Operator' }).focus()
  await page.keyboard.type('is not')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Value' }).focus()
  await page.keyboard.type('o')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Phase is not Open', exact: true }).waitFor()
})

test('the attribute of a filter is chosen with the arrow keys', async () => {
  const page = await openTable()
  await page.keyboard.press('f')
  const field = page.getByRole('combobox', { name: 'Find an attribute' })
  await field.fill('a')
  const active = page.locator('[data-combobox-selected]')
  const before = await active.innerText()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => active.innerText()).not.toBe(before)
  const chosen = await active.innerText()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Filter' }).getByText(chosen, { exact: true }).waitFor()
})

test('a typed value that is not chosen is not applied until the button is pressed', async () => {
  const page = await openTable()
  await page.keyboard.press('f')
  await page.getByRole('dialog', { name: 'Filter' }).getByRole('option', { name: 'Phase' }).click()
  const value = page.getByRole('combobox', { name: 'Value', exact: true })
  await value.fill('lo')
  await page.getByRole('combobox', { name: 'Operator' }).click()
  await expect.poll(() => value.inputValue()).toBe('Lost')
  await option(page, 'is not').click()
  await expect.poll(() => new URL(page.url()).searchParams.has('filter')).toBe(false)
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('button', { name: 'Phase is not Lost', exact: true }).waitFor()
})

test('a filter on an option takes three clicks, and its open list works by keyboard', async () => {
  const page = await openTable()
  const box = page.getByRole('dialog', { name: 'Filter' })
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await box.getByRole('option', { name: 'Phase' }).click()
  await option(page, 'Won').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await option(page, 'Won').click()
  await page.getByRole('button', { name: 'Phase is Won', exact: true }).waitFor()
  await box.waitFor({ state: 'detached' })
  await page.keyboard.press('f')
  await page.getByRole('combobox', { name: 'Find an attribute' }).fill('maker')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Value' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('acm')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Maker is Acme', exact: true }).waitFor()
})

test('records with the same name are distinguished by hints', async () => {
  await addRecord(org, 'companies', { name: 'Acme', domain: 'acme.example', industry: 'Technology' })
  const page = await openRecord()
  await page.getByRole('button', { name: 'Edit Maker' }).press('Enter')
  await page.locator('input:focus').fill('acme')
  await page.getByRole('option', { name: /^Acme\s*acme\.example · Technology$/ }).waitFor()
  await expect.poll(() => page.getByRole('option', { name: /^Acme/ }).count()).toBe(2)
  expect(await axeViolations(page)).toEqual([])
})

test('a missing record is created from the picker with the last option, and chosen', async () => {
  const page = await openRecord()
  await page.getByRole('button', { name: 'Edit Maker' }).press('Enter')
  await page.locator('input:focus').fill('Hooli')
  await option(page, 'Create “Hooli”').waitFor()
  await expect.poll(() => page.getByRole('option').last().textContent()).toBe('Create “Hooli”')
  await option(page, 'Create “Hooli”').click()
  await page.getByRole('region', { name: 'Details' }).getByRole('link', { name: 'Hooli' }).waitFor()
  await expect.poll(async () => (await values()).maker).not.toBe(acme)
  const { maker } = await values()
  expect(await dataOf(org, 'companies', String(maker))).toMatchObject({ name: 'Hooli', owner: ada.userId })
})

test('before a record is created from the picker, similar ones are named, and one is chosen by keyboard', async () => {
  const page = await dashboard.visit(ada, { viewport: { width: 375, height: 740 } })
  const hooli = await addRecord(org, 'companies', { name: 'Hooli, Inc.' })
  await page.goto(`${things}/${lamp}`)
  await page.getByRole('button', { name: 'Edit Maker' }).press('Enter')
  await page.locator('input:focus').fill('Hooli GmbH')
  await option(page, 'Create “Hooli GmbH”').waitFor()
  await option(page, 'Create “Hooli GmbH”').click()
  const form = page.getByRole('dialog', { name: 'Create company' })
  await form.getByText('This company may exist already. Choose it in place of a new one:').waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await form.getByRole('button', { name: 'Hooli, Inc.' }).press('Enter')
  await form.waitFor({ state: 'hidden' })
  await expect.poll(async () => (await values()).maker).toBe(hooli)
})

test('a small form asks for other required values, by keyboard, at phone width', async () => {
  await org.post('/objects/companies/attributes', { name: 'Code', type: 'text', isRequired: true })
  const page = await dashboard.open(`${things}/${lamp}`, ada, { viewport: { width: 375, height: 740 } })
  await page.getByRole('button', { name: 'Edit Maker' }).press('Enter')
  await page.locator('input:focus').fill('Hooli')
  await option(page, 'Create “Hooli”').waitFor()
  await page.keyboard.press('ArrowDown')
  await option(page, 'Create “Hooli”').and(page.locator('[data-combobox-selected]')).waitFor()
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'Create company' })
  await expect.poll(() => form.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Hooli')
  expect(await axeViolations(page)).toEqual([])
  await form.getByRole('button', { name: 'Create company' }).click()
  await form.getByText('Required').or(form.getByText(/Enter/)).first().waitFor()
  await form.getByRole('textbox', { name: 'Code' }).fill('HO')
  await page.keyboard.press('Enter')
  await form.waitFor({ state: 'hidden' })
  await expect.poll(async () => (await values()).maker).not.toBe(acme)
  expect(await dataOf(org, 'companies', String((await values()).maker))).toMatchObject({ code: 'HO' })
})

test('in a cell, Escape in the form of a new record cancels it', async () => {
  await org.post('/objects/companies/attributes', { name: 'Code', type: 'text', isRequired: true })
  const page = await openTable()
  await cell(page, 3).click({ position: { x: 3, y: 30 } })
  await page.keyboard.press('Enter')
  await page.locator('input:focus').waitFor()
  await page.keyboard.type('Hooli')
  await option(page, 'Create “Hooli”').click()
  const form = page.getByRole('dialog', { name: 'Create company' })
  await form.getByRole('textbox', { name: 'Code' }).waitFor()
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'hidden' })
  expect((await values()).maker).toBe(acme)
})

test('a name that arrives after the cell editor opened is replaced by the typed text', async () => {
  const page = await dashboard.visit(ada, { viewport: { width: 1600, height: 800 } })
  const names = Promise.withResolvers<void>()
  await page.route('**/record-names', async (route) => {
    await names.promise
    await route.continue()
  })
  await page.goto(things)
  await cell(page, 3).click({ position: { x: 3, y: 30 } })
  await page.keyboard.press('Enter')
  const field = page.locator('input:focus')
  await field.waitFor()
  names.resolve()
  await expect.poll(() => field.inputValue()).toBe('Acme')
  await page.keyboard.type('Umb')
  await expect.poll(() => field.inputValue()).toBe('Umb')
  await page.keyboard.press('Enter')
  await cell(page, 3).getByText('Umbrella').waitFor()
})
