// Steps of journeys. Each waits for what a user would see before the next step.
import type { Locator, Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import type { SharedService } from '../../server/test/shared-service.ts'
import { axeViolations } from './axe.ts'

export const button = (place: Page | Locator, name: string | RegExp) =>
  place.getByRole('button', { name, exact: true })

export const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name, exact: true })

/** Waits until this dialog or panel has the focus, which it takes shortly after it opens. */
export const holdsFocus = (place: Locator) => place.and(place.page().locator(':focus-within')).waitFor()

/** Opens a menu and chooses an item by keyboard. A menu focuses its first item shortly after it opens. */
export async function chooseFromMenu(opener: Locator, name: string): Promise<void> {
  await opener.press('Enter')
  await opener.page().locator('[role=menuitem]:focus').waitFor()
  await opener.page().getByRole('menuitem', { name }).press('Enter')
}

/** Runs due jobs until the page shows the result: the test service has no worker. */
export const work = (service: SharedService, result: Locator) =>
  expect
    .poll(async () => {
      await service.drain()
      return result.isVisible()
    })
    .toBe(true)

/**
 * Handles the first matching request, and lets later ones continue. All stay intercepted: Chrome may lose a request
 * that is sent while interception ends, as with a route with `times`. Such a request is that of the live stream of a
 * new page.
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

/** Keeps toasts until the page is left: on a slow machine, they would disappear before they are read. */
export const keepNotes = (page: Page) =>
  page.evaluate(`{
    const { setTimeout } = window
    const LONG = 2 ** 31 - 1
    window.setTimeout = (act, ms, ...rest) => setTimeout(act, ms === 5000 || ms === 8000 ? LONG : ms, ...rest)
  }`)
