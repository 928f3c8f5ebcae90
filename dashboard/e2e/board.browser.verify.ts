import type { Locator, Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { axeViolations, axeViolationsInBothSchemes } from './axe.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()
const { org, member } = await dashboard.organization('member')
const board = `/o/org-${org.id}/objects/deals?kind=board`

interface Deal {
  id: string
  data: { name: string; stage?: string }
}

async function createDeal(name: string, stage: string | null, amount: number, currency = 'USD') {
  const data = { name, ...(stage && { stage }), amount: { amount, currency } }
  const { status, body } = await member.post<Deal>('/objects/deals/records', { data })
  expect(status).toBe(201)
  return body
}

const stageOf = async ({ id }: Deal) =>
  (await member.get<Deal>(`/objects/deals/records/${id}`)).body.data.stage

const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const card = (within: Page | Locator, name: string) => within.getByRole('link', { name, exact: true })

/** The text of a column head, with single spaces. */
const headText = async (page: Page, name: string) =>
  (await column(page, name).locator('header').innerText()).replace(/\s+/g, ' ')

let rocket: Deal
let anvil: Deal

beforeEach(async () => {
  const { body } = await member.post<{ records: Deal[] }>('/objects/deals/records/search', {})
  if (body.records.length > 0)
    await member.delete('/objects/deals/records/bulk', { ids: body.records.map(({ id }) => id) })
  rocket = await createDeal('Rocket', 'Lead', 1000)
  anvil = await createDeal('Anvil', 'Lead', 250.5)
  await createDeal('Magnet', 'Qualified', 40, 'EUR')
})

async function openBoard(options = {}, first = 'Rocket'): Promise<Page> {
  const page = await dashboard.open(board, member, { viewport: { width: 1440, height: 800 }, ...options })
  await card(page, first).waitFor()
  return page
}

test('column heads show the number of cards, and amounts separately by currency', async () => {
  await createDeal('Spring', 'Qualified', 60)
  const page = await openBoard()
  await expect.poll(() => headText(page, 'Lead')).toBe('Lead 2 deals Amount: $1,250.50')
  await expect.poll(() => headText(page, 'Qualified')).toBe('Qualified 2 deals Amount: €40 · $60')
  await expect.poll(() => headText(page, 'Won')).toMatch(/^Won 0 deals/)
})

test('a card shows its name first, its amount on the right and the picture of its owner', async () => {
  await org.patch(`/objects/deals/records/${rocket.id}`, { data: { owner: member.userId } })
  const page = await openBoard()
  const whole = card(page, 'Rocket').locator('xpath=../..')
  await whole.getByText('Mia Member').waitFor({ state: 'attached' })
  const edges = async (text: string) => {
    const box = await whole.getByText(text, { exact: true }).first().boundingBox()
    return { left: box?.x ?? 0, right: (box?.x ?? 0) + (box?.width ?? 0) }
  }
  const around = await whole.boundingBox()
  const end = (around?.x ?? 0) + (around?.width ?? 0)
  expect(end - (await edges('$1,000')).right).toBeLessThan(16)
  expect((await edges('Rocket')).left - (around?.x ?? 0)).toBeLessThan(16)
  const weight = `getComputedStyle(document.querySelector('[data-card="${rocket.id}"]')).fontWeight`
  expect(await page.evaluate(weight)).toBe('600')
})

test('dragging a card to another column changes the record, the counts and the totals', async () => {
  const page = await openBoard()
  const from = await card(page, 'Rocket').boundingBox()
  const to = await column(page, 'Qualified').boundingBox()
  if (!from || !to) throw new Error('The board is not drawn')
  await page.mouse.move(from.x + 20, from.y + 8)
  await page.mouse.down()
  await page.mouse.move(from.x + 60, from.y + 20, { steps: 4 })
  await page.mouse.move(to.x + 100, to.y + 200, { steps: 8 })
  await page.mouse.up()
  await card(column(page, 'Qualified'), 'Rocket').waitFor()
  await expect.poll(() => headText(page, 'Lead')).toBe('Lead 1 deal Amount: $250.50')
  await expect.poll(() => headText(page, 'Qualified')).toBe('Qualified 2 deals Amount: €40 · $1,000')
  await expect.poll(() => stageOf(rocket)).toBe('Qualified')
  await expect.poll(() => page.url()).toContain('kind=board')
})

test('a card moved with the keyboard keeps the focus', async () => {
  const page = await openBoard()
  await card(page, 'Rocket').focus()
  await page.keyboard.press('Space')
  await page.getByText('Rocket picked up from Lead, column 1 of 6').waitFor({ state: 'attached' })
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await card(column(page, 'Proposal'), 'Rocket').waitFor()
  await page.getByText('Rocket moved to Proposal, column 3 of 6').waitFor({ state: 'attached' })
  await expect.poll(() => stageOf(rocket)).toBe('Proposal')
  await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Rocket')
})

test('on a board with a column for each member, moving a card changes its owner', async () => {
  const ownerOf = async ({ id }: Deal) =>
    (await member.get<{ data: { owner?: string } }>(`/objects/deals/records/${id}`)).body.data.owner
  await member.patch(`/objects/deals/records/${rocket.id}`, { data: { owner: org.userId } })
  const page = await openBoard()
  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByRole('menuitemradio', { name: 'Owner' }).click()
  await card(column(page, 'Olivia Owner'), 'Rocket').waitFor()
  await card(page, 'Rocket').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Space')
  await card(column(page, 'Mia Member'), 'Rocket').waitFor()
  await expect.poll(() => ownerOf(rocket)).toBe(member.userId)
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Create deal in Olivia Owner' }).click()
  const panel = page.getByRole('dialog', { name: 'Create deal' })
  await panel.getByLabel('Name').fill('Catapult')
  await panel.getByRole('button', { name: 'Create deal' }).click()
  await card(column(page, 'Olivia Owner'), 'Catapult').waitFor()
})

test('the column without a stage appears while a card is moved, and stays if a card is dropped there', async () => {
  const page = await openBoard()
  const none = column(page, 'No stage')
  await expect.poll(() => headText(page, 'Lead')).toBe('Lead 2 deals Amount: $1,250.50')
  await expect.poll(() => none.count()).toBe(0)
  await card(page, 'Rocket').focus()
  await page.keyboard.press('Space')
  for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowRight')
  await none.and(page.locator('[data-under]')).waitFor()
  await page.keyboard.press('Escape')
  await none.waitFor({ state: 'detached' })
  const from = await card(page, 'Rocket').boundingBox()
  if (!from) throw new Error('The board is not drawn')
  await page.mouse.move(from.x + 20, from.y + 8)
  await page.mouse.down()
  await page.mouse.move(from.x + 60, from.y + 20, { steps: 4 })
  await none.waitFor()
  const target = await none.boundingBox()
  await page.mouse.move((target?.x ?? 0) + 12, (target?.y ?? 0) + 200, { steps: 8 })
  await none.and(page.locator('[data-under]')).waitFor()
  await page.mouse.up()
  await card(none, 'Rocket').waitFor()
  await expect.poll(() => stageOf(rocket)).toBeUndefined()
  await page.reload()
  await card(none, 'Rocket').waitFor()
})

test('Escape returns a picked-up card to its place', async () => {
  const page = await openBoard()
  await card(page, 'Anvil').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  await page.getByText('Anvil stays in Lead').waitFor({ state: 'attached' })
  await card(column(page, 'Lead'), 'Anvil').waitFor()
  expect(await stageOf(anvil)).toBe('Lead')
})

test('arrow keys move through the cards, and Enter opens one', async () => {
  const page = await openBoard()
  await card(page, 'Anvil').focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Rocket')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Magnet')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Magnet' }).waitFor()
})

