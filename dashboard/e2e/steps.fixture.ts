// Steps of journeys: each waits for what a person would see before the next.
import type { Locator, Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import type { TestService } from '../../server/test/build-app.ts'
import { axeViolations } from './axe.ts'

export const button = (place: Page | Locator, name: string | RegExp) =>
  place.getByRole('button', { name, exact: true })

export const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name, exact: true })

/** The next keys go to this dialog or panel, which takes the focus a moment after it opens. */
export const holdsFocus = (place: Locator) => place.and(place.page().locator(':focus-within')).waitFor()

/** Opens a menu and chooses from it, by keys. A menu moves the focus to its first item a moment after it opens. */
export async function chooseFromMenu(opener: Locator, name: string): Promise<void> {
  await opener.press('Enter')
  await opener.page().locator('[role=menuitem]:focus').waitFor()
  await opener.page().getByRole('menuitem', { name }).press('Enter')
}

/** Runs due jobs until the page shows the result: no worker runs next to the service of a test. */
export const work = (service: TestService, result: Locator) =>
  expect
    .poll(async () => {
      await service.drain()
      return result.isVisible()
    })
    .toBe(true)

/**
 * The first of these requests is handled so, later ones as ever. They stay intercepted: Chrome may lose a request that
 * is sent while its interception ends, as a route with `times` does, such as that of the live updates of a new page.
 */
export async function interceptFirst(
  page: Page,
  url: string,
  handle: (route: Route) => unknown,
): Promise<void> {
  let isFirst = true
  await page.route(url, async (route) => {
    if (!isFirst) return route.continue()
    isFirst = false
    await handle(route)
  })
}

export async function expectAccessible(page: Page): Promise<void> {
  expect(await axeViolations(page)).toEqual([])
}

/** Notes stay until the page is left: their seconds would run out on a slow machine before they are read. */
export const keepNotes = (page: Page) =>
  page.evaluate(`{
    const { setTimeout } = window
    const LONG = 2 ** 31 - 1
    window.setTimeout = (act, ms, ...rest) => setTimeout(act, ms === 5000 || ms === 8000 ? LONG : ms, ...rest)
  }`)
