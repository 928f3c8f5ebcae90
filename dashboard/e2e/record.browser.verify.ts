import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { axeViolations, axeViolationsInBothSchemes } from './axe.ts'
import { addActivity, addRecord, objectId, openRecordPage, recordAddress } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()
let org: Org
let member: SignedInMember
let companies: string

// Each test gets a new organization.
beforeEach(async () => {
  ;({ org, member } = await dashboard.organization('member'))
  companies = await objectId(org, 'companies')
})

const addressOf = (object: string, id: string) => recordAddress(org, object, id)

const openRecord = async (object: string, id: string, options = {}): Promise<Page> =>
  openRecordPage(await dashboard.visit(member, options), addressOf(object, id))

const timeline = (page: Page) => page.getByRole('region', { name: 'Timeline' })

test('a note, call, meeting, task and email are created on the page', async () => {
  const id = await addRecord(org, 'companies', { name: 'Vandelay' })
  const ann = await addRecord(org, 'people', { name: { firstName: 'Ann', lastName: 'Perkins' } })
  const page = await openRecord('companies', id)
  const composer = page.getByRole('form', { name: 'New activity' })
  for (const [type, verb] of [
    ['Note', 'Save note'],
    ['Meeting', 'Save meeting'],
    ['Email', 'Save email'],
  ] as const) {
    await composer.getByText(type, { exact: true }).click()
    await composer.getByRole('textbox', { name: 'Title' }).fill(`A ${type}`)
    await composer.getByRole('button', { name: verb }).click()
    await timeline(page)
      .getByRole('button', { name: `A ${type}`, exact: true })
      .waitFor()
  }
  await composer.getByText('Call', { exact: true }).click()
  await composer.getByRole('textbox', { name: 'Title' }).fill('Imports')
  await composer.getByRole('textbox', { name: 'Details' }).fill('And exports')
  const participants = composer.getByRole('combobox', { name: 'Participants' })
  await participants.fill('Mia')
  await page.getByRole('option', { name: 'Mia Member' }).click()
  await participants.fill('Ann')
  await page.getByRole('option', { name: 'Ann Perkins' }).click()
  const { promise: isOpened, resolve: opened } = Promise.withResolvers<void>()
  await page.route('**/activities', async (route) => {
    if (route.request().method() === 'POST') await isOpened
    await route.continue()
  })
  await page.keyboard.press('Control+Enter')
  await timeline(page).getByRole('button', { name: 'Imports' }).click()
  await timeline(page).getByText('And exports').waitFor()
  // An entry that was opened before the service responded stays open.
  opened()
  await timeline(page).getByRole('button', { name: 'Edit', disabled: false }).waitFor()
  await timeline(page).getByRole('link', { name: 'Ann Perkins' }).waitFor()

  await composer.getByText('Task', { exact: true }).click()
  await composer.getByRole('textbox', { name: 'Title' }).fill('Send latex')
  await page.keyboard.press('Control+Enter')
  const upcoming = page.getByRole('region', { name: 'Upcoming · 1' })
  await upcoming.getByRole('checkbox', { name: 'Done: Send latex' }).click()
  await upcoming.waitFor({ state: 'detached' })

  await expect
    .poll(async () => (await org.get(`/activities?recordId=${id}&isOpen=false`)).body)
    .toMatchObject({ activities: [{ title: 'Send latex' }] })
  const { body } = await org.get<{ activities: Record<string, unknown>[] }>(`/activities?recordId=${id}`)
  expect(body.activities.map(({ type }) => type).sort()).toEqual(['call', 'email', 'meeting', 'note', 'task'])
  expect(body.activities.find(({ type }) => type === 'call')).toMatchObject({
    summary: 'And exports',
    linkedRecords: [{ objectId: companies, recordId: id }],
    participants: [
      { type: 'user', id: member.userId },
      { type: 'person', id: ann },
    ],
  })
})

