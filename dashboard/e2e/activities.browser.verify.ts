import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { axeViolationsInBothSchemes } from './axe.ts'
import { addActivity, addRecord, objectId } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { keepNotes } from './steps.fixture.ts'

const dashboard = await openSharedDashboard()
const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

/** An organization with activities of every kind: overdue, done and upcoming. */
async function office() {
  const { org, member } = await dashboard.organization('member')
  const companies = await objectId(org, 'companies')
  const acme = await addRecord(org, 'companies', { name: 'Acme' })
  const linkedRecords = [{ objectId: companies, recordId: acme }]
  await addActivity(org, { type: 'note', title: 'Old note', activityDate: inDays(-3) })
  await addActivity(org, { type: 'call', title: 'Old call', activityDate: inDays(-3), linkedRecords })
  await addActivity(org, { type: 'task', title: 'Late task', activityDate: inDays(-2) })
  await addActivity(org, { type: 'meeting', title: 'Next meeting', activityDate: inDays(2), linkedRecords })
  await addActivity(org, {
    type: 'task',
    title: 'Done task',
    activityDate: inDays(-1),
    completedAt: inDays(-1),
  })
  const open = async (search = '', options = {}): Promise<Page> => {
    const page = await dashboard.open(`/o/org-${org.id}/activities${search}`, member, options)
    await page.getByRole('heading', { level: 1, name: 'Activities' }).waitFor()
    return page
  }
  return { org, member, companies, acme, open }
}

const titles = async (page: Page) =>
  page.locator('main').getByRole('button', { expanded: false }).allTextContents()
const shown = (page: Page) =>
  expect.poll(async () => (await titles(page)).filter((title) => / (?:note|call|task|meeting)$/.test(title)))

test('overdue and upcoming activities come before past ones', async () => {
  const { open } = await office()
  const page = await open()
  await shown(page).toEqual(['Late task', 'Next meeting', 'Done task', 'Old call', 'Old note'])
  await page.getByRole('region', { name: 'Overdue · 1' }).getByText('Late task').waitFor()
  await page.getByRole('region', { name: 'Upcoming · 1' }).getByText('Next meeting').waitFor()
  await page.getByRole('checkbox', { name: 'Done: Late task' }).click()
  await page.getByRole('region', { name: 'Overdue · 1' }).waitFor({ state: 'detached' })
})

test('Undo of a completed task keeps later changes of it, and a later completion', async () => {
  const { org, open } = await office()
  const page = await open()
  await keepNotes(page)
  const { body } = await org.get<{ activities: { id: string; title: string }[] }>('/activities')
  const path = `/activities/${body.activities.find(({ title }) => title === 'Late task')?.id}`
  const now = async () => (await org.get<{ title: string; completedAt: string | null }>(path)).body
  await page.getByRole('checkbox', { name: 'Done: Late task' }).click()
  await page.getByText('"Late task" done').waitFor()
  await org.patch(path, { title: 'Very late task' })
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('Undone: "Late task" done').waitFor()
  expect(await now()).toMatchObject({ title: 'Very late task', completedAt: null })
  await page.getByRole('checkbox', { name: 'Done: Very late task' }).click()
  await page.getByText('"Very late task" done').waitFor()
  const completedAt = inDays(-1)
  await org.patch(path, { completedAt })
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('“Very late task” was completed or reopened since, and stays as it is').waitFor()
  expect(await now()).toMatchObject({ completedAt })
})

test('overdue activities come first, however many upcoming and past ones there are', async () => {
  const { org, open } = await office()
  const activityDate = new Date(Date.now() + 24 * 3_600_000).toISOString()
  for (let nr = 0; nr < 51; nr++) {
    await addActivity(org, { type: 'task', title: `Next ${nr}`, activityDate })
    await addActivity(org, { type: 'note', title: `Written ${nr}` })
  }
  const page = await open()
  await page.getByRole('region', { name: 'Overdue · 1' }).getByText('Late task').waitFor()
})

