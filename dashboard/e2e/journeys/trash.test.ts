import { expect, test } from 'vitest'
import { addRecord } from '../crm.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'
import { button, chooseFromMenu, expectAccessible, holdsFocus } from '../steps.fixture.ts'

const dashboard = await openSharedDashboard()

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
