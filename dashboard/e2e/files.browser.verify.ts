// Files of records and activities.
import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../server/test/temporary-folder.ts'
import { axeViolations, axeViolationsInBothSchemes } from './axe.ts'
import { addActivity, addRecord, objectId } from './crm.fixture.ts'
import { bring, drop, paste, pdf, png, text } from './files.fixture.ts'
import { openDashboard } from './open-dashboard.ts'
import { chooseFromMenu, interceptFirst } from './steps.fixture.ts'

const dataDir = await temporaryFolder('files-e2e')
const MAX = 60_000
const dashboard = await openDashboard({
  dataDir,
  fileBytesMax: MAX,
  filesBytesPerOrganization: 200_000,
})
const { org, member } = await dashboard.organization('member')
const companies = await objectId(org, 'companies')

interface Opened {
  page: Page
  id: string
}

async function openCompany(name: string, options = {}): Promise<Opened> {
  const id = await addRecord(org, 'companies', { name })
  const page = await dashboard.open(`/o/org-${org.id}/objects/companies/${id}`, member, options)
  await page.getByRole('heading', { level: 1, name }).waitFor()
  return { page, id }
}

const related = (page: Page) => page.getByRole('region', { name: 'Related records' })
const files = (page: Page) => related(page).getByRole('region', { name: 'Files' })
const details = (page: Page) => page.getByRole('region', { name: 'Details' })
const timeline = (page: Page) => page.getByRole('region', { name: 'Timeline' })
const fileNames = (page: Page) => files(page).getByRole('listitem').locator('a').allTextContents()

const isDrawn = (page: Page) =>
  files(page)
    .locator('img')
    .evaluateAll((all) => all.map((image) => Reflect.get(image, 'naturalWidth')))

interface Pressable {
  click(): void
}

/** Within one frame, while the menu is still fading. */
async function chooseAndReopen(item: Pressable, button: Pressable | null): Promise<void> {
  item.click()
  await new Promise(Reflect.get(globalThis, 'requestAnimationFrame'))
  button?.click()
}

