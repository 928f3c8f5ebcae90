// Pictures of people, companies and users.
import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { temporaryFolder } from '../../server/test/temporary-folder.ts'
import { axeViolations, axeViolationsInBothSchemes } from './axe.ts'
import { addActivity, addRecord, objectId } from './crm.fixture.ts'
import { drop, png, text } from './files.fixture.ts'
import { openDashboard } from './open-dashboard.ts'
import { chooseFromMenu } from './steps.fixture.ts'

const dataDir = await temporaryFolder('pictures-e2e')
const dashboard = await openDashboard({ dataDir })
let org: Org
let member: SignedInMember
let people: string

// Each test gets a new organization.
beforeEach(async () => {
  ;({ org, member } = await dashboard.organization('member'))
  people = await objectId(org, 'people')
})

/** The path of a page of the organization. */
const at = (path: string) => `/o/org-${org.id}${path}`

async function openPerson(page: Page, id: string): Promise<void> {
  await page.goto(at(`/objects/people/${id}`))
  await page.getByRole('heading', { level: 1 }).waitFor()
}

const addButton = (page: Page) => page.getByRole('button', { name: /^Add a picture of/ })
const pictureButton = (page: Page) => page.getByRole('button', { name: /^Picture of/ })
const sizeOf = (place: Locator) =>
  place
    .locator('img')
    .first()
    .evaluate((image) => ['naturalWidth', 'naturalHeight'].map((side) => Reflect.get(image, side)))

async function choose(page: Page, button: Locator): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.press('Enter')])
  const { name, type, bytes } = png('me.png')
  await chooser.setFiles({ name, mimeType: type, buffer: bytes })
}

const undo = (page: Page, note: string) =>
  page.getByRole('alert').filter({ hasText: note }).getByRole('button', { name: 'Undo' }).click()

test('a chosen picture is cropped to a square, and shown next to the name everywhere', async () => {
  const id = await addRecord(org, 'people', { name: 'Ada Lovelace' })
  await addRecord(org, 'people', { name: 'Bo Faceless' })
  await addActivity(org, { title: 'Tea', linkedRecords: [{ objectId: people, recordId: id }] })
  const page = await dashboard.visit(member)
  await openPerson(page, id)
  await choose(page, addButton(page))
  await pictureButton(page).waitFor()
  await expect.poll(() => sizeOf(pictureButton(page))).toEqual([256, 256])
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/record-pictures')) asked.push(request.url())
  })
  await page.goto(at('/objects/people'))
  const row = page.getByRole('rowheader', { name: 'Ada Lovelace' })
  await expect.poll(() => sizeOf(row)).toEqual([256, 256])
  // One request for the page, independent of the number of rows.
  expect(asked).toHaveLength(1)
  await expect.poll(() => page.getByRole('rowheader', { name: 'Bo Faceless' }).locator('img').count()).toBe(0)
  await row.getByRole('button', { name: 'Quick look at Ada Lovelace' }).click()
  await expect.poll(() => sizeOf(page.getByRole('dialog'))).toEqual([256, 256])
  await page.keyboard.press('Escape')
  await page.goto(at('/activities'))
  await expect.poll(() => sizeOf(page.getByRole('link', { name: 'Ada Lovelace' }))).toEqual([256, 256])
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Ada')
  await expect
    .poll(() => sizeOf(page.getByRole('dialog').getByRole('option', { name: /Ada Lovelace/ })))
    .toEqual([256, 256])
})

