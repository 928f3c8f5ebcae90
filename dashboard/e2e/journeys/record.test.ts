import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { mentionOf } from '../../../contract/mentions.ts'
import { addRecord, dataOf } from '../crm.fixture.ts'
import { hasFocus, pressShortcut } from '../journey-keys.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'
import { button, expectAccessible, holdsFocus, keepNotes, option } from '../steps.fixture.ts'

const dashboard = await openSharedDashboard()

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Edits the name with its shortcut, and other values by mouse. */
async function editValues(page: Page): Promise<void> {
  await pressShortcut(page, 'e')
  const name = page.getByRole('textbox', { name: 'Name' })
  await hasFocus(name)
  await name.fill('Moon rocket')
  await page.keyboard.press('Enter')
  await heading(page, 'Moon rocket').waitFor()
  await button(page, 'Edit Amount').click()
  const amount = page.getByRole('textbox', { name: 'Amount' })
  await hasFocus(amount)
  await amount.fill('1500')
  await page.keyboard.press('Enter')
  await region(page, 'Details').getByText('$1,500').waitFor()
  await button(page, 'Edit Stage').click()
  await page.getByRole('combobox', { name: 'Stage' }).fill('Won')
  await option(page, 'Won').click()
  await region(page, 'Timeline').getByText('Stage Lead → Won').first().waitFor()
}

async function writeNote(page: Page): Promise<void> {
  const composer = page.getByRole('form', { name: 'New activity' })
  await composer.getByText('Note', { exact: true }).click()
  await hasFocus(composer.getByRole('textbox', { name: 'Title' }))
  await page.keyboard.type('Signed on paper')
  await page.keyboard.press('ControlOrMeta+Enter')
  await button(region(page, 'Timeline'), 'Signed on paper').waitFor()
}

/** @returns when the comment is shown below the field */
async function comment(page: Page): Promise<void> {
  const field = page.getByRole('textbox', { name: 'New comment' })
  await field.click()
  await hasFocus(field)
  await page.keyboard.type('Thanks @oli')
  await option(page, 'Olivia Owner').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect.poll(() => field.inputValue()).toBe('Thanks @Olivia Owner ')
  await page.keyboard.press('ControlOrMeta+Enter')
  await region(page, 'Comments').getByRole('listitem').getByText('@Olivia Owner').waitFor()
}

async function lookOnPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 375, height: 740 })
  const parts = page.getByRole('radiogroup', { name: 'Part of the record' })
  for (const part of ['Timeline', 'Related']) {
    await parts.getByText(part).click()
    await page.getByRole('region', { name: part }).waitFor()
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(375)
  }
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 720 })
}

async function deleteAndUndo(page: Page): Promise<void> {
  await button(page, 'More actions').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this deal?' })
  await holdsFocus(dialog)
  await dialog.getByText('1 activity will no longer be linked to it.').waitFor()
  await button(dialog, 'Delete deal').press('Enter')
  await page.getByRole('heading', { name: 'No deals yet' }).waitFor()
  await button(page.getByRole('alert').filter({ hasText: 'Moon rocket was deleted' }), 'Undo').click()
  await page.getByRole('rowheader', { name: 'Moon rocket' }).waitFor()
}

test('edits values, moves the stage, writes a note and a comment, and deletes and restores the deal', async () => {
  const { org, member } = await dashboard.organization('member')
  const data = { name: 'Rocket', stage: 'Lead', amount: { amount: 1000, currency: 'USD' } }
  const id = await addRecord(org, 'deals', data)
  const page = await dashboard.open(`/o/org-${org.id}/objects/deals/${id}`, member)
  await heading(page, 'Rocket').waitFor()
  await editValues(page)
  await writeNote(page)
  await comment(page)
  const saved = { name: 'Moon rocket', stage: 'Won', amount: { amount: 1500, currency: 'USD' } }
  await expect.poll(() => dataOf(org, 'deals', id)).toMatchObject(saved)
  const answer = async (path: string) => (await org.get(path)).body
  await expect
    .poll(() => answer(`/objects/deals/records/${id}/comments`))
    .toMatchObject({ comments: [{ text: expect.stringContaining(mentionOf(org.userId)) }] })
  await expect
    .poll(() => answer(`/activities?recordId=${id}`))
    .toMatchObject({ activities: [{ title: 'Signed on paper' }] })
  await lookOnPhone(page)
  await keepNotes(page)
  await deleteAndUndo(page)
  expect(await dataOf(org, 'deals', id)).toMatchObject(saved)
})
