// The dashboard in a real browser, on the whole service and a separate database.
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import type { Config } from '../../server/config/config.ts'
import { builtPages, type Pages } from '../../server/pages/pages.ts'
import { afterFile, requireCollection } from '../../server/test/after-file.ts'
import { buildTestService, type TestService } from '../../server/test/build-app.ts'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import { type Look, type TakenPage, takeOwnPage, takeSharedPage } from './browser-pages.ts'

export interface Visit extends Look {
  permissions?: string[]
  /** Asks for a page that no other test gets, with these options. */
  own?: BrowserContextOptions
}

export interface Dashboard {
  service: TestService
  /** Where it answers, without a trailing slash. */
  base: string
  /** A new person at a browser, until the test ends; signed in as the member when one is given. */
  visit(member?: SignedInMember, options?: Visit): Promise<Page>
  /** In the browser of the page, in place of another user. */
  signIn(page: Page, member: SignedInMember): Promise<void>
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

/** The dashboard, or a page with nothing in it. */
function pagesWithBlank(): Pages & { isBlank: boolean } {
  const built = builtPages()
  return {
    ...built,
    isBlank: false,
    document(nonce, visit) {
      return this.isBlank ? '<!doctype html><title>Blank</title>' : built.document(nonce, visit)
    },
  }
}

let port = 0

/** At the same address for every file of a worker, whose pages go on with what they have of it. */
async function listen({ app }: TestService): Promise<string> {
  // Another program may have been given the port meanwhile.
  const listening = app.listen({ port, host: '127.0.0.1' })
  const base = await listening.catch(() => app.listen({ port: 0, host: '127.0.0.1' }))
  port = Number(new URL(base).port)
  return base
}

/** At the top of a test file: everything is closed after its tests, and no page may have had an error. */
export async function openDashboard(overrides: Partial<Config> = {}): Promise<Dashboard> {
  requireCollection()
  const pages = pagesWithBlank()
  const service = await buildTestService(overrides, pages)
  const base = await listen(service)
  const faults: string[] = []
  const taken: TakenPage[] = []
  // A page that stays open follows what later tests change, and holds one of its user's streams.
  afterEach(async ({ task }) => {
    pages.isBlank = true
    for (const one of taken.splice(0))
      await (task.result?.state === 'fail' ? one.context.close() : one.giveBack(`${base}/blank`))
    pages.isBlank = false
  })
  afterFile(() => expect(faults).toEqual([]))
  return {
    service,
    base,
    signIn: (page, member) => signIn(page.context(), base, member),
    async visit(member, { own, permissions = [], ...look } = {}) {
      const visit = own ? await takeOwnPage(base, { ...look, ...own }) : await takeSharedPage(base, look)
      taken.push(visit)
      const { context, page } = visit
      if (permissions.length > 0) await context.grantPermissions(permissions)
      if (member) await signIn(context, base, member)
      watch(page, faults)
      return page
    },
  }
}
