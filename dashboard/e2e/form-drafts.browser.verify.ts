// Every form of the dashboard keeps a draft, or asks before input is lost.
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import { axeViolationsInBothSchemes } from './axe.ts'
import { addRecord } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'
import { field, HALT, node, setUpEditor } from './workflow-editor.fixture.ts'
import { addWorkflow } from './workflows.fixture.ts'

const dashboard = await openSharedDashboard()

const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name })
const dialog = (page: Page, name?: string | RegExp) => page.getByRole('dialog', name ? { name } : {})
const offer = (page: Page) => page.getByRole('region', { name: 'Draft' })
const restore = (page: Page) => button(offer(page), 'Restore draft').click()

async function setUp() {
  const { org, owner } = await dashboard.organization('owner')
  await owner.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
  await owner.post('/objects/projects/attributes', { name: 'Name', type: 'text' })
  return { org, owner, base: `/o/org-${org.id}` }
}

interface PanelForm {
  path: string
  field: string
  text: string
  /** Steps before the form is shown. */
  begin?: (page: Page) => Promise<unknown>
}

const PANELS: Readonly<Record<string, PanelForm>> = {
  'a new API key': { path: '/settings/api-keys?panel=new', field: 'Name', text: 'Website' },
  'an invitation': { path: '/settings/members?panel=invite', field: 'Email', text: 'bob@initech.example' },
  'a new object': { path: '/settings/objects?panel=new', field: 'Plural name', text: 'Tickets' },
  'a new attribute': {
    path: '/settings/objects/projects?panel=new-attribute',
    field: 'Name',
    text: 'Budget',
    begin: (page) => button(dialog(page), /^Number/).click(),
  },
  'an attribute': { path: '/settings/objects/projects?panel=name', field: 'Name', text: 'Title' },
  'a new endpoint': { path: '/settings/webhooks?create=1', field: 'Description', text: 'Billing' },
}

test.each(Object.entries(PANELS))(
  'input in %s is offered again after Escape',
  async (_, { path, field, text, begin = () => Promise.resolve() }) => {
    const { owner, base } = await setUp()
    const page = await dashboard.visit(owner)
    const input = dialog(page).getByLabel(field, { exact: false }).first()
    await page.goto(`${base}${path}`)
    await begin(page)
    await input.fill(text)
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await page.goto(`${base}${path}`)
    await restore(page)
    await expect.poll(() => input.inputValue()).toBe(text)
  },
)

interface PageForm {
  path: string
  form: (page: Page) => Locator
  text: string
}

const named = (label: string) => (page: Page) => page.getByLabel(label, { exact: false }).first()

const PAGES: Readonly<Record<string, PageForm>> = {
  'the organization': { path: '/settings/organization', form: named('Name'), text: 'Initrode' },
  'the profile': { path: '/settings/profile', form: named('Name'), text: 'Grace' },
  'an object': { path: '/settings/objects/projects', form: named('Plural name'), text: 'Ventures' },
}

test.each(Object.entries(PAGES))(
  'input in %s is offered again after Home and Back',
  async (_, { path, form, text }) => {
    const { owner, base } = await setUp()
    const page = await dashboard.open(`${base}${path}`, owner)
    await form(page).fill(text)
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { name: 'Home' }).first().waitFor()
    await page.goBack()
    await restore(page)
    await expect.poll(() => form(page).inputValue()).toBe(text)
    expect(await axeViolationsInBothSchemes(page)).toEqual([])
  },
)

async function openNewest(owner: SignedInMember, base: string, names: readonly string[]) {
  const ids: string[] = []
  for (const name of names) {
    const { body } = await owner.post<{ id: string }>('/objects/companies/records', { data: { name } })
    ids.push(body.id)
  }
  const page = await dashboard.open(`${base}/objects/companies/${ids.at(-1)}`, owner)
  await page.getByRole('heading', { level: 1, name: names.at(-1) ?? '' }).waitFor()
  return page
}

