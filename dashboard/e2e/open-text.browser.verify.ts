// Text typed into pickers without choosing an option: it is used if it can mean only one option, and never lost.
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { axeViolations } from './axe.ts'
import { addRecord, addThings, dataOf, objectId } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { tableOf } from './table.fixture.ts'

const dashboard = await openSharedDashboard()
const { cell, choose } = tableOf(['Name', 'Phase', 'Maker', 'Colors'])
let org: Org
let ada: SignedInMember
let acme: string
let lamp: string
let things: string

beforeEach(async () => {
  ;({ org, member: ada } = await dashboard.organization('member'))
  acme = await addRecord(org, 'companies', { name: 'Acme' })
  await addRecord(org, 'companies', { name: 'Acme Labs' })
  await addRecord(org, 'companies', { name: 'Umbrella' })
  const allowed_object_id = await objectId(org, 'companies')
  things = await addThings(org, [
    { name: 'Name', type: 'text' },
    { name: 'Phase', type: 'select', config: { options: ['Open', 'Won', 'Lost'] } },
    { name: 'Maker', type: 'reference', config: { allowed_object_id } },
    { name: 'Colors', type: 'select', isList: true, config: { options: ['Red', 'Green', 'Blue'] } },
  ])
  lamp = await addRecord(org, 'things', { name: 'Lamp', phase: 'Won', colors: ['Red'] })
})

const values = () => dataOf(org, 'things', lamp)
const focused = (page: Page) => page.locator('input:focus')
const message = (page: Page, text: string) => page.getByText(text)
const hasFocus = (page: Page, id: string) =>
  expect.poll(() => page.evaluate('document.activeElement.id')).toBe(id)

/** Moves the focus to another window and back. */
const otherWindow = (page: Page) =>
  page.evaluate(`{
    document.hasFocus = () => false
    const { activeElement } = document
    for (const type of ['blur', 'focusout'])
      activeElement.dispatchEvent(new FocusEvent(type, { bubbles: type === 'focusout' }))
    delete document.hasFocus
  }`)

async function openTable() {
  const page = await dashboard.open(things, ada, { viewport: { width: 1600, height: 800 } })
  await cell(page, 'Phase').getByText('Won').waitFor()
  return page
}

async function openCreate() {
  const page = await dashboard.open(`${things}?create=1`, ada)
  const panel = page.getByRole('dialog', { name: 'Create thing' })
  await panel.getByRole('textbox', { name: 'Name' }).fill('Desk')
  return { page, panel, maker: panel.getByRole('combobox', { name: 'Maker' }) }
}

async function made(): Promise<Record<string, unknown> | undefined> {
  const { body } = await org.get<{ records: { data: Record<string, unknown> }[] }>('/objects/things/records')
  return body.records.map(({ data }) => data).find(({ name }) => name === 'Desk')
}

/** Holds searches of companies until they are released. */
async function holdSearches(page: Page) {
  const held = Promise.withResolvers<void>()
  await page.route('**/objects/*/records/search', async (route) => {
    await held.promise
    await route.continue()
  })
  return held.resolve
}

