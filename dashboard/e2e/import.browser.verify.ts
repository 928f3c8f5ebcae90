import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Import } from '../../contract/imports.ts'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { accessible, button, choose, counts, heading } from './import.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()
const { service } = dashboard
const sample = readFileSync(new URL('../../samples/companies.csv', import.meta.url), 'utf8').trimEnd()

const ATTRIBUTES = [
  { name: 'Symbol', type: 'text', isUnique: true },
  { name: 'GICS Sector', type: 'text' },
  { name: 'Date added', type: 'date' },
]

async function companies(): Promise<{ org: Org; owner: SignedInMember; address: string }> {
  const org = await service.org()
  const owner = await org.member('owner')
  for (const attribute of ATTRIBUTES) await owner.post('/objects/companies/attributes', attribute)
  return { org, owner, address: `/o/org-${org.id}/objects/companies/import` }
}

const target = (page: Page, column: string): Locator =>
  page.getByRole('combobox', { name: `Attribute for ${column}`, exact: true })

async function fill(page: Page, column: string, attribute: string | RegExp): Promise<void> {
  await target(page, column).click()
  await page.getByRole('option', { name: attribute }).click()
}

async function check(page: Page, rows: string): Promise<void> {
  await button(page, `Check ${rows}`).click()
  await heading(page, 'Checking the file')
  await service.drain()
  await heading(page, 'What the import would do')
}

const total = async (member: SignedInMember) =>
  (await member.get<{ pagination: { total: number } }>('/objects/companies/records')).body.pagination.total

test('imports the sample companies except two broken rows, then imports those rows after correction', async () => {
  const { owner, address } = await companies()
  const page = await dashboard.open(address, owner)
  await heading(page, 'Choose a CSV file')
  await accessible(page)

  await choose(page, `${sample}\nBAD,Bad Date,Industrials,x,y,yesterday,1,1\nRAG,Ragged\n`)
  await heading(page, 'Map the columns')
  // The focus is at the start of the new step, for keyboard and screen reader.
  await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Map the columns')
  await page.getByText('505 rows').first().waitFor()
  const guessed = {
    Symbol: 'Symbol',
    'GICS Sector': 'GICS Sector',
    'Headquarters Location': 'Address',
    'Date added': 'Date added',
    CIK: 'Do not import',
  }
  for (const [column, attribute] of Object.entries(guessed))
    await expect.poll(() => target(page, column).inputValue()).toBe(attribute)
  await page.getByText('Rows that match no record will fail: no column fills Name').waitFor()
  await fill(page, 'Security', 'Name (required)')
  expect(
    await page
      .getByRole('region', { name: /^Preview/ })
      .getByRole('row')
      .nth(1)
      .innerText(),
  ).toContain('3M')
  await accessible(page)

  await check(page, '505 rows')
  expect(await counts(page)).toEqual({ Creates: '503', Updates: '0', Errors: '2' })
  const problems = page.getByRole('region', { name: 'Problems' }).getByRole('row')
  await expect.poll(() => problems.nth(1).innerText()).toMatch(/^505\s+Date added\s+yesterday/)
  await expect.poll(() => problems.nth(2).innerText()).toMatch(/^506\s+The row has 2 cells/)
  await accessible(page)
  expect(await total(owner)).toBe(0)

  await button(page, 'Import 503 rows').click()
  await heading(page, 'Importing')
  await accessible(page)
  await service.drain()
  await heading(page, 'Import completed')
  expect(await counts(page)).toEqual({ Created: '503', Updated: '0', Failed: '2' })
  await accessible(page)

  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download 2 failed rows' }).click()
  const failed = readFileSync(await (await download).path(), 'utf8')
  const rows = failed.trimEnd().split('\n')
  expect(rows[0]).toMatch(/^\ufeffline,error,Symbol,/)
  expect(rows[1]).toMatch(/^505,.*Date added.*,BAD,.*,yesterday,1,1$/)
  expect(rows[2]).toMatch(/^506,.*,RAG,Ragged$/)

  await button(page, 'Import the corrected file').click()
  await heading(page, 'Choose the corrected file')
  const corrected = failed.replace(',yesterday,', ',2026-11-20,').replace('RAG,Ragged', 'RAG,Ragged,,,,,,')
  await choose(page, corrected, 'companies-failed.csv')
  await heading(page, 'Map the columns')
  await expect.poll(() => target(page, 'Security').inputValue()).toBe('Name (required)')
  await check(page, '2 rows')
  expect(await counts(page)).toEqual({ Creates: '2', Updates: '0', Errors: '0' })
})

