// Comments and files in the trash.
import { expect, test } from 'vitest'
import { mentionOf } from '../../contract/mentions.ts'
import { makeFile } from '../../server/test/cases/records.ts'
import type { Org } from '../../server/test/factories.ts'
import { addRecord } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { button, chooseFromMenu, expectAccessible, holdsFocus, interceptFirst } from './steps.fixture.ts'

const dashboard = await openSharedDashboard()

/** @returns the id of the attachment */
async function attachText(org: Org, place: string, name: string): Promise<string> {
  const url = await makeFile({ ctx: dashboard.service.ctx, org, mark: name }, 'text/plain')
  const { status, body } = await org.post<{ id: string }>(place, { url, name })
  expect(status).toBe(201)
  return body.id
}

test('a deleted comment is restored by keyboard, and another is deleted permanently by mouse', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  const acme = await addRecord(org, 'companies', { name: 'Acme' })
  const mia = await org.member('member')
  const place = `/objects/companies/records/${acme}/comments`
  const remove = async (by: Pick<typeof mia, 'post' | 'delete'>, text: string) => {
    const { body } = await by.post<{ id: string }>(place, { text })
    await by.delete(`/comments/${body.id}`)
  }
  const page = await dashboard.visit(mia)
  await interceptFirst(page, '**/trashed-comments*', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto(`/o/org-${org.id}/activities/trash`)
  const comments = page.getByRole('region', { name: 'Comments' })
  await button(comments, 'Try again').click()
  await comments.getByText('No deleted comments').waitFor()
  await page.getByText('No deleted activities').waitFor()
  await expectAccessible(page)

  await remove(org, 'Of the owner')
  for (const text of ['Wrong place', `Signed, says ${mentionOf(mia.userId)}`]) await remove(mia, text)
  const signed = 'Mia Member: “Signed, says @Mia Member”'
  await button(comments, `Restore ${signed}`).waitFor()
  await expect.poll(() => button(comments, /^Restore/).count()).toBe(2)
  await button(comments, `Restore ${signed}`).press('Enter')
  const restoring = page.getByRole('dialog', { name: `Restore ${signed}?` })
  await holdsFocus(restoring)
  await expectAccessible(page)
  await button(restoring, 'Restore comment').press('Enter')
  await page.getByText('The comment was restored').waitFor()
  await restoring.waitFor({ state: 'detached' })
  const wrong = 'Mia Member: “Wrong place”'
  await button(comments, `Delete permanently: ${wrong}`).click()
  await button(
    page.getByRole('dialog', { name: `Delete ${wrong} permanently?` }),
    'Delete permanently',
  ).click()
  await comments.getByText('No deleted comments').waitFor()
  expect((await mia.get(place)).body).toMatchObject({
    comments: [{ text: `Signed, says ${mentionOf(mia.userId)}` }],
  })
})

test('a deleted comment of a deleted record cannot be restored, and the trash says why', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  const acme = await addRecord(org, 'companies', { name: 'Acme' })
  const { body } = await org.post<{ id: string }>(`/objects/companies/records/${acme}/comments`, {
    text: 'Hi',
  })
  await org.delete(`/comments/${body.id}`)
  await org.delete(`/objects/companies/records/${acme}`)
  const page = await dashboard.open(`/o/org-${org.id}/activities/trash`, await org.member('admin'))
  await button(page, /^Restore .*“Hi”$/).click()
  const restoring = page.getByRole('dialog')
  await button(restoring, 'Restore comment').click()
  await restoring.getByText('This record does not exist, or no longer').waitFor()
  await button(restoring, 'Cancel').click()
  await button(page, /^Restore .*“Hi”$/).waitFor()
})

test('removing a file is undone, and in the trash one file is restored and another is deleted permanently', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  const acme = await addRecord(org, 'companies', { name: 'Acme' })
  const place = `/objects/companies/records/${acme}/attachments`
  const [offer, draft] = [
    await attachText(org, place, 'Offer.txt'),
    await attachText(org, place, 'Draft.txt'),
  ]
  const page = await dashboard.open(`/o/org-${org.id}/objects/companies/${acme}`, await org.member('member'))
  const files = page.getByRole('region', { name: 'Files' })
  await chooseFromMenu(button(files, 'Actions for Offer.txt'), 'Remove')
  await page.getByText('Offer.txt was removed').waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText('Offer.txt was restored').waitFor()
  await files.getByRole('link', { name: 'Offer.txt' }).waitFor()
  expect((await org.get(place)).body).toMatchObject({ attachments: [{ id: offer }, { id: draft }] })

  for (const id of [offer, draft]) await org.delete(`${place}/${id}`)
  await page.goto(`/o/org-${org.id}/activities`)
  await chooseFromMenu(button(page, 'More actions'), 'Trash')
  await files.getByRole('row', { name: 'Offer.txt' }).getByRole('link', { name: 'Acme' }).waitFor()
  await button(files, 'Restore Offer.txt').click()
  await expectAccessible(page)
  await button(page.getByRole('dialog', { name: 'Restore Offer.txt?' }), 'Restore file').click()
  await page.getByText('Offer.txt was restored').waitFor()
  await button(files, 'Restore Offer.txt').waitFor({ state: 'detached' })
  await button(files, 'Delete permanently: Draft.txt').press('Enter')
  const deleting = page.getByRole('dialog', { name: 'Delete Draft.txt permanently?' })
  await holdsFocus(deleting)
  await button(deleting, 'Delete permanently').press('Enter')
  await files.getByText('No deleted files').waitFor()
  expect((await org.get(place)).body).toMatchObject({ attachments: [{ id: offer, name: 'Offer.txt' }] })
})

test('a file of a deleted record cannot be restored, and the trash says why', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  const acme = await addRecord(org, 'companies', { name: 'Acme' })
  const place = `/objects/companies/records/${acme}/attachments`
  await org.delete(`${place}/${await attachText(org, place, 'Offer.txt')}`)
  await org.delete(`/objects/companies/records/${acme}`)
  const page = await dashboard.open(`/o/org-${org.id}/activities/trash`, await org.member('member'))
  await page.getByText('Of a deleted or merged record · deleted').waitFor()
  await button(page, 'Restore Offer.txt').click()
  const restoring = page.getByRole('dialog')
  await button(restoring, 'Restore file').click()
  await restoring.getByText('This record does not exist, or no longer').waitFor()
  await button(restoring, 'Cancel').click()
  await button(page, 'Restore Offer.txt').waitFor()
})
