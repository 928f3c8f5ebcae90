import { expect, test } from 'vitest'
import { addActivity } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { button, chooseFromMenu, expectAccessible, holdsFocus } from './steps.fixture.ts'

const dashboard = await openSharedDashboard()

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
