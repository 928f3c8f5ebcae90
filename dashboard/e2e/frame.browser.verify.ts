import { expect, test } from 'vitest'
import { axeViolations, axeViolationsInBothSchemes } from './axe.ts'
import { addRecord } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()
const { org, member } = await dashboard.organization('member')

test('a visitor without a session is sent to sign in, with the address to return to', async () => {
  const page = await dashboard.open(`/o/org-${org.id}`)
  await page.getByRole('heading', { name: 'Sign in to Rapport' }).waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBe(`/o/org-${org.id}`)
  expect(await axeViolations(page)).toEqual([])
})

test('the sidebar links to every object', async () => {
  const page = await dashboard.open('/', member)
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect
    .poll(() => links.allTextContents())
    .toEqual([
      'Home',
      'Activities',
      'People',
      'Companies',
      'Deals',
      'My deals',
      'Workflows',
      'Reports',
      'Settings',
    ])
  expect(await axeViolations(page)).toEqual([])
})

test('the sidebar folds and unfolds the views of an object, and marks one entry', async () => {
  const visitor = await (await dashboard.service.org()).member('member')
  const state = { version: 1, columns: [], board: { groupBy: 'stage' } }
  await visitor.post('/objects/deals/views', { name: 'Pipeline', kind: 'board', state })
  const page = await dashboard.open('/', visitor)
  const main = page.getByRole('navigation', { name: 'Main' })
  const current = main.locator('[aria-current=page]')
  await main.getByRole('link', { name: 'Pipeline' }).click()
  await page.getByRole('region', { name: 'Proposal' }).waitFor()
  await expect.poll(() => current.allTextContents()).toEqual(['Pipeline'])
  await main.getByRole('link', { name: 'My deals' }).click()
  await page.getByRole('tab', { name: 'My deals', selected: true }).waitFor()
  await expect.poll(() => current.allTextContents()).toEqual(['My deals'])
  const toggle = main.getByRole('button', { name: 'Views of deals' })
  await toggle.press('Enter')
  await main.getByRole('link', { name: 'My deals' }).waitFor({ state: 'detached' })
  await expect.poll(() => current.allTextContents()).toEqual(['Deals'])
  await main.getByRole('button', { name: 'Views of people' }).click()
  await main.getByRole('link', { name: 'My people' }).waitFor()
  await page.reload()
  await main.getByRole('link', { name: 'My people' }).waitFor()
  await expect.poll(() => toggle.getAttribute('aria-expanded')).toBe('false')
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
})

test('an organization without membership shows a page with a link to an own organization', async () => {
  const org = await dashboard.service.org()
  const page = await dashboard.open('/o/nowhere', await org.member('member'))
  await page.getByRole('heading', { level: 1, name: 'You are not a member of this organization' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('link', { name: /^Open / }).click()
  await page.waitForURL(/\/o\/org-/)
})

test('the sidebar counts the records of each object', async () => {
  const visitor = await (await dashboard.service.org()).member('member')
  for (const name of ['Initrode', 'Globex'])
    expect((await visitor.post('/objects/companies/records', { data: { name } })).status).toBe(201)
  const page = await dashboard.open('/', visitor)
  const companies = page.getByRole('link', { name: 'Companies', exact: true })
  await companies.getByText('2', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Deals', exact: true }).textContent()).toBe('Deals')
})

test('a phone has a search button and shows no keyboard keys', async () => {
  const page = await dashboard.open(`/o/org-${org.id}`, member, {
    viewport: { width: 375, height: 800 },
    own: { hasTouch: true, isMobile: true },
  })
  await page.getByRole('button', { name: 'Navigation' }).click()
  await page.getByRole('link', { name: 'Activities' }).waitFor()
  await expect.poll(() => page.locator('kbd:visible').count()).toBe(0)
  await page.getByRole('link', { name: 'Activities' }).click()
  await page.waitForURL(/activities$/)
  await page.getByRole('banner').getByRole('button', { name: 'Search' }).click()
  await page.getByRole('dialog').getByRole('combobox').waitFor()
})

test('offline, the page says so; if the server is away, it says that', async () => {
  const page = await dashboard.open(`/o/org-${org.id}`, member)
  await page.getByRole('heading', { name: 'Home' }).first().waitFor()
  await page.route(/\/dashboard\/api\/.*\/activities(\?|$)/, (route) => route.abort())
  await page.getByRole('link', { name: 'Activities', exact: true }).click()
  await page.getByRole('heading', { name: 'The server cannot be reached' }).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'You are offline' }).waitFor()
})

test('keys have the names of the current keyboard', async () => {
  const page = await dashboard.open(`/o/org-${org.id}/objects/companies`, member)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByText('Alt and arrows move it').waitFor()
  await expect.poll(() => page.getByText('⌥').count()).toBe(0)
})

const TITLE = 'Buyer of anvils, rockets, magnets, and everything else that a coyote may want'

test('the pencil next to a value covers no text', async () => {
  const id = await addRecord(org, 'people', { name: 'Wile Coyote', job_title: TITLE })
  const page = await dashboard.open(`/o/org-${org.id}/objects/people/${id}`, member)
  const text = page.getByText(TITLE).first()
  const opener = page.getByRole('button', { name: 'Edit Job title' })
  await opener.hover()
  const right = async (place: typeof text) => {
    const box = await place.boundingBox()
    return (box?.x ?? 0) + (box?.width ?? 0)
  }
  const pencil = await opener.locator('svg').boundingBox()
  expect(await right(text)).toBeLessThanOrEqual(pencil?.x ?? 0)
})
