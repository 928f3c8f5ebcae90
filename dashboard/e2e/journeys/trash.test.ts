import { expect, test } from 'vitest'
import { addActivity, addRecord } from '../crm.fixture.ts'
import { openDashboard } from '../open-dashboard.ts'
import { button, chooseFromMenu, expectAccessible, holdsFocus } from '../steps.fixture.ts'

const dashboard = await openDashboard()

test('a deleted company is restored by mouse, and another is deleted permanently by keyboard', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  const ids: string[] = []
  for (const name of ['Acme', 'Globex']) ids.push(await addRecord(org, 'companies', { name }))
  for (const id of ids) await org.delete(`/objects/companies/records/${id}`)
  const page = await dashboard.open(`/o/org-${org.id}/objects/companies`, await org.member('member'))
  await page.getByRole('heading', { name: 'No companies yet' }).waitFor()
  await chooseFromMenu(button(page, 'More actions'), 'Trash')
  await button(page, 'Restore Acme').waitFor()
  await expectAccessible(page)

  await button(page, 'Restore Acme').click()
  const restoring = page.getByRole('dialog', { name: 'Restore Acme?' })
  await restoring.getByText('return as they were').waitFor()
  await button(restoring, 'Restore company').click()
  await button(page, 'Restore Acme').waitFor({ state: 'detached' })
  await restoring.waitFor({ state: 'detached' })

  await button(page, 'Delete permanently: Globex').press('Enter')
  const deleting = page.getByRole('dialog', { name: 'Delete Globex permanently?' })
  await holdsFocus(deleting)
  await expectAccessible(page)
  await button(deleting, 'Delete permanently').press('Enter')
  await page.getByText('No deleted companies').waitFor()
  const { body } = await org.get('/objects/companies/records')
  expect(body).toMatchObject({ records: [{ data: { name: 'Acme' } }] })
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Companies' }).click()
  await page.getByRole('rowheader', { name: 'Acme' }).waitFor()
})

test('deleting a note is undone, and in the trash it is restored and another activity is deleted permanently', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  const lunch = await addActivity(org, { type: 'note', title: 'Lunch' })
  await org.delete(`/activities/${await addActivity(org, { type: 'call', title: 'Old call' })}`)
  const page = await dashboard.open(`/o/org-${org.id}/activities`, await org.member('member'))
  await button(page, 'Lunch').click()
  await button(page, 'Delete').click()
  const question = page.getByRole('dialog', { name: 'Delete this note?' })
  await question.getByText('from where it can be restored').waitFor()
  await button(question, 'Delete note').click()
  await button(page, 'Lunch').waitFor({ state: 'detached' })
  await button(page, 'Undo').click()
  await page.getByText('“Lunch” was restored').waitFor()
  await button(page, 'Lunch').waitFor()

  await org.delete(`/activities/${lunch}`)
  await chooseFromMenu(button(page, 'More actions'), 'Trash')
  await button(page, 'Restore Lunch').waitFor()
  await expectAccessible(page)
  await button(page, 'Restore Lunch').press('Enter')
  const restoring = page.getByRole('dialog', { name: 'Restore Lunch?' })
  await holdsFocus(restoring)
  await button(restoring, 'Restore activity').press('Enter')
  await button(page, 'Restore Lunch').waitFor({ state: 'detached' })
  await restoring.waitFor({ state: 'detached' })
  await button(page, 'Delete permanently: Old call').click()
  await button(
    page.getByRole('dialog', { name: 'Delete Old call permanently?' }),
    'Delete permanently',
  ).click()
  await page.getByText('No deleted activities').waitFor()
  expect((await org.get('/activities')).body).toMatchObject({ activities: [{ id: lunch, title: 'Lunch' }] })
})
