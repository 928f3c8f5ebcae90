import { test } from 'vitest'
import { isForEverybody, pressOn } from '../journey-keys.fixture.ts'
import { openSharedDashboard } from '../open-dashboard.ts'

const dashboard = await openSharedDashboard()

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
