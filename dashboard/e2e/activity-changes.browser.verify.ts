import { expect, test } from 'vitest'
import { addActivity } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { button, expectAccessible, holdsFocus, keepNotes } from './steps.fixture.ts'

const dashboard = await openSharedDashboard()

test('an edit in the panel can be undone, and undo asks first if another person has edited since', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  const id = await addActivity(org, { type: 'call', title: 'First words', summary: 'Short' })
  const page = await dashboard.open(`/o/org-${org.id}/activities`, await org.member('member'))
  const now = async () => (await org.get(`/activities/${id}`)).body
  const edit = async (title: string, summary: string) => {
    await button(page, 'Edit').click()
    const panel = page.getByRole('dialog', { name: 'Edit call' })
    await panel.getByRole('textbox', { name: 'Title' }).fill(title)
    await panel.getByRole('textbox', { name: 'Details' }).fill(summary)
    await button(panel, /^Save/).click()
    await panel.waitFor({ state: 'detached' })
  }
  await button(page, 'First words').click()
  await edit('My words', 'Long')
  await page.getByText('“My words” changed').waitFor()
  await expectAccessible(page)
  await button(page, 'Undo').click()
  await page.getByText('Undone: “My words” changed').waitFor()
  await button(page, 'First words').waitFor()
  expect(await now()).toMatchObject({ title: 'First words', summary: 'Short' })

  await edit('My words', 'Long')
  await org.patch(`/activities/${id}`, { title: 'Their words' })
  await button(page, 'Their words').waitFor()
  await page.keyboard.press('ControlOrMeta+z')
  const question = page.getByRole('dialog', { name: 'This was changed by someone else' })
  await question.getByRole('cell', { name: 'Their words' }).waitFor()
  await question.getByRole('cell', { name: 'First words' }).waitFor()
  await holdsFocus(question)
  await expectAccessible(page)
  await button(question, 'Keep the saved version').press('Enter')
  await expect.poll(now).toMatchObject({ title: 'Their words', summary: 'Short' })
})

test('the panel of an activity shows its history and restores earlier values, by mouse and by keyboard', async () => {
  const org = await dashboard.service.org({ name: 'Globex' })
  const id = await addActivity(org, { type: 'call', title: 'First words', summary: 'Short' })
  await org.patch(`/activities/${id}`, { title: 'Second words', summary: 'Long' })
  await org.patch(`/activities/${id}`, { title: 'Third words' })
  const now = async () => (await org.get(`/activities/${id}`)).body
  const page = await dashboard.open(`/o/org-${org.id}/activities?activity=${id}`, await org.member('member'))
  await keepNotes(page)
  const panel = page.getByRole('dialog', { name: 'Edit call' })
  await button(panel, 'History').press('Enter')
  const changes = panel.getByRole('list', { name: 'Changes' }).locator('> li')
  await expect.poll(() => changes.count()).toBe(3)
  await changes.nth(0).getByText('Title:').waitFor()
  await changes.nth(1).getByText('First words').waitFor()
  await changes.nth(1).getByText('Short').waitFor()
  await changes.nth(2).getByText('created it').waitFor()
  await expectAccessible(page)
  await button(changes.nth(1), 'Restore earlier values').press('Enter')
  const asked = page.getByRole('dialog', { name: 'Restore earlier values?' })
  await asked.getByText('Short').waitFor()
  await asked.getByRole('checkbox', { name: 'Title was changed since. Restore it anyway' }).waitFor()
  await holdsFocus(asked)
  await expectAccessible(page)
  await button(asked, 'Restore').click()
  await asked.waitFor({ state: 'detached' })
  await expect.poll(now).toMatchObject({ title: 'Third words', summary: 'Short' })
  await expect.poll(() => panel.getByRole('textbox', { name: 'Details' }).inputValue()).toBe('Short')
  await changes.nth(0).getByText('restored earlier values').waitFor()
  await button(page, 'Undo').click()
  await page.getByText('Undone: Earlier values restored').waitFor()
  await expect.poll(now).toMatchObject({ title: 'Third words', summary: 'Long' })
})
