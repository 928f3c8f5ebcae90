import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { addRecord, dataOf } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { keepNotes } from './steps.fixture.ts'

const dashboard = await openSharedDashboard()
let org: Org
let member: SignedInMember

beforeEach(async () => {
  ;({ org, member } = await dashboard.organization('member'))
})

async function openRecord(object: string, id: string): Promise<Page> {
  const page = await dashboard.open(`/o/org-${org.id}/objects/${object}/${id}`, member)
  await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Loading' }).waitFor()
  return page
}

const details = (page: Page) => page.getByRole('region', { name: 'Details' })

test('two records of a reference link to each other', async () => {
  const company = await addRecord(org, 'companies', { name: 'Stark Industries' })
  const other = await addRecord(org, 'companies', { name: 'Wayne Enterprises' })
  const pepper = await addRecord(org, 'people', {
    name: { firstName: 'Pepper', lastName: 'Potts' },
    company: other,
  })
  const page = await openRecord('companies', company)
  const people = page.getByRole('region', { name: 'People', exact: true })
  await people.getByText('None yet').waitFor()

  await people.getByRole('button', { name: 'Add person' }).click()
  await page.getByRole('textbox', { name: 'First name' }).fill('Happy')
  await page.getByRole('button', { name: 'Create person' }).click()
  await people.getByRole('link', { name: 'Happy' }).waitFor()

  await people.getByRole('button', { name: 'Add person' }).click()
  await page.getByText('Link existing').click()
  await page.getByRole('combobox', { name: 'Person' }).fill('Pepper')
  await page.getByRole('option', { name: 'Pepper Potts' }).click()
  await page.getByText('Company is Wayne Enterprises now. It will be changed to this record.').waitFor()
  await page.getByRole('button', { name: 'Link person' }).click()
  await people.getByRole('link', { name: 'Pepper Potts' }).click()

  await page.getByRole('heading', { level: 1, name: 'Pepper Potts' }).waitFor()
  await details(page).getByRole('link', { name: 'Stark Industries' }).click()
  await page.getByRole('heading', { level: 1, name: 'Stark Industries' }).waitFor()
  await expect.poll(() => people.getByRole('link').allTextContents()).toEqual(['Happy', 'Pepper Potts'])
  expect(await dataOf(org, 'people', pepper)).toMatchObject({ company })

  await people.getByRole('button', { name: 'Unlink Pepper Potts' }).click()
  await people.getByRole('link', { name: 'Pepper Potts' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await people.getByRole('link', { name: 'Pepper Potts' }).waitFor()
})

test('linking an existing record is undone from its toast', async () => {
  const company = await addRecord(org, 'companies', { name: 'Stark Industries' })
  const other = await addRecord(org, 'companies', { name: 'Wayne Enterprises' })
  const pepper = await addRecord(org, 'people', { name: 'Pepper Potts', company: other })
  const page = await openRecord('companies', company)
  await keepNotes(page)
  const people = page.getByRole('region', { name: 'People', exact: true })
  await people.getByRole('button', { name: 'Add person' }).click()
  await page.getByText('Link existing').click()
  await page.getByRole('combobox', { name: 'Person' }).fill('Pepper')
  await page.getByRole('option', { name: 'Pepper Potts' }).click()
  await page.getByRole('button', { name: 'Link person' }).click()
  await people.getByRole('link', { name: 'Pepper Potts' }).waitFor()
  await page.getByText('Person linked').waitFor()
  expect(await dataOf(org, 'people', pepper)).toMatchObject({ company })
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await people.getByRole('link', { name: 'Pepper Potts' }).waitFor({ state: 'detached' })
  expect(await dataOf(org, 'people', pepper)).toMatchObject({ company: other })
})

test('a deal shows its company and its contact as cards with links', async () => {
  const company = await addRecord(org, 'companies', { name: 'Cyberdyne', industry: 'Technology' })
  const contact = await addRecord(org, 'people', {
    name: { firstName: 'Miles', lastName: 'Dyson' },
    email: 'miles@example.com',
  })
  const page = await openRecord('deals', await addRecord(org, 'deals', { name: 'Chips', company, contact }))
  const card = (name: string) => page.getByRole('region', { name, exact: true }).getByRole('listitem')
  await card('Contact').getByText('miles@example.com').waitFor()
  await card('Company').getByText('Technology').waitFor()
  await card('Company').getByRole('link', { name: 'Cyberdyne' }).click()
  await page.getByRole('heading', { level: 1, name: 'Cyberdyne' }).waitFor()
  await page
    .getByRole('region', { name: 'Deals', exact: true })
    .getByRole('link', { name: 'Chips' })
    .waitFor()
})

test('further related records are counted, with a link to all of them', async () => {
  const company = await addRecord(org, 'companies', { name: 'Many' })
  await org.post('/objects/deals/records/bulk', {
    records: Array.from({ length: 12 }, (_, index) => ({ data: { name: `Deal ${index}`, company } })),
  })
  const page = await openRecord('companies', company)
  const deals = page.getByRole('region', { name: 'Deals', exact: true })
  const all = deals.getByRole('link', { name: 'Show all 12' })
  const search = new URL((await all.getAttribute('href')) ?? '', dashboard.base).searchParams
  expect(JSON.parse(search.get('filter') ?? '')).toEqual(['company', 'equals', company])
  await expect.poll(() => deals.getByRole('listitem').count()).toBe(10)
})
