// Undoing an edit with its toast and with Ctrl+Z.
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { BulkResult } from '../../contract/records.ts'
import { newId } from '../../server/base/id.ts'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { axeViolations, axeViolationsInBothSchemes } from './axe.ts'
import { addRecord, dataOf } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { chooseFromMenu, keepNotes } from './steps.fixture.ts'

const dashboard = await openSharedDashboard()
let org: Org
let member: SignedInMember
let acme: string
let table: string

beforeEach(async () => {
  ;({ org, member } = await dashboard.organization('member'))
  table = `/o/org-${org.id}/objects/companies`
  acme = await addRecord(org, 'companies', { name: 'Acme', employees: 7 })
})

const nameNow = async () => (await dataOf(org, 'companies', acme))['name']

/** Renames in the table, by keyboard. */
async function rename(page: Page, name: string): Promise<void> {
  await page.locator('#cell-0-0').click({ position: { x: 3, y: 3 } })
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.keyboard.press('Enter')
  await expect.poll(nameNow).toBe(name)
  await page.getByText('Name changed', { exact: true }).first().waitFor()
}

test('by keyboard: Ctrl+Z undoes edits of the table, the last one first, and says so', async () => {
  const page = await dashboard.open(table, member)
  await rename(page, 'Acme Inc')
  await rename(page, 'Acme Corp')
  expect(await axeViolations(page)).toEqual([])
  await page.keyboard.press('Control+z')
  await expect.poll(nameNow).toBe('Acme Inc')
  await page.getByText('Undone: Name changed').first().waitFor()
  await page.keyboard.press('Control+z')
  await expect.poll(nameNow).toBe('Acme')
  await page.locator('#cell-0-0').getByText('Acme', { exact: true }).waitFor()
})

test('while a text is edited, Ctrl+Z undoes only typing', async () => {
  const page = await dashboard.open(table, member)
  await rename(page, 'Acme Inc')
  const search = page.getByRole('searchbox')
  await search.pressSequentially('x')
  await page.keyboard.press('Control+z')
  await expect.poll(() => search.inputValue()).toBe('')
  expect(await nameNow()).toBe('Acme Inc')
})

test('on a phone: the toast of an edit on a record page undoes it', async () => {
  const page = await dashboard.open(`${table}/${acme}`, member, { viewport: { width: 375, height: 720 } })
  await page.getByRole('button', { name: 'Edit Employees' }).click()
  await page.getByRole('textbox', { name: 'Employees' }).fill('8')
  await page.keyboard.press('Enter')
  await page.getByText('Employees changed', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(async () => (await dataOf(org, 'companies', acme))['employees']).toBe(7)
})

test.each([
  ['Use mine', 'Acme'],
  ['Keep the saved version', 'Acme GmbH'],
])('undoing a value that was changed since asks the user: %s', async (choice, name) => {
  const page = await dashboard.open(table, member)
  await rename(page, 'Acme Inc')
  await org.patch(`/objects/companies/records/${acme}`, { data: { name: 'Acme GmbH' } })
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Acme GmbH').waitFor()
  await dialog.getByRole('button', { name: choice }).click()
  await expect.poll(nameNow).toBe(name)
})

test('Undo of a bulk deletion returns only what it deleted, also from Undo changes', async () => {
  const [corp, third] = [
    await addRecord(org, 'companies', { name: 'Corp' }),
    await addRecord(org, 'companies', { name: 'Third' }),
  ]
  const page = await dashboard.visit(await org.member('admin'))
  const isThere = async (id: string) => (await org.get(`/objects/companies/records/${id}`)).status === 200
  const deleteAll = async (ids: string[], count: number) => {
    await page.goto(table)
    await keepNotes(page)
    await page.getByRole('checkbox', { name: /^Select all/ }).press('Space')
    for (const id of ids) await org.delete(`/objects/companies/records/${id}`)
    await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `Delete ${count} companies` })
      .press('Enter')
  }
  await page.route('**/events/stream**', (route) => route.abort())
  await deleteAll([corp], 3)
  await page.getByText('2 companies deleted').waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('2 records returned from the trash').waitFor()
  expect(await Promise.all([acme, corp, third].map(isThere))).toEqual([true, false, true])
  await deleteAll([], 2)
  await page.getByText('2 companies deleted').waitFor()
  await page.goto(`/o/org-${org.id}/settings/undo`)
  await page.getByRole('row').getByText('2 changes').waitFor({ state: 'attached' })
})

