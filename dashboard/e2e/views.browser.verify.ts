import { expect, test } from 'vitest'
import { axeViolations } from './axe.ts'
import { hasFocus } from './journey-keys.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()
const { org, member: ada } = await dashboard.organization('member')
const ben = await org.member('member')
const companies = `/o/org-${org.id}/objects/companies`

const FIRMS = [
  { name: 'Acme', industry: 'Technology', employees: 12 },
  { name: 'Globex', industry: 'Finance', employees: 400 },
  { name: 'Initrode', industry: 'Technology', employees: 90 },
]
await ada.post('/objects/companies/records/bulk', { records: FIRMS.map((data) => ({ data })) })

const names = ['Acme', 'Globex', 'Initrode']

test('a filter is built by keyboard and mouse, saved, shared, and seen by a colleague', async () => {
  const page = await dashboard.open(companies, ada)
  await page.getByRole('grid').waitFor()
  await page.keyboard.press('f')
  await page.getByRole('combobox', { name: 'Find an attribute' }).fill('indus')
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Technology' }).click()
  await page.getByRole('button', { name: 'Industry is Technology', exact: true }).waitFor()
  await page.getByText('2 companies', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Save view' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as a new view' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Technology firms')
  await dialog.getByRole('switch', { name: /Share/ }).click()
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('button', { name: 'Companies: Technology firms' }).waitFor()
  await expect.poll(() => [...new URL(page.url()).searchParams.keys()]).toEqual(['view'])
  const link = page.url()

  const other = await dashboard.open(link, ben)
  await other.getByRole('button', { name: 'Industry is Technology', exact: true }).waitFor()
  await other.getByText('2 companies', { exact: true }).waitFor()
  await other.getByRole('button', { name: 'Remove filter Industry is Technology' }).click()
  await other.getByText('3 companies', { exact: true }).waitFor()
  await other.getByText('Unsaved changes', { exact: true }).waitFor()
  // The view belongs to another user, so it can only be saved under another name.
  await expect.poll(() => other.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
  await other.reload()
  await other.getByText('3 companies', { exact: true }).waitFor()
  await other.getByRole('button', { name: 'Discard' }).click()
  await other.getByText('2 companies', { exact: true }).waitFor()
})

test('records are filtered by creation day, and the filter is saved in a view', async () => {
  const page = await dashboard.open(companies, ada, { viewport: { width: 1024, height: 768 } })
  await page.getByRole('grid').waitFor()
  await page.keyboard.press('f')
  await page.getByRole('combobox', { name: 'Find an attribute' }).fill('created')
  await page.keyboard.press('Enter')
  await page.getByLabel('Value', { exact: true }).first().fill('2020-01-01')
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('button', { name: /^Remove filter Created is/ }).waitFor()
  await page.getByText('0 companies', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Save view' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as a new view' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Of one day')
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('button', { name: 'Companies: Of one day' }).waitFor()
})

test('views are tabs for mouse and keyboard, but not on a phone', async () => {
  await ada.post('/objects/companies/views', {
    name: 'Large ones',
    state: {
      version: 1,
      columns: [],
      filter: { attributeSlug: 'employees', operator: 'greaterThan', value: '100' },
    },
  })
  const page = await dashboard.open(companies, ada)
  const tabs = page.getByRole('tablist')
  await tabs.getByRole('tab', { name: 'Large ones' }).click()
  await page.getByText('1 company', { exact: true }).waitFor()
  await expect
    .poll(() => tabs.getByRole('tab', { name: 'Large ones' }).getAttribute('aria-selected'))
    .toBe('true')
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await page.getByText('3 companies', { exact: true }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.setViewportSize({ width: 375, height: 740 })
  await tabs.waitFor({ state: 'hidden' })
})

test('opening a board does not change the view, and its columns are saved with the view', async () => {
  const page = await dashboard.open(companies, ada)
  await page.getByRole('grid').waitFor()
  await page.getByText('Board', { exact: true }).click()
  await page.getByRole('region', { name: 'Technology' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Save view' }).count()).toBe(0)
  await page.getByRole('button', { name: /^Companies/ }).click()
  await page.getByRole('menuitem', { name: 'Save as a new view' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as a new view' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('By industry')
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('button', { name: 'Companies: By industry' }).waitFor()
  const { body } = await ada.get<{ views: { name: string; kind: string; state: object }[] }>(
    '/objects/companies/views',
  )
  const saved = body.views.find(({ name }) => name === 'By industry')
  expect(saved).toMatchObject({ kind: 'board', state: { board: { groupBy: 'industry' } } })
})

test('an object opens in its last layout, and a link in the layout of the link', async () => {
  await ada.post('/objects/companies/views', { name: 'As a table', state: { version: 1, columns: [] } })
  const page = await dashboard.visit(ada)
  const main = page.getByRole('navigation', { name: 'Main' })
  const open = () => main.getByRole('link', { name: 'Companies', exact: true }).click()
  const board = page.getByRole('region', { name: 'Technology' })
  await page.goto(companies)
  await page.getByRole('grid').waitFor()
  await page.getByText('Board', { exact: true }).click()
  await board.waitFor()
  await main.getByRole('link', { name: 'Activities' }).click()
  await page.getByRole('heading', { name: 'Activities' }).first().waitFor()
  await open()
  await board.waitFor()
  await page.getByRole('tab', { name: 'As a table' }).click()
  await page.getByRole('grid').waitFor()
  await page.getByRole('tab', { name: 'All' }).click()
  await board.waitFor()
  await page.goto(`${companies}?sort=name`)
  await page.getByRole('grid').waitFor()
  await open()
  await board.waitFor()
  await page.getByText('Table', { exact: true }).click()
  await page.getByRole('grid').waitFor()
  await main.getByRole('link', { name: 'Activities' }).click()
  await page.getByRole('heading', { name: 'Activities' }).first().waitFor()
  await open()
  await page.getByRole('grid').waitFor()
})

test('a link to a personal view shows no records to others, and says why', async () => {
  const { body: view } = await ada.post<{ id: string }>('/objects/companies/views', {
    name: 'Mine',
    state: { version: 1, columns: [], sort: { field: 'name', order: 'asc' } },
  })
  const page = await dashboard.open(`${companies}?view=${view.id}&sort=-name`, ben)
  await page.getByText('The view of this link is personal or was deleted.').waitFor()
  await expect.poll(() => page.getByRole('rowheader').count()).toBe(0)
  await page.getByRole('button', { name: 'Show all companies' }).click()
  await expect.poll(() => page.getByRole('rowheader').allInnerTexts()).toHaveLength(names.length)
})

test.each(['["industry","resembles","x"]', '{"and":[["name","contains","a"],["name"]]}', 'cut'])(
  'a filter that cannot be read shows no records and says so: %s',
  async (filter) => {
    const page = await dashboard.open(`${companies}?filter=${encodeURIComponent(filter)}`, ada)
    await page.getByText('The filter of this link cannot be read').waitFor()
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(0)
    await page.getByRole('button', { name: 'Show all companies' }).click()
    await expect.poll(() => page.getByRole('rowheader').allInnerTexts()).toHaveLength(names.length)
  },
)

test('a column head sorts, hides and moves its column, and the address contains this', async () => {
  const page = await dashboard.open(companies, ada)
  await page.getByRole('button', { name: 'Employees', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Sort descending' }).click()
  await expect.poll(() => page.getByRole('rowheader').allInnerTexts()).toEqual(['Globex', 'Initrode', 'Acme'])
  const head = page.getByRole('columnheader', { name: 'Employees' })
  await expect.poll(() => head.getAttribute('aria-sort')).toBe('descending')
  await head.getByRole('button').focus()
  await page.keyboard.press('Alt+ArrowLeft')
  await expect.poll(() => head.getAttribute('aria-colindex')).toBe('4')
  await page.keyboard.press('Shift+ArrowRight')
  await page.getByRole('button', { name: 'Domain', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Hide' }).click()
  await expect.poll(() => head.getAttribute('aria-colindex')).toBe('3')
  const search = (name: string) => new URL(page.url()).searchParams.get(name)
  await expect.poll(() => search('sort')).toBe('-employees')
  await expect.poll(() => search('columns')).toMatch(/^name:260,-domain:208,employees:136,industry:150,/)
})

test('a second column sorts equal rows of the first; each sort is removed separately', async () => {
  const page = await dashboard.open(companies, ada)
  const names = () => expect.poll(() => page.getByRole('rowheader').allInnerTexts())
  const head = (name: string) => page.getByRole('columnheader', { name })
  const choose = async (column: string, item: string) => {
    await head(column).getByRole('button').click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
    await hasFocus(head(column).getByRole('button'))
  }
  const search = () => new URL(page.url()).searchParams.get('sort')
  await choose('Industry', 'Sort ascending')
  await page.keyboard.press('Home')
  await hasFocus(head('Name').getByRole('button'))
  await page.keyboard.press('Enter')
  for (const item of ['Sort ascending', 'Sort descending', 'Then sort ascending', 'Then sort descending']) {
    await hasFocus(page.getByRole('menuitem', { name: item, exact: true }))
    if (item !== 'Then sort descending') await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await expect.poll(search).toBe('industry,-name')
  await head('Name').getByText('2', { exact: true }).waitFor()
  await names().toEqual(['Globex', 'Initrode', 'Acme'])
  await choose('Industry', 'Remove sort')
  await expect.poll(search).toBe('-name')
  await names().toEqual(['Initrode', 'Globex', 'Acme'])
  await expect.poll(() => head('Name').getAttribute('aria-sort')).toBe('descending')
})

test('quick search covers all text attributes; without results, the search can be cleared', async () => {
  const page = await dashboard.open(companies, ada)
  await page.getByRole('grid').waitFor()
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('/')
  await page.locator('input[type=search]:focus').waitFor()
  await page.keyboard.type('finan')
  await expect.poll(() => page.getByRole('rowheader').allInnerTexts()).toEqual(['Globex'])
  await page.keyboard.type('zzz')
  await page.getByRole('button', { name: 'Clear filter and search' }).click()
  await page.getByText('3 companies', { exact: true }).waitFor()
})

/** Runs in the page: types one more letter when the address changes, before the page renders the change. */
const TYPE_WHILE_ADDRESS_CHANGES = `
  for (const name of ['pushState', 'replaceState']) {
    const change = History.prototype[name]
    History.prototype[name] = function (...state) {
      change.apply(this, state)
      const field = document.activeElement
      if (field?.value !== 'glob') return
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, 'globe')
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }`

test('a letter typed while the page loads the search for earlier letters is kept', async () => {
  const page = await dashboard.visit(ada, { own: {} })
  await page.addInitScript({ content: TYPE_WHILE_ADDRESS_CHANGES })
  await page.goto(companies)
  await page.getByRole('grid').waitFor()
  await page.keyboard.press('/')
  const field = page.locator('input[type=search]:focus')
  await field.pressSequentially('glob')
  await page.waitForURL(/glob/)
  await page.keyboard.type('x')
  await page.waitForURL(/globex/)
  await expect.poll(() => field.inputValue()).toBe('globex')
})

test('a filter on a missing attribute is reported in its chip and can be removed', async () => {
  const page = await dashboard.open(`${companies}?filter=["mood","equals","good"]`, ada)
  await page.getByText('mood is not an attribute any more').waitFor()
  await page.getByRole('alert').waitFor()
  await page.getByRole('button', { name: 'Remove filter mood' }).click()
  await page.getByText('3 companies', { exact: true }).waitFor()
})

test.each([
  ['Remove filter Employees is more than 100', 'Filter'],
  ['Clear', 'Filter'],
])('after a removal, the focus is on the button that adds a filter: %s', async (removes, focused) => {
  const page = await dashboard.open(`${companies}?filter=["employees","greaterThan",100]`, ada)
  await page.getByRole('button', { name: removes }).press('Enter')
  await page.getByText('3 companies', { exact: true }).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe(focused)
})

test('a link with a deeply nested filter is edited as nested groups', async () => {
  const page = await dashboard.visit(ada)
  const large = ['employees', 'greaterThan', 100]
  const technology = { and: [['industry', 'equals', 'Technology'], large] }
  const filter = { and: [['name', 'isNotEmpty', 'true'], { or: [['name', 'equals', 'Globex'], technology] }] }
  await page.goto(`${companies}?filter=${encodeURIComponent(JSON.stringify(filter))}`)
  await page.getByText('1 company', { exact: true }).waitFor()
  const group = page.getByRole('group', { name: 'Group of conditions' })
  await expect.poll(() => group.count()).toBe(2)
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Remove filter Employees is more than 100' }).click()
  await page.getByText('3 companies', { exact: true }).waitFor()
  // The rest of the inner group is a single condition, not a group.
  await expect.poll(() => group.count()).toBe(1)
  await page.getByRole('button', { name: 'Remove the group' }).click()
  await expect.poll(() => group.count()).toBe(0)
})

test('a group of conditions is negated by its button, also by keyboard', async () => {
  const page = await dashboard.visit(ada)
  const either = {
    or: [
      ['industry', 'equals', 'Technology'],
      ['employees', 'greaterThan', 1000],
    ],
  }
  const filter = { and: [['name', 'isNotEmpty', 'true'], either] }
  await page.goto(`${companies}?filter=${encodeURIComponent(JSON.stringify(filter))}`)
  await page.getByText('2 companies', { exact: true }).waitFor()
  const group = page.getByRole('group', { name: 'Group of conditions' })
  await group.getByRole('button', { name: 'not', exact: true }).click()
  await page.getByText('1 company', { exact: true }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.reload()
  await page.getByText('1 company', { exact: true }).waitFor()
  await group.getByRole('button', { name: 'not', exact: true, pressed: true }).press('Enter')
  await page.getByText('2 companies', { exact: true }).waitFor()
})

test('a filter along a reference is created by keyboard on a phone, changed, and removed', async () => {
  const other = await dashboard.service.org()
  const eve = await other.member('member')
  const acme = { name: 'Acme', domain: 'acme.example', industry: 'Technology' }
  await eve.post('/objects/companies/records', { data: acme })
  const rows = [{ name: 'Ada Lovelace', company: { domain: acme.domain } }, { name: 'Bob Ray' }]
  const body = { records: rows.map((data) => ({ data })) }
  expect((await eve.post('/objects/people/records/bulk', body)).status).toBe(200)
  const page = await dashboard.open(`/o/org-${other.id}/objects/people`, eve, {
    viewport: { width: 390, height: 844 },
  })
  await page.getByText('2 people', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('option', { name: 'Company → Employees' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('combobox', { name: 'Find an attribute' }).fill('comp indus')
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Technology' }).click()
  const chip = page.getByRole('button', { name: 'Company → Industry is Technology', exact: true })
  await chip.waitFor()
  expect(await axeViolations(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await page.reload()
  await page.getByText('1 person', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Filters (1)' }).click()
  await chip.click()
  await page.getByRole('combobox', { name: 'Operator' }).click()
  await page.getByRole('option', { name: 'is not', exact: true }).click()
  await page.getByRole('button', { name: 'Change filter' }).click()
  await page.getByRole('button', { name: 'Remove filter Company → Industry is not Technology' }).click()
  await page.getByText('2 people', { exact: true }).waitFor()
})

test('the view is exported as a file', async () => {
  const page = await dashboard.open(`${companies}?sort=name&columns=name,employees`, ada)
  await page.getByRole('grid').waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^Companies \d{4}-\d\d-\d\d\.csv$/)
  const lines = (await (await file.createReadStream()).toArray()).join('').trim().split(/\r?\n/)
  expect(lines.slice(1)).toEqual(['Acme,12', 'Globex,400', 'Initrode,90'])
})

test('the quick look opens by keyboard and has an address', async () => {
  const page = await dashboard.open(`${companies}?sort=name`, ada)
  await page
    .getByRole('rowheader')
    .first()
    .click({ position: { x: 3, y: 3 } })
  await page.keyboard.press('Shift+Enter')
  await page.getByRole('dialog', { name: 'Acme' }).getByText('Technology').waitFor()
  await page.reload()
  await page.getByRole('dialog', { name: 'Acme' }).getByText('Technology').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => new URL(page.url()).searchParams.has('peek')).toBe(false)
})

test('a column is summed, and selected records are exported', async () => {
  const page = await dashboard.open(`${companies}?sort=name&columns=name,employees`, ada)
  await page.getByRole('button', { name: 'Employees', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Show sum' }).click()
  await page.getByRole('button', { name: 'Sum of Employees: 502' }).waitFor()
  await page.getByRole('checkbox', { name: 'Select Globex' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export', exact: true }).click(),
  ])
  const text = (await (await file.createReadStream()).toArray()).join('')
  expect(text).toBe('\ufeffName,Employees\nGlobex,400\n')
})
