// The forms of the workflow editor: input becomes the definition, and problems are shown at their fields.
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { WorkflowDefinition } from '../../contract/workflows.ts'
import { axeViolationsInBothSchemes } from './axe.ts'
import { addRecord } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { addWorkflow } from './workflows.fixture.ts'

const dashboard = await openSharedDashboard()
const { service } = dashboard

type Steps = WorkflowDefinition['steps']

const step = (key: string, type: Steps[number]['type'], config: Steps[number]['config']): Steps[number] => ({
  key,
  type,
  config,
})
const ON_DEAL: WorkflowDefinition = {
  trigger: 'record/created',
  triggerConfig: { objectId: 'deals' },
  steps: [],
}
const withSteps = (...steps: Steps): WorkflowDefinition => ({ ...ON_DEAL, steps })

async function setUp(definition: WorkflowDefinition) {
  const org = await service.org({ name: 'Initech' })
  const owner = await org.member('owner')
  await addRecord(org, 'deals', { name: 'Globex renewal', stage: 'Lead' })
  const { id } = await addWorkflow(owner, { name: 'Deals', definition })
  const saved = async () =>
    (await owner.get<{ definition: WorkflowDefinition }>(`/workflows/${id}/definition`)).body.definition
  /** Opens a step. Without a name, the trigger is open. */
  const open = async (name?: RegExp) => {
    const page = await dashboard.open(`/o/org-${org.id}/workflows/${id}/edit`, owner, {
      viewport: { width: 1440, height: 1200 },
    })
    await page.getByRole('region', { name: 'Steps' }).waitFor()
    if (name) await page.getByRole('button', { name }).first().click()
    return page
  }
  return { org, owner, saved, open }
}

const field = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('textbox', { name, exact: true })
const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name })