/** Gives the two selected companies nine employees. */
async function changeSelected(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Attribute' }).fill('Employees')
  await page.getByRole('option', { name: 'Employees' }).click()
  await dialog.getByRole('textbox', { name: 'Employees' }).fill('9')
  await dialog.getByRole('button', { name: 'Change 2 companies' }).click()
  await page.getByText('2 companies changed').waitFor()
}

test('a bulk edit is undone with its toast', async () => {
  await addRecord(org, 'companies', { name: 'Corp' })
  const page = await dashboard.open(table, member)
  await page.locator('#cell-0-0').click({ position: { x: 3, y: 3 } })
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await changeSelected(page)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('2 records restored').waitFor()
  expect(await dataOf(org, 'companies', acme)).toMatchObject({ employees: 7 })
})

test('the timeline restores earlier values, and asks about each value that was changed since', async () => {
  await org.patch(`/objects/companies/records/${acme}`, { data: { name: 'Acme Inc', employees: 8 } })
  await org.patch(`/objects/companies/records/${acme}`, { data: { name: 'Acme GmbH' } })
  const page = await dashboard.open(`${table}/${acme}`, member)
  await keepNotes(page)
  await page.getByRole('button', { name: /changes by/ }).click()
  await page.getByRole('button', { name: 'Restore earlier values' }).last().press('Enter')
  const dialog = page.getByRole('dialog')
  const choice = dialog.getByRole('checkbox', { name: 'Name was changed since. Restore it anyway' })
  await choice.waitFor()
  expect(await axeViolations(page)).toEqual([])
  await choice.press('Space')
  await dialog.getByRole('button', { name: 'Restore', exact: true }).press('Enter')
  await expect.poll(nameNow).toBe('Acme')
  expect(await dataOf(org, 'companies', acme)).toMatchObject({ employees: 7 })

  await org.patch(`/objects/companies/records/${acme}`, { data: { name: 'Acme AG' } })
  await page.getByText('Earlier values restored', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).press('Enter')
  await dialog.getByRole('heading', { name: '1 value was not restored' }).waitFor()
  await expect.poll(() => dataOf(org, 'companies', acme)).toMatchObject({ name: 'Acme AG', employees: 8 })
})

test('Undo of an edited comment restores its text, and keeps one that was edited since', async () => {
  const comments = `/objects/companies/records/${acme}/comments`
  const { body: comment } = await member.post<{ id: string }>(comments, { text: 'Signed' })
  const text = async () => (await org.get<{ text: string }>(`/comments/${comment.id}`)).body.text
  const page = await dashboard.open(`${table}/${acme}`, member)
  await keepNotes(page)
  const list = page.getByRole('region', { name: 'Comments' })
  const edit = async (changed: string) => {
    await chooseFromMenu(list.getByRole('button', { name: 'Actions of the comment' }), 'Edit')
    await list.getByRole('textbox', { name: 'Edit comment' }).fill(changed)
    await list.getByRole('button', { name: /^Save/ }).press('Enter')
    await page.getByText('Comment changed', { exact: true }).waitFor()
  }
  await edit('Not signed')
  await page.getByRole('button', { name: 'Undo', exact: true }).press('Enter')
  await expect.poll(text).toBe('Signed')
  await page.getByText('Undone: Comment changed').waitFor()
  await edit('Not signed')
  await member.patch(`/comments/${comment.id}`, { text: 'Signed in another tab' })
  await page.getByRole('button', { name: 'Undo', exact: true }).press('Enter')
  await page.getByText('The comment was edited since, and stays as it is').waitFor()
  expect(await text()).toBe('Signed in another tab')
})

