import { describe, expect, test } from 'vitest'
import { axeViolationsInBothSchemes } from './axe.ts'
import { addRecord } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { field, HALT, isSaved, node, setUpEditor } from './workflow-editor.fixture.ts'
import { button, dialogOf, pane, steps } from './workflow-pages.fixture.ts'
import { addWorkflow } from './workflows.fixture.ts'

const dashboard = await openSharedDashboard()
const { service } = dashboard
const setUp = () => setUpEditor(service)

describe('a test', () => {
  test('shows what each step would do, item by item, and saves nothing', async () => {
    const { org, owner, thanks, edit } = await setUp()
    const company = await addRecord(org, 'companies', { name: 'Globex' })
    for (const firstName of ['Ada', 'Grace'])
      await addRecord(org, 'people', { name: { firstName, lastName: 'L' }, company })
    const amount = { amount: '90000', currency: 'EUR' }
    await addRecord(org, 'deals', { name: 'Large', stage: 'Won', company, amount })
    await addRecord(org, 'deals', {
      name: 'Small',
      stage: 'Won',
      company,
      amount: { ...amount, amount: '1' },
    })
    const workflow = await thanks()
    const page = await dashboard.visit(owner)
    await edit(page, workflow)
    await button(page, 'Test').click()
    await dialogOf(page).getByText('the test uses “Small”').waitFor()
    await dialogOf(page).getByRole('combobox', { name: 'Deal' }).fill('Large')
    await page.getByRole('option', { name: 'Large' }).click()
    await button(dialogOf(page), 'Run test').click()
    await page.getByText('Test completed').waitFor()
    await button(steps(page), /^Thank them.*Completed 2 items$/).waitFor()
    await node(page, 'Thank them').click()
    await pane(page).getByText('2 times, the last shown').waitFor()

    // Tests only up to a step, on the same record. A later change marks the result as outdated.
    await node(page, 'Branch').focus()
    await page.keyboard.press('t')
    await pane(page).getByRole('region', { name: 'Output' }).getByText('big', { exact: true }).waitFor()
    await button(steps(page), /^Thank them.*Not reached$/).waitFor()
    await field(page, 'Name').fill('How large')
    await pane(page).getByText('before the last change').waitFor()
    expect((await owner.get<{ activities: [] }>('/activities')).body.activities).toEqual([])
    expect((await owner.get<{ runs: [] }>(`/workflows/${workflow.id}/runs`)).body.runs).toEqual([])
  })
})

test('test input of a new workflow is asked about on leaving, and not offered in another new workflow', async () => {
  const { owner, base } = await setUp()
  const page = await dashboard.visit(owner)
  page.on('dialog', (question) => void question.accept())
  const begin = async () => {
    await page.goto(`${base}/workflows/new`)
    await button(page, 'Add parameter').click()
    await page.getByRole('group', { name: 'Parameter 1' }).getByLabel(/^Name/).fill('reason')
    await button(page, 'Test').click()
    await dialogOf(page).getByLabel('reason').waitFor()
  }
  await begin()
  await dialogOf(page).getByLabel('reason').fill('Because')
  await page.keyboard.press('Escape')
  await button(page, 'Discard').last().click()
  await begin()
  await expect.poll(() => dialogOf(page).getByLabel('reason').inputValue()).toBe('')
  await expect.poll(() => dialogOf(page).getByRole('region', { name: 'Draft' }).count()).toBe(0)
})