test('a refused move restores the card, the count and the total', async () => {
  const page = await openBoard()
  await expect.poll(() => headText(page, 'Lead')).toBe('Lead 2 deals Amount: $1,250.50')
  await page.route(`**/records/${rocket.id}`, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    const body = { error: 'forbidden', message: 'This deal is frozen', details: {} }
    return route.fulfill({ status: 403, json: body })
  })
  await page.getByRole('button', { name: 'Move Rocket' }).click()
  await page.getByRole('menuitem', { name: 'Won' }).click()
  await page.getByText('This deal is frozen').waitFor()
  await card(column(page, 'Lead'), 'Rocket').waitFor()
  await expect.poll(() => headText(page, 'Lead')).toBe('Lead 2 deals Amount: $1,250.50')
  await expect.poll(() => card(column(page, 'Won'), 'Rocket').count()).toBe(0)
  expect(await stageOf(rocket)).toBe('Lead')
})

test('a record created in a column starts with the value of the column', async () => {
  const page = await openBoard()
  await page.getByRole('button', { name: 'Create deal in Proposal' }).click()
  const panel = page.getByRole('dialog', { name: 'Create deal' })
  await panel.getByLabel('Name').fill('Catapult')
  await panel.getByRole('button', { name: 'Create deal' }).click()
  await card(column(page, 'Proposal'), 'Catapult').waitFor()
  await expect.poll(() => headText(page, 'Proposal')).toMatch(/^Proposal 1 deal/)
})

