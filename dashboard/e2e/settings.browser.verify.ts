import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ApiKey } from '../../contract/api-keys.ts'
import type { Attribute } from '../../contract/attributes.ts'
import { axeViolations, axeViolationsInBothSchemes } from './axe.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()

const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name })

/** Drags in several moves, like a hand. */
async function drag(page: Page, from: Locator, to: Locator) {
  await from.hover()
  await page.mouse.down()
  const box = await to.boundingBox()
  if (!box) throw new Error('There is nothing to drag to')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 10 })
  await page.mouse.up()
}

async function setUp() {
  const { org, owner } = await dashboard.organization('owner')
  return { org, owner, settings: `/o/org-${org.id}/settings` }
}

describe('API keys', () => {
  /** The status of an API request with the key. */
  const statusOf = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    return (await fetch(`${dashboard.base}/api/v1/objects`, { headers })).status
  }

  test('a new key has selected permissions and ends after 90 days; one click each removes these limits', async () => {
    const { owner, settings } = await setUp()
    const page = await dashboard.visit(owner)
    const listed = async (name: string) => {
      const { body } = await owner.get<{ apiKeys: ApiKey[] }>('/api-keys')
      return body.apiKeys.find((key) => key.name === name)
    }
    await page.goto(`${settings}/api-keys?panel=new`)
    await page.getByLabel('Name').fill('Forms')
    await expect.poll(() => page.getByRole('radio', { name: 'Selected permissions' }).isChecked()).toBe(true)
    await expect.poll(() => page.getByRole('radio', { name: '90 days' }).isChecked()).toBe(true)
    await expect.poll(() => button(page, 'Create key').isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: 'Read objects' }).check()
    await button(page, 'Create key').click()
    await button(page, 'Done').click()
    const key = await listed('Forms')
    expect(key?.scopes).toEqual(['objects:read'])
    const days = (Date.parse(key?.expiresAt ?? '') - Date.parse(key?.createdAt ?? '')) / 86_400_000
    expect(Math.round(days)).toBe(90)
    await button(page, 'New key').click()
    await page.getByLabel('Name').fill('Server')
    await page.getByRole('radio', { name: 'Full access' }).check()
    await page.getByText('Never', { exact: true }).last().click()
    await button(page, 'Create key').click()
    await button(page, 'Done').click()
    expect(await listed('Server')).toMatchObject({ scopes: null, expiresAt: null })
  })

  test('a key is created, shown once and works, and is refused after its deletion', async () => {
    const { owner, settings } = await setUp()
    const page = await dashboard.open(`${settings}/api-keys`, owner)
    await button(page, 'New key').click()
    await page.getByLabel('Name').fill('Website forms')
    await page.getByRole('radio', { name: 'Selected permissions' }).check()
    await page.getByText('Can do nothing yet').waitFor()
    await expect.poll(() => button(page, 'Create key').isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: 'Read objects' }).check()
    await page.getByText('Can read objects. Nothing else.').waitFor()
    await page.getByText('30 days').click()
    await button(page, 'Create key').click()
    const key = (await page.getByRole('dialog').getByText(/^svc_/).textContent()) ?? ''
    await expect
      .poll(() => page.getByText(/^curl/).textContent())
      .toBe(`curl '${dashboard.base}/api/v1/objects' \\\n  -H 'Authorization: Bearer ${key}'`)
    expect(await statusOf(key)).toBe(200)
    await button(page, 'Done').click()
    const row = page.getByRole('row', { name: /Website forms/ })
    await expect.poll(() => row.textContent()).toContain(key.slice(0, 9))
    await expect.poll(() => page.getByText(key).count()).toBe(0)
    await button(row, 'Delete').click()
    const dialog = page.getByRole('dialog')
    await expect.poll(() => button(dialog, 'Delete key').isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('Website forms')
    await button(dialog, 'Delete key').click()
    await dialog.waitFor({ state: 'detached' })
    expect(await statusOf(key)).toBe(401)
    await row.waitFor({ state: 'detached' })
  })
})

test('all settings pages have the same width', async () => {
  const { owner, settings } = await setUp()
  const page = await dashboard.visit(owner, { viewport: { width: 1920, height: 900 } })
  const widths = new Map<string, number | undefined>()
  for (const part of [
    'organization',
    'profile',
    'members',
    'objects',
    'objects/deals',
    'api-keys',
    'webhooks',
  ]) {
    await page.goto(`${settings}/${part}`)
    const lead = page.locator('main p').first()
    await lead.waitFor()
    widths.set(part, await lead.locator('xpath=..').evaluate((box) => box.getBoundingClientRect().width))
  }
  expect(new Set(widths.values())).toEqual(new Set([1032]))
})