test('matching rows update records, and choices are kept after a reload and after going back', async () => {
  const { owner, address } = await companies()
  await owner.post('/objects/companies/records', { data: { name: '3M', symbol: 'MMM' } })
  const page = await dashboard.open(address, owner)
  await choose(page, 'Symbol;Security\nMMM;3M Company\nNEW;New Corp\n')
  await page.getByText('separated by semicolons').waitFor()
  await fill(page, 'Security', 'Name (required)')
  await page.reload()
  await heading(page, 'Map the columns')
  await expect.poll(() => target(page, 'Security').inputValue()).toBe('Name (required)')
  await expect.poll(() => page.getByRole('radio', { name: /same Symbol/ }).isChecked()).toBe(true)
  await check(page, '2 rows')
  await button(page, 'Back to mapping').click()
  await heading(page, 'Map the columns')
  await expect.poll(() => target(page, 'Security').inputValue()).toBe('Name (required)')
  await check(page, '2 rows')
  expect(await counts(page)).toEqual({ Creates: '1', Updates: '1', Errors: '0' })
  await button(page, 'Import 2 rows').click()
  await heading(page, 'Importing')
  await page.reload()
  await heading(page, 'Importing')
  await service.drain()
  await heading(page, 'Import completed')
  const { body } = await owner.get<{ records: unknown[] }>(
    '/objects/companies/records?filter[symbol][equals]=MMM',
  )
  expect(body.records).toMatchObject([{ data: { name: '3M Company' } }])
})

test('empty cells clear values if the user chooses so', async () => {
  const { owner, address } = await companies()
  await owner.post('/objects/companies/records', { data: { name: '3M', symbol: 'MMM', gics_sector: 'x' } })
  const page = await dashboard.open(address, owner)
  await choose(page, 'sep=;\nSymbol;GICS Sector\nMMM;\n')
  await page.getByText('separated by semicolons').waitFor()
  const clear = page.getByRole('radio', { name: 'Clear the value of the record' })
  await clear.check()
  await page.getByRole('region', { name: 'Preview' }).getByText('cleared').waitFor()
  await accessible(page)
  await page.getByRole('radio', { name: 'Create a record for every row' }).check()
  await clear.waitFor({ state: 'detached' })
  await page.getByRole('radio', { name: /same Symbol/ }).check()
  await expect.poll(() => clear.isChecked()).toBe(true)
  await check(page, '1 row')
  await button(page, 'Back to mapping').click()
  await expect.poll(() => clear.isChecked()).toBe(true)
  await check(page, '1 row')
  await button(page, 'Import 1 row').click()
  await heading(page, 'Importing')
  await service.drain()
  await heading(page, 'Import completed')
  const { body } = await owner.get<{ records: unknown[] }>('/objects/companies/records')
  expect(body.records).toMatchObject([{ data: { name: '3M', symbol: 'MMM' } }])
  expect(JSON.stringify(body.records)).not.toContain('gics_sector')
})