test('a collapsed column stays collapsed after a reload, and the total is part of the address', async () => {
  const page = await openBoard()
  await page.getByRole('button', { name: 'Collapse Won' }).click()
  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByRole('menuitemradio', { name: 'None' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('board')).toBe('stage')
  await page.reload()
  await page.getByRole('button', { name: 'Expand Won' }).waitFor()
  await expect.poll(() => headText(page, 'Lead')).toBe('Lead 2 deals')
})

test('cards of an inactive object cannot be moved, and the page says why', async () => {
  const admin = await org.member('admin')
  await admin.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
  await admin.post('/objects/projects/attributes', { name: 'Name', type: 'text' })
  const config = { options: ['Idea', 'Done'] }
  await admin.post('/objects/projects/attributes', { name: 'Phase', type: 'select', config })
  await admin.post('/objects/projects/records', { data: { name: 'Bridge', phase: 'Idea' } })
  expect((await admin.patch('/objects/projects', { isActive: false })).status).toBe(200)
  const page = await dashboard.open(`/o/org-${org.id}/objects/projects?kind=board`, member)
  await page.getByText('Projects are inactive: their records can be read').waitFor()
  await card(page, 'Bridge').focus()
  await expect.poll(() => page.getByRole('button', { name: 'Move Bridge' }).isDisabled()).toBe(true)
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await card(column(page, 'Idea'), 'Bridge').waitFor()
})

/** The scroll positions of everything around the board. */
const frameMoved = (page: Page) =>
  page.evaluate(`(() => {
    const { left, top } = document.querySelector('nav[aria-label="Main"]').getBoundingClientRect()
    const { scrollLeft, scrollTop } = document.querySelector('main')
    return { x: scrollX, y: scrollY, scrollLeft, scrollTop, left, top }
  })()`)

const STILL = { x: 0, y: 0, scrollLeft: 0, scrollTop: 0, left: 0, top: 0 }

test('a board scrolls internally, and the page around it does not move', async () => {
  const records = Array.from({ length: 30 }, (_, index) => ({
    data: { name: `Deal ${index}`, stage: 'Lead' },
  }))
  expect((await member.post('/objects/deals/records/bulk', { records })).status).toBe(200)
  const page = await openBoard({ viewport: { width: 900, height: 500 } }, 'Deal 29')
  await card(page, 'Deal 29').hover()
  await page.mouse.wheel(0, 20_000)
  await card(page, 'Rocket').waitFor()
  await page.mouse.wheel(20_000, 0)
  await expect.poll(async () => (await column(page, 'Lost').boundingBox())?.x).toBeLessThan(900 - 226)
  await page.evaluate('scrollTo(5000, 5000); document.querySelector("main").scrollTo(5000, 5000)')
  expect(await frameMoved(page)).toEqual(STILL)
  await column(page, 'Lead').evaluate((node) => node.scrollIntoView({ block: 'start', inline: 'start' }))
  expect(await frameMoved(page)).toEqual(STILL)
})

test('a phone shows one column at a time', async () => {
  const page = await openBoard({ viewport: { width: 375, height: 740 } })
  await expect.poll(() => card(page, 'Magnet').count()).toBe(0)
  await page.getByRole('button', { name: 'Next column' }).click()
  await card(page, 'Magnet').waitFor()
  await expect.poll(() => page.getByRole('combobox', { name: 'Column' }).inputValue()).toBe('1')
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375)
  expect(await axeViolations(page)).toEqual([])
})

test('a phone starts with the first column that has cards, and stays there when its last card is moved', async () => {
  for (const { id } of [rocket, anvil])
    await member.patch(`/objects/deals/records/${id}`, { data: { stage: 'Won' } })
  const page = await openBoard({ viewport: { width: 375, height: 740 } }, 'Magnet')
  await page.getByRole('button', { name: 'Move Magnet' }).click()
  await page.getByRole('menuitem', { name: 'Won' }).click()
  await page.getByText('Magnet moved to Won').waitFor({ state: 'attached' })
  await expect.poll(() => headText(page, 'Qualified')).toMatch(/^Qualified 0 deals/)
})

test('is accessible', async () => {
  const page = await openBoard()
  await expect.poll(() => headText(page, 'Lead')).toContain('2 deals')
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
})
