import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { axeViolations, axeViolationsInBothSchemes } from './axe.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()
let org: Org
let admin: SignedInMember
let ada: SignedInMember

// Each test gets a new organization.
beforeEach(async () => {
  ;({ org, admin } = await dashboard.organization('admin'))
  ada = await org.member('member')
})

const ATTRIBUTES = [
  { name: 'Name', type: 'text', isRequired: true },
  { name: 'Mail', type: 'email', isUnique: true },
  { name: 'Count', type: 'number' },
  { name: 'Phone', type: 'phone_number' },
  { name: 'Done', type: 'checkbox' },
  { name: 'Person', type: 'name' },
  { name: 'Place', type: 'address' },
  { name: 'Price', type: 'currency' },
  { name: 'Day', type: 'date' },
  { name: 'Stage', type: 'select', config: { options: ['Open', 'Won', 'Lost'] } },
  { name: 'Tags', type: 'list' },
]

interface Created {
  id: string
}

/** A new object with an attribute of every type, and some records. */
async function anObject(plural: string, count: number) {
  const { body: companies } = await admin.get<Created>('/objects/companies')
  const names = { pluralName: plural, singularName: plural.slice(0, -1) }
  const { body: object } = await admin.post<Created & { slug: string }>('/objects', names)
  const firm = { name: 'Firm', type: 'reference', config: { allowed_object_id: companies.id } }
  for (const attribute of [...ATTRIBUTES, firm])
    expect((await admin.post(`/objects/${object.id}/attributes`, attribute)).status).toBe(201)
  const ids: string[] = []
  for (let from = 0; from < count; from += 100) {
    const records = Array.from({ length: Math.min(100, count - from) }, (_, at) => ({
      data: { name: `Thing ${from + at}`, count: from + at, stage: at % 2 === 0 ? 'Open' : 'Won' },
    }))
    const { body } = await admin.post<{ results: Created[] }>(`/objects/${object.id}/records/bulk`, {
      records,
    })
    ids.push(...body.results.map(({ id }) => id))
  }
  const one = (id: string) => `/objects/${object.slug}/records/${id}`
  return { ...object, ids, one, page: `/o/org-${org.id}/objects/${object.slug}` }
}

type Data = Record<string, unknown>
const dataOf = async (path: string) => (await ada.get<{ data: Data }>(path)).body.data

/** A wide window with room for every column: hidden columns are not rendered. */
const WIDE = { viewport: { width: 2600, height: 800 } }

const cell = (page: Page, row: number, column: string) => {
  const index = ['Name', ...ATTRIBUTES.slice(1).map(({ name }) => name), 'Firm'].indexOf(column)
  return page.locator(`#cell-${row}-${index}`)
}

async function pressEnter(page: Page, row: number, column: string) {
  await cell(page, row, column).click({ position: { x: 3, y: 3 } })
  await page.keyboard.press('Enter')
}

/** Opens the editor of the cell by keyboard. The next keys go into the editor. */
async function edit(page: Page, row: number, column: string) {
  await pressEnter(page, row, column)
  await page.locator('input:focus').waitFor()
}

const grid = (page: Page) => page.getByRole('grid')
const firstName = (page: Page) => page.getByRole('rowheader').first()

