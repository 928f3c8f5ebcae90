// Checks the accessibility of a page with axe.
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
 * Loaded once per document, because loading takes longer than checking most pages. It is loaded as a script: the
 * browser reuses the compiled code in the next document, unlike that of `page.evaluate`.
 */
async function loadAxe(page: Page): Promise<void> {
  if (await page.evaluate('"axe" in globalThis')) return
  await (await sessionOf(page)).send('Runtime.evaluate', { expression: SOURCE })
}

/** @param rules all rules if undefined */
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
 * Retries a fixed number of times: an element that fades in or changes its scheme has intermediate colors, which lack
 * contrast. A timeout would run out on a stalled machine.
 */
async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  for (let looks = 1; ; looks++) {
    const found = await look(page, rules)
    if (found.length === 0 || looks === LOOKS) return found
    await delay(PAUSE_MS)
  }
}

/** The violations that axe finds in the current state of the page, each with its element. */
export const axeViolations = (page: Page): Promise<string[]> => violations(page)

const OF_COLORS = ['color-contrast', 'link-in-text-block']

/** The violations of color rules. In the other scheme, elements differ only in their colors. */
export const axeViolationsOfColors = (page: Page): Promise<string[]> => violations(page, OF_COLORS)

async function setScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
}

/** The violations in the light and in the dark scheme. */
export async function axeViolationsInBothSchemes(page: Page): Promise<string[]> {
  const inLight = await violations(page)
  await setScheme(page, 'dark')
  const inDark = await axeViolationsOfColors(page)
  await setScheme(page, 'light')
  return [...inLight, ...inDark.map((violation) => `dark: ${violation}`)]
}
