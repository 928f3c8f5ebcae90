// Opens the dashboard in a real browser, with the full service.
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import type { Role } from '../../contract/roles.ts'
import type { Config } from '../../server/config/config.ts'
import { builtPages, type Pages } from '../../server/pages/pages.ts'
import { afterFile, requireCollection } from '../../server/test/after-file.ts'
import { buildTestService, type TestService } from '../../server/test/build-app.ts'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import { type SharedService, shareTestService } from '../../server/test/shared-service.ts'
import { type Look, type TakenPage, takeOwnPage, takeSharedPage } from './browser-pages.ts'

export interface Visit extends Look {
  permissions?: string[]
  /** Requests a page that no other test uses, with these options. */
  own?: BrowserContextOptions
}

export interface Dashboard<Service extends SharedService = SharedService> {
  service: Service
  /** The address of the service, without a trailing slash. */
  base: string
  /** A new organization with the name "Initech", and a member, by the role. */
  organization<R extends Role>(role: R): Promise<{ org: Org } & Record<R, SignedInMember>>
  /** A page for a new visitor until the test ends, signed in if a member is given. */
  visit(member?: SignedInMember, options?: Visit): Promise<Page>
  /** The same, at this address. */
  open(address: string, member?: SignedInMember, options?: Visit): Promise<Page>
  /** Signs the member in on the page, in place of another user. */
  signIn(page: Page, member: SignedInMember): Promise<void>
}

async function signIn(context: BrowserContext, base: string, { cookie }: SignedInMember): Promise<void> {
  const [name = '', value = ''] = cookie.split('=', 2)
  await context.addCookies([{ name, value, url: base, httpOnly: true, sameSite: 'Lax' }])
}

/** Collects errors that no page may have: script errors, and violations of the content security policy. */
function watch(page: Page, faults: string[]): void {
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) faults.push(message.text())
  })
}

/** The pages of the dashboard, or a blank page. */
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

/**
 * Listens at the same address for every file of a worker, so that its pages can use their caches. A shared service
 * listens already, except for the first file.
 */
async function listen({ app }: Pick<TestService, 'app'>): Promise<string> {
  if (!app.server.listening) {
    // Another program may be using the port by now.
    const listening = app.listen({ port, host: '127.0.0.1' })
    await listening.catch(() => app.listen({ port: 0, host: '127.0.0.1' }))
  }
  const address = app.server.address()
  if (address === null || typeof address === 'string')
    throw new Error('the service does not listen on a port')
  port = address.port
  return `http://127.0.0.1:${port}`
}

async function dashboardOf<Service extends SharedService>(
  service: Service,
  pages: { isBlank: boolean },
): Promise<Dashboard<Service>> {
  const base = await listen(service)
  const faults: string[] = []
  const taken: TakenPage[] = []
  // A page left open would react to changes of later tests, and hold one of its user's streams.
  afterEach(async ({ task }) => {
    pages.isBlank = true
    for (const one of taken.splice(0))
      await (task.result?.state === 'fail' ? one.context.close() : one.giveBack(`${base}/blank`))
    pages.isBlank = false
  })
  afterFile(() => expect(faults).toEqual([]))
  const visit: Dashboard['visit'] = async (member, { own, permissions = [], ...look } = {}) => {
    const visited = own ? await takeOwnPage(base, { ...look, ...own }) : await takeSharedPage(base, look)
    taken.push(visited)
    const { context, page } = visited
    if (permissions.length > 0) await context.grantPermissions(permissions)
    if (member) await signIn(context, base, member)
    watch(page, faults)
    return page
  }
  return {
    service,
    base,
    async organization<R extends Role>(role: R) {
      const org = await service.org({ name: 'Initech' })
      return { org, ...({ [role]: await org.member(role) } as Record<R, SignedInMember>) }
    },
    signIn: (page, member) => signIn(page.context(), base, member),
    visit,
    async open(address, ...visitor) {
      const page = await visit(...visitor)
      await page.goto(address)
      return page
    },
  }
}

/**
 * A dashboard of a separate service and database. Call it at the top of a test file. It closes everything after the
 * tests, and fails if a page had an error.
 */
export async function openDashboard(overrides: Partial<Config> = {}): Promise<Dashboard<TestService>> {
  requireCollection()
  const pages = pagesWithBlank()
  return dashboardOf(await buildTestService(overrides, pages), pages)
}

const sharedPages = pagesWithBlank()
const sharedService = shareTestService(sharedPages)

/** The same on the service that files of a worker share: for tests that read only their own organizations. */
export async function openSharedDashboard(): Promise<Dashboard> {
  requireCollection()
  return dashboardOf(await sharedService(), sharedPages)
}
