// Keyboard helpers for journeys. Each waits for the element that receives the key, so that no key is lost.
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeViolations, axeViolationsInBothSchemes } from './axe.ts'
import { isFocused, tabTo } from './report-builder.fixture.ts'

/**
 * Presses a shortcut of the page. Pages register shortcuts in effects, which have run when the browser is idle.
 * Browsers report idle time only between frames, so a page without frames needs the timeout.
 */
export async function pressShortcut(page: Page, keys: string): Promise<void> {
  await page.evaluate('new Promise((done) => requestIdleCallback(done, { timeout: 500 }))')
  await page.keyboard.press(keys)
}

/** Waits until the element has the focus. */
export const hasFocus = (target: Locator): Promise<void> =>
  target.and(target.page().locator(':focus')).waitFor()

/** Moves the focus to the element by Tab, then presses the keys. */
export async function pressOn(page: Page, target: Locator, keys = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(keys)
}

/**
 * Waits until a dialog or menu has the focus, which it takes shortly after it opens. An earlier key would go elsewhere.
 */
export const takesFocus = (page: Page, role: 'dialog' | 'menu'): Promise<void> =>
  page.locator(`[role=${role}]:focus-within`).waitFor()

const STEPS_MAX = 60

/** Moves through a menu by the arrow key until the item has the focus. */
export async function arrowTo(page: Page, item: Locator): Promise<void> {
  await item.waitFor()
  for (let presses = 0; presses < STEPS_MAX; presses++) {
    if (await isFocused(item)) return
    await page.keyboard.press('ArrowDown')
  }
  throw new Error('The arrow does not lead there')
}

/** Opens a menu by keyboard and chooses an item. */
export async function chooseByKeys(page: Page, opener: Locator, item: Locator): Promise<void> {
  await pressOn(page, opener)
  await takesFocus(page, 'menu')
  await arrowTo(page, item)
  await page.keyboard.press('Enter')
}

/** Chooses an option of the focused field: opens its list, and moves down until the option is highlighted. */
export async function optionByKeys(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ArrowDown')
  await page.getByRole('option', { name, exact: true }).waitFor()
  const marked = page.getByRole('option', { name, exact: true }).and(page.locator('[data-combobox-selected]'))
  for (let presses = 0; presses < STEPS_MAX; presses++) {
    if ((await marked.count()) > 0) return page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`The arrow does not lead to ${name}`)
}

async function fitsWindow(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
}

/** Checks that the page is accessible in the light scheme and fits the width of the window. */
export async function isForEverybody(page: Page): Promise<void> {
  expect(await axeViolations(page)).toEqual([])
  await fitsWindow(page)
}

/** The same in both schemes. */
export async function isForEverybodyInBothSchemes(page: Page): Promise<void> {
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await fitsWindow(page)
}
