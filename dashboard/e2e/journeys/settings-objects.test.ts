import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Attribute } from '../../../contract/attributes.ts'
import { hasFocus } from '../journey-keys.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'
import { button, expectAccessible, holdsFocus } from '../steps.fixture.ts'

const dashboard = await openSharedDashboard()

async function createObject(page: Page): Promise<void> {
  await button(page, 'New object').click()
  const panel = page.getByRole('dialog')
  await holdsFocus(panel)
  await panel.getByLabel('Plural name').fill('Projects')
  await panel.getByLabel('Singular name').fill('Project')
  await expect.poll(() => panel.getByLabel('Slug').inputValue()).toBe('projects')
  await expectAccessible(page)
  await button(panel, /^Create object/).click()
  await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
}

/** Creates an attribute by keyboard, from the choice of its type to its name. */
async function createAttribute(page: Page, type: string, name: string): Promise<void> {
  await button(page, 'New attribute').press('Enter')
  const panel = page.getByRole('dialog')
  await holdsFocus(panel)
  await button(panel, new RegExp(`^${type}`)).press('Enter')
  const field = panel.getByLabel('Name')
  await field.fill(name)
  if (type === 'Select') {
    await panel.getByRole('textbox', { name: 'Option 1' }).fill('Low')
    await panel.getByRole('textbox', { name: 'Option 1' }).press('Enter')
    const second = panel.getByRole('textbox', { name: 'Option 2' })
    await hasFocus(second)
    await page.keyboard.type('High')
    await expectAccessible(page)
  }
  await button(panel, /^Create attribute/).press('Enter')
  await panel.waitFor({ state: 'detached' })
  await button(page, `Move ${name}`).waitFor()
}

test('an object is created with attributes, which are moved, renamed, deleted and restored', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  const page = await dashboard.open(`/o/org-${org.id}/settings/objects`, await org.member('owner'))
  await button(page, 'New object').waitFor()
  await expectAccessible(page)
  await createObject(page)
  await createAttribute(page, 'Text', 'Title')
  await createAttribute(page, 'Select', 'Priority')
  const attributes = async () => {
    const { body } = await org.get<{ attributes: Attribute[] }>('/objects/projects/attributes')
    return body.attributes.map(({ name }) => name)
  }
  const handle = button(page, 'Move Priority')
  await handle.focus()
  await hasFocus(handle)
  await page.keyboard.press('ArrowUp')
  await page.getByText('Priority is now at place 1 of 2').waitFor()
  await expect.poll(attributes).toEqual(['Priority', 'Title'])

  await button(page, 'Priority').click()
  const panel = page.getByRole('dialog')
  await holdsFocus(panel)
  await panel.getByLabel('Name').fill('Urgency')
  await button(panel, /^Save changes/).click()
  await panel.waitFor({ state: 'detached' })
  await button(page, 'Urgency').click()
  await holdsFocus(panel)
  await button(panel, 'Delete attribute').click()
  const question = page.getByRole('dialog', { name: 'Delete the attribute Urgency?' })
  await question.getByRole('textbox').fill('Urgency')
  await button(question, 'Delete attribute').click()
  await button(page, 'Restore Urgency').waitFor()
  await expectAccessible(page)
  expect(await attributes()).toEqual(['Title'])
  await button(page, 'Restore Urgency').press('Enter')
  const restoring = page.getByRole('dialog')
  await holdsFocus(restoring)
  await button(restoring, 'Restore attribute').press('Enter')
  await button(page, 'Move Urgency').waitFor()
  await expect.poll(async () => (await attributes()).toSorted()).toEqual(['Title', 'Urgency'])
})