describe('versions', () => {
  test('are compared field by field and restored, and a restore can be undone', async () => {
    const { owner, edit, definitionOf } = await setUp()
    const workflow = await addWorkflow(owner, { name: 'Short', definition: HALT })
    const page = await dashboard.visit(owner)
    await edit(page, workflow)
    await node(page, 'Stop').click()
    await field(page, 'Reason').fill('Changed')
    await button(page, 'Save').click()
    await isSaved(page)
    await button(page, 'Versions').click()
    const panel = dialogOf(page)
    await panel.getByText('Over', { exact: false }).first().waitFor()
    await button(panel, /^Version 2 current/).waitFor()
    await expect.poll(() => panel.getByRole('deletion').textContent()).toContain('Over')
    await expect.poll(() => panel.getByRole('insertion').textContent()).toContain('Changed')
    await button(panel, /^Version 1/).click()
    await panel.getByText('This is the first version.').waitFor()
    await panel.getByLabel('Version 1 compared with').selectOption('What is in the editor')
    await panel.getByRole('deletion').getByText('Changed').waitFor()
    await button(panel, 'Restore version 1').click()
    await panel.waitFor({ state: 'detached' })
    await node(page, 'Stop Over').waitFor()
    await isSaved(page)
    expect(await definitionOf(workflow.id)).toMatchObject({ version: 3, definition: HALT })
    await button(page, 'Undo').click()
    await node(page, 'Stop Changed').waitFor()
  })

  test('a version saved by another person in between is not overwritten without asking', async () => {
    const { org, owner, edit, definitionOf } = await setUp()
    const workflow = await addWorkflow(owner, { name: 'Short', definition: HALT })
    const page = await dashboard.visit(owner)
    await edit(page, workflow)
    const admin = await org.member('admin')
    const theirs = { ...HALT, steps: [{ ...HALT.steps[0], name: 'Theirs' }] }
    await admin.put(`/workflows/${workflow.id}/definition`, { definition: theirs, basedOn: 1 })
    await node(page, 'Stop').click()
    await field(page, 'Name').fill('Mine')
    await button(page, 'Save').click()
    await dialogOf(page).getByRole('deletion').getByText('Theirs').waitFor()
    await button(dialogOf(page), 'Use mine').click()
    await isSaved(page)
    expect(await definitionOf(workflow.id)).toMatchObject({
      version: 3,
      definition: { steps: [{ name: 'Mine' }] },
    })
    await admin.put(`/workflows/${workflow.id}/definition`, { definition: theirs, basedOn: 3 })
    await field(page, 'Name').fill('Mine again')
    await button(page, 'Save').click()
    await button(dialogOf(page), 'Keep the saved version').click()
    await node(page, 'Theirs').waitFor()
    await isSaved(page)
  })
})

test('a member sees who edits workflows; a duplicate name is refused at its field', async () => {
  const { org, owner, base, thanks, pageOf } = await setUp()
  const workflow = await thanks()
  const member = await dashboard.open(`${pageOf(workflow)}/edit`, await org.member('member'))
  await member.getByRole('heading', { name: 'Only owners and admins can edit workflows' }).waitFor()
  const page = await dashboard.open(`${base}/workflows/new`, owner)
  await page.getByLabel('Name of the workflow').fill(workflow.name)
  await button(page, 'Save').click()
  await page.getByText('Another workflow has this name').waitFor()
})

test('on a phone, the list is edited, and the form opens above it', async () => {
  const { owner, edit, definitionOf } = await setUp()
  const workflow = await addWorkflow(owner, { name: 'Short', definition: HALT })
  const page = await dashboard.visit(owner, { viewport: { width: 375, height: 812 } })
  await edit(page, workflow)
  await button(page, 'Add a step here').first().click()
  await page.getByRole('option', { name: /^Wait/ }).click()
  await button(steps(page), /^Wait/).click()
  await dialogOf(page).getByLabel('Name').fill('A day')
  await page.keyboard.press('Escape')
  await button(steps(page), /^A day/).waitFor()
  await button(page, 'Save').click()
  await isSaved(page)
  expect((await definitionOf(workflow.id)).definition.steps).toMatchObject([
    { name: 'A day' },
    { key: 'halt' },
  ])
})

test.each([1440, 375])('the editor is accessible and fits the screen, at %i px', async (width) => {
  const { owner, base, thanks, pageOf } = await setUp()
  const workflow = await thanks()
  const page = await dashboard.visit(owner, { viewport: { width, height: 800 } })
  const look = async (what: string) => {
    expect(await axeViolationsInBothSchemes(page), what).toEqual([])
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(overflow, what).toBeLessThanOrEqual(0)
  }
  await page.goto(`${base}/workflows/new`)
  await button(page, /^1 problem$/).waitFor()
  await look('new')
  await button(page, 'Add the first step').click()
  await page.getByRole('option', { name: /^Branch/ }).waitFor()
  await look('adding')
  await page.goto(`${pageOf(workflow)}/edit`)
  await button(page, 'Test').click()
  await button(dialogOf(page), 'Run test').click()
  await page.getByText(/^Test (completed|failed)$/).waitFor()
  await look('tested')
  await button(page, 'Versions').click()
  await page.getByText('This is the first version.').waitFor()
  await look('versions')
})