test('drafts of a note and a comment are kept when the user opens the next record or Home', async () => {
  const { owner, base } = await setUp()
  const page = await openNewest(owner, base, ['Older', 'Newer'])
  const note = page.getByRole('form', { name: 'New activity' })
  const comment = page.getByRole('form', { name: 'New comment' })
  await note.getByRole('textbox', { name: 'Title' }).fill('Called about the offer')
  await comment.getByRole('textbox').fill('They will sign')
  await page.getByRole('link', { name: 'Next record' }).click()
  await page.getByRole('heading', { level: 1, name: 'Older' }).waitFor()
  await expect.poll(() => note.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('')
  await expect.poll(() => offer(page).count()).toBe(0)
  await page.getByRole('link', { name: 'Previous record' }).click()
  await page.getByRole('heading', { level: 1, name: 'Newer' }).waitFor()
  await button(note, 'Restore draft').click()
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('heading', { name: 'Home' }).first().waitFor()
  await page.goBack()
  await button(note, 'Restore draft').click()
  await expect
    .poll(() => note.getByRole('textbox', { name: 'Title' }).inputValue())
    .toBe('Called about the offer')
  await button(comment, 'Restore draft').click()
  await expect.poll(() => comment.getByRole('textbox').inputValue()).toBe('They will sign')
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await button(comment, 'Comment').click()
  await page.getByRole('listitem').filter({ hasText: 'They will sign' }).first().waitFor()
  await page.reload()
  await note.waitFor()
  await expect.poll(() => button(comment, 'Restore draft').count()).toBe(0)
})

test('a drawer with a value that is never kept asks on Escape and on a click outside', async () => {
  const { owner, base } = await setUp()
  const page = await dashboard.open(`${base}/settings/workflow-secrets?panel=new`, owner, {
    viewport: { width: 1024, height: 768 },
  })
  const value = page.getByLabel('Value')
  const question = dialog(page, 'Discard what you entered?')
  await value.fill('hunter2')
  await page.keyboard.press('Escape')
  await question.waitFor()
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await page.keyboard.press('Enter')
  await question.waitFor({ state: 'detached' })
  await expect.poll(() => value.inputValue()).toBe('hunter2')
  await page.mouse.click(20, 400)
  await button(question, 'Keep editing').click()
  await question.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await button(question, 'Discard').click()
  await dialog(page).waitFor({ state: 'detached' })
  const kept = 'Object.values(sessionStorage).join()'
  expect(await page.evaluate(kept)).not.toContain('hunter2')
})

test('emptying one field does not stop the question about another filled field', async () => {
  const { owner, base } = await setUp()
  const page = await dashboard.open(`${base}/settings/workflow-secrets?panel=new`, owner)
  await page.getByLabel('Value').fill('hunter2')
  await dialog(page).getByLabel('Name').fill('TOKEN')
  await dialog(page).getByLabel('Name').fill('')
  await page.keyboard.press('Escape')
  await button(dialog(page, 'Discard what you entered?'), 'Keep editing').click()
  await page.getByLabel('Value').fill('')
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
})

test('the headers of an endpoint are not kept, so closing asks first', async () => {
  const { owner, base } = await setUp()
  const page = await dashboard.open(`${base}/settings/webhooks?create=1`, owner)
  await dialog(page).getByLabel('Description').fill('Billing')
  await button(page, 'Add header').click()
  await page.getByLabel('Value of header 1').fill('Bearer hunter2')
  await page.keyboard.press('Escape')
  await button(dialog(page, 'Discard what you entered?'), 'Discard').click()
  await dialog(page).waitFor({ state: 'detached' })
  expect(await page.evaluate('Object.values(sessionStorage).join()')).not.toContain('hunter2')
  await page.goto(`${base}/settings/webhooks?create=1`)
  await restore(page)
  await expect.poll(() => dialog(page).getByLabel('Description').inputValue()).toBe('Billing')
})

test('a number entered while the name is being saved stays', async () => {
  const { owner, base } = await setUp()
  const page = await dashboard.visit(owner)
  const saving = Promise.withResolvers<void>()
  await page.route('**/organization', async (route) => {
    if (route.request().method() === 'PATCH') await saving.promise
    await route.continue()
  })
  await page.goto(`${base}/settings/organization`)
  await page.getByLabel('Name').first().fill('Initrode')
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await button(page, 'Save changes').click()
  await sent
  const days = page.getByLabel('Days in the trash')
  await days.fill('45')
  saving.resolve()
  await page.getByText('Organization saved').waitFor()
  await expect.poll(() => days.inputValue()).toBe('45')
  await button(page, 'Save changes').click()
  await expect
    .poll(async () => (await owner.get<object>('/organization')).body)
    .toMatchObject({ name: 'Initrode', trashDays: 45 })
})

test('saving one field of an object or a workflow keeps changes of others in other fields', async () => {
  const { owner, pageOf } = await setUpEditor(dashboard.service)
  const workflow = await addWorkflow(owner, { name: 'Halt', definition: HALT })
  const page = await dashboard.open(`${pageOf(workflow)}?tab=settings`, owner)
  await page.getByLabel('Name').first().fill('Stop')
  await owner.patch(`/workflows/${workflow.id}`, { description: 'By Bob' })
  await button(page, 'Save changes').click()
  await expect
    .poll(async () => (await owner.get<object>(`/workflows/${workflow.id}`)).body)
    .toMatchObject({ name: 'Stop', description: 'By Bob' })
  await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('By Bob')

  await owner.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
  await page.goto(pageOf(workflow).replace(/workflows.*/, 'settings/objects/projects'))
  await page.getByLabel('Plural name').fill('Ventures')
  await owner.patch('/objects/projects', { description: 'By Bob' })
  await button(page, 'Save changes').click()
  await expect
    .poll(async () => (await owner.get<object>('/objects/projects')).body)
    .toMatchObject({ pluralName: 'Ventures', description: 'By Bob' })
  await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('By Bob')
})

test('changes of a workflow are restored after a reload, and can be discarded', async () => {
  const { owner, edit } = await setUpEditor(dashboard.service)
  const workflow = await addWorkflow(owner, { name: 'Halt', definition: HALT })
  const page = await dashboard.visit(owner)
  page.on('dialog', (question) => void question.accept())
  await edit(page, workflow)
  await node(page, 'Stop').click()
  await field(page, 'Reason').fill('Enough')
  await page.getByText('Not saved yet').waitFor()
  await page.reload()
  await page.getByText('Your unsaved changes were restored.').waitFor()
  await node(page, 'Stop').click()
  await expect.poll(() => field(page, 'Reason').inputValue()).toBe('Enough')
  await button(page, 'Discard').click()
  await page.getByText('Your unsaved changes were restored.').waitFor({ state: 'detached' })
  await node(page, 'Stop').click()
  await expect.poll(() => field(page, 'Reason').inputValue()).toBe('Over')
})

test('text that is too long is not cut, and the field names the limit', async () => {
  const { org, owner, base } = await setUp()
  await addRecord(org, 'companies', { name: 'Acme' })
  const page = await dashboard.visit(owner)
  const long = 'x'.repeat(300)
  await page.goto(`${base}/settings/organization`)
  await page.getByLabel('Name').first().fill(long)
  await expect.poll(() => page.getByLabel('Name').first().inputValue()).toBe(long)
  await button(page, 'Save changes').click()
  await page.getByText('Use at most 200 characters').waitFor()
  await page.goto(`${base}/objects/companies`)
  await page.getByRole('rowheader', { name: 'Acme' }).waitFor()
  await page.getByLabel('Quick search in companies').fill(long)
  await page.getByText('Use at most 200 characters (now 300)').waitFor()
  await page.getByRole('rowheader', { name: 'Acme' }).waitFor()
})

/** Holds POST requests under the path until `go` is called. */
async function holdPosts(page: Page, path: string, status?: number) {
  const held = Promise.withResolvers<void>()
  await page.route(path, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await held.promise
    return status === undefined ? route.continue() : route.fulfill({ status, json: {} })
  })
  return () => held.resolve()
}