async function choose(page: Page, select: string, option: string) {
  await page.getByRole('combobox', { name: select, exact: true }).first().click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Saves, and waits until the saved definition matches. */
async function saves(page: Page, saved: () => Promise<WorkflowDefinition>, expected: object) {
  await button(page, 'Save').click()
  await expect.poll(saved).toMatchObject(expected)
}

describe('values', () => {
  test('are picked by keyboard, with an example', async () => {
    const { open, saved } = await setUp(withSteps(step('note', 'create_activity', { title: '' })))
    const page = await open(/^Create activity/)
    const title = field(page, /^Title/)
    await title.pressSequentially('Welcome {{')
    const search = page.getByRole('combobox', { name: 'Find a value' })
    await search.waitFor()
    await search.fill('deal name')
    await search.press('Enter')
    await expect.poll(() => title.inputValue()).toBe('Welcome {{trigger.data.name}}')
    // Typing continues after the inserted value.
    await title.press('!')
    await expect.poll(() => title.inputValue()).toBe('Welcome {{trigger.data.name}}!')
    await page.getByText('Welcome Globex renewal!').waitFor()
    await saves(page, saved, { steps: [{ config: { title: 'Welcome {{trigger.data.name}}!' } }] })
  })

  test('can be typed, and the braces of a cancelled list are removed', async () => {
    const { open, saved } = await setUp(withSteps(step('note', 'create_activity', { title: '' })))
    const page = await open(/^Create activity/)
    const title = field(page, /^Title/)
    const search = page.getByRole('combobox', { name: 'Find a value' })
    await title.focus()
    await page.keyboard.type('For {{trigger.data.name | upper}}!')
    await expect.poll(() => title.inputValue()).toBe('For {{trigger.data.name | upper}}!')
    await page.keyboard.type(' {{trigger')
    await search.waitFor()
    await page.keyboard.press('Escape')
    await search.waitFor({ state: 'detached' })
    await expect.poll(() => title.inputValue()).toBe('For {{trigger.data.name | upper}}! ')
    // Typing continues in the field.
    await page.keyboard.type('Now {{steps.missing.id')
    await page.keyboard.press('Enter')
    const written = 'For {{trigger.data.name | upper}}! Now {{steps.missing.id}}'
    await expect.poll(() => title.inputValue()).toBe(written)
    await saves(page, saved, { steps: [{ config: { title: written } }] })
  })

  test('are shown by name while they are not edited', async () => {
    const linked = { objectId: 'deals', recordId: '{{trigger.recordId}}' }
    const title = 'Call about {{trigger.data.name | upper}}'
    const { open } = await setUp(
      withSteps(step('note', 'create_activity', { title, linkedRecords: [linked] })),
    )
    const page = await open(/^Create activity/)
    await page.getByTitle('This deal › Name · upper').waitFor()
    await page.getByTitle('This deal', { exact: true }).waitFor()
    await field(page, /^Title/).focus()
    await page.getByTitle('This deal › Name · upper').waitFor({ state: 'detached' })
    const panel = page.getByRole('complementary', { name: 'Step' })
    await expect.poll(() => panel.innerText()).not.toContain('{{')
  })

  test('can be followed by functions', async () => {
    const { open } = await setUp(
      withSteps(step('note', 'create_activity', { title: '{{trigger.data.name}}' })),
    )
    const page = await open(/^Create activity/)
    const title = field(page, /^Title/)
    await title.focus()
    await button(page, 'Insert a value').first().click()
    await page.getByRole('combobox', { name: 'Find a value' }).fill('In upper case')
    await page.getByRole('option', { name: /^upper/ }).click()
    await expect.poll(() => title.inputValue()).toBe('{{trigger.data.name | upper}}')
    await page.getByText('a test shows the result').waitFor()
  })

  test('of a record are entered with its editors, or taken from an earlier value', async () => {
    const { open, saved } = await setUp(
      withSteps(step('made', 'create_record', { object: 'deals', data: { stage: 'Lead' } })),
    )
    const page = await open(/^Create record/)
    await page.getByText('Name is required: give it a value').waitFor()
    await field(page, 'Name').last().fill('Next year')
    await choose(page, 'Add an attribute', 'Amount')
    await field(page, 'Amount').fill('250')
    await button(page, 'Take Stage from a value').click()
    await field(page, 'Stage').fill('{{trigger.data.stage}}')
    const data = { name: 'Next year', stage: '{{trigger.data.stage}}', amount: { amount: '250' } }
    await saves(page, saved, { steps: [{ config: { object: 'deals', data } }] })
  })
})

test('an emptied field of a record is omitted from the definition', async () => {
  const data = { name: 'Globex', domain: 'globex.example' }
  const { open, saved } = await setUp(withSteps(step('made', 'create_record', { object: 'companies', data })))
  const page = await open(/^Create record/)
  await field(page, 'Domain').fill('')
  await saves(page, saved, { steps: [{ config: { data: { name: 'Globex', domain: null } } }] })
})

test('conditions are rows, and problems are shown at their rows', async () => {
  const { open, saved } = await setUp(
    withSteps(step('check', 'condition', { when: { left: '', operator: 'equals', right: '' } })),
  )
  const page = await open(/^Continue only if/)
  await page.getByText('It is required: choose a value').waitFor()
  await field(page, 'Value').fill('{{trigger.data.stage}}')
  await field(page, 'Compared with').fill('Lead')
  await page.getByText('It is required: choose a value').waitFor({ state: 'detached' })
  await button(page, 'Add condition').click()
  await field(page, 'Value').nth(1).fill('{{trigger.data.amount}}')
  await page.getByRole('combobox', { name: 'Operator' }).nth(1).click()
  await page.getByRole('option', { name: 'is more than', exact: true }).click()
  await field(page, 'Compared with').nth(1).fill('5000')
  await choose(page, 'Match', 'Any condition')
  const or = [
    { left: '{{trigger.data.stage}}', operator: 'equals', right: 'Lead' },
    { left: '{{trigger.data.amount}}', operator: 'greaterThan', right: 5000 },
  ]
  await saves(page, saved, { steps: [{ config: { when: { or } } }] })
})

test('records are found by filters that use values', async () => {
  const { open, saved } = await setUp(withSteps(step('found', 'find_records', { object: '', limit: 20 })))
  const page = await open(/^Find records/)
  await choose(page, 'Object', 'People')
  await button(page, 'Add filter').click()
  await choose(page, 'Attribute', 'Company')
  await button(page, 'Take Company from a value').click()
  await field(page, 'Value').fill('{{trigger.data.company}}')
  const filter = { attributeSlug: 'company', operator: 'equals', value: '{{trigger.data.company}}' }
  await saves(page, saved, { steps: [{ config: { object: 'people', limit: 20, filter } }] })
})

test('changing the key of a step also changes the references to it', async () => {
  const { open, saved } = await setUp(
    withSteps(
      step('found', 'find_records', { object: 'deals' }),
      step('halt', 'stop', { message: '{{steps.found.count}} deals' }),
    ),
  )
  const page = await open(/^Find records/)
  const key = field(page, 'Key')
  await key.fill('halt')
  await page.getByText('not the key of another step').waitFor()
  await key.fill('deals')
  await key.press('Tab')
  const read = { key: 'halt', config: { message: '{{steps.deals.count}} deals' } }
  await saves(page, saved, { steps: [{ key: 'deals' }, read] })
})

test('a schedule is chosen in words, and the next times are shown', async () => {
  const { open, saved } = await setUp(ON_DEAL)
  const page = await open()
  await choose(page, 'Started by', 'Schedule')
  await button(page, 'Wed').click()
  await page.getByLabel('At', { exact: true }).fill('17:30')
  const times = page.getByText(/^(?:Monday|Wednesday), .* at 5:30\sPM$/)
  await expect.poll(() => times.count()).toBe(5)
  await choose(page, 'Runs', 'Another schedule')
  await expect.poll(() => field(page, /^Cron/).inputValue()).toBe('30 17 * * 1,3')
  await field(page, /^Cron/).fill('30 17 * *')
  await page.getByText('It must be five parts').waitFor()
  await field(page, /^Cron/).fill('*/15 * * * *')
  await page.getByText('It must be five parts').waitFor({ state: 'detached' })
  await saves(page, saved, { trigger: 'schedule', triggerConfig: { cron: '*/15 * * * *' } })
})

test('parameters, concurrency and re-entry', async () => {
  const { open, saved } = await setUp(ON_DEAL)
  const page = await open()
  await button(page, 'Add parameter').click()
  const parameter = page.getByRole('group', { name: 'Parameter 1' })
  await field(parameter, 'Name').fill('reason')
  await field(parameter, 'Default').fill('None given')
  await choose(page, 'Concurrency', 'Per workflow')
  await choose(page, 'When busy', 'Skip')
  await page.getByRole('checkbox', { name: 'Allow its own changes to start it again' }).check()
  await saves(page, saved, {
    parameters: [{ name: 'reason', type: 'text', default: 'None given' }],
    concurrency: { key: 'workflow', onConflict: 'skip' },
    allowReentry: true,
  })
})

const EVERYTHING = withSteps(
  step('made', 'create_record', { object: 'deals', data: { stage: '{{now}}', missing: 1 } }),
  step('check', 'condition', {
    when: {
      and: [{ left: '', operator: 'in', right: [1] }, { or: [{ left: '{{a}}', operator: 'isEmpty' }] }],
    },
  }),
  step('wait', 'delay', { until: '' }),
  step('vars', 'set_variables', { variables: { total: 5 } }),
  step('act', 'create_activity', { title: '', participants: [{ type: 'user', id: '' }] }),
)
const NAMES = [/^Create record/, /^Continue only if/, /^Wait/, /^Set variables/, /^Create activity/]

test('the forms have no axe violations', async () => {
  const { open } = await setUp(EVERYTHING)
  const page = await open()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  for (const name of NAMES) {
    await button(page, name).first().click()
    await field(page, 'Key').waitFor()
    expect(await axeViolationsInBothSchemes(page)).toEqual([])
  }
  await button(page, 'Insert a value').first().click()
  await page.getByRole('option').first().waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
})