describe('files of a record', () => {
  test('are dropped anywhere on the record, several together, and shown with a thumbnail or a name', async () => {
    const { page } = await openCompany('Acme')
    await files(page).getByText('Drop files here').waitFor()
    await bring(timeline(page), [png('Site.png')], 'dragenter')
    await page.getByText('Drop files to add them to Acme').waitFor()
    await drop(details(page), png('Site.png'), pdf('Offer.pdf'), text('notes.txt'))
    for (const name of ['Site.png', 'Offer.pdf', 'notes.txt'])
      await files(page).getByRole('link', { name }).waitFor()
    await expect.poll(() => page.getByText('Drop files to add them').count()).toBe(0)
    await expect.poll(() => isDrawn(page)).toEqual([320])
    await files(page).getByText('20 bytes').waitFor()
    await page.reload()
    await files(page).getByRole('link', { name: 'Site.png' }).waitFor()
    expect((await fileNames(page)).toSorted()).toEqual(['Offer.pdf', 'Site.png', 'notes.txt'])
  })

  test('are chosen with a button or pasted; text pasted into a field stays text', async () => {
    const { page } = await openCompany('Globex')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      files(page).getByRole('button', { name: 'Add files' }).press('Enter'),
    ])
    await chooser.setFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('plan') })
    await files(page).getByRole('link', { name: 'plan.txt' }).waitFor()
    await paste(page.locator('body'), png('image.png'))
    await files(page)
      .getByRole('link', { name: /^Pasted \d{4}-\d\d-\d\d at/ })
      .waitFor()
  })

  test('are opened, renamed, removed and restored by keyboard', async () => {
    const { page } = await openCompany('Hooli')
    await drop(details(page), text('draft.txt'))
    const actions = files(page).getByRole('button', { name: 'Actions for draft.txt' })
    await chooseFromMenu(actions, 'Rename')
    const field = files(page).getByRole('textbox', { name: 'New name of draft.txt' })
    await field.press('Escape')
    await chooseFromMenu(actions, 'Rename')
    await field.waitFor()
    // The name is selected without its extension.
    await page.keyboard.type('Contract')
    await page.keyboard.press('Enter')
    await files(page).getByRole('link', { name: 'Contract.txt' }).waitFor()
    await page.getByText('draft.txt was renamed to Contract.txt', { exact: true }).waitFor()
    await page.keyboard.press('Control+z')
    await files(page).getByRole('link', { name: 'draft.txt' }).waitFor()
    await page.getByText('Undone: draft.txt was renamed').waitFor()
    await chooseFromMenu(actions, 'Rename')
    await field.waitFor()
    await page.keyboard.type('Contract')
    await page.keyboard.press('Enter')
    await files(page).getByRole('link', { name: 'Contract.txt' }).waitFor()
    await page.getByText('draft.txt was renamed to Contract.txt', { exact: true }).waitFor()
    await chooseFromMenu(files(page).getByRole('button', { name: 'Actions for Contract.txt' }), 'Remove')
    await files(page).getByText('Drop files here').waitFor()
    await page.getByText('Contract.txt was removed').waitFor()
    await page.keyboard.press('Control+z')
    await files(page).getByRole('link', { name: 'Contract.txt' }).waitFor()
    await page.reload()
    await files(page).getByRole('link', { name: 'Contract.txt' }).waitFor()
  })

  test('a menu item reacts to the first click, even if the menu was reopened while fading', async () => {
    const { page } = await openCompany('Massive Dynamic', { reducedMotion: 'no-preference' })
    await drop(details(page), text('draft.txt'))
    const actions = files(page).getByRole('button', { name: 'Actions for draft.txt' })
    await actions.click()
    const remove = page.getByRole('menuitem', { name: 'Remove' })
    await remove.waitFor()
    await remove.evaluate(chooseAndReopen, await actions.elementHandle())
    await files(page).getByText('Drop files here').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Add files')
  })

  test('are saved under their name, or shown in a new tab', async () => {
    const { page } = await openCompany('Umbrella')
    await drop(details(page), text('terms.txt'), png('map.png'))
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      files(page).getByRole('link', { name: 'terms.txt' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('terms.txt')
    const [tab] = await Promise.all([
      page.waitForEvent('popup'),
      files(page).getByRole('link', { name: 'map.png' }).click(),
    ])
    await tab.waitForURL(/\/files\/[\w-]{43}\/map\.png$/)
    await tab.close()
  })

  test('a PDF opens in the viewer, or is saved if the browser has none', async () => {
    const { page } = await openCompany('Paper Street')
    await drop(details(page), pdf('Offer.pdf'))
    const link = files(page).getByRole('link', { name: 'Offer.pdf' })
    await link.waitFor()
    const tab = await page.context().newPage()
    const address = new URL((await link.getAttribute('href')) ?? '', page.url()).href
    // The browser of these tests may lack a viewer. Tests of the service check the headers.
    const hasViewer = await page.evaluate('navigator.pdfViewerEnabled')
    const saved = hasViewer ? undefined : tab.waitForEvent('download')
    const opened = tab.goto(address).catch(() => undefined)
    if (saved) expect((await saved).suggestedFilename()).toBe('Offer.pdf')
    else expect((await opened)?.status()).toBe(200)
  })
})

