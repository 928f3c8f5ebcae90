import { expect, test } from 'vitest'
import { openSharedDashboard } from './open-dashboard.ts'

const dashboard = await openSharedDashboard()

test('a page with too many requests says so, and shows its content after the limit ends', async () => {
  const org = await dashboard.service.org()
  await org.post('/objects/companies/records', { data: { name: 'Patience Ltd' } })
  const page = await dashboard.visit(await org.member('owner'))
  let refused = 0
  await page.route(/records(?:\/search)?(?:\?|$)/, (route) => {
    if (refused++ > 0) return route.continue()
    return route.fulfill({
      status: 429,
      json: { error: 'rate_limit_exceeded', message: 'Too many requests', details: { retryAfter: 1 } },
    })
  })
  await page.goto(`/o/org-${org.id}/objects/companies`)
  await page.getByText('Too many requests. Trying again in 1 s.').waitFor()
  await page.getByText('Patience Ltd').first().waitFor()
  expect(refused).toBeGreaterThan(1)
})