test('a task without a due date is not overdue, and can get one and lose it again', async () => {
  const { org, open } = await office()
  await addActivity(org, { type: 'task', title: 'Undated task' })
  const page = await open('?type=task')
  await page.getByRole('region', { name: 'Overdue · 1' }).getByText('Late task').waitFor()
  const upcoming = page.getByRole('region', { name: 'Upcoming · 1' })
  await upcoming.getByText('No due date').waitFor()
  const panel = page.getByRole('dialog')
  const edit = async (when: string) => {
    await page.getByRole('button', { name: 'Undated task', expanded: false }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await panel.getByLabel('Due').fill(when)
    await page.keyboard.press('ControlOrMeta+Enter')
    await panel.waitFor({ state: 'detached' })
  }
  await edit('2026-01-05T09:00')
  await page.getByRole('region', { name: 'Overdue · 2' }).waitFor()
  await edit('')
  await upcoming.getByText('No due date').first().waitFor()
})

test('filters are in the address, and each can be removed separately', async () => {
  const { open } = await office()
  const page = await open('?type=task')
  await shown(page).toEqual(['Late task', 'Done task'])
  await page.keyboard.press('f')
  await page.getByRole('combobox', { name: 'Tasks' }).click()
  await page.getByRole('option', { name: 'Done tasks' }).click()
  await shown(page).toEqual(['Done task'])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Type is task' }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('?tasks=done')
  await page.getByRole('button', { name: 'Done tasks' }).click()
  await page.keyboard.press('/')
  await page.keyboard.type('old')
  await shown(page).toEqual(['Old call', 'Old note'])
  await expect.poll(() => new URL(page.url()).search).toBe('?q=old')
})

test('activities of an object, of one record, and of some days are found', async () => {
  const { open, companies, acme } = await office()
  await shown(await open('?object=companies')).toEqual(['Next meeting', 'Old call'])
  const page = await open(`?record=${companies}:${acme}`)
  await shown(page).toEqual(['Next meeting', 'Old call'])
  await page.getByRole('button', { name: 'Linked to Acme' }).waitFor()
  const day = inDays(-3).slice(0, 10)
  await shown(await open(`?from=${day}&to=${day}`)).toEqual(['Old call', 'Old note'])
  const mine = await open('?by=me')
  await mine.getByRole('heading', { name: 'No matching activities' }).waitFor()
  await mine.getByRole('button', { name: 'Clear all filters' }).click()
  await shown(mine).toHaveLength(5)
})

test('an activity is created with records of any object, changed and deleted', async () => {
  const { org, open, companies, acme } = await office()
  const page = await open()
  await page.keyboard.press('c')
  const panel = page.getByRole('dialog', { name: 'New activity' })
  await panel.getByText('Meeting', { exact: true }).click()
  await panel.getByRole('textbox', { name: 'Title' }).fill('Board meeting')
  await panel.getByRole('combobox', { name: 'Linked records' }).fill('acm')
  await page.getByRole('group', { name: 'Companies' }).waitFor()
  await page.getByRole('option', { name: 'Acme' }).click()
  // A heading without options below it would be meaningless.
  await expect.poll(() => page.getByRole('group', { name: 'Companies' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await panel.getByRole('button', { name: 'Create activity' }).click()
  await page.getByRole('button', { name: 'Board meeting' }).click()
  const found = await org.get<{ activities: Record<string, unknown>[] }>('/activities?search=board')
  expect(found.body.activities).toMatchObject([
    { type: 'meeting', linkedRecords: [{ objectId: companies, recordId: acme }] },
  ])

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const editor = page.getByRole('dialog', { name: 'Edit meeting' })
  // The title is filled in, so choosing a type does not move the focus to it.
  await editor.getByText('Call', { exact: true }).click()
  await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('radio')
  await editor.getByText('Meeting', { exact: true }).click()
  await editor.getByRole('textbox', { name: 'Title' }).fill('Budget meeting')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Budget meeting' }).waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Delete this meeting?' })
  await question.getByText('It is also removed from the linked record.').waitFor()
  await question.getByRole('button', { name: 'Delete meeting' }).click()
  await shown(page).toHaveLength(5)
})

test('leaving the field does not link the only record found if the search was incomplete', async () => {
  const { open } = await office()
  const page = await open()
  await page.route('**/search?q=*', async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ response: reply, json: { ...(await reply.json()), isComplete: false } })
  })
  await page.keyboard.press('c')
  const panel = page.getByRole('dialog', { name: 'New activity' })
  const field = panel.getByRole('combobox', { name: 'Linked records' })
  await field.fill('acm')
  await page.getByRole('option', { name: 'Acme' }).waitFor()
  await page.keyboard.press('Tab')
  await panel.getByText('Not all records were searched for “acm”').waitFor()
  await field.fill('acme')
  await page.getByRole('option', { name: 'Acme' }).waitFor()
  await page.keyboard.press('Tab')
  await expect.poll(() => field.inputValue()).toBe('')
})

test('a refused activity stays in its form and disappears from the list', async () => {
  const { open, member, org } = await office()
  const page = await open('?create=1')
  const panel = page.getByRole('dialog', { name: 'New activity' })
  await panel.getByRole('textbox', { name: 'Title' }).fill('Doomed note')
  await org.get('/activities')
  await page.route('**/activities', (route) =>
    route.request().method() === 'POST' ? route.abort('connectionrefused') : route.fallback(),
  )
  await panel.getByRole('button', { name: 'Create activity' }).click()
  await panel.getByRole('alert').getByText('The server cannot be reached').waitFor()
  await expect.poll(() => panel.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Doomed note')
  await expect
    .poll(() => page.getByRole('button', { name: 'Doomed note', includeHidden: true }).count())
    .toBe(0)
  expect((await member.get('/activities?search=doomed')).body).toMatchObject({ activities: [] })
})

test('an organization without activities is offered to create the first', async () => {
  const org = await dashboard.service.org({ name: 'New' })
  const page = await dashboard.open(`/o/org-${org.id}/activities`, await org.member('member'))
  await page.getByRole('heading', { name: 'No activities yet' }).waitFor()
  await page.getByRole('button', { name: 'Create activity' }).click()
  await page.getByRole('dialog', { name: 'New activity' }).waitFor()
})

test('older activities are loaded below the list', async () => {
  const { org, open } = await office()
  for (let count = 0; count < 50; count++)
    await addActivity(org, { title: `Filler ${count}`, activityDate: inDays(-5) })
  const page = await open()
  await page.getByRole('button', { name: 'Load older' }).click()
  await expect
    .poll(async () => (await titles(page)).filter((title) => title.startsWith('Filler')).length)
    .toBe(50)
})

test('the page is accessible, on a phone too', async () => {
  const { open } = await office()
  const page = await open('?by=me&type=note')
  await page.getByRole('heading', { name: 'No matching activities' }).waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Clear all filters' }).click()
  await page.setViewportSize({ width: 375, height: 740 })
  await page.getByRole('button', { name: 'Old call' }).click()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375)
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await page.keyboard.press('f')
  await page.getByRole('combobox', { name: 'Type' }).waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Type' }).waitFor({ state: 'detached' })
  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'New activity' }).waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
})