describe('an upload', () => {
  /** Holds the file back. @returns functions that release it or cut the connection */
  async function hold(page: Page): Promise<{ release(): Promise<void>; cut(): Promise<void> }> {
    const held = Promise.withResolvers<Route>()
    await interceptFirst(page, '**/files/upload/**', (route) => held.resolve(route))
    return {
      release: async () => (await held.promise).continue(),
      cut: async () => (await held.promise).abort('connectionreset'),
    }
  }

  test('shows its progress, continues on another page, and is listed after returning', async () => {
    const { page } = await openCompany('Initrode')
    const { release } = await hold(page)
    await drop(details(page), png('Long way.png'))
    await files(page).getByRole('progressbar', { name: 'Uploading Long way.png' }).waitFor()
    await page.getByRole('link', { name: 'Activities' }).first().click()
    await page.getByRole('heading', { name: 'Activities', level: 1 }).waitFor()
    await page.goBack()
    await files(page).getByRole('progressbar', { name: 'Uploading Long way.png' }).waitFor()
    await release()
    await files(page).getByRole('link', { name: 'Long way.png' }).waitFor()
    await expect.poll(() => files(page).getByRole('progressbar').count()).toBe(0)
  })

  test('that is cancelled leaves no file', async () => {
    const { page } = await openCompany('Vandelay')
    await hold(page)
    await drop(details(page), png('Mistake.png'))
    await files(page).getByRole('button', { name: 'Cancel Mistake.png' }).click()
    await files(page).getByText('Drop files here').waitFor()
  })

  test('that is cancelled while it is being attached leaves no file', async () => {
    const { page, id } = await openCompany('Dunder')
    const held = Promise.withResolvers<Route>()
    await page.route('**/attachments', (route) =>
      route.request().method() === 'POST' ? held.resolve(route) : route.continue(),
    )
    await drop(details(page), png('Late.png', [1, 2, 3], [20, 20]))
    const attaching = await held.promise
    await files(page).getByRole('button', { name: 'Cancel Late.png' }).click()
    await attaching.continue()
    await files(page).getByText('Drop files here').waitFor()
    const place = `/objects/companies/records/${id}/attachments`
    expect((await member.get(place)).body).toEqual({
      attachments: [],
      pagination: { total: 0, limit: 1, offset: 0 },
    })
  })

  test('with a lost connection can be retried', async () => {
    const { page } = await openCompany('Wonka')
    const { cut } = await hold(page)
    await drop(details(page), png('Recipe.png'))
    await cut()
    await files(page).getByRole('alert').getByText('The connection was lost').waitFor()
    await files(page).getByRole('button', { name: 'Try again: Recipe.png' }).click()
    await files(page).getByRole('link', { name: 'Recipe.png' }).waitFor()
  })

  test('to an expired address gets a new address automatically', async () => {
    const { page } = await openCompany('Stark')
    const answer = { status: 403, json: { error: 'upload_expired', message: 'x', requestId: 'x' } }
    await interceptFirst(page, '**/files/upload/**', (route) => route.fulfill(answer))
    await drop(details(page), png('Suit.png'))
    await files(page).getByRole('link', { name: 'Suit.png' }).waitFor()
  })

  test('that is refused shows the reason, and does not stop other uploads', async () => {
    const { page } = await openCompany('Wayne')
    await drop(details(page), text('huge.txt', MAX + 1), text('good.txt'))
    await files(page).getByText('This file is too large: a file may have 59 kB').waitFor()
    await files(page).getByRole('link', { name: 'good.txt' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await files(page).getByRole('button', { name: 'Dismiss huge.txt' }).click()
    expect(await fileNames(page)).toEqual(['good.txt'])
  })

  test('is stored with the type of its content, not of its name', async () => {
    const { page } = await openCompany('Oceanic')
    const picture = { ...png('photo.jpg', [1, 2, 3], [20, 20]), type: 'image/jpeg' }
    await drop(details(page), picture, { ...text('fake.png'), type: 'image/png' })
    const [photo, fake] = ['photo.jpg', 'fake.png'].map((name) => files(page).getByRole('link', { name }))
    await photo?.waitFor()
    await fake?.waitFor()
    await expect.poll(() => isDrawn(page)).toEqual([20])
    await expect.poll(() => fake?.getAttribute('download')).toBe('fake.png')
  })

  test('is refused when the organization has no room', async () => {
    // A separate organization, because other tests need room in theirs.
    const full = await dashboard.service.org()
    const id = await addRecord(full, 'companies', { name: 'Tyrell' })
    const page = await dashboard.open(
      `/o/org-${full.id}/objects/companies/${id}`,
      await full.member('member'),
    )
    await files(page).getByText('Drop files here').waitFor()
    await drop(details(page), ...['1', '2', '3', '4'].map((nr) => text(`${nr}.txt`, MAX - 1)))
    await files(page)
      .getByText(/storage is full: .* of 195 kB are used/)
      .first()
      .waitFor()
  })
})

describe('files of an activity', () => {
  async function openWithLunch(name: string) {
    const opened = await openCompany(name)
    const linkedRecords = [{ objectId: companies, recordId: opened.id }]
    const activity = await addActivity(org, { title: 'Lunch', linkedRecords })
    await opened.page.reload()
    return { ...opened, activity }
  }

  test('are dropped on its entry, counted there, and listed when the entry is open', async () => {
    const { page } = await openWithLunch('Soylent')
    const line = timeline(page).getByRole('button', { name: 'Lunch' })
    await bring(details(page), [text('menu.txt')], 'dragenter')
    await page.getByText('Drop files to add them to Soylent').waitFor()
    await bring(line, [text('menu.txt')], 'dragenter')
    await page.getByText('Drop files to add them to Lunch').waitFor()
    await expect.poll(() => page.getByText('Drop files to add them to Soylent').count()).toBe(0)
    await drop(line, text('menu.txt', 10), text('bill.txt', 10))
    await timeline(page).getByRole('img', { name: '2 files' }).waitFor()
    await files(page).getByText('Drop files here').waitFor()
    await line.click()
    await timeline(page).getByRole('link', { name: 'menu.txt' }).waitFor()
    await timeline(page).getByRole('link', { name: 'bill.txt' }).waitFor()
  })

  test('are dropped on its panel, and pasted into it', async () => {
    const { page, id, activity } = await openWithLunch('Cyberdyne')
    await page.goto(`/o/org-${org.id}/objects/companies/${id}?activity=${activity}`)
    const panel = page.getByRole('dialog')
    await drop(panel.getByRole('textbox', { name: 'Title' }), text('agenda.txt', 10))
    await panel.getByRole('link', { name: 'agenda.txt' }).waitFor()
    await paste(page.locator('body'), png('image.png', [1, 2, 3], [20, 20]))
    await panel.getByRole('link', { name: /^Pasted/ }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await timeline(page).getByRole('img', { name: '2 files' }).waitFor()
    expect(await fileNames(page)).toEqual([])
  })
})

test('a record of an inactive object accepts no files', async () => {
  const owner = await org.member('owner')
  const { body } = await owner.post<{ id: string; slug: string }>('/objects', {
    pluralName: `Plans ${Date.now()}`,
    singularName: 'Plan',
  })
  const id = await addRecord(org, body.slug, {})
  await owner.patch(`/objects/${body.id}`, { isActive: false })
  const page = await dashboard.open(`/o/org-${org.id}/objects/${body.slug}/${id}`, member)
  await files(page).getByText('None').waitFor()
  await drop(details(page), text('late.txt', 10))
  await expect.poll(() => files(page).getByRole('listitem').count()).toBe(0)
})

test.each([1440, 375])('the page has no axe violations, at %i px', async (width) => {
  const { page } = await openCompany('Aperture', { viewport: { width, height: 800 } })
  if (width === 375) await page.getByText('Related', { exact: true }).click()
  await drop(files(page), png('Cube.png', [9, 9, 9], [20, 20]), text('song.txt', 10))
  await files(page).getByRole('link', { name: 'song.txt' }).waitFor()
  await files(page).getByRole('link', { name: 'Cube.png' }).waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
})
