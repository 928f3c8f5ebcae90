// How journeys use the keyboard so that no key is lost: each waits for what receives it.
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeViolations, axeViolationsInBothSchemes } from './axe.ts'
import { isFocused, tabTo } from './report-builder.fixture.ts'

/**
 * Presses a shortcut of the page. Pages listen for theirs in effects, which have run when nothing is left to do. The
 * browser tells that only between frames: a page that draws none would never be told without a timeout.
 */
export async function pressShortcut(page: Page, keys: string): Promise<void> {
  await page.evaluate('new Promise((done) => requestIdleCallback(done, { timeout: 500 }))')
  await page.keyboard.press(keys)
}

/** The next keys go to this element. */
export const hasFocus = (target: Locator): Promise<void> =>
  target.and(target.page().locator(':focus')).waitFor()

/** Goes there by Tab, and presses. */
export async function pressOn(page: Page, target: Locator, keys = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(keys)
}

/** A dialog, list or menu takes the focus a moment after it opens: a key before that goes elsewhere. */
export const takesFocus = (page: Page, role: 'dialog' | 'menu'): Promise<void> =>
  page.locator(`[role=${role}]:focus-within`).waitFor()

const STEPS_MAX = 60

/** Goes through a menu by the arrow until the item has the focus. */
export async function arrowTo(page: Page, item: Locator): Promise<void> {
  await item.waitFor()
  for (let presses = 0; presses < STEPS_MAX; presses++) {
    if (await isFocused(item)) return
    await page.keyboard.press('ArrowDown')
  }
  throw new Error('The arrow does not lead there')
}

/** Opens a menu by keyboard, and chooses from it. */
export async function chooseByKeys(page: Page, opener: Locator, item: Locator): Promise<void> {
  await pressOn(page, opener)
  await takesFocus(page, 'menu')
  await arrowTo(page, item)
  await page.keyboard.press('Enter')
}

/** Chooses the option of the field that has the focus: opens its list, and goes down until the option is marked. */
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

/** For people who do not see the page as it was designed, or see it narrow: in light, and no wider than the window. */
export async function isForEverybody(page: Page): Promise<void> {
  expect(await axeViolations(page)).toEqual([])
  await fitsWindow(page)
}

/** The same in dark too. */
export async function isForEverybodyInBothSchemes(page: Page): Promise<void> {
  expect(await axeViolationsInBothSchemes(page)).toEqual([])
  await fitsWindow(page)
}