describe('editing in place', () => {
  test.each<[string, (page: Page) => Promise<void>, unknown]>([
    ['Name', async (page) => page.keyboard.type('Renamed'), 'Renamed'],
    ['Mail', async (page) => page.keyboard.type('ada@example.com'), 'ada@example.com'],
    ['Count', async (page) => page.keyboard.type('12.5'), 12.5],
    ['Phone', async (page) => page.keyboard.type('+1 415 555 0132'), '+1 415 555 0132'],
    ['Day', async (page) => page.getByLabel('Day').last().fill('2026-11-20'), '2026-11-20'],
    [
      'Person',
      async (page) => {
        await page.keyboard.type('Ada')
        await page.keyboard.press('Tab')
        await page.keyboard.type('Lovelace')
      },
      { firstName: 'Ada', lastName: 'Lovelace' },
    ],
    ['Place', async (page) => page.keyboard.type('1 Main Street'), { line1: '1 Main Street' }],
    ['Price', async (page) => page.keyboard.type('9.99'), { amount: 9.99, currency: 'USD' }],
    [
      'Tags',
      async (page) => {
        await page.keyboard.type('vip')
        await page.keyboard.press('Enter')
        await page.keyboard.type('eu')
        await page.keyboard.press('Enter')
      },
      ['vip', 'eu'],
    ],
  ])('%s by keyboard', async (column, type, value) => {
    const things = await anObject(`${column}things`, 2)
    const page = await dashboard.open(things.page, ada, WIDE)
    await edit(page, 0, column)
    await type(page)
    await page.keyboard.press('Enter')
    // The newest record is in the first row.
    const slug = column.toLowerCase()
    await expect.poll(async () => (await dataOf(things.one(things.ids[1] ?? '')))[slug]).toEqual(value)
    await expect.poll(() => page.evaluate('document.activeElement.id')).toMatch(/^cell-1-/)
  })

  test('a select and a reference are chosen from lists, and a checkbox is toggled', async () => {
    const things = await anObject('Choices', 1)
    const { body: firm } = await admin.post<Created>('/objects/companies/records', { data: { name: 'Acme' } })
    const page = await dashboard.open(things.page, ada, WIDE)
    await edit(page, 0, 'Stage')
    await page.getByRole('option', { name: 'Lost' }).click()
    await cell(page, 0, 'Stage').getByText('Lost').waitFor()
    await edit(page, 0, 'Firm')
    await page.keyboard.type('Acm')
    await page.getByRole('option', { name: 'Acme' }).click()
    await cell(page, 0, 'Firm').getByRole('link', { name: 'Acme' }).waitFor()
    await pressEnter(page, 0, 'Done')
    await cell(page, 0, 'Done').getByText('Yes').waitFor()
    const saved = { stage: 'Lost', firm: firm.id, done: true }
    await expect.poll(() => dataOf(things.one(things.ids[0] ?? ''))).toMatchObject(saved)
  })

  test('Escape reverts, Tab saves and moves to the next cell', async () => {
    const things = await anObject('Tabs', 1)
    const page = await dashboard.open(things.page, ada)
    await edit(page, 0, 'Name')
    await page.keyboard.type('Not this')
    await page.keyboard.press('Escape')
    await firstName(page).getByRole('link', { name: 'Thing 0' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('input:focus').waitFor()
    await page.keyboard.type('But this')
    await page.keyboard.press('Tab')
    await firstName(page).getByRole('link', { name: 'But this' }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('cell-0-1')
  })

  test('a refused value is reverted with a reason, and the next edit starts with the refused value', async () => {
    const things = await anObject('Refusals', 1)
    const page = await dashboard.open(things.page, ada)
    await edit(page, 0, 'Mail')
    await page.keyboard.type('nothing')
    await page.keyboard.press('Enter')
    await page
      .getByRole('alert')
      .filter({ hasText: 'Enter an email address, such as ada@example.com' })
      .waitFor()
    await expect.poll(() => cell(page, 0, 'Mail').innerText()).toBe('')
    await edit(page, 0, 'Mail')
    const field = page.getByRole('textbox', { name: 'Mail' })
    await expect.poll(() => field.inputValue()).toBe('nothing')
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await edit(page, 0, 'Mail')
    await expect.poll(() => field.inputValue()).toBe('')
  })

  test('after a click on a link, keys apply to the cell of the link', async () => {
    const things = await anObject('Links', 2)
    await admin.patch(things.one(things.ids[1] ?? ''), { data: { mail: 'ada@example.com' } })
    const page = await dashboard.open(things.page, ada)
    await page.getByRole('link', { name: 'ada@example.com' }).click()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('textbox', { name: 'Mail' }).inputValue()).toBe('ada@example.com')
  })

  test('closing the quick look returns the focus to its cell', async () => {
    const things = await anObject('Glances', 1)
    const page = await dashboard.open(things.page, ada)
    await cell(page, 0, 'Count').click()
    await page.keyboard.press('Shift+Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('cell-0-2')
  })

  test('column heads scroll behind the head of the name column', async () => {
    const things = await anObject('Heads', 1)
    const page = await dashboard.open(things.page, ada)
    await cell(page, 0, 'Name').waitFor()
    const head = "document.querySelector('[role=columnheader]').parentElement"
    const colour = await page.evaluate(`getComputedStyle(${head}).backgroundColor`)
    expect(colour).toBe('rgb(255, 255, 255)')
  })

  test('an open menu and an open list of options have no axe violations', async () => {
    const things = await anObject('Menus', 1)
    const page = await dashboard.open(things.page, ada, WIDE)
    await page.getByRole('columnheader', { name: 'Count' }).getByRole('button').first().click()
    await page.getByRole('menu').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await edit(page, 0, 'Stage')
    await page.getByRole('option').first().waitFor()
    expect(await axeViolations(page)).toEqual([])
  })

  test('a conflict of two edits asks which value to keep', async () => {
    const things = await anObject('Conflicts', 1)
    const [id = ''] = things.ids
    const page = await dashboard.open(things.page, ada)
    await edit(page, 0, 'Count')
    await admin.patch(things.one(id), { data: { count: 77 } })
    await page.keyboard.type('5')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: /changed by someone else/ })
    await dialog.getByText('77').waitFor()
    await dialog.getByRole('button', { name: 'Use mine' }).click()
    await expect.poll(async () => (await dataOf(things.one(id)))['count']).toBe(5)
  })
})

describe('moving', () => {
  test('arrows, End and PageDown move through the rows, and distant rows are loaded', async () => {
    const things = await anObject('Rows', 450)
    const page = await dashboard.open(`${things.page}?sort=count`, ada)
    await cell(page, 0, 'Name').click({ position: { x: 3, y: 3 } })
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('cell-0-1')
    await page.keyboard.press('Control+End')
    await page.getByRole('rowheader', { name: 'Thing 449' }).waitFor()
    await expect.poll(() => grid(page).getAttribute('aria-rowcount')).toBe('451')
    await expect.poll(() => page.getByRole('row').count()).toBeLessThan(80)
    await page.keyboard.press('Control+Home')
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('cell-0-0')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await expect.poll(() => page.locator('[data-marked]').count()).toBe(3)
  })

  test('marked cells are copied as tab-separated text', async () => {
    const things = await anObject('Copies', 2)
    const page = await dashboard.open(`${things.page}?sort=count&columns=name,count,stage`, ada, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await cell(page, 0, 'Name').click({ position: { x: 3, y: 3 } })
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+End')
    await page.keyboard.press('Control+C')
    await page.getByText('Copied 6 cells').waitFor()
    const text = await page.evaluate('navigator.clipboard.readText()')
    expect(text).toBe('Thing 0\t0\tOpen\nThing 1\t1\tWon')
  })
})

describe('bulk actions', () => {
  test('all matching records get one value, and refused records are listed by name', async () => {
    const things = await anObject('Bulks', 120)
    const page = await dashboard.open(things.page, ada)
    await page.getByRole('checkbox', { name: 'Select all rows that are loaded' }).click()
    await page.getByText('100 bulks selected').waitFor()
    await page.getByRole('button', { name: 'Select all 120 that match' }).click()
    await page.getByText('120 bulks selected').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit 120 bulks' })
    await dialog.getByLabel('Attribute').click()
    await page.getByRole('option', { name: 'Mail' }).click()
    await dialog.getByRole('textbox', { name: 'Mail' }).fill('one@example.com')
    await dialog.getByRole('button', { name: 'Change 120 bulks' }).click()
    // The attribute is unique, so only the first record gets the value.
    await dialog.getByText('1 bulk changed. 119 bulks could not be:').waitFor()
  })

  test('the delete dialog says what is deleted with the records', async () => {
    const things = await anObject('Deletions', 5)
    await admin.post('/activities', {
      title: 'Call',
      linkedRecords: [{ objectId: things.id, recordId: things.ids[4] }],
    })
    const page = await dashboard.open(things.page, ada)
    await cell(page, 0, 'Name').click({ position: { x: 3, y: 3 } })
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 2 deletions?' })
    await dialog.getByText('This moves 2 deletions to the trash, from where they can be restored.').waitFor()
    await dialog.getByText('1 activity will no longer be linked to them.').waitFor()
    await dialog.getByRole('button', { name: 'Delete 2 deletions' }).click()
    await page.getByText('3 deletions', { exact: true }).waitFor()
    await expect.poll(() => page.getByRole('region', { name: 'Selected records' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('5 deletions', { exact: true }).waitFor()
  })

  test('a deleted record is restored from the trash, another deleted permanently, by keyboard', async () => {
    const things = await anObject('Leavers', 2)
    for (const id of things.ids) await admin.delete(things.one(id))
    const page = await dashboard.open(`${things.page}/trash`, ada)
    const restore = page.getByRole('button', { name: 'Restore Thing 0' })
    await restore.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Restore Thing 0?' })
    await dialog.getByText('return as they were').waitFor()
    await dialog.getByRole('button', { name: 'Restore leaver' }).press('Enter')
    await restore.waitFor({ state: 'detached' })
    await page.getByText('1 leaver restored').waitFor()
    expect((await admin.get(things.one(things.ids[0] ?? ''))).status).toBe(200)
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete permanently: Thing 1' }).press('Enter')
    const last = page.getByRole('dialog', { name: 'Delete Thing 1 permanently?' })
    await last.getByRole('button', { name: 'Delete permanently' }).press('Enter')
    await page.getByText('No deleted leavers').waitFor()
  })
})

test('a record is created, and an error for a duplicate value names the other record', async () => {
  const things = await anObject('Creations', 0)
  await admin.post(`/objects/${things.id}/records`, { data: { name: 'First', mail: 'a@example.com' } })
  const page = await dashboard.open(things.page, ada)
  await grid(page).waitFor()
  await page.keyboard.press('c')
  const panel = page.getByRole('dialog', { name: 'Create creation' })
  await panel.getByRole('button', { name: 'Create creation' }).click()
  await panel.getByText('Enter a value', { exact: true }).first().waitFor()
  await panel.getByRole('textbox', { name: 'Name', exact: true }).fill('Second')
  await panel.getByRole('textbox', { name: 'Mail' }).fill('a@example.com')
  await panel.getByRole('button', { name: 'Create creation' }).click()
  await panel.getByRole('link', { name: 'open it' }).waitFor()
  await panel.getByRole('textbox', { name: 'Mail' }).fill('b@example.com')
  await panel.getByRole('button', { name: 'Create creation' }).click()
  await page.getByRole('rowheader', { name: 'Second' }).waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.has('create')).toBe(false)
})

test('an inactive object is read-only and says so', async () => {
  const things = await anObject('Retirees', 1)
  await admin.patch(`/objects/${things.id}`, { isActive: false })
  const page = await dashboard.open(things.page, ada)
  await page.getByText('Retirees are inactive').waitFor()
  await pressEnter(page, 0, 'Name')
  await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).count()).toBe(0)
  await expect.poll(() => page.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true)
})

test.each([1440, 375])('the page is accessible and fits the window at %i pixels', async (width) => {
  const things = await anObject(`Of${width}s`, 30)
  const page = await dashboard.open(`${things.page}?filter=["stage","equals","Open"]`, ada, {
    viewport: { width, height: 760 },
  })
  await page.getByRole('rowheader', { name: 'Thing 0' }).waitFor()
  await page.getByRole('checkbox', { name: 'Select Thing 2', exact: true }).click()
  // Moves the mouse off the new bar: its tooltips are outside every landmark.
  await page.mouse.move(0, 0)
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
  expect(overflow).toBe(0)
})