test('changes by one person are folded, and show the earlier values when opened', async () => {
  const created = await member.post<{ id: string }>('/objects/companies/records', {
    data: { name: 'Globex', industry: 'Energy' },
  })
  const { id } = created.body
  await member.patch(`/objects/companies/records/${id}`, { data: { industry: 'Media' } })
  const page = await openRecord('companies', id)
  await timeline(page)
    .getByRole('button', { name: 'Industry Energy → Media · 2 changes by Mia Member' })
    .click()
  const changes = timeline(page).getByRole('listitem').filter({ hasText: 'Industry' })
  await expect.poll(() => changes.last().textContent()).toMatch(/Industry:.*Energy.*→.*Media/)

  await page.getByRole('button', { name: 'Edit Industry' }).click()
  await page.getByRole('combobox', { name: 'Industry' }).fill('Retail')
  await page.getByRole('option', { name: 'Retail' }).click()
  await timeline(page)
    .getByRole('button', { name: 'Industry Energy → Retail · 3 changes by Mia Member' })
    .waitFor()
})

test('a stage change is described in words, and a note shows its author and text', async () => {
  const deal = await addRecord(org, 'deals', { name: 'Rocket', stage: 'Qualified' })
  await member.patch(`/objects/deals/records/${deal}`, { data: { stage: 'Won' } })
  const { objectId } = (await member.get<{ objectId: string }>(`/objects/deals/records/${deal}`)).body
  await member.post('/activities', {
    title: 'Kick-off',
    summary: 'They sign on Friday.',
    linkedRecords: [{ objectId, recordId: deal }],
  })
  const page = await openRecord('deals', deal)
  await timeline(page).getByText('Mia Member changed Stage Qualified → Won').waitFor()
  await timeline(page).getByText('Mia Member · They sign on Friday.').waitFor()
})

test('an empty value has a button that sets it', async () => {
  const company = await addRecord(org, 'companies', { name: 'Hooli' })
  const page = await openRecord('companies', company)
  await page.getByText('Set domain').waitFor()
  await page.getByRole('button', { name: 'Edit Domain' }).click()
  await page.getByRole('textbox', { name: 'Domain' }).fill('hooli.example')
  await page.keyboard.press('Enter')
  await page.getByText('hooli.example').waitFor()
  await expect.poll(() => page.getByText('Set domain').count()).toBe(0)
})

test('J and K open the next and the previous of the newest records', async () => {
  const older = await addRecord(org, 'deals', { name: 'Older' })
  const newer = await addRecord(org, 'deals', { name: 'Newer' })
  const page = await openRecord('deals', newer)
  await page.getByRole('link', { name: 'Next record' }).waitFor()
  await page.keyboard.press('j')
  await page.getByRole('heading', { level: 1, name: 'Older' }).waitFor()
  await expect.poll(() => page.url()).toContain(older)
  await page.keyboard.press('k')
  await page.getByRole('heading', { level: 1, name: 'Newer' }).waitFor()
})

