// Accessibility of a page as axe sees it.
import { setTimeout as delay } from 'node:timers/promises'
import axe from 'axe-core'
import type { CDPSession, Page } from 'playwright-core'

const SOURCE = `${axe.source};0`
const sessions = new WeakMap<Page, Promise<CDPSession>>()

function sessionOf(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, session)
  return session
}

/**
 * Once for each document, since it takes longer than checking most pages; and as a script, whose compiled code the browser
 * uses again in the next document, unlike that of `page.evaluate`.
 */
async function loadAxe(page: Page): Promise<void> {
  if (await page.evaluate('"axe" in globalThis')) return
  await (await sessionOf(page)).send('Runtime.evaluate', { expression: SOURCE })
}

/** @param rules all when undefined */
async function look(page: Page, rules?: readonly string[]): Promise<string[]> {
  await loadAxe(page)
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })
  return page.evaluate<string[]>(`axe.run(${options}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ': ' + target.join(' ') + '\\n' + failureSummary)))`)
}

const LOOKS = 25
const PAUSE_MS = 200

/**
 * Retries a fixed number of times, not until a timeout, which a stalled machine would use up: an element that fades in
 * or changes its scheme has intermediate colors, which lack contrast.
 */
async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  for (let looks = 1; ; looks++) {
    const found = await look(page, rules)
    if (found.length === 0 || looks === LOOKS) return found
    await delay(PAUSE_MS)
  }
}

/** What axe finds wrong with the page in its current state, with the element of each violation. */
export const axeViolations = (page: Page): Promise<string[]> => violations(page)

const OF_COLORS = ['color-contrast', 'link-in-text-block']

/** Of an element that is there in light and in dark, only the colors differ. */
export const axeViolationsOfColors = (page: Page): Promise<string[]> => violations(page, OF_COLORS)

async function setScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
}

/** In light and in dark. */
export async function axeViolationsInBothSchemes(page: Page): Promise<string[]> {
  const inLight = await violations(page)
  await setScheme(page, 'dark')
  const inDark = await axeViolationsOfColors(page)
  await setScheme(page, 'light')
  return [...inLight, ...inDark.map((violation) => `dark: ${violation}`)]
}