test('a logo is added by drop, changed, removed and restored', async () => {
  const id = await addRecord(org, 'companies', { name: 'Acme' })
  const page = await dashboard.open(at(`/objects/companies/${id}`), member)
  await drop(addButton(page), png('wide.png', [200, 30, 30], [400, 100]))
  await pictureButton(page).waitFor()
  await expect.poll(() => sizeOf(pictureButton(page))).toEqual([512, 128])
  const shown = await pictureButton(page).locator('img').boundingBox()
  expect((shown?.width ?? 0) / (shown?.height ?? 1)).toBeCloseTo(4, 1)
  // The picture is not one of the record's files.
  await page.getByText('Drop files here').waitFor()
  const first = await pictureButton(page).locator('img').getAttribute('src')
  await pictureButton(page).press('Enter')
  await choose(page, page.getByRole('menuitem', { name: 'Change picture' }))
  const source = () => pictureButton(page).locator('img').getAttribute('src')
  await expect.poll(source).not.toBe(first)
  await undo(page, 'The picture of Acme was replaced')
  await expect.poll(source).toBe(first)
  await chooseFromMenu(pictureButton(page), 'Remove picture')
  await addButton(page).waitFor()
  await undo(page, 'The picture of Acme was removed')
  await expect.poll(source).toBe(first)
})

test('a picture that was added is removed by Undo', async () => {
  const id = await addRecord(org, 'companies', { name: 'Acme' })
  const page = await dashboard.open(at(`/objects/companies/${id}`), member)
  await drop(addButton(page), png('logo.png'))
  await pictureButton(page).waitFor()
  await undo(page, 'The picture of Acme was added')
  await addButton(page).waitFor()
})

test('Undo restores the picture that a colleague set after the page was loaded', async () => {
  const id = await addRecord(org, 'companies', { name: 'Acme' })
  const [page, other] = [await dashboard.visit(member), await dashboard.visit(await org.member('member'))]
  for (const one of [page, other]) {
    await one.goto(at(`/objects/companies/${id}`))
    await addButton(one).waitFor()
  }
  await drop(addButton(other), png('theirs.png', [20, 30, 200], [300, 100]))
  await pictureButton(other).waitFor()
  await drop(addButton(page), png('mine.png', [200, 30, 30], [400, 100]))
  await undo(page, 'The picture of Acme was replaced')
  const theirs = await pictureButton(other).locator('img').getAttribute('src')
  await expect.poll(() => pictureButton(page).locator('img').getAttribute('src')).toBe(theirs)
})

test('a file that is not a picture is refused with a clear message', async () => {
  const id = await addRecord(org, 'people', { name: 'Cy' })
  const page = await dashboard.visit(member)
  await openPerson(page, id)
  await drop(addButton(page), text('cv.txt'))
  await page.getByRole('alert').getByText('The browser cannot read this picture').waitFor()
  await addButton(page).waitFor()
})

test('a user sets their picture in the profile, and members see it', async () => {
  const mia = await org.member('member')
  const page = await dashboard.open(at('/settings/profile'), mia)
  await choose(page, addButton(page))
  const menu = page.getByRole('button', { name: /profile and appearance/ })
  await expect.poll(() => sizeOf(menu)).toEqual([256, 256])
  expect(await axeViolations(page)).toEqual([])
  const other = await dashboard.open(at('/settings/members'), await org.member('owner'))
  await expect
    .poll(() => sizeOf(other.getByRole('table', { name: 'Members' }).getByRole('row', { name: mia.email })))
    .toEqual([256, 256])
  expect(await axeViolations(other)).toEqual([])
  await chooseFromMenu(pictureButton(page), 'Remove picture')
  await addButton(page).waitFor()
  await expect.poll(() => menu.locator('img').count()).toBe(0)
  await undo(page, 'Your picture was removed')
  await expect.poll(() => sizeOf(menu)).toEqual([256, 256])
})

test.each([1440, 375])('the pages have no axe violations, at %i px', async (width) => {
  const id = await addRecord(org, 'people', { name: 'Dee Dee' })
  const page = await dashboard.visit(member, { viewport: { width, height: 800 } })
  await openPerson(page, id)
  await drop(addButton(page), png('dee.png'))
  await pictureButton(page).waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await page.goto(at('/objects/people'))
  await page.getByRole('rowheader', { name: 'Dee Dee' }).first().waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
})
