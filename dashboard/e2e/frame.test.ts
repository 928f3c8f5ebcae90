import { expect, test } from 'vitest'
import { axeViolations, openDashboard } from './open-dashboard.ts'

const dashboard = await openDashboard()
const org = await dashboard.service.org({ name: 'Initech' })
const member = await org.member('member')

test('who is not signed in is led to sign in, and back', async () => {
  const page = await dashboard.visit()
  await page.goto(`/o/org-${org.id}`)
  await page.getByRole('heading', { name: 'Sign in to Rapport' }).waitFor()
  expect(new URL(page.url()).searchParams.get('from')).toBe(`/o/org-${org.id}`)
  expect(await axeViolations(page)).toEqual([])
})

test('the sidebar leads to every object', async () => {
  const page = await dashboard.visit(member)
  await page.goto('/')
  await page.getByRole('heading', { name: 'Home' }).waitFor()
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  expect(await links.allTextContents()).toEqual([
    'Home',
    'Activities',
    'People',
    'Companies',
    'Deals',
    'Workflows',
    'Reports',
    'Settings',
  ])
  expect(await axeViolations(page)).toEqual([])
})

test('an organization one is not in says so as a page, with a way out', async () => {
  const org = await dashboard.service.org()
  const page = await dashboard.visit(await org.member('member'))
  await page.goto('/o/nowhere')
  await page.getByRole('heading', { level: 1, name: 'This is not here' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Go home' }).click()
  await page.waitForURL(/\/o\/org-/)
})

test('the sidebar counts the records of each object', async () => {
  const visitor = await (await dashboard.service.org()).member('member')
  for (const name of ['Initrode', 'Globex'])
    expect((await visitor.post('/objects/companies/records', { data: { name } })).status).toBe(201)
  const page = await dashboard.visit(visitor)
  await page.goto('/')
  const companies = page.getByRole('link', { name: 'Companies', exact: true })
  await companies.getByText('2', { exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'Deals', exact: true }).textContent()).toBe('Deals')
})