test('undoing a bulk edit lists each value that was changed since, and restores the chosen ones', async () => {
  const corp = await addRecord(org, 'companies', { name: 'Corp', employees: 3 })
  const page = await dashboard.open(table, member, { viewport: { width: 390, height: 844 } })
  await keepNotes(page)
  await page.getByRole('checkbox', { name: /^Select all/ }).press('Space')
  await changeSelected(page)
  const dialog = page.getByRole('dialog')
  for (const id of [acme, corp])
    await org.patch(`/objects/companies/records/${id}`, { data: { employees: 10 } })
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await dialog.getByRole('heading', { name: '2 values were not restored' }).waitFor()
  await expect.poll(() => dialog.getByRole('button', { name: 'Restore 0 values' }).isDisabled()).toBe(true)
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await dialog
    .getByRole('group', { name: 'Corp' })
    .getByRole('checkbox', { name: /^Employees was changed/ })
    .press('Space')
  await dialog.getByRole('button', { name: 'Restore 1 value' }).press('Enter')
  await page.getByText('1 value restored').waitFor()
  expect(await dataOf(org, 'companies', corp)).toMatchObject({ employees: 3 })
  expect(await dataOf(org, 'companies', acme)).toMatchObject({ employees: 10 })
  await page.getByRole('button', { name: 'Undo', exact: true }).press('Enter')
  await page.getByText('1 record restored').waitFor()
  expect(await dataOf(org, 'companies', corp)).toMatchObject({ employees: 10 })
})

