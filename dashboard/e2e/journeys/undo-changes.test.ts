import { expect, test } from 'vitest'
import { newId } from '../../../server/base/id.ts'
import { makeFile } from '../../../server/test/cases/records.ts'
import { addRecord } from '../crm.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'
import { button, expectAccessible, holdsFocus } from '../steps.fixture.ts'

const dashboard = await openSharedDashboard()
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
