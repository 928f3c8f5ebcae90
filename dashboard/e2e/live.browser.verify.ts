// Changes by others appear on open pages without a reload.
import type { Page } from 'playwright-core'
import sql from 'sql-template-tag'
import { beforeEach, expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { addRecord, dataOf } from './crm.fixture.ts'
import { openDashboard } from './open-dashboard.ts'

/** Live events wait for open transactions, which other tests may hold. */
const SOON = { interval: 50 }
const dashboard = await openDashboard()
let org: Org
let ada: SignedInMember
let bob: SignedInMember

beforeEach(async () => {
  ;({ org, member: ada } = await dashboard.organization('member'))
  bob = await org.member('member')
})

const companies = () => `/o/org-${org.id}/objects/companies`
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const nameCell = (page: Page, nr: number) => page.locator(`#cell-${nr}-0`)
const countIn = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).innerText()

async function isFollowing(page: Page): Promise<void> {
  await page.waitForResponse((response) => response.url().includes('/events/stream') && response.ok())
}

async function visit(member: SignedInMember, path: string): Promise<Page> {
  const page = await dashboard.visit(member, { viewport: { width: 1440, height: 800 } })
  const following = isFollowing(page)
  await page.goto(path)
  await following
  return page
}

const rename = (id: string, name: string) => bob.patch(`/objects/companies/records/${id}`, { data: { name } })

test('an edit in one browser appears in another, where an open editor keeps its text', async () => {
  const [first, second] = [
    await addRecord(org, 'companies', { name: 'Acme' }),
    await addRecord(org, 'companies', { name: 'Globex' }),
  ]
  const [mine, theirs] = [await visit(ada, companies()), await visit(bob, companies())]
  await row(mine, 'Globex').waitFor()
  // Ada types a new name for the company in the first row.
  const edited = (await nameCell(mine, 0).innerText()).includes('Acme') ? first : second
  const other = edited === first ? second : first
  await nameCell(mine, 0).click({ position: { x: 3, y: 3 } })
  await mine.keyboard.press('Enter')
  const editor = mine.locator('input:focus')
  await editor.fill('Half typed')
  // Bob changes the other company and adds one, which comes first because it is the newest.
  await row(theirs, 'Acme').waitFor()
  const shown = (await nameCell(theirs, 0).innerText()).includes(edited === first ? 'Acme' : 'Globex') ? 1 : 0
  await nameCell(theirs, shown).click({ position: { x: 3, y: 3 } })
  await theirs.keyboard.press('Enter')
  await theirs.locator('input:focus').fill('Renamed by Bob')
  await theirs.keyboard.press('Enter')
  await addRecord(org, 'companies', { name: 'Added' })
  await row(mine, 'Renamed by Bob').waitFor()
  await expect.poll(() => countIn(mine, 'Companies'), SOON).toMatch(/3$/)
  await expect.poll(() => editor.inputValue()).toBe('Half typed')
  await editor.press('End')
  await mine.keyboard.type(' and done')
  await mine.keyboard.press('Enter')
  await expect
    .poll(() => dataOf(org, 'companies', edited), SOON)
    .toMatchObject({ name: 'Half typed and done' })
  expect(await dataOf(org, 'companies', other)).toMatchObject({ name: 'Renamed by Bob' })
  await row(mine, 'Added').waitFor()
})

test('the active cell stays on its record when another record comes before it', async () => {
  for (const name of ['Acme', 'Globex']) await addRecord(org, 'companies', { name })
  const page = await visit(ada, `${companies()}?sort=name`)
  await nameCell(page, 1).click({ position: { x: 3, y: 3 } })
  await page.locator('#cell-1-0:focus').waitFor()
  await addRecord(org, 'companies', { name: 'Aardvark' })
  await page.locator('#cell-2-0:focus').waitFor()
  await expect.poll(() => nameCell(page, 2).innerText()).toContain('Globex')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('input:focus').inputValue()).toBe('Globex')
})

test('if another user changes the edited value, both values are shown and the user chooses', async () => {
  const id = await addRecord(org, 'companies', { name: 'Acme' })
  const page = await visit(ada, companies())
  await nameCell(page, 0).click({ position: { x: 3, y: 3 } })
  await page.keyboard.press('Enter')
  await page.locator('input:focus').fill('By Ada')
  await rename(id, 'By Bob')
  await row(page, 'By Bob').waitFor()
  await page.locator('input:focus').press('Enter')
  await page.getByRole('dialog').getByText('By Bob').waitFor()
  expect(await dataOf(org, 'companies', id)).toMatchObject({ name: 'By Bob' })
})