test('more than 100 values that were not restored are listed in pages, after a note and of a job', async () => {
  const names = Array.from({ length: 100 }, (_, nr) => `Company ${nr}`)
  const records = `/objects/companies/records`
  const { body } = await org.post<BulkResult>(`${records}/bulk`, {
    records: names.map((name) => ({ data: { name } })),
  })
  const ids = [acme, ...body.results.map(({ id }) => id)]
  const setAll = async (employees: number, changeSetId?: string) => {
    for (const some of [ids.slice(0, 60), ids.slice(60)]) {
      const rows = some.map((id) => ({ id, data: { employees } }))
      const sent = { mode: 'upsert', records: rows, ...(changeSetId && { changeSetId }) }
      expect((await org.post(`${records}/bulk`, sent)).status).toBe(200)
    }
  }
  const page = await dashboard.open(table, member)
  await keepNotes(page)
  await page.getByRole('checkbox', { name: /^Select all/ }).press('Space')
  await page.getByRole('button', { name: 'Select all 101 that match' }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Attribute' }).fill('Employees')
  await page.getByRole('option', { name: 'Employees' }).click()
  await dialog.getByRole('textbox', { name: 'Employees' }).fill('9')
  await dialog.getByRole('button', { name: 'Change 101 companies' }).click()
  await page.getByText('101 companies changed').waitFor()
  await setAll(10)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await dialog.getByRole('heading', { name: '101 values were not restored' }).waitFor()
  await expect.poll(() => dialog.getByRole('group').count()).toBe(100)
  await dialog.getByText('1 more record is not listed').waitFor()
  await dialog.getByRole('button', { name: 'Show more' }).press('Enter')
  await expect.poll(() => dialog.getByRole('group').count()).toBe(101)
  await dialog.getByRole('button', { name: 'Choose all' }).press('Enter')
  await dialog.getByRole('button', { name: 'Restore 101 values' }).waitFor()
  await dialog.getByRole('button', { name: 'Keep all as they are' }).press('Enter')

  const id = newId()
  await setAll(11, id)
  await setAll(12)
  expect((await org.post('/undo-jobs', { kind: 'changeSet', id })).status).toBe(201)
  await dashboard.service.drain()
  await page.goto(`/o/org-${org.id}/settings/undo`)
  await page.getByRole('button', { name: '101 not undone' }).press('Enter')
  await expect.poll(() => dialog.getByRole('listitem').count()).toBe(100)
  await dialog.getByText('And 1 other').waitFor()
  await dialog.getByRole('button', { name: 'Show more' }).press('Enter')
  await expect.poll(() => dialog.getByRole('listitem').count()).toBe(101)
  expect(await axeViolations(page)).toEqual([])
})

test('a chosen value that still cannot be restored is shown with the reason', async () => {
  const [beta, gamma] = [
    await addRecord(org, 'companies', { name: 'Beta' }),
    await addRecord(org, 'companies', { name: 'Gamma' }),
  ]
  const ada = await addRecord(org, 'people', { name: { firstName: 'Ada', lastName: 'King' }, company: acme })
  const page = await dashboard.open(`/o/org-${org.id}/objects/people`, member)
  await page.getByRole('checkbox', { name: /^Select all/ }).press('Space')
  await page.getByRole('button', { name: 'Edit', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Attribute' }).fill('Company')
  await page.getByRole('option', { name: 'Company', exact: true }).click()
  await dialog.getByRole('combobox', { name: 'Company', exact: true }).fill('Beta')
  await page.getByRole('option', { name: /^Beta/ }).click()
  await dialog.getByRole('button', { name: /^Change 1 / }).click()
  await page.getByText('1 person changed').waitFor()
  await expect.poll(async () => (await dataOf(org, 'people', ada))['company']).toBe(beta)
  await org.patch(`/objects/people/records/${ada}`, { data: { company: gamma } })
  await org.delete(`/objects/companies/records/${acme}`)
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await dialog.getByRole('checkbox', { name: /^Company was changed/ }).press('Space')
  await dialog.getByRole('button', { name: 'Restore 1 value' }).press('Enter')
  await dialog.getByText(/^Company: .*deleted/).waitFor()
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().press('Enter')
  await dialog.waitFor({ state: 'detached' })
  expect(await dataOf(org, 'people', ada)).toMatchObject({ company: gamma })
})

test('saving over a shared view and deleting it are undone, and a version saved since stays', async () => {
  const view = { name: 'Firms', isShared: true, state: { version: 1, columns: [], search: 'Acme' } }
  const views = '/objects/companies/views'
  const { id } = (await org.post<{ id: string }>(views, view)).body
  const searched = async () =>
    (await org.get<{ state: { search?: string } }>(`${views}/${id}`)).body.state.search
  const page = await dashboard.open(`${table}?view=${id}`, await org.member('admin'))
  await keepNotes(page)
  const undo = page.getByRole('button', { name: 'Undo', exact: true })
  const save = async (text: string) => {
    await page.getByRole('searchbox').fill(text)
    await page.getByText('Unsaved changes', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
    await page.getByText('Firms was saved', { exact: true }).waitFor()
    expect(await searched()).toBe(text)
  }
  await save('Globex')
  await undo.press('Enter')
  await page.getByText('Undone: Firms was saved').waitFor()
  expect(await searched()).toBe('Acme')
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('Acme')
  await save('Initrode')
  await org.patch(`${views}/${id}`, { state: { ...view.state, search: 'Hooli' } })
  await undo.press('Enter')
  await page.getByText('Firms was saved by someone since, and stays as it is').waitFor()
  expect(await searched()).toBe('Hooli')
  await chooseFromMenu(page.getByRole('button', { name: 'Companies: Firms' }), 'Delete view')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).press('Enter')
  await page.getByText('Firms was deleted', { exact: true }).waitFor()
  await undo.press('Enter')
  await page.getByText('Firms was restored').waitFor()
  const { body } = await org.get<{ views: object[] }>(views)
  expect(body.views).toMatchObject([{ name: 'Firms', isShared: true }])
})