describe('in a cell', () => {
  test('Tab takes the only match, saves it and moves to the next cell', async () => {
    const page = await openTable()
    await choose(page, 'Phase')
    await page.keyboard.type('lo')
    await page.keyboard.press('Tab')
    await hasFocus(page, 'cell-0-2')
    await cell(page, 'Phase').getByText('Lost').waitFor()
    await page.keyboard.type('umb')
    // The key arrives before the service has found the option.
    await page.keyboard.press('Tab')
    await hasFocus(page, 'cell-0-3')
    await cell(page, 'Maker').getByText('Umbrella').waitFor()
    await page.keyboard.press('Enter')
    await focused(page).waitFor()
    await page.keyboard.type('gre')
    await page.keyboard.press('Tab')
    await expect.poll(values).toMatchObject({ phase: 'Lost', colors: ['Red', 'Green'] })
  })

  test('takes an exact match, although other names contain it', async () => {
    const page = await openTable()
    await choose(page, 'Maker')
    await page.keyboard.type('acme')
    await page.keyboard.press('Tab')
    await expect.poll(async () => (await values())['maker']).toBe(acme)
  })

  test('several matches or no match are refused at the field, which keeps the text', async () => {
    const page = await openTable()
    await choose(page, 'Phase')
    await page.keyboard.type('o')
    await page.keyboard.press('Tab')
    await message(page, 'Several options match “o”: choose one').waitFor()
    await expect.poll(() => focused(page).inputValue()).toBe('o')
    await page.keyboard.type('x')
    await message(page, 'Several options match').waitFor({ state: 'detached' })
    await page.keyboard.press('Tab')
    await message(page, 'No option is called “ox”').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await hasFocus(page, 'cell-0-1')
    expect(await values()).toMatchObject({ phase: 'Won' })
  })

  test('leaving an unknown text by a click marks the cell, and the next edit starts with the text', async () => {
    const page = await openTable()
    await choose(page, 'Maker')
    await page.keyboard.type('Hooli')
    await page.getByRole('option', { name: 'Create “Hooli”' }).waitFor()
    await cell(page, 'Name').click({ position: { x: 3, y: 3 } })
    await hasFocus(page, 'cell-0-0')
    await cell(page, 'Maker').getByRole('img', { name: 'Not saved: No company is called “Hooli”' }).waitFor()
    await choose(page, 'Maker')
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page).inputValue()).toBe('Hooli')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Create “Hooli”' }).click()
    await cell(page, 'Maker').getByText('Hooli').waitFor()
    await cell(page, 'Maker').getByRole('img').waitFor({ state: 'detached' })
  })

  test('the typed text stays when another window takes the focus', async () => {
    const page = await openTable()
    await choose(page, 'Maker')
    await page.keyboard.type('Hooli')
    const create = page.getByRole('option', { name: 'Create “Hooli”' })
    await create.waitFor()
    await otherWindow(page)
    await expect.poll(() => focused(page).inputValue()).toBe('Hooli')
    await create.click()
    await cell(page, 'Maker').getByText('Hooli').waitFor()
  })

  test('a failed search is reported and repeated', async () => {
    const page = await openTable()
    let failures = 0
    await page.route('**/objects/*/records/search', (route) =>
      route.request().postData()?.includes('umb') && failures++ === 0
        ? route.fulfill({ status: 500, json: {} })
        : route.continue(),
    )
    await choose(page, 'Maker')
    await page.keyboard.type('umb')
    await message(page, 'The companies could not be searched').waitFor()
    await page.keyboard.press('Tab')
    await cell(page, 'Maker').getByText('Umbrella').waitFor()
  })
})

describe('live changes', () => {
  const typed = (page: Page) => expect.poll(() => focused(page).inputValue()).toBe('Hoo')

  async function typing() {
    const page = await dashboard.visit(ada, { viewport: { width: 1600, height: 800 } })
    const following = page.waitForResponse((reply) => reply.url().includes('/events/stream') && reply.ok())
    await page.goto(`${things}?sort=-name`)
    await following
    await choose(page, 'Maker')
    await page.keyboard.type('Hoo')
    return page
  }

  test('an editor keeps its text when its record is in the last row and is deleted', async () => {
    const page = await typing()
    const read = page.waitForResponse((reply) => reply.url().includes('/things/records') && reply.ok())
    await org.delete(`/objects/things/records/${lamp}`)
    await (await read).finished()
    await page.getByRole('option', { name: 'Create “Hoo”' }).waitFor()
    await typed(page)
    await page.keyboard.press('Escape')
    await page.getByText('No things yet').waitFor()
  })

  test('an editor keeps its text when a column before it is removed', async () => {
    const page = await typing()
    const owner = await org.member('owner')
    const { body } = await owner.get<{ attributes: { id: string; slug: string }[] }>('/objects/things')
    const phase = body.attributes.find(({ slug }) => slug === 'phase')?.id
    await owner.patch(`/objects/things/attributes/${phase}/active`, { isActive: false })
    const read = page.waitForResponse((reply) => /\/objects\/things$/.test(reply.url()) && reply.ok())
    // As after returning to the window much later, so that the data counts as old.
    await page.evaluate(`{
      const later = Date.now() + 366 * 86_400_000
      Date.now = () => later
      window.dispatchEvent(new Event('visibilitychange'))
    }`)
    await (await read).finished()
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
    await typed(page)
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Phase' }).waitFor({ state: 'detached' })
  })
})

