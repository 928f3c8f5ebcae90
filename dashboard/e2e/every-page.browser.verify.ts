// Opens every page in a browser: no page may write an error or a warning to the console.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { pagesToOpen, routesOf, visitPage } from './every-page.fixture.ts'
import { openDashboard } from './open-dashboard.ts'

const dashboard = await openDashboard()
const pages = await pagesToOpen(dashboard.service)

/** Also collects failed responses, which the console lists. */
function collect(page: Page): string[] {
  const written: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      written.push(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  return written
}

test('the list of places covers every page of the router', async () => {
  const page = await dashboard.visit()
  const opened = new Set(pages.map(({ route }) => route))
  expect([...opened].toSorted()).toEqual((await routesOf(page)).toSorted())
})

test.each(pages)('$route with “$shows” writes nothing to the console', async (target) => {
  const page = await dashboard.visit(target.visitor, { viewport: { width: 1440, height: 900 } })
  const written = collect(page)
  await visitPage(page, target)
  await page.waitForLoadState('networkidle')
  expect(written).toEqual([])
})
