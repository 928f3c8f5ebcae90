// A realistic contacts file, imported on the first try and undone from the list of imports.
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import { accessible, button, counts, heading } from './import.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()
const { service } = dashboard

/** With a byte order mark and semicolons, as Excel saves it where the comma is the decimal sign. */
const CSV = `\ufeff${[
  'Full Name;Email;Phone;Company;Last contacted;Budget;Newsletter;Rating',
  'Zoë Müller;ZOE@example.com;+49 30 901820;Bäckerei Öz;2026-03-12;$1.2k;ja;5',
  ';;;;;;;',
  'Jürgen Groß;juergen@example.com;(202) 555-0101;Acme Inc;12 Mar 2026;€3m;nein;4',
  'Ana Peña;ana@example.com;not known;ACME   inc;31.12.2025;1.200,50 €;WAHR;3',
  'François Noël;n/a;+33 1 42 68 53 00;globex.example;31/01/26;500;oui;2',
  'Zoe Mueller;zoe@example.com;+49 30 901821;Bäckerei Öz;;;no;',
  ';;;;;;;',
  'Ida Lund;ida@example.com;;Old Company;1. marts 2026;2 Mio EUR;x;1',
  '',
].join('\r\n')}`

const ATTRIBUTES = [
  { name: 'Last contacted', type: 'date' },
  { name: 'Budget', type: 'currency' },
  { name: 'Newsletter', type: 'checkbox' },
  { name: 'Rating', type: 'select', config: { options: ['1', '2', '3', '4', '5'] } },
]

interface State {
  people: number
  companies: number
  trashed: number
  options: unknown
}

/** The data that an import could leave behind. */
async function stateOf(member: SignedInMember): Promise<State> {
  const total = async (path: string) =>
    (await member.get<{ pagination: { total: number } }>(path)).body.pagination.total
  const { body } = await member.get<{ attributes: unknown }>('/objects/people')
  return {
    people: await total('/objects/people/records'),
    companies: await total('/objects/companies/records'),
    trashed:
      (await total('/objects/people/trashed-records')) + (await total('/objects/companies/trashed-records')),
    options: body.attributes,
  }
}

async function workUntil(shown: Locator): Promise<void> {
  await expect
    .poll(async () => {
      await service.drain()
      return shown.isVisible()
    })
    .toBe(true)
}

test('a messy contacts file is imported on the first try, and undoing it leaves no data', async () => {
  const org = await service.org()
  const owner = await org.member('owner')
  for (const attribute of ATTRIBUTES)
    expect((await owner.post('/objects/people/attributes', attribute)).status).toBe(201)
  await owner.post('/objects/companies/records', { data: { name: 'Old Company' } })
  const before = await stateOf(owner)
  const page = await dashboard.open(`/o/org-${org.id}/objects/people/import`, owner)
  await heading(page, 'Choose a CSV file')
  const file = { name: 'contacts.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) }
  await page.locator('input[type=file]').setInputFiles(file)

  await heading(page, 'Map the columns')
  await page.getByText('6 rows').first().waitFor()
  const target = (column: string) =>
    page.getByRole('combobox', { name: `Attribute for ${column}`, exact: true })
  const guessed = {
    'Full Name': 'Name (required)',
    Email: 'Email',
    Phone: 'Phone',
    Company: 'Company',
    'Last contacted': 'Last contacted',
    Budget: 'Budget',
    Newsletter: 'Newsletter',
    Rating: 'Rating',
  }
  for (const [column, attribute] of Object.entries(guessed))
    await expect.poll(() => target(column).inputValue()).toBe(attribute)
  await page.getByText('“n/a” is not an email address').waitFor()
  const create = page.getByRole('checkbox', { name: 'Create companies that do not exist' })
  await expect.poll(() => create.isChecked()).toBe(true)
  await page.getByRole('combobox', { name: 'Owner of all rows' }).click()
  await page.getByRole('option').first().click()
  await accessible(page)

  await button(page, 'Check 6 rows').click()
  await workUntil(page.getByRole('heading', { name: 'What the import would do' }))
  expect(await counts(page)).toEqual({ Creates: '3', Updates: '1', Errors: '2' })
  const problems = page.getByRole('region', { name: 'Problems' })
  await problems.getByText('"not known" is not a phone number').waitFor()
  await problems.getByText('"n/a" is not an email address').waitFor()
  await accessible(page)

  // One choice for a whole column, and one replacement for a value.
  await page.getByRole('combobox', { name: 'When a value of Phone cannot be used' }).click()
  await page.getByRole('option', { name: 'Leave the cell empty' }).click()
  await workUntil(problems.getByText('Imported without this value'))
  await button(page, 'Replace n/a in Email, 1 row').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'New value' }).fill('francois@example.com')
  await button(page, 'Replace in 1 row').click()
  await dialog.waitFor({ state: 'detached' })
  await workUntil(page.getByText('No errors left.'))
  expect(await counts(page)).toEqual({ Creates: '5', Updates: '1', Errors: '0' })
  await page.getByText('Also creates 3 companies: Bäckerei Öz, Acme Inc, and globex.example').waitFor()
  await accessible(page)

  await button(page, 'Import 6 rows').click()
  await workUntil(page.getByRole('heading', { name: 'Import completed' }))
  await page.getByText('Also created 3 companies').waitFor()
  await accessible(page)
  expect(await stateOf(owner)).toMatchObject({ people: 5, companies: 4, trashed: before.trashed })
  const { body } = await owner.get<{ records: { data: Record<string, unknown> }[] }>(
    '/objects/people/records?order=asc',
  )
  const [zoe, juergen, ana, francois, ida] = body.records.map(({ data }) => data)
  expect(zoe).toMatchObject({
    ...{ name: { firstName: 'Zoe', lastName: 'Mueller' }, last_contacted: '2026-03-12', newsletter: false },
    ...{ budget: { amount: 1200, currency: 'USD' }, rating: '5' },
  })
  const owners = new Set(body.records.map(({ data }) => data['owner']))
  expect([...owners]).toEqual([expect.any(String)])
  expect(juergen).toMatchObject({
    last_contacted: '2026-03-12',
    budget: { amount: 3_000_000, currency: 'EUR' },
  })
  expect(ana).toMatchObject({ last_contacted: '2025-12-31', newsletter: true, company: juergen?.['company'] })
  expect(ana).not.toHaveProperty('phone')
  expect(francois).toMatchObject({ email: 'francois@example.com', last_contacted: '2026-01-31' })
  expect(ida).toMatchObject({ last_contacted: '2026-03-01', newsletter: true })

  // The import page is closed. The import is in the list of the object.
  await page.goto(`/o/org-${org.id}/objects/people`)
  await page.goto(`/o/org-${org.id}/objects/people/import`)
  await page.setViewportSize({ width: 375, height: 800 })
  const row = page.getByRole('row').filter({ hasText: 'contacts.csv' })
  const undo = row.getByRole('button', { name: 'Undo the import of contacts.csv' })
  const { x, width } = (await undo.boundingBox()) ?? { x: 0, width: 0 }
  expect(x + width).toBeLessThanOrEqual(375)
  await undo.click()
  await dialog.getByText('8 records that it created go to the trash').waitFor()
  await accessible(page)
  await dialog.getByRole('button', { name: 'Undo import' }).click()
  await row.getByText('Undone').waitFor()
  // Undone records are in the trash, as after any deletion, and nothing else is left.
  expect(await stateOf(owner)).toEqual({ ...before, trashed: before.trashed + 8 })
  await accessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
})
