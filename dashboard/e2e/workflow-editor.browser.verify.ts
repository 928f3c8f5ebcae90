import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { WorkflowDefinition, WorkflowRun } from '../../contract/workflows.ts'
import { addRecord } from './crm.fixture.ts'
import { openDashboard } from './open-dashboard.ts'
import { field, focused, HALT, isSaved, type Made, node, setUpEditor } from './workflow-editor.fixture.ts'
import { button, dialogOf, pane, steps } from './workflow-pages.fixture.ts'
import { addWorkflow } from './workflows.fixture.ts'

const dashboard = await openDashboard()
const { service } = dashboard
const setUp = () => setUpEditor(service)

const nodes = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('[data-node]')].map((one) => one.getAttribute('data-node'))`,
  )
const isAt = (page: Page, stop: string) => expect.poll(() => focused(page)).toBe(stop)

async function choose(within: Locator, field: string, option: string) {
  await within.getByRole('combobox', { name: field, exact: true }).click()
  await within.page().getByRole('option', { name: option, exact: true }).click()
}

/** The runs of the workflow, after all of them have ended. */
async function runsOf({ owner }: Made, id: string) {
  await service.runWorkflows()
  return (await owner.get<{ runs: WorkflowRun[] }>(`/workflows/${id}/runs`)).body.runs
}

/** The mouse reaches only elements in the viewport. */
const TALL = { viewport: { width: 1280, height: 1100 } }

const YES = 'steps[1].config.branches[0].steps'

/** The workflow that both ways of building create. */
const BUILT = {
  trigger: 'manual',
  triggerConfig: { objectId: 'deals' },
  steps: [
    { key: 'found', type: 'find_records', config: { object: 'people', limit: 20 } },
    {
      key: 'branch',
      type: 'branch',
      config: {
        branches: [
          {
            name: 'yes',
            when: { left: '{{trigger.data.amount}}', operator: 'greaterThan' },
            steps: [
              {
                key: 'each',
                type: 'for_each',
                config: {
                  items: '{{steps.found.records}}',
                  as: 'item',
                  steps: [
                    { key: 'activity', type: 'create_activity', config: { type: 'note', title: 'Thanks' } },
                  ],
                },
              },
            ],
          },
        ],
        else: [],
      },
    },
  ],
}

describe('building a branch and a loop from an empty workflow', () => {
  async function runsOnRecords(all: Made, page: Page, id: string) {
    const { org, owner } = all
    // After it is saved, a new workflow is edited on its own page.
    await page.getByRole('heading', { name: 'Edit', level: 1 }).waitFor()
    await page.getByRole('switch', { name: 'Off' }).click({ force: true })
    await page.getByRole('switch', { name: 'On' }).waitFor()
    for (const name of ['Ada', 'Grace'])
      await addRecord(org, 'people', { name: { firstName: name, lastName: 'L' } })
    const deal = await addRecord(org, 'deals', { name: 'Big', amount: { amount: '90000', currency: 'EUR' } })
    await owner.post(`/workflows/${id}/run`, { recordId: deal })
    expect(await runsOf(all, id)).toMatchObject([
      { status: 'completed', title: expect.stringMatching(/ – Big$/) },
    ])
    const { body } = await owner.get<{ activities: { title: string }[] }>('/activities')
    expect(body.activities.map(({ title }) => title)).toEqual(['Thanks', 'Thanks'])
  }

  test('by mouse, run on real records, and the run is shown on the same canvas', async () => {
    const all = await setUp()
    const page = await dashboard.open(`${all.base}/workflows?create=1`, all.owner, TALL)
    await page.getByRole('link', { name: /^Start from scratch/ }).click()
    await steps(page).waitFor()
    await page.getByLabel('Name of the workflow').fill('Thank everybody')
    await choose(pane(page), 'Object', 'Deals')
    const add = async (at: Locator, name: string) => {
      await at.click()
      await page.getByRole('option', { name: new RegExp(`^${name}`) }).click()
      await node(page, name).waitFor()
    }
    const pluses = button(page, 'Add a step here')
    await add(button(page, 'Add the first step'), 'Find records')
    await choose(pane(page), 'Object', 'People')
    await add(pluses.last(), 'Branch')
    await pane(page).getByLabel('Value', { exact: true }).fill('{{trigger.data.amount}}')
    await choose(pane(page), 'Operator', 'is more than')
    await pane(page).getByLabel('Compared with').fill('50000')
    await add(page.locator(`[data-stop="+${YES}[0]"]`), 'For each')
    await pane(page).getByLabel('Items').fill('{{steps.found.records}}')
    await add(page.locator(`[data-stop="+${YES}[0].config.steps[0]"]`), 'Create activity')
    await pane(page).getByLabel('Title').fill('Thanks')
    await page.getByText('No problems').waitFor()
    await button(page, 'Save').click()
    await page.waitForURL(/\/edit$/)
    const [workflow] = await all.list()
    expect(workflow?.name).toBe('Thank everybody')
    expect((await all.definitionOf(workflow?.id ?? '')).definition).toMatchObject(BUILT)
    await runsOnRecords(all, page, workflow?.id ?? '')
    await page.getByRole('link', { name: 'Thank everybody' }).click()
    await page.getByRole('link', { name: /Big$/ }).click()
    await steps(page).getByText('2 items').waitFor()
  })

  test('letters typed directly after the keys that open a list find a step and a value', async () => {
    const all = await setUp()
    const page = await dashboard.visit(all.owner, { ...TALL, reducedMotion: 'no-preference' })
    const { keyboard } = page
    // Does not wait until the page has rendered the previous letter.
    const typeWithoutWaiting = (text: string) =>
      Promise.all([...text].map((letter) => keyboard.press(letter)))
    await page.goto(`${all.base}/workflows/new`)
    await node(page, 'Manual').focus()
    await typeWithoutWaiting('aloop')
    await expect.poll(() => page.getByRole('combobox', { name: 'Find a step' }).inputValue()).toBe('loop')
    await keyboard.press('Enter')
    await isAt(page, 'steps[0]')
    await field(page, 'Items').focus()
    await typeWithoutWaiting('{{started')
    await expect.poll(() => page.getByRole('combobox', { name: 'Find a value' }).inputValue()).toBe('started')
  })

  test('by keyboard only', async () => {
    const all = await setUp()
    const page = await dashboard.visit(all.owner, TALL)
    const { keyboard } = page
    await page.goto(`${all.base}/workflows/new`)
    await node(page, 'Manual').focus()
    const add = async (typed: string, stop: string) => {
      await keyboard.press('a')
      await keyboard.type(typed)
      await page.locator('[data-combobox-selected]').waitFor()
      await keyboard.press('Enter')
      await isAt(page, stop)
    }
    /** Moves to a field of the panel, types, and returns to the step. */
    const fill = async (name: string, text: string) => {
      const current = () => page.evaluate<string>(`document.activeElement.id`)
      const id = await field(page, name).getAttribute('id')
      for (let tabs = 0; tabs < 40 && (await current()) !== id; tabs++) await keyboard.press('Tab')
      await keyboard.type(text)
    }
    const chosen = page.locator('[data-combobox-selected]')
    // Before the list is open, keys may have no effect.
    const downTo = async (isThere: () => Promise<boolean>) => {
      while (!(await isThere())) await keyboard.press('ArrowDown')
    }
    const pick = async (name: string, text: string) => {
      await fill(name, '')
      await keyboard.press('ArrowDown')
      await page.getByRole('option', { name: text, exact: true }).waitFor()
      await downTo(async () => (await chosen.allInnerTexts())[0] === text)
      await keyboard.press('Enter')
    }
    /** Types two braces, which offer the values that can be used there. */
    const take = async (name: string, label: string, value: string) => {
      await fill(name, '{{')
      await keyboard.type(label)
      await chosen.waitFor()
      await downTo(async () => (await chosen.getAttribute('title')) === label)
      await keyboard.press('Enter')
      await expect.poll(() => field(page, name).inputValue()).toBe(value)
    }
    const open = async () => {
      await keyboard.press('Enter')
      await expect.poll(() => focused(page)).toBe(null)
    }
    const leave = async (stop: string) => {
      await keyboard.press('Escape')
      await isAt(page, stop)
    }
    await open()
    await pick('Object', 'Deals')
    await leave('trigger')
    await add('find', 'steps[0]')
    await open()
    await pick('Object', 'People')
    await leave('steps[0]')
    await add('branch', 'steps[1]')
    await keyboard.press('ArrowDown')
    await isAt(page, `+${YES}[0]`)
    await add('loop', `${YES}[0]`)
    await open()
    await take('Items', 'Records', '{{steps.found.records}}')
    await leave(`${YES}[0]`)
    await keyboard.press('ArrowDown')
    await isAt(page, `+${YES}[0].config.steps[0]`)
    await add('note', `${YES}[0].config.steps[0]`)
    await open()
    await fill('Title', 'Thanks')
    await leave(`${YES}[0].config.steps[0]`)
    await keyboard.press('ArrowUp')
    await keyboard.press('ArrowUp')
    await isAt(page, 'steps[1]')
    await open()
    await take('Value', 'Amount', '{{trigger.data.amount}}')
    await pick('Operator', 'is more than')
    await fill('Compared with', '50000')
    await leave('steps[1]')
    await page.getByText('No problems').waitFor()
    await keyboard.press('Control+s')
    await page.waitForURL(/\/edit$/)
    const [workflow] = await all.list()
    expect((await all.definitionOf(workflow?.id ?? '')).definition).toMatchObject(BUILT)
    await runsOnRecords(all, page, workflow?.id ?? '')
  })
})

describe('editing', () => {
  test('is undone and redone step by step, by keyboard and by buttons', async () => {
    const { owner, thanks, edit, definitionOf } = await setUp()
    const workflow = await thanks()
    const { definition } = await definitionOf(workflow.id)
    const page = await dashboard.visit(owner)
    await edit(page, workflow)
    await expect.poll(() => nodes(page)).toHaveLength(7)
    await node(page, 'Find records').focus()
    await page.keyboard.press('Delete')
    await isAt(page, 'steps[0]')
    expect(await nodes(page)).toHaveLength(6)
    await button(page, /^\d problems?$/).waitFor()
    await page.keyboard.press('Alt+ArrowDown')
    await isAt(page, 'steps[1]')
    await page.keyboard.press('Control+d')
    await isAt(page, 'steps[2]')
    expect(await nodes(page)).toHaveLength(10)
    for (let changes = 0; changes < 3; changes++) await page.keyboard.press('Control+z')
    await expect.poll(() => nodes(page)).toHaveLength(7)
    await isSaved(page)
    await expect.poll(() => button(page, 'Undo').getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Control+Shift+z')
    await expect.poll(() => nodes(page)).toHaveLength(6)
    await button(page, 'Undo').click()
    await expect.poll(() => nodes(page)).toHaveLength(7)

    // Text typed into one field counts as one change.
    await node(page, 'Tell the ERP').click()
    await field(page, 'Name').fill('Tell')
    await field(page, 'Name').pressSequentially(' them')
    await node(page, 'Tell them').waitFor()
    await button(page, 'Undo').click()
    await node(page, 'Tell the ERP').waitFor()
    await isSaved(page)
    expect((await definitionOf(workflow.id)).definition).toEqual(definition)
  })

  test('by the menu of a step: copy, move, wrap, delete', async () => {
    const { owner, edit } = await setUp()
    const workflow = await addWorkflow(owner, { name: 'Short', definition: HALT })
    const page = await dashboard.visit(owner)
    await edit(page, workflow)
    const act = async (name: string, action: string) => {
      await button(steps(page), `Actions of ${name}`).first().click()
      await page.getByRole('menuitem', { name: new RegExp(`^${action}`) }).click()
      await page.getByRole('menu').waitFor({ state: 'detached' })
    }
    await act('Stop', 'Put into a loop')
    await isAt(page, 'steps[0]')
    await act('Stop', 'Duplicate')
    await isAt(page, 'steps[0].config.steps[1]')
    await act('Stop', 'Move up')
    await isAt(page, 'steps[0]')
    expect(await nodes(page)).toEqual(['trigger', 'steps[0]', 'steps[1]', 'steps[1].config.steps[0]'])
    await act('For each', 'Delete')
    await expect.poll(() => nodes(page)).toEqual(['trigger', 'steps[0]'])
  })

  test('shows problems at their steps, and allows switching on without problems', async () => {
    const { owner, list, edit } = await setUp()
    const definition: WorkflowDefinition = {
      trigger: 'manual',
      steps: [
        ...HALT.steps,
        { key: 'mail', type: 'send_email', config: { to: '', subject: 'Hi', text: '' } },
      ],
    }
    const workflow = await addWorkflow(owner, {
      name: 'Draft',
      definition: { ...definition, steps: definition.steps.toReversed() },
    })
    const page = await dashboard.visit(owner)
    await edit(page, workflow)
    await button(steps(page), /^Send email.*2 problems$/).waitFor()
    await page.getByRole('switch', { name: 'Off' }).click({ force: true })
    await page.getByText('To fix before it can be switched on').waitFor()
    await page.getByRole('menuitem', { name: /^Send email “mail” Text/ }).click()
    await expect.poll(() => focused(page)).toBe(null)
    await field(page, 'To').fill('ada@example.com')
    await field(page, 'Text').fill('Hello')
    await page.getByText('No problems').waitFor()
    await page.getByRole('switch', { name: 'Off' }).click({ force: true })
    await page.getByRole('switch', { name: 'On' }).waitFor()
    await isSaved(page)
    expect(await list()).toMatchObject([{ enabled: true, version: 2 }])

    // A workflow that is on cannot be saved with problems.
    await field(page, 'Text').fill('')
    await button(page, /^1 problem$/).waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('a workflow that is on must have no problems').waitFor()
    expect(await list()).toMatchObject([{ enabled: true, version: 2 }])
  })

  test('is saved once if Ctrl+S is pressed again during the request', async () => {
    const { owner, list, edit } = await setUp()
    const workflow = await addWorkflow(owner, { name: 'Short', definition: HALT })
    const page = await dashboard.visit(owner)
    await edit(page, workflow)
    const held = Promise.withResolvers<void>()
    const saves: string[] = []
    await page.route(/\/definition$/, async (route) => {
      if (route.request().method() === 'PUT') saves.push(route.request().url())
      await held.promise
      await route.continue()
    })
    await node(page, 'Stop').click()
    await field(page, 'Name').fill('The end')
    await page.keyboard.press('Control+s')
    await expect.poll(() => saves).toHaveLength(1)
    await page.keyboard.press('Control+s')
    held.resolve()
    await isSaved(page)
    expect(saves).toHaveLength(1)
    expect(await list()).toMatchObject([{ version: 2 }])
  })

  test('asks before the page is left with unsaved changes', async () => {
    const { owner, list, edit } = await setUp()
    const workflow = await addWorkflow(owner, { name: 'Short', definition: HALT })
    const page = await dashboard.visit(owner)
    await edit(page, workflow)
    const leave = () => page.getByRole('link', { name: 'Short' }).click()
    await node(page, 'Stop').click()
    await field(page, 'Name').fill('The end')
    await leave()
    await button(dialogOf(page), 'Stay').click()
    await dialogOf(page).waitFor({ state: 'detached' })
    await node(page, 'The end').waitFor()
    await leave()
    await button(dialogOf(page), 'Save and leave').click()
    await page.waitForURL(/workflows\/[^/]+$/)
    expect(await list()).toMatchObject([{ version: 2 }])
  })
})
