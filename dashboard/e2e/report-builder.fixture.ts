// Helpers for tests of the report builder: an organization with won deals, and locators.
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Report, ReportDefinition, ReportDetail } from '../../contract/reports.ts'
import type { SharedService } from '../../server/test/shared-service.ts'
import { addRecord } from './crm.fixture.ts'

const DEALS: readonly (readonly [company: number, amount: string, day: string, stage: string])[] = [
  [0, '100', '2026-01-10', 'Won'],
  [0, '250', '2026-02-20', 'Won'],
  [0, '999', '2026-02-21', 'Lost'],
  [1, '4000', '2026-05-05', 'Won'],
]

/** Two companies in different sectors, and their deals. */
export async function setUpBuilder(service: SharedService) {
  const org = await service.org({ name: 'Initech' })
  const owner = await org.member('owner')
  const config = { options: ['Energy', 'Media'] }
  await owner.post('/objects/companies/attributes', { name: 'Sector', type: 'select', config })
  const companies = [
    await addRecord(org, 'companies', { name: 'Sun', sector: 'Energy' }),
    await addRecord(org, 'companies', { name: 'Times', sector: 'Media' }),
  ]
  for (const [company, amount, close_date, stage] of DEALS)
    await addRecord(org, 'deals', {
      ...{ name: `Deal ${amount}`, stage, close_date, company: companies[company] },
      amount: { amount, currency: 'USD' },
    })
  const base = `/o/org-${org.id}/reports`
  const list = async () => (await owner.get<{ reports: Report[] }>('/reports')).body.reports
  const definitionOf = async (id: string) => (await owner.get<ReportDetail>(`/reports/${id}`)).body.definition
  const make = async (definition: ReportDefinition, as = owner) => {
    const { status, body } = await as.post<ReportDetail>('/reports', { definition })
    expect(status, JSON.stringify(body)).toBe(201)
    return body
  }
  return { org, owner, base, list, definitionOf, make }
}
export type Made = Awaited<ReturnType<typeof setUpBuilder>>

export const button = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })
export const sentence = (page: Page, lead: string) => page.getByRole('group', { name: lead, exact: true })
/** A part of a sentence. */
export const part = (page: Page, name: string | RegExp) =>
  page.getByRole('region', { name: 'Definition' }).getByRole('button', { name, exact: true })
/** A field in the list on the left. */
export const field = (page: Page, object: string, name: string) =>
  page.getByRole('region', { name: `Fields of ${object}` }).getByRole('button', { name, exact: true })
export const cells = async (page: Page) => {
  const rows = await page.getByRole('region', { name: 'Result' }).locator('tbody tr').all()
  return Promise.all(rows.map((row) => row.locator('td, th').allInnerTexts()))
}

/** Drags in steps, like a hand, so that the page notices the element below. */
export async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.scrollIntoViewIfNeeded()
  const [start, end] = [await from.boundingBox(), await to.boundingBox()]
  if (!start || !end) throw new Error('What is dragged or where to is not on the page')
  await page.mouse.move(start.x + 20, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move(start.x + 40, start.y + start.height / 2 + 4, { steps: 3 })
  await page.mouse.move(end.x + end.width - 12, end.y + end.height / 2, { steps: 8 })
  await page.mouse.up()
}

/** Drags until the target shows that it accepts the part. Both may move during the drag. */
export async function dragUntilTaken(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.hover()
  await page.mouse.down()
  await expect
    .poll(async () => {
      const box = await to.boundingBox()
      if (box) await page.mouse.move(box.x + box.width - 12, box.y + box.height / 2, { steps: 8 })
      return to.getAttribute('data-over')
    })
    .toBe('true')
  await page.mouse.up()
}

/** Opens a list of options. A result that arrives at the same time may close it, so it retries. */
export async function openList(opener: Locator, option: Locator): Promise<void> {
  await expect
    .poll(async () => {
      if (!(await option.isVisible())) await opener.click()
      return option.isVisible()
    })
    .toBe(true)
}

export const isFocused = (target: Locator) =>
  target.evaluate((element) => element === element.ownerDocument.activeElement)

/** Presses Tab until the element has the focus. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let presses = 0; presses < 120; presses++) {
    if (await isFocused(target)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('Tab does not lead there')
}

/** Waits until the page has no unsaved changes. */
export const isSaved = (page: Page) =>
  expect.poll(() => button(page, 'Save').getAttribute('aria-disabled')).toBe('true')