describe('in a form', () => {
  test('an unknown company name is kept, and a button creates the company', async () => {
    const { page, panel, maker } = await openCreate()
    await maker.fill('Hooli')
    await page.getByRole('option', { name: 'Create “Hooli”' }).waitFor()
    await page.keyboard.press('ControlOrMeta+Enter')
    await message(page, 'No company is called “Hooli”').waitFor()
    expect(await made()).toBe(undefined)
    await expect.poll(() => maker.inputValue()).toBe('Hooli')
    await expect.poll(() => maker.and(focused(page)).count()).toBe(1)
    expect(await axeViolations(page)).toEqual([])
    await panel.getByRole('button', { name: 'Create “Hooli”' }).click()
    await expect.poll(() => maker.and(page.locator(':not([aria-invalid=true])')).inputValue()).toBe('Hooli')
    await page.getByText('Company created').waitFor()
    await panel.getByRole('button', { name: /^Create thing/ }).click()
    await panel.waitFor({ state: 'detached' })
    const maker_id = String((await made())?.['maker'])
    expect(await dataOf(org, 'companies', maker_id)).toMatchObject({ name: 'Hooli' })
  })

  test('a match is taken before the form is sent, even if the service responds late', async () => {
    const { page, panel, maker } = await openCreate()
    await maker.click()
    await page.getByRole('option', { name: 'Umbrella' }).waitFor()
    const letGo = await holdSearches(page)
    await maker.fill('umb')
    await panel.getByRole('combobox', { name: 'Phase' }).fill('lo')
    await panel.getByRole('button', { name: /^Create thing/ }).click()
    letGo()
    await panel.waitFor({ state: 'detached' })
    const { phase, maker: chosen } = (await made()) ?? {}
    expect(phase).toBe('Lost')
    expect(await dataOf(org, 'companies', String(chosen))).toMatchObject({ name: 'Umbrella' })
  })

  test('a Space continues the text after the list was closed, and opens the list of a chosen option', async () => {
    const { page, panel, maker } = await openCreate()
    await maker.fill('acme')
    await page.getByRole('option', { name: 'Acme Labs' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('option').first().waitFor({ state: 'detached' })
    await page.keyboard.type(' labs')
    await expect.poll(() => maker.inputValue()).toBe('acme labs')
    await page.keyboard.press('Tab')
    await expect.poll(() => maker.inputValue()).toBe('Acme Labs')
    await panel.getByRole('combobox', { name: 'Maker' }).press('Space')
    await page.getByRole('option', { name: 'Umbrella' }).waitFor()
    await expect.poll(() => maker.inputValue()).toBe('Acme Labs')
  })

  test('a list with one choice reports a text that is not an option', async () => {
    const owner = await org.member('owner')
    const page = await dashboard.open(`/o/org-${org.id}/settings/organization`, owner)
    const currency = page.getByRole('combobox', { name: 'Currency' })
    const before = await currency.inputValue()
    await currency.fill('sek')
    await page.keyboard.press('Tab')
    await expect.poll(() => currency.inputValue()).toBe('SEK')
    await currency.fill('xyzzy')
    await page.keyboard.press('Tab')
    await message(page, 'No option is called “xyzzy”').waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect.poll(() => currency.and(focused(page)).count()).toBe(1)
    await currency.fill('')
    await page.keyboard.press('Tab')
    await expect.poll(() => currency.inputValue()).toBe('SEK')
    expect(before).not.toBe('SEK')
  })
})

describe('on the page of a record', () => {
  async function openMaker() {
    const page = await dashboard.open(`${things}/${lamp}`, ada)
    await page.getByRole('button', { name: 'Edit Maker' }).press('Enter')
    await focused(page).waitFor()
    return page
  }

  test('Tab takes the only match and moves to the next value', async () => {
    const page = await openMaker()
    await page.keyboard.type('umb')
    await page.keyboard.press('Tab')
    await page.getByRole('region', { name: 'Details' }).getByRole('link', { name: 'Umbrella' }).waitFor()
    await page.getByRole('button', { name: 'Edit Colors' }).and(page.locator(':focus')).waitFor()
  })

  test('an edit continues when another window takes the focus, and is saved when the field is left', async () => {
    const page = await dashboard.open(`${things}/${lamp}`, ada)
    await page
      .getByRole('region', { name: 'Details' })
      .getByRole('button', { name: 'Edit Name' })
      .press('Enter')
    await page.keyboard.type('s')
    await otherWindow(page)
    await expect.poll(() => focused(page).inputValue()).toBe('Lamps')
    expect(await values()).toMatchObject({ name: 'Lamp' })
    await page.keyboard.press('Tab')
    await expect.poll(async () => (await values())['name']).toBe('Lamps')
  })

  test('a text that cannot be taken is marked, and the next edit starts with it', async () => {
    const page = await openMaker()
    await page.keyboard.type('Hooli')
    await page.keyboard.press('Tab')
    await message(page, 'Not saved: No company is called “Hooli”').waitFor()
    await page.getByRole('button', { name: 'Edit Maker' }).press('Enter')
    await expect.poll(() => focused(page).inputValue()).toBe('Hooli')
    await page.getByRole('option', { name: 'Create “Hooli”' }).click()
    await page.getByRole('region', { name: 'Details' }).getByRole('link', { name: 'Hooli' }).waitFor()
  })
})