test('the counts and cards of a board are updated', async () => {
  const id = await addRecord(org, 'deals', { name: 'Rocket', stage: 'Lead' })
  const page = await visit(ada, `/o/org-${org.id}/objects/deals?kind=board`)
  const column = (name: string) => page.getByRole('region', { name, exact: true })
  await column('Lead').getByRole('link', { name: 'Rocket' }).waitFor()
  await bob.patch(`/objects/deals/records/${id}`, { data: { stage: 'Won' } })
  await column('Won').getByRole('link', { name: 'Rocket' }).waitFor()
  await expect.poll(() => column('Lead').locator('header').innerText(), SOON).toMatch(/0/)
  // The columns are read one by one.
  await expect.poll(() => column('Lead').getByRole('link').count(), SOON).toBe(0)
})

test('the page of a record is updated: its values, its timeline and its deletion', async () => {
  const id = await addRecord(org, 'companies', { name: 'Acme' })
  const page = await visit(ada, `${companies()}/${id}`)
  await page.getByRole('heading', { name: 'Acme', level: 1 }).waitFor()
  await rename(id, 'Acme Corp')
  await page.getByRole('heading', { name: 'Acme Corp', level: 1 }).waitFor()
  const linkedRecords = [{ objectId: 'companies', recordId: id }]
  await bob.post('/activities', { type: 'note', title: 'Called them', linkedRecords })
  await page.getByText('Called them').waitFor()
  await bob.delete(`/objects/companies/records/${id}`)
  await page.getByText('This record was deleted').waitFor()
})

test('many concurrent changes cause few reads', async () => {
  await addRecord(org, 'companies', { name: 'Acme' })
  const page = await visit(ada, companies())
  await row(page, 'Acme').waitFor()
  let reads = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/companies/records/search')) reads++
  })
  for (let batch = 0; batch < 20; batch++) {
    const records = Array.from({ length: 100 }, (_, nr) => ({ data: { name: `Company ${batch} ${nr}` } }))
    await org.post('/objects/companies/records/bulk', { mode: 'create', records })
  }
  await expect.poll(() => countIn(page, 'Companies'), SOON).toMatch(/2K$/)
  expect(reads).toBeGreaterThan(0)
  expect(reads).toBeLessThan(20)
})

test('relative times are updated', async () => {
  const id = await addRecord(org, 'companies', { name: 'Acme' })
  const page = await dashboard.visit(ada, { own: {} })
  await page.clock.install()
  await page.goto(`${companies()}/${id}`)
  const created = page.locator('dd time').first()
  await page.clock.runFor(1000)
  await expect.poll(() => created.innerText(), SOON).toBe('just now')
  await page.clock.runFor(2 * 60_000 + 10_000)
  await expect.poll(() => created.innerText(), SOON).toMatch(/^2 min\. ago$/)
  await page.clock.runFor(60_000)
  await expect.poll(() => created.innerText(), SOON).toMatch(/^3 min\. ago$/)
})

const openStreams = async () => {
  const { payload } = await dashboard.service.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
  return Number(/^rapport_live_streams (\d+)$/m.exec(payload)?.[1])
}

test('tabs of one browser share a stream, which another tab takes over when its tab is closed', async () => {
  const id = await addRecord(org, 'companies', { name: 'Acme' })
  const page = await visit(ada, companies())
  const before = await openStreams()
  const tabs = [await page.context().newPage(), await page.context().newPage()]
  for (const tab of tabs) {
    await tab.goto(companies())
    await row(tab, 'Acme').waitFor()
  }
  await rename(id, 'Acme Corp')
  for (const tab of tabs) await row(tab, 'Acme Corp').waitFor()
  expect(await openStreams()).toBe(before)
  const following = Promise.any(tabs.map(isFollowing))
  await page.close()
  await following
  await rename(id, 'Acme Holdings')
  for (const tab of tabs) await row(tab, 'Acme Holdings').waitFor()
})

test('without a stream the page polls, and it continues with a stream that returns', async () => {
  const id = await addRecord(org, 'companies', { name: 'Acme' })
  const page = await dashboard.visit(ada)
  let isBroken = true
  await page.route('**/events/stream*', (route) => (isBroken ? route.abort() : route.continue()))
  await page.goto(companies())
  await row(page, 'Acme').waitFor()
  await rename(id, 'Acme Corp')
  await row(page, 'Acme Corp').waitFor()
  isBroken = false
  await isFollowing(page)
  await rename(id, 'Acme Holdings')
  await row(page, 'Acme Holdings').waitFor()
})

test('the end of a session is shown on an idle page', async () => {
  const page = await visit(ada, companies())
  await dashboard.service.ctx.directory.run(sql`delete from sessions where user_id = ${ada.userId}`)
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
})
