// Pages while the database is away: each says so, and opens automatically when the database is back.
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Pool } from '../../server/db/pool.ts'
import { axeViolations } from './axe.ts'
import { openDashboard } from './open-dashboard.ts'

const dashboard = await openDashboard()
const { service } = dashboard
const org = await service.org({ name: 'Initech' })
const member = await org.member('member')

/** Waits until the service notices: it caches its last check of the database for a short time. */
const untilSaid = () =>
  expect.poll(async () => (await service.inject({ url: '/sign-in' })).statusCode).toBe(503)

const away = () => {
  const error = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
  const spy = vi.spyOn(service.ctx.directory as Pool, 'ask').mockRejectedValue(error)
  onTestFinished(() => spy.mockRestore())
  return spy
}

test.each([
  ['light', 1440],
  ['dark', 375],
] as const)('a page opened in the outage says so, then opens (%s, %i px)', async (colorScheme, width) => {
  const page = await dashboard.visit(member, { colorScheme, viewport: { width, height: 800 } })
  const spy = away()
  await untilSaid()
  await page.goto(`/o/org-${org.id}`)
  await page.getByRole('heading', { name: 'The database does not respond' }).waitFor()
  expect(await axeViolations(page)).toEqual([])
  spy.mockRestore()
  await page.getByRole('heading', { name: 'Home' }).first().waitFor()
})

test('a page reached by a link opens automatically after the outage', async () => {
  const page = await dashboard.open(`/o/org-${org.id}`, member)
  await page.getByRole('heading', { name: 'Home' }).first().waitFor()
  const activities = /\/dashboard\/api\/.*\/activities(\?|$)/
  let isAway = true
  await page.route(activities, (route) =>
    isAway ? route.fulfill({ status: 503, json: { error: 'unavailable' } }) : route.continue(),
  )
  await page.getByRole('link', { name: 'Activities', exact: true }).click()
  await page.getByText('The service is busy or restarting: try again shortly').waitFor()
  isAway = false
  await page.getByRole('heading', { name: 'Activities' }).first().waitFor()
})