describe('objects', () => {
  const SINGLE = [
    'Text',
    'Email',
    'Number',
    'Phone number',
    'Checkbox',
    'Person’s name',
    'Address',
    'Currency',
    'Date',
    'Tags',
    'URL',
    'Member',
    'Domain',
  ]

  async function create(page: Page, kind: string, fill?: () => Promise<void>) {
    await button(page, 'New attribute').click()
    await button(page.getByRole('dialog'), new RegExp(`^${kind}`)).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill(`A ${kind}`)
    await fill?.()
    await button(page, 'Create attribute').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  test('the attribute that names the records is shown and can be changed', async () => {
    const { org, owner, settings } = await setUp()
    await owner.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
    for (const name of ['Name', 'Title'])
      await owner.post('/objects/projects/attributes', { name, type: 'text' })
    await owner.post('/objects/projects/records', { data: { title: 'Moon landing' } })
    const page = await dashboard.open(`${settings}/objects/projects`, owner)
    const choice = page.getByRole('combobox', { name: 'Records are named by' })
    await expect.poll(() => choice.inputValue()).toBe('Name')
    await choice.click()
    await page.getByRole('option', { name: 'Title' }).click()
    await expect.poll(() => choice.inputValue()).toBe('Title')
    await page.goto(`/o/org-${org.id}/objects/projects`)
    await page.getByRole('grid').getByRole('link', { name: 'Moon landing' }).waitFor()
  })

  test('an object with attributes of every type is created, changed and deleted', {
    timeout: 60_000,
  }, async () => {
    const { owner, settings } = await setUp()
    const page = await dashboard.open(`${settings}/objects`, owner)
    await button(page, 'New object').click()
    await page.getByLabel('Plural name').fill('Größe Projects')
    await page.getByLabel('Singular name').fill('Project')
    await expect.poll(() => page.getByLabel('Slug').inputValue()).toBe('grosse_projects')
    await page.getByLabel('Slug').fill('projects')
    await button(page, 'Create object').click()
    await page.getByRole('heading', { name: 'Größe Projects' }).waitFor()
    for (const kind of SINGLE) await create(page, kind)
    await create(page, 'Select', async () => {
      await page.getByRole('textbox', { name: 'Option 1' }).fill('Low')
      await page.getByRole('textbox', { name: 'Option 1' }).press('Enter')
      await page.getByRole('textbox', { name: 'Option 2' }).fill('High')
    })
    await create(page, 'Reference', async () => {
      await page.getByRole('combobox', { name: 'Object' }).click()
      await page.getByRole('option', { name: 'Companies' }).click()
    })
    const { body } = await owner.get<{ attributes: Attribute[] }>('/objects/projects/attributes')
    expect(body.attributes.map(({ type }) => type)).toEqual([
      ...[
        'text',
        'email',
        'number',
        'phone_number',
        'checkbox',
        'name',
        'address',
        'currency',
        'date',
        'list',
        'url',
        'member',
        'domain',
      ],
      ...['select', 'reference'],
    ])
    expect(body.attributes.at(-2)?.config).toEqual({ options: ['Low', 'High'] })
    expect(await axeViolations(page)).toEqual([])

    await button(page, 'Delete object').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Removes 15 attributes').waitFor()
    await dialog.getByRole('textbox').fill('Größe Projects')
    await button(dialog, 'Delete object').click()
    await page.getByRole('heading', { name: 'Objects', exact: true }).waitFor()
    expect(await owner.get('/objects/projects')).toMatchObject({ status: 404 })
  })

  test('attributes are moved, renamed, hidden and deleted', async () => {
    const { owner, settings } = await setUp()
    await owner.post('/objects/people/attributes', { name: 'Nickname', type: 'text' })
    await owner.post('/objects/people/records', {
      data: { name: { firstName: 'Ada' }, nickname: 'Countess' },
    })
    const page = await dashboard.open(`${settings}/objects/people`, owner)
    await button(page, 'Move Nickname').press('ArrowUp')
    await page.getByText('Nickname is now at place 6 of 7').waitFor()
    const names = async () => {
      const { body } = await owner.get<{ attributes: Attribute[] }>('/objects/people/attributes')
      return body.attributes.map(({ name }) => name)
    }
    await expect.poll(async () => (await names()).at(-1)).toBe('Owner')
    await page.getByText('Nickname moved').waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await names()).at(-1)).toBe('Nickname')
    await page.getByText('Undone: Nickname moved').waitFor()
    await drag(page, button(page, 'Move Nickname'), button(page, 'Move Name'))
    const delivered = ['Name', 'Email', 'Phone', 'Job title', 'Company', 'Owner']
    await expect.poll(names).toEqual(['Nickname', ...delivered])

    await button(page, 'Nickname').last().click()
    const panel = page.getByRole('dialog')
    await panel.getByLabel('Name').fill('Byname')
    await button(panel, 'Save changes').click()
    await panel.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Byname', exact: true }).click()
    await button(panel, 'Deactivate').click()
    await button(panel, /^Activate$/).waitFor()
    expect(await names()).not.toContain('Byname')
    await panel.getByText('Removes 1 value from records.').waitFor()
    await button(panel, 'Delete attribute').click()
    const question = page.getByRole('dialog', { name: 'Delete the attribute Byname?' })
    await question.getByRole('textbox').fill('Byname')
    await button(question, 'Delete attribute').click()
    await button(page, 'Restore Byname').waitFor()
    expect(await names()).not.toContain('Byname')
  })

  test('Escape closes the panel of an attribute and removes it from the address', async () => {
    const { owner, settings } = await setUp()
    const page = await dashboard.open(`${settings}/objects/deals?panel=stage`, owner)
    const panel = page.getByRole('dialog')
    await panel.getByText('Built in').waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await expect.poll(() => new URL(page.url()).search).toBe('')
  })

  test('an object with references to it cannot be deleted, and the page lists the references', async () => {
    const { owner, settings } = await setUp()
    const { body } = await owner.post<{ id: string }>('/objects', {
      pluralName: 'Teams',
      singularName: 'Team',
    })
    const config = { allowed_object_id: body.id }
    await owner.post('/objects/people/attributes', { name: 'Team', type: 'reference', config })
    const page = await dashboard.open(`${settings}/objects/teams`, owner)
    await page.getByRole('link', { name: 'people.team' }).waitFor()
    await expect.poll(() => button(page, 'Delete object').isDisabled()).toBe(true)
    await button(page, 'Deactivate object').click()
    await button(page, /^Activate object$/).waitFor()
    const inSidebar = page.getByRole('navigation', { name: 'Main' }).getByText('Teams')
    await inSidebar.waitFor({ state: 'detached' })
  })
})

