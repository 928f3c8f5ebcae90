import { expect, test } from 'vitest'
import { newId } from '../../../server/base/id.ts'
import { makeFile } from '../../../server/test/cases/records.ts'
import { axeViolationsInBothSchemes } from '../axe.ts'
import { addActivity, addRecord } from '../crm.fixture.ts'
import { openDashboard } from '../open-dashboard.ts'
import { button, expectAccessible, holdsFocus } from '../steps.fixture.ts'

const dashboard = await openDashboard()
const PEOPLE = '/objects/people/records'

test('changes of a program are undone by mouse, and this undo is undone by keyboard', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  const ada = await addRecord(org, 'people', { name: 'Ada Lovelace', job_title: 'Analyst' })
  const headers = { 'rapport-change-set': newId() }
  const titled = { data: { job_title: 'Author', phone: '+1 555 867 5309' } }
  expect((await org.patch(`${PEOPLE}/${ada}`, titled, headers)).status).toBe(200)
  const bob = { data: { name: 'Bob' } }
  expect((await org.post(PEOPLE, bob, headers)).status).toBe(201)
  await org.patch(`${PEOPLE}/${ada}`, { data: { job_title: 'Poet' } })
  const { body: call } = await org.post<{ id: string }>('/activities', { title: 'Call' })
  const { body: deleted } = await org.post<{ id: string }>('/activities', { title: 'Deleted' })
  for (const { id } of [call, deleted])
    expect((await org.patch(`/activities/${id}`, { summary: 'By a program' }, headers)).status).toBe(200)
  await org.patch(`/activities/${call.id}`, { title: 'Call Ada', summary: 'By hand' })
  await org.delete(`/activities/${deleted.id}`)
  const { body: comment } = await org.post<{ id: string }>(`${PEOPLE}/${ada}/comments`, { text: 'Signed' })
  for (const [text, of] of [['By a program', headers], ['By hand']] as const)
    expect((await org.patch(`/comments/${comment.id}`, { text }, of)).status).toBe(200)
  const files = `${PEOPLE}/${ada}/attachments`
  const url = await makeFile({ ctx: dashboard.service.ctx, org, mark: 'offer' }, 'text/plain')
  const { body: file } = await org.post<{ id: string }>(files, { url, name: 'Offer.txt' })
  for (const [name, of] of [['Program.txt', headers], ['Hand.txt']] as const)
    expect((await org.patch(`${files}/${file.id}`, { name }, of)).status).toBe(200)
  const page = await dashboard.open(`/o/org-${org.id}/settings/profile`, await org.member('admin'))
  await page.getByRole('link', { name: 'Undo changes', exact: true }).click()
  await page
    .getByRole('row', { name: /Changes of a program/ })
    .getByText('People · by the API key test')
    .waitFor()
  await button(page, 'Undo Changes of a program').click()
  const asked = page.getByRole('dialog', { name: 'Undo 6 changes?' })
  await asked.getByText('1 created record, activity, comment or file goes to the trash.').waitFor()
  await asked.getByText('so far 5 values, records, activities, comments or files').waitFor()
  await expectAccessible(page)
  await button(asked, 'Undo').click()
  await asked.waitFor({ state: 'detached' })
  await dashboard.service.drain()
  await page.getByRole('region', { name: 'Undone' }).getByText('Undone', { exact: true }).last().waitFor()
  const read = async () => (await org.get<{ data: object }>(`${PEOPLE}/${ada}`)).body.data
  expect(await read()).toEqual({ name: { firstName: 'Ada', lastName: 'Lovelace' }, job_title: 'Poet' })

  await button(page, '5 not undone').press('Enter')
  const kept = page.getByRole('dialog', { name: 'What stays as it is' })
  await kept.getByText('Job title: the value was changed since').waitFor()
  for (const [name, value] of [
    ['Before', 'Analyst'],
    ['Changed to', 'Author'],
    ['Now', 'Poet'],
  ] as const)
    await kept
      .locator('li', { hasText: 'Job title:' })
      .locator('div', { hasText: `${name}${value}` })
      .first()
      .waitFor()
  await kept.getByText('Call Ada Text: the value was changed since').waitFor()
  await kept.getByText('An activity was deleted since').waitFor()
  await kept.getByText('“By hand”: its text was changed since').waitFor()
  await kept.getByText('Hand.txt: its name was changed since').waitFor()
  await kept.locator(`a[href$="/activities?activity=${call.id}"]`, { hasText: 'Call Ada' }).waitFor()
  await holdsFocus(kept)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await kept.waitFor({ state: 'detached' })

  await page.reload()
  await button(page, 'Undo An earlier undo').press('Enter')
  const again = page.getByRole('dialog')
  await again.getByText('1 deleted record, activity, comment or file returns from the trash.').waitFor()
  await holdsFocus(again)
  await button(again, 'Undo').press('Enter')
  await again.waitFor({ state: 'detached' })
  await dashboard.service.drain()
  await page.getByText('1 record, activity, comment or file from the trash').waitFor()
  expect(await read()).toMatchObject({ job_title: 'Poet', phone: '+1 555 867 5309' })
})

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