test('a column without a matching attribute gets a new one, using only the keyboard', async () => {
  const { owner, address } = await companies()
  const page = await dashboard.open(address, owner)
  await choose(page, 'Symbol,Name,Employees on site\nA,Acme,12\n')
  await target(page, 'Employees on site').focus()
  await page.keyboard.type('nothing like it')
  await page.getByRole('option', { name: 'New attribute…' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect
    .poll(() => dialog.getByRole('textbox', { name: 'Name' }).inputValue())
    .toBe('Employees on site')
  await expect.poll(() => dialog.getByRole('combobox', { name: 'Type' }).inputValue()).toBe('Number')
  await accessible(page)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => target(page, 'Employees on site').inputValue()).toBe('Employees on site')
  await check(page, '1 row')
  expect(await counts(page)).toEqual({ Creates: '1', Updates: '0', Errors: '0' })
})

test('leaving a field takes the attribute that the text means, and does not create one', async () => {
  const { owner, address } = await companies()
  await owner.post('/objects/companies/attributes', { name: 'Phone', type: 'phone_number' })
  const page = await dashboard.open(address, owner)
  await choose(page, 'Symbol,Tel.,Extra\nA,+1 202 555 0100,x\n')
  await target(page, 'Tel.').fill('pho')
  await page.keyboard.press('Tab')
  await expect.poll(() => target(page, 'Tel.').inputValue()).toBe('Phone')
  await target(page, 'Extra').fill('compny')
  await page.keyboard.press('Tab')
  await page.getByText('No option is called “compny”').waitFor()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await target(page, 'Extra').press('Enter')
  await page.getByRole('option', { name: 'New attribute…' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor()
  await expect.poll(() => target(page, 'Extra').inputValue()).toBe('Do not import')
})

test('a new select has the values of all rows as its options', async () => {
  const { owner, address } = await companies()
  const page = await dashboard.open(address, owner)
  const rows = Array.from({ length: 40 }, (_, row) => `S${row},Company ${row},Sector ${row % 30}`)
  await choose(page, ['Symbol,Name,Sector', ...rows].join('\n'))
  await fill(page, 'Sector', 'New attribute…')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'Select', exact: true }).click()
  await dialog.getByText('Sector 29').waitFor()
  await button(page, 'Add attribute').click()
  await dialog.waitFor({ state: 'hidden' })
  await check(page, '40 rows')
  expect(await counts(page)).toEqual({ Creates: '40', Updates: '0', Errors: '0' })
})

test('a member sees that only admins and owners may add attributes', async () => {
  const { org, address } = await companies()
  const page = await dashboard.open(address, await org.member('member'))
  await choose(page, 'Symbol,Name\nA,Acme\n')
  await target(page, 'Symbol').click()
  const option = page.getByRole('option', { name: 'New attribute… (only admins and owners)' })
  await expect.poll(() => option.getAttribute('data-combobox-disabled')).toBe('true')
})

test('two columns for one attribute show an error, and the file cannot be checked', async () => {
  const { owner, address } = await companies()
  const page = await dashboard.open(address, owner)
  await choose(page, 'Name,Other\nA,Acme\n')
  await fill(page, 'Other', 'Name (required)')
  await page.getByText('Also filled by Other').waitFor()
  await page.getByText('Two columns fill the same attribute').waitFor()
  await accessible(page)
  await expect.poll(() => button(page, 'Check 1 row').getAttribute('aria-disabled')).toBe('true')
})

test('a file that is not a table is refused before upload, and by the service', async () => {
  const { owner, address } = await companies()
  const page = await dashboard.open(address, owner)
  await choose(page, 'PK', 'companies.xlsx')
  await page.getByRole('alert').getByText('companies.xlsx is a workbook').waitFor()
  await choose(page, 'PK\u0003\u0004 and more', 'companies.csv')
  await page.getByRole('alert').getByText('an Excel workbook or a ZIP archive').waitFor()
  await choose(page, `Name\n${'x\n'.repeat(500_000)}\u0000`, 'large.csv')
  await page.getByRole('alert').getByText('The file is not a text file').waitFor()
  await choose(page, `PK\u0003\u0004${'x\n'.repeat(500_000)}`, 'large-workbook.csv')
  await page.getByRole('alert').getByText('an Excel workbook or a ZIP archive').waitFor()
  await accessible(page)
  expect((await owner.get<{ imports: Import[] }>('/objects/companies/imports')).body.imports).toEqual([])
})

test('a cancelled import keeps the imported rows, and is in the list', async () => {
  const { owner, address } = await companies()
  const page = await dashboard.open(address, owner)
  await choose(page, 'Symbol,Name\nA,Acme\n')
  await check(page, '1 row')
  await button(page, 'Import 1 row').click()
  await button(page, 'Cancel import').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel import' }).click()
  await heading(page, 'Import cancelled')
  await service.drain()
  expect(await total(owner)).toBe(0)
  await button(page, 'Import another file').click()
  const row = page.getByRole('row').filter({ hasText: 'companies.csv' })
  await row.getByText('Cancelled').waitFor()
  await accessible(page)
  await row.getByRole('button', { name: 'Delete the import of companies.csv' }).click()
  await button(page, 'Delete import').click()
  await row.waitFor({ state: 'detached' })
})

test('a toast on another page reports the end of the import, and can undo it', async () => {
  const { owner, address } = await companies()
  const page = await dashboard.open(address, owner)
  await choose(page, 'Symbol,Name\nA,Acme\nB,Beta\n')
  await check(page, '2 rows')
  await button(page, 'Import 2 rows').click()
  await heading(page, 'Importing')
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('heading', { name: 'Home' }).first().waitFor()
  await service.drain()
  const note = page.getByRole('alert').filter({ hasText: 'companies.csv was imported: 2 created' })
  await note.waitFor()
  await accessible(page)
  await note.getByRole('button', { name: 'Undo' }).press('Enter')
  await page.getByText('2 records moved to the trash').waitFor()
  await note.waitFor({ state: 'detached' })
  expect(await total(owner)).toBe(0)
})

test('cancelling a check returns to the mapping', async () => {
  const { owner, address } = await companies()
  const page = await dashboard.open(address, owner)
  await choose(page, 'Symbol,Name\nA,Acme\n')
  await button(page, 'Check 1 row').click()
  await button(page, 'Cancel check').click()
  await heading(page, 'Map the columns')
})

test('without a connection the page says so, and continues automatically after it returns', async () => {
  const { owner, address } = await companies()
  const page = await dashboard.open(address, owner)
  await choose(page, 'Symbol,Name\nA,Acme\n')
  await check(page, '1 row')
  await button(page, 'Import 1 row').click()
  await heading(page, 'Importing')
  await page.context().setOffline(true)
  await page.getByText('The server cannot be reached').waitFor()
  await service.drain()
  await page.context().setOffline(false)
  await heading(page, 'Import completed')
})

test('on a phone, nothing is wider than the screen, also with long names', async () => {
  const { owner, address } = await companies()
  const page = await dashboard.open(address, owner, { viewport: { width: 375, height: 800 } })
  const long = `${'Responsibility'.repeat(8)} ${'and more '.repeat(10)}`
  await choose(
    page,
    `Symbol,Name,${long}\nA,${'Acme'.repeat(40)},${'x'.repeat(300)}\n`,
    `${'companies-'.repeat(20)}.csv`,
  )
  await heading(page, 'Map the columns')
  const overhang = 'document.documentElement.scrollWidth - innerWidth'
  expect(await page.evaluate(overhang)).toBe(0)
  await accessible(page)
  await check(page, '1 row')
  expect(await page.evaluate(overhang)).toBe(0)
})

test('an inactive object accepts no file', async () => {
  const org = await service.org()
  const owner = await org.member('owner')
  await owner.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
  expect((await owner.patch('/objects/projects', { isActive: false })).status).toBe(200)
  const page = await dashboard.open(`/o/org-${org.id}/objects/projects/import`, owner)
  await page.getByText('Projects is inactive').waitFor()
  await accessible(page)
})

test('an import of another organization is not found', async () => {
  const { owner, address } = await companies()
  const { owner: other } = await companies()
  const { body } = await other.post<Import>('/objects/companies/imports', Buffer.from('Name\nA\n'), {
    'content-type': 'text/csv',
  })
  const page = await dashboard.open(`${address}?import=${body.id}`, owner)
  await heading(page, 'Not found')
})
