// What the settings of an attribute ask of new records, by keys, on a phone too.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Attribute } from '../../contract/attributes.ts'
import { axeViolationsInBothSchemes } from './axe.ts'
import { openDashboard } from './open-dashboard.ts'
import { button } from './steps.fixture.ts'

const dashboard = await openDashboard()

async function setUp() {
  const org = await dashboard.service.org({ name: 'Initech' })
  const owner = await org.member('owner')
  await owner.post('/objects/people/attributes', { name: 'Nickname', type: 'text' })
  for (const data of [{ name: 'Ada' }, { name: 'Bob' }, { name: 'Cy', nickname: 'C' }])
    await owner.post('/objects/people/records', { data })
  const nickname = async () =>
    (await owner.get<Attribute>('/objects/people/attributes/nickname')).body as Attribute
  return { org, owner, nickname, address: `/o/org-${org.id}/settings/objects/people?panel=nickname` }
}

const onPhone = (page: Page) => page.setViewportSize({ width: 375, height: 812 })

test('an attribute becomes required by keys, and says how many records have no value', async () => {
  const { owner, nickname, address } = await setUp()
  const page = await dashboard.visit(owner)
  await onPhone(page)
  await page.goto(address)
  const panel = page.getByRole('dialog')
  const required = panel.getByRole('checkbox', { name: 'Required' })
  await required.press('Space')
  await panel.getByText('2 records have no value. They stay as they are until one is given.').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375)
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await button(panel, 'Save changes').press('Enter')
  await panel.waitFor({ state: 'detached' })
  expect((await nickname()).isRequired).toBe(true)
  await page.goto(address)
  await expect.poll(() => required.isChecked()).toBe(true)
  await required.press('Space')
  await button(panel, 'Save changes').press('Enter')
  await panel.waitFor({ state: 'detached' })
  expect((await nickname()).isRequired).toBe(false)
})

test('of a built-in attribute it is said, and cannot be changed', async () => {
  const { org, owner } = await setUp()
  const page = await dashboard.visit(owner)
  await page.goto(`/o/org-${org.id}/settings/objects/people?panel=email`)
  const panel = page.getByRole('dialog')
  await panel.getByText('Required', { exact: true }).waitFor()
  await expect.poll(() => panel.getByRole('checkbox').count()).toBe(0)
})
