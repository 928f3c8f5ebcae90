// Edits values on the page of a record.
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { addRecord, dataOf, objectId, openRecordPage, recordAddress } from './crm.fixture.ts'
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

const openRecord = async (object: string, id: string): Promise<Page> =>
  openRecordPage(await dashboard.visit(member), recordAddress(org, object, id))

const details = (page: Page) => page.getByRole('region', { name: 'Details' })

async function addThings(): Promise<string> {
  const { body } = await org.post<{ slug: string }>('/objects', {
    pluralName: 'Things',
    singularName: 'Thing',
  })
  const attributes: Record<string, unknown>[] = [
    { name: 'Name', type: 'text', isRequired: true },
    { name: 'Mail', type: 'email' },
    { name: 'Weight', type: 'number' },
    { name: 'Hotline', type: 'phone_number' },
    { name: 'Ready', type: 'checkbox' },
    { name: 'Maker', type: 'name' },
    { name: 'Place', type: 'address' },
    { name: 'Price', type: 'currency' },
    { name: 'Sold on', type: 'date' },
    { name: 'Size', type: 'select', config: { options: ['Small', 'Large'] } },
    { name: 'Tags', type: 'list' },
    { name: 'Owner', type: 'reference', config: { allowed_object_id: companies } },
    { name: 'Site', type: 'url' },
    { name: 'Homepage', type: 'domain' },
  ]
  for (const attribute of attributes) await org.post(`/objects/${body.slug}/attributes`, attribute)
  return body.slug
}

test('a checkbox is checked within the same task as the click', async () => {
  const { body } = await org.post<{ slug: string }>('/objects', {
    pluralName: 'Boxes',
    singularName: 'Box',
  })
  await org.post(`/objects/${body.slug}/attributes`, { name: 'Ready', type: 'checkbox' })
  const page = await openRecord(body.slug, await addRecord(org, body.slug, {}))
  const box = page.getByRole('checkbox', { name: 'Ready' })
  // No timer, response or frame may come in between.
  const isTicked = await box.evaluate(async (input) => {
    input.click()
    for (let hop = 0; hop < 20; hop++) await Promise.resolve()
    return Reflect.get(input, 'checked')
  })
  expect(isTicked).toBe(true)
})

test('a read that began before a change does not overwrite the change on the page', async () => {
  const things = await addThings()
  const id = await addRecord(org, things, { name: 'Lamp', mail: 'lamp@example.com' })
  const page = await openRecord(things, id)
  const isRead = Promise.withResolvers<void>()
  const mayArrive = Promise.withResolvers<void>()
  const mayWrite = Promise.withResolvers<void>()
  await page.route(`**/records/${id}`, async (route) => {
    if (route.request().method() === 'PATCH') {
      await mayWrite.promise
      return route.continue()
    }
    const response = await route.fetch()
    isRead.resolve()
    await mayArrive.promise
    return route.fulfill({ response })
  })
  await org.patch(`/objects/${things}/records/${id}`, { data: { mail: 'light@example.com' } })
  await isRead.promise
  const box = page.getByRole('checkbox', { name: 'Ready' })
  await box.check()
  mayArrive.resolve()
  await details(page).getByText('light@example.com').waitFor()
  await expect.poll(() => box.isChecked()).toBe(true)
  mayWrite.resolve()
  await expect.poll(() => dataOf(org, things, id)).toMatchObject({ ready: true })
})