test('text entered while a comment or a record is being sent stays', async () => {
  const { owner, base } = await setUp()
  const page = await openNewest(owner, base, ['Acme'])
  const comment = page.getByRole('form', { name: 'New comment' })
  const go = await holdPosts(page, '**/comments')
  await comment.getByRole('textbox').fill('They will sign')
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await button(comment, 'Comment').click()
  await sent
  await comment.getByRole('textbox').fill('They signed')
  go()
  await page.getByRole('listitem').filter({ hasText: 'They will sign' }).first().waitFor()
  await expect.poll(() => comment.getByRole('textbox').inputValue()).toBe('They signed')

  await page.goto(`${base}/objects/companies?create=1`)
  const panel = dialog(page, 'Create company')
  const create = await holdPosts(page, '**/records')
  await panel.getByRole('textbox', { name: 'Name' }).fill('Globex')
  await panel.getByRole('switch', { name: 'Create another' }).click()
  const creating = page.waitForRequest('**/records')
  await button(panel, 'Create company').click()
  await creating
  await panel.getByRole('textbox', { name: 'Name' }).fill('Hooli')
  create()
  await page.getByText('Company created').waitFor()
  await expect.poll(() => panel.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Hooli')
})

test('a refused note is offered again after the next note is saved or discarded', async () => {
  const { owner, base } = await setUp()
  const page = await openNewest(owner, base, ['Acme'])
  const note = page.getByRole('form', { name: 'New activity' })
  const title = note.getByRole('textbox', { name: 'Title' })
  const refuse = await holdPosts(page, '**/activities', 500)
  await title.fill('First')
  await button(note, 'Save note').click()
  await expect.poll(() => title.inputValue()).toBe('')
  await title.fill('Second')
  refuse()
  await note.getByText('“First” was not saved').waitFor()
  await expect.poll(() => title.inputValue()).toBe('Second')
  await button(note, 'Discard').click()
  await expect.poll(() => title.inputValue()).toBe('First')
})
