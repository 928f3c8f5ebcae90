import { expect, test } from 'vitest'
import { axeViolations } from '../axe.ts'
import { isForEverybody, pressOn } from '../journey-keys.fixture.ts'
import { openDashboard } from '../open-dashboard.ts'

const dashboard = await openDashboard()

test('the sidebar works by mouse and keyboard, the dark scheme stays, and an unknown page links to Home', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  const page = await dashboard.visit(await org.member('owner'))
  const link = (name: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true })
  const heading = (name: string) => page.getByRole('heading', { name, exact: true }).first().waitFor()
  await page.goto(`/o/org-${org.id}`)
  await heading('Home')
  for (const name of ['Activities', 'Workflows', 'Reports']) {
    await link(name).click()
    await heading(name)
    await page.locator('[aria-current=page]').getByText(name, { exact: true }).first().waitFor()
  }
  await link('My deals').click()
  await page.getByRole('tab', { name: 'My deals', selected: true }).waitFor()
  await pressOn(page, link('Deals'))
  await page.waitForURL(/\/objects\/deals$/)
  await pressOn(page, page.getByRole('link', { name: 'Skip to content' }))
  await page.locator('#content:focus').waitFor()

  await page.getByRole('button', { name: /profile and appearance$/ }).click()
  await page.getByRole('menuitem', { name: 'Dark' }).click()
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await link('Home').click()
  await heading('Home')
  await isForEverybody(page)
  await page.reload()
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  await page.goto(`/o/org-${org.id}/no-such-page`)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await isForEverybody(page)
  await pressOn(page, page.getByRole('link', { name: 'Go home' }))
  await heading('Home')
})

const READ_ONLY = [
  ['General', 'Only owners and admins can change the organization.'],
  ['Members', 'Only owners and admins can invite members and change roles.'],
  ['Objects', 'Only owners and admins can change objects and attributes.'],
  ['API keys', 'API keys are for owners and admins'],
  ['Webhooks', 'Webhooks are for owners and admins'],
  ['Workflow secrets', 'Workflow secrets are for owners and admins'],
] as const

test('a member sees in each settings page who may change it', async () => {
  const org = await dashboard.service.org({ name: 'Initech' })
  const page = await dashboard.visit(await org.member('member'))
  const settings = page.getByRole('navigation', { name: 'Settings' })
  await page.goto(`/o/org-${org.id}`)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
  await settings.waitFor()
  for (const [name, reason] of READ_ONLY) {
    await pressOn(page, settings.getByRole('link', { name, exact: true }))
    await page.getByText(reason).first().waitFor()
    expect(await axeViolations(page), name).toEqual([])
  }
})