test('an activity is edited in a panel with an address, and a conflict of two edits is shown', async () => {
  const id = await addRecord(org, 'companies', { name: 'Initrode' })
  const linkedRecords = [{ objectId: companies, recordId: id }]
  const activity = await addActivity(org, { type: 'call', title: 'First words', linkedRecords })
  const page = await openRecord('companies', id)
  await timeline(page).getByRole('button', { name: 'First words' }).click()
  await timeline(page).getByRole('button', { name: 'Edit', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Edit call' })
  await panel.getByRole('textbox', { name: 'Title' }).fill('My words')
  await expect.poll(() => new URL(page.url()).searchParams.get('activity')).toBe(activity)

  await org.patch(`/activities/${activity}`, { title: 'Their words', summary: 'Said meanwhile' })
  await panel.getByRole('button', { name: 'Save' }).click()
  const question = page.getByRole('dialog', { name: 'This was changed by someone else' })
  await question.getByRole('cell', { name: 'Their words' }).waitFor()
  await question.getByRole('button', { name: 'Use mine' }).click()
  await panel.waitFor({ state: 'detached' })
  const { body } = await org.get(`/activities/${activity}`)
  expect(body).toMatchObject({ title: 'My words', summary: 'Said meanwhile' })

  await page.reload()
  await timeline(page).getByRole('button', { name: 'My words' }).click()
  await timeline(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete call' }).click()
  await timeline(page).getByRole('button', { name: 'My words' }).waitFor({ state: 'detached' })
  await expect.poll(async () => (await org.get(`/activities/${activity}`)).status).toBe(404)
})

test('the delete dialog says what is deleted with the record, and deleting returns to the list', async () => {
  const id = await addRecord(org, 'companies', { name: 'Soylent' })
  await addRecord(org, 'people', { name: { lastName: 'Thorn' }, company: id })
  await addActivity(org, { title: 'Dinner', linkedRecords: [{ objectId: companies, recordId: id }] })
  const page = await openRecord('companies', id)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this company?' })
  await dialog.getByText('1 reference to it in other records will be cleared.').waitFor()
  await dialog.getByText('1 activity will no longer be linked to it.').waitFor()
  await dialog.getByRole('button', { name: 'Delete company' }).click()
  await page.waitForURL(`**/o/org-${org.id}/objects/companies`)
  expect((await org.get(`/objects/companies/records/${id}`)).status).toBe(404)
})

test('a record of another organization is shown as not found', async () => {
  const stranger = await dashboard.service.org({ name: 'Other' })
  const theirs = await addRecord(stranger, 'companies', { name: 'Secret' })
  const page = await dashboard.open(addressOf('companies', theirs), member)
  await page.getByRole('heading', { name: 'Record not found' }).waitFor()
  await page.getByRole('link', { name: 'Back to the list' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
})

test('editing a record that another person deleted says that it was deleted', async () => {
  const id = await addRecord(org, 'companies', { name: 'Enron' })
  const page = await dashboard.visit(member)
  // Without live updates, which would report the deletion before the edit.
  await page.route('**/events/stream*', (route) => route.abort())
  await page.goto(addressOf('companies', id))
  await page.getByRole('heading', { level: 1, name: 'Enron' }).waitFor()
  await page.keyboard.press('e')
  await page.getByRole('textbox', { name: 'Name' }).fill('Enron Creditors')
  await org.delete(`/objects/companies/records/${id}`)
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('This record was deleted and can no longer be changed').waitFor()
  await page.getByRole('heading', { name: 'This record was deleted' }).waitFor()
  await page.getByRole('link', { name: 'All companies' }).waitFor()
})

test('records of an inactive object are read-only, and the page says why', async () => {
  const { body } = await org.post<{ slug: string }>('/objects', {
    pluralName: 'Relics',
    singularName: 'Relic',
  })
  await org.post(`/objects/${body.slug}/attributes`, { name: 'Name', type: 'text' })
  const id = await addRecord(org, body.slug, { name: 'Grail' })
  await org.patch(`/objects/${body.slug}`, { isActive: false })
  const page = await openRecord(body.slug, id)
  await page.getByText('This object is inactive: its records can be read, not changed').waitFor()
  await expect.poll(() => page.getByRole('button', { name: /^Edit / }).count()).toBe(0)
})

const LONG =
  'Bundesverband der Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamten und Freunde'

test('the page is accessible, on a phone too', async () => {
  const id = await addRecord(org, 'companies', { name: LONG, industry: 'Media' })
  await addRecord(org, 'people', {
    name: { lastName: LONG },
    email: 'long@example.com',
    company: id,
  })
  const linkedRecords = [{ objectId: companies, recordId: id }]
  await addActivity(org, { type: 'task', title: LONG, activityDate: '2026-01-01T10:00:00Z', linkedRecords })
  const page = await openRecord('companies', id, { viewport: { width: 1440, height: 900 } })
  await timeline(page).getByRole('button', { name: LONG }).click()
  await page.getByRole('link', { name: LONG, exact: true }).first().waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await page.getByRole('form', { name: 'New activity' }).getByRole('textbox').click()
  await page.getByRole('combobox', { name: 'Participants' }).waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])

  await page.setViewportSize({ width: 375, height: 740 })
  const parts = page.getByRole('radiogroup', { name: 'Part of the record' })
  for (const part of ['Timeline', 'Related']) {
    await parts.getByText(part).click()
    await page.getByRole('region', { name: part }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375)
    expect(await axeViolationsInBothSchemes(page)).toEqual([])
  }
})