test('values of every type are edited in place', async () => {
  const things = await addThings()
  await addRecord(org, 'companies', { name: 'Umbrella' })
  const id = await addRecord(org, things, { name: 'Lamp' })
  const page = await openRecord(things, id)
  const edit = (name: string) => page.getByRole('button', { name: `Edit ${name}`, exact: true }).click()
  const type = async (name: string, text: string) => {
    await edit(name)
    await page.getByRole('textbox', { name, exact: true }).fill(text)
    await page.keyboard.press('Enter')
  }
  await type('Mail', 'lamp@example.com')
  await type('Weight', '2.50')
  await type('Hotline', '+1 202 555 0123')
  await page.getByRole('checkbox', { name: 'Ready' }).check()
  await edit('Maker')
  await page.getByRole('textbox', { name: 'First name' }).fill('Ada')
  await page.getByRole('textbox', { name: 'Last name' }).fill('Lovelace')
  await page.keyboard.press('Enter')
  await edit('Place')
  await page.getByRole('textbox', { name: 'City' }).fill('Paris')
  await page.keyboard.press('Enter')
  await type('Price', '12.50')
  await edit('Sold on')
  await page.getByLabel('Sold on', { exact: true }).fill('2026-11-20')
  await page.keyboard.press('Enter')
  await edit('Size')
  await page.getByRole('combobox', { name: 'Size' }).click()
  await page.getByRole('option', { name: 'Large' }).click()
  await edit('Tags')
  await page.getByRole('form', { name: 'Edit Tags' }).getByLabel('Tags').fill('brass')
  await page.keyboard.press('Tab')
  await edit('Owner')
  await page.getByRole('combobox', { name: 'Owner' }).fill('Umb')
  await page.getByRole('option', { name: 'Umbrella' }).click()
  await details(page).getByRole('link', { name: 'Umbrella' }).waitFor()
  await type('Site', 'www.Lamp.example/A')
  const site = details(page).getByRole('link', { name: 'lamp.example/A', exact: true })
  await expect.poll(() => site.getAttribute('href')).toBe('https://www.lamp.example/A')
  await type('Homepage', 'www.Lämp.example/A')
  const homepage = details(page).getByRole('link', { name: 'www.Lämp.example/A', exact: true })
  await expect.poll(() => homepage.getAttribute('href')).toBe('https://www.xn--lmp-qla.example')
  // Not a click: it could open the link.
  await page.getByRole('button', { name: 'Edit Homepage' }).press('Enter')
  await page.getByRole('textbox', { name: 'Homepage', exact: true }).fill('lamp')
  await page.keyboard.press('Enter')
  await page.getByText('Not saved: Enter the address of a website, such as acme.com').waitFor()
  await expect
    .poll(() => dataOf(org, things, id))
    .toMatchObject({
      name: 'Lamp',
      mail: 'lamp@example.com',
      weight: 2.5,
      ready: true,
      maker: { firstName: 'Ada', lastName: 'Lovelace' },
      place: { city: 'Paris' },
      price: { amount: 12.5, currency: 'USD' },
      sold_on: '2026-11-20',
      size: 'Large',
      tags: ['brass'],
      owner: expect.any(String),
      site: 'https://www.lamp.example/A',
      homepage: 'www.Lämp.example/A',
    })
})

test('E edits the name, Enter saves it, Escape restores it', async () => {
  const id = await addRecord(org, 'companies', { name: 'Hooli' })
  const page = await openRecord('companies', id)
  await page.keyboard.press('e')
  await page.getByRole('textbox', { name: 'Name' }).fill('Hooli XYZ')
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { level: 1, name: 'Hooli', exact: true }).waitFor()
  await page.keyboard.press('e')
  await page.getByRole('textbox', { name: 'Name' }).fill('Hooli Labs')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Hooli Labs' }).waitFor()
  await expect.poll(() => dataOf(org, 'companies', id)).toMatchObject({ name: 'Hooli Labs' })
})

test('a refused value shows the reason, and the earlier value is restored', async () => {
  const id = await addRecord(org, 'people', { name: { lastName: 'Nash' }, email: 'nash@example.com' })
  const page = await openRecord('people', id)
  await page.getByRole('button', { name: 'Edit Email' }).press('Enter')
  await page.getByRole('textbox', { name: 'Email' }).fill('no address')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  await details(page).getByRole('link', { name: 'nash@example.com' }).waitFor()
})
