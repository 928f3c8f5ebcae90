// The dashboard in a real browser, on the whole service and a database of its own.
import { AxeBuilder } from '@axe-core/playwright'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { afterAll, afterEach, expect, inject } from 'vitest'
import type { Config } from '../../server/config.ts'
import { builtPages } from '../../server/pages/pages.ts'
import { buildTestService, type TestService } from '../../server/test/build-app.ts'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
]

export interface Dashboard {
  service: TestService
  /** Where it answers, without a trailing slash. */
  base: string
  /** A new person at a browser, until the test ends; signed in as the member when one is given. */
  visit(member?: SignedInMember, options?: BrowserContextOptions): Promise<Page>
}

function launch(): Promise<Browser> {
  const browser = inject('browser')
  if (!browser) throw new Error('Browser tests need Chrome or Chromium on this system: install one')
  return chromium.launch({
    executablePath: browser.path,
    args: ARGS,
    env: { ...(process.env as Record<string, string>), ...browser.env },
  })
}

let launched: Promise<Browser> | undefined

/** One for all files of a worker, since they share modules; Playwright ends it with the worker's process. */
function sharedBrowser(): Promise<Browser> {
  launched ??= launch()
  return launched
}

async function signIn(context: BrowserContext, base: string, { cookie }: SignedInMember): Promise<void> {
  const [name = '', value = ''] = cookie.split('=', 2)
  await context.addCookies([{ name, value, url: base, httpOnly: true, sameSite: 'Lax' }])
}

/** Errors no page may have: of scripts, and what the security policy refused. */
function watch(page: Page, faults: string[]): void {
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) faults.push(message.text())
  })
}

/** At the top of a test file: everything is closed after its tests, and no page may have had an error. */
export async function openDashboard(overrides: Partial<Config> = {}): Promise<Dashboard> {
  const service = await buildTestService(overrides, builtPages())
  const base = await service.app.listen({ port: 0, host: '127.0.0.1' })
  const browser = await sharedBrowser()
  const faults: string[] = []
  const contexts: BrowserContext[] = []
  // A page that stays open follows what later tests change, and holds one of its user's streams.
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
  })
  afterAll(() => expect(faults).toEqual([]))
  return {
    service,
    base,
    async visit(member, options) {
      const context = await browser.newContext({
        baseURL: base,
        locale: 'en-US',
        timezoneId: 'UTC',
        ...options,
      })
      contexts.push(context)
      context.setDefaultTimeout(20_000)
      if (member) await signIn(context, base, member)
      const page = await context.newPage()
      watch(page, faults)
      return page
    },
  }
}

/** What axe finds wrong with the page as it stands, told so that one can find it. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Without the results that no test reads, and without a second page to put together those of frames: there are none.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true)
  const { violations } = await axe.analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}\n${failureSummary}`),
  )
}
