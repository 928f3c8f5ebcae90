// Every page in a browser: none writes an error or a warning to the console.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPlace, placesToOpen, routesOf } from './every-page.fixture.ts'
import { openDashboard } from './open-dashboard.ts'

const dashboard = await openDashboard()
const places = await placesToOpen(dashboard.service)

/** Also answers that are errors, which the console lists. */
function collect(page: Page): string[] {
  const written: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      written.push(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  return written
}

test('every page that the router has is opened', async () => {
  const page = await dashboard.visit()
  const opened = new Set(places.map(({ route }) => route))
  expect([...opened].toSorted()).toEqual((await routesOf(page)).toSorted())
})

test.each(places)('$route with “$shows” writes nothing to the console', async (place) => {
  const page = await dashboard.visit(place.visitor, { viewport: { width: 1440, height: 900 } })
  const written = collect(page)
  await openPlace(page, place)
  await page.waitForLoadState('networkidle')
  expect(written).toEqual([])
})
