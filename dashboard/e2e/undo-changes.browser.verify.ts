import { expect, test } from 'vitest'
import { newId } from '../../server/base/id.ts'
import { axeViolationsInBothSchemes } from './axe.ts'
import { addActivity, addRecord } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { button, expectAccessible, holdsFocus } from './steps.fixture.ts'

const dashboard = await openSharedDashboard()
const PEOPLE = '/objects/people/records'

test('an edited activity and comment are undone a page later, by mouse and by keyboard', async () => {
  const org = await dashboard.service.org({ name: 'Globex' })
  const ada = await addRecord(org, 'people', { name: 'Ada Lovelace' })
  const member = await org.member('member')
  const call = await addActivity(org, { type: 'call', title: 'Call', summary: 'First words' })
  const { body: note } = await member.post<{ id: string }>(`${PEOPLE}/${ada}/comments`, { text: 'Signed' })
  const page = await dashboard.open(`/o/org-${org.id}/activities?activity=${call}`, member)
  const panel = page.getByRole('dialog', { name: 'Edit call' })
  await panel.getByRole('textbox', { name: 'Details' }).fill('Other words')
  await button(panel, /^Save/).click()
  await panel.waitFor({ state: 'detached' })
  await button(page, 'Undo').press('Enter')
  await page.getByText('Undone: “Call” changed').waitFor()
  await page.goto(`/o/org-${org.id}/settings/undo`)
  await button(page, 'Undo test').waitFor()
  await expect.poll(() => button(page, 'Undo Edited activity “Call”').count()).toBe(0)
  await page.goto(`/o/org-${org.id}/activities?activity=${call}`)
  await panel.getByRole('textbox', { name: 'Details' }).fill('Other words')
  await button(panel, /^Save/).click()
  await panel.waitFor({ state: 'detached' })
  await page.goto(`/o/org-${org.id}/objects/people/${ada}`)
  const comments = page.getByRole('region', { name: 'Comments' })
  await button(comments, 'Actions of the comment').click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await comments.getByRole('textbox', { name: 'Edit comment' }).fill('Not signed')
  await button(comments, /^Save/).click()
  await comments.getByText('Not signed').waitFor()

  await page.goto(`/o/org-${org.id}/settings/undo`)
  await expectAccessible(page)
  const confirm = async () => {
    const asked = page.getByRole('dialog', { name: 'Undo 1 change?' })
    await asked.getByText('1 change is taken back.').waitFor()
    await holdsFocus(asked)
    await button(asked, 'Undo').press('Enter')
    await asked.waitFor({ state: 'detached' })
    await dashboard.service.drain()
  }
  await button(page, 'Undo Edited activity “Call”').click()
  await confirm()
  await button(page, 'Undo Edited comment “Not signed”').press('Enter')
  await confirm()
  await expect
    .poll(async () => (await org.get(`/activities/${call}`)).body)
    .toMatchObject({ title: 'Call', summary: 'First words' })
  await expect
    .poll(async () => (await org.get(`/comments/${note.id}`)).body)
    .toMatchObject({ text: 'Signed' })
  await expect.poll(() => page.getByRole('button', { name: 'Undo An earlier undo' }).count()).toBe(2)
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
})

test('on a phone: what an API key did is undone from its page, and the list has pages and says if it is incomplete', async () => {
  const org = await dashboard.service.org({ name: 'Hooli' })
  const eve = await addRecord(org, 'people', { name: 'Eve' })
  const admin = await org.member('admin')
  for (let nr = 0; nr < 51; nr++) {
    const body = { records: [{ data: { name: `Copy ${nr}` } }], changeSetId: newId() }
    expect((await admin.post(`${PEOPLE}/bulk`, body)).status).toBe(200)
  }
  const page = await dashboard.visit(admin, { viewport: { width: 375, height: 760 } })
  await page.route('**/change-sets?**', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), isComplete: false } })
  })
  await page.goto(`/o/org-${org.id}/settings/api-keys`)
  await page.getByRole('link', { name: 'Undo changes by test' }).press('Enter')
  const asked = page.getByRole('dialog', { name: 'Undo 1 change?' })
  await asked.getByText('1 created record, activity, comment or file goes to the trash.').waitFor()
  await holdsFocus(asked)
  await expectAccessible(page)
  await button(asked, 'Undo').press('Enter')
  await asked.waitFor({ state: 'detached' })
  await dashboard.service.drain()
  await page.getByRole('region', { name: 'Undone' }).getByText('Undone', { exact: true }).last().waitFor()
  expect((await org.get(`${PEOPLE}/${eve}`)).status).toBe(404)
  await page.getByRole('note').getByText('This list is not complete').waitFor()
  const sets = page.getByRole('button', { name: /^Undo / })
  await expect.poll(() => sets.count()).toBe(50)
  await page.getByText('People · by').first().waitFor()
  await button(page, 'Undo An earlier undo').waitFor()
  await button(page, 'Show more').press('Enter')
  await expect.poll(() => sets.count()).toBe(53)
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0)
})