test('the organization and the profile are changed on their pages', async () => {
  const { owner, settings } = await setUp()
  const page = await dashboard.open(`${settings}/organization`, owner)
  await page.getByLabel('Name').fill('Initrode')
  await page.getByRole('combobox', { name: 'Currency' }).fill('EUR')
  await page.getByRole('option', { name: 'EUR' }).click()
  await button(page, 'Save changes').click()
  await button(page, 'Organization: Initrode').waitFor()
  expect(await owner.get('/organization')).toMatchObject({ body: { name: 'Initrode', currency: 'EUR' } })
  await page.getByLabel('Days in the trash').fill('7')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await owner.get('/organization')).body).toMatchObject({ trashDays: 7 })
  await page.goto(`${settings}/profile`)
  await page.getByLabel('Name').fill('Mia Renamed')
  await button(page, 'Save name').click()
  await button(page, /^Mia Renamed/).waitFor()
})

const LISTS = ['profile', 'organization', 'members', 'objects', 'objects/deals', 'api-keys']
const PANELS = ['members?panel=invite', 'objects?panel=new', 'api-keys?panel=new']
const OF_ATTRIBUTES = ['objects/deals?panel=stage', 'objects/deals?panel=new-attribute']

/** Elements that scroll horizontally. */
const TOO_WIDE = `[...document.querySelectorAll('main, main *')]
  .filter((one) => getComputedStyle(one).overflowX === 'auto' && one.scrollWidth > one.clientWidth)
  .map((one) => one.className)`

describe.each([
  ['owner', [1440, 375], [...LISTS, ...PANELS, ...OF_ATTRIBUTES]],
  ['member', [1024], LISTS],
] as const)('pages are accessible (%s, %j px)', (role, widths, pages) => {
  test.each(pages)('%s', async (path) => {
    const { org, owner, settings } = await setUp()
    await owner.post('/invitations', { email: `${'long.'.repeat(10)}name@example.com`, role: 'member' })
    const name = 'A key with quite a long name that has to be cut somewhere or other'
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    await owner.post('/api-keys', { name, scopes: null, expiresAt })
    const page = await dashboard.open(`${settings}/${path}`, await org.member(role))
    await page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Loading' }).waitFor()
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      expect(await axeViolationsInBothSchemes(page)).toEqual([])
      expect(await page.evaluate(TOO_WIDE)).toEqual([])
    }
  })
})

test('Ctrl+Enter in the field of an option creates the attribute', async () => {
  const { owner, settings } = await setUp()
  const page = await dashboard.open(`${settings}/objects/deals?panel=new-attribute`, owner)
  const panel = page.getByRole('dialog')
  await button(panel, /^Select/).click()
  await panel.getByLabel('Name').fill('Priority')
  await panel.getByRole('textbox', { name: 'Option 1' }).fill('Low')
  await page.keyboard.press('ControlOrMeta+Enter')
  await panel.waitFor({ state: 'detached' })
  const { body } = await owner.get<{ attributes: Attribute[] }>('/objects/deals/attributes')
  expect(body.attributes.find(({ slug }) => slug === 'priority')?.config).toEqual({ options: ['Low'] })
})
