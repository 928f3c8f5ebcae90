// The browser of a worker and its pages. Later tests reuse a page: its process already has the compiled scripts of the
// dashboard, so a visit takes a third of the time of one in a new page. A page is cleaned before it is reused.
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core'
import { inject } from 'vitest'
import { moveDate } from '../../server/test/start-time.ts'

/**
 * Pages are open for seconds only, so optimizing their code does not pay off: it took a quarter of the processor time
 * of pages. Compiled code is kept for the visits of later tests.
 */
const ENGINE = ['--no-maglev', '--no-turbofan', '--no-flush-bytecode', '--single-threaded-gc']

const ARGS = [
  `--js-flags=${ENGINE.join(',')}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
]

/** Settings that can be changed in an open page. */
export interface Look extends Pick<BrowserContextOptions, 'colorScheme' | 'reducedMotion'> {
  viewport?: { width: number; height: number }
}

const LOOK = {
  viewport: { width: 1280, height: 720 },
  colorScheme: 'light',
  reducedMotion: 'reduce',
} satisfies Look

/** A page that is reserved for one test. */
export interface TakenPage {
  context: BrowserContext
  page: Page
  /** @param blank an empty page of the service */
  giveBack(blank: string): Promise<void>
}

async function launch(): Promise<Browser> {
  const browser = inject('browser')
  if (!browser) throw new Error('Browser tests need Chrome or Chromium on this system: install one')
  const { TMPDIR } = process.env
  // Playwright has no option for the folder of browser profiles.
  process.env['TMPDIR'] = inject('browserFolder')
  try {
    return await chromium.launch({
      executablePath: browser.path,
      args: ARGS,
      env: { ...(process.env as Record<string, string>), ...browser.env },
    })
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
  }
}

let launched: Promise<Browser> | undefined

/**
 * One browser for all files of a worker, because they share modules. Playwright closes it when the worker's process
 * ends.
 */
function sharedBrowser(): Promise<Browser> {
  launched ??= launch()
  return launched
}

async function newContext(base: string, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const browser = await sharedBrowser()
  const context = await browser.newContext({ baseURL: base, locale: 'en-US', timezoneId: 'UTC', ...options })
  // The timeout of expect.poll: a shared machine may stall for a while.
  context.setDefaultTimeout(60_000)
  await context.addInitScript(moveDate, inject('clockOffsetMs'))
  return context
}

/** A page in a separate context that is closed after the test. */
export async function takeOwnPage(base: string, options: BrowserContextOptions): Promise<TakenPage> {
  const context = await newContext(base, options)
  return { context, page: await context.newPage(), giveBack: () => context.close() }
}

interface SharedPage {
  context: BrowserContext
  page: Page
  protocol: CDPSession
}

const STAYS = ['addInitScript', 'exposeBinding', 'exposeFunction', 'clock'] as const

/** Refuses settings that cannot be removed from a page. */
function refuseWhatStays(page: Page): void {
  for (const name of STAYS)
    Object.defineProperty(page, name, {
      get() {
        throw new Error(`page.${name} would stay for later tests: visit with the option "own"`)
      },
    })
}

async function openShared(base: string): Promise<SharedPage> {
  const context = await newContext(base)
  const page = await context.newPage()
  const protocol = await context.newCDPSession(page)
  refuseWhatStays(page)
  return { context, page, protocol }
}

const EVENTS = ['console', 'dialog', 'pageerror', 'request', 'response'] as const

/** Resets the page to the state of a new one, on the same origin: another origin would get another process. */
async function clear({ context, page, protocol }: SharedPage, base: string, blank: string): Promise<void> {
  for (const event of EVENTS) page.removeAllListeners(event)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  for (const other of context.pages()) if (other !== page) await other.close()
  await context.setOffline(false)
  await page.goto(blank)
  await page.evaluate('sessionStorage.clear(); window.name = ""')
  await protocol.send('Storage.clearDataForOrigin', { origin: base, storageTypes: 'all' })
  await protocol.send('Page.resetNavigationHistory')
  await context.clearCookies()
  await context.clearPermissions()
  await page.mouse.move(-1, -1)
}

/** Pages that are not in use, by the address of their service. */
const free = new Map<string, SharedPage[]>()

export async function takeSharedPage(base: string, look: Look): Promise<TakenPage> {
  const waiting = free.get(base) ?? []
  free.set(base, waiting)
  const shared = waiting.pop() ?? (await openShared(base))
  const { context, page } = shared
  const { viewport, ...media } = { ...LOOK, ...look }
  await page.setViewportSize(viewport)
  await page.emulateMedia(media)
  return {
    context,
    page,
    async giveBack(blank) {
      if (page.isClosed()) return context.close()
      await clear(shared, base, blank)
      waiting.push(shared)
    },
  }
}
