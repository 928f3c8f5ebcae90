// npm run screenshots -- [name …]: screenshots of the main pages with demo data, for docs/images.
// npm run screenshots -- --matrix FOLDER [name …]: every page at three widths, light and dark, to compare two states.
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { findBrowser } from '../../server/test/chromium.ts'
import { type DemoService, startDemoService } from './demo-service.ts'
import { type DemoPaths, MORE_PAGES, type Shot, variantsOf } from './screenshot-pages.ts'
import { makeReports } from './screenshot-reports.ts'
import { makeWebhooks } from './screenshot-webhooks.ts'
import { makeWorkflows } from './screenshot-workflows.ts'

const IMAGES = fileURLToPath(new URL('../../docs/images', import.meta.url))
const COMPANIES = fileURLToPath(new URL('../../samples/companies.csv', import.meta.url))
const BYTES_MAX = 150 * 1024

const FILLS = [
  ['Symbol', 'Ticker'],
  ['Security', 'Name (required)'],
  ['GICS Sector', 'Sector'],
  ['Founded', 'Founding note'],
] as const

const importCompanies = async (page: Page) => {
  await page.locator('input[type=file]').setInputFiles(COMPANIES)
  for (const [column, attribute] of FILLS) {
    await page.getByRole('combobox', { name: `Attribute for ${column}`, exact: true }).click()
    await page.getByRole('option', { name: attribute, exact: true }).click()
  }
  await page.getByRole('heading', { name: 'Map the columns' }).click()
}

const openFirstStep = (page: Page) => page.getByText('Find up to 5 people').click()

const SHOTS: readonly Shot[] = [
  { name: 'sign-in', path: () => '/sign-in', signedOut: true },
  { name: 'home', path: ({ org }) => org },
  { name: 'home-dark', path: ({ org }) => org, dark: true },
  { name: 'table', path: ({ org }) => `${org}/objects/companies` },
  { name: 'table-dark', path: ({ org }) => `${org}/objects/companies`, dark: true },
  { name: 'table-phone', path: ({ org }) => `${org}/objects/companies`, phone: true },
  { name: 'board', path: ({ org }) => `${org}/objects/deals?kind=board&board=stage:amount` },
  { name: 'record', path: ({ company }) => company },
  { name: 'record-dark', path: ({ company }) => company, dark: true },
  { name: 'record-phone', path: ({ company }) => company, phone: true },
  { name: 'activities', path: ({ org }) => `${org}/activities` },
  { name: 'import', path: ({ org }) => `${org}/objects/companies/import`, act: importCompanies },
  { name: 'settings-objects', path: ({ org }) => `${org}/settings/objects` },
  { name: 'settings-object', path: ({ org }) => `${org}/settings/objects/deals` },
  { name: 'api-keys', path: ({ org }) => `${org}/settings/api-keys` },
  { name: 'webhooks', path: ({ org }) => `${org}/settings/webhooks` },
  { name: 'webhook-delivery', path: ({ delivery }) => delivery },
  { name: 'workflow-editor', path: ({ editor }) => editor, act: openFirstStep },
  { name: 'workflow-run', path: ({ run }) => run },
  { name: 'report', path: ({ report }) => report },
  { name: 'report-difference', path: ({ difference }) => difference },
]

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 375, height: 760 }

const open = (browser: Browser, base: string, { dark, phone, size }: Pick<Shot, 'dark' | 'phone' | 'size'>) =>
  browser.newContext({
    baseURL: base,
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: size ?? (phone ? PHONE : DESKTOP),
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    deviceScaleFactor: 1,
  })

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

/** Signs in through the form. */
async function signIn(browser: Browser, { base, email, password }: DemoService): Promise<Cookies> {
  const context = await open(browser, base, {})
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/o\//)
  const cookies = await context.cookies()
  await context.close()
  return cookies
}

const API = '/dashboard/api'

/** The paths of the organization and of the company of a won deal, which has people and activities. */
async function findPaths(
  context: BrowserContext,
): Promise<Pick<DemoPaths, 'org' | 'company'> & { slug: string }> {
  const read = async (path: string) => (await context.request.get(`${API}${path}`)).json()
  const { organizations } = await read('/session')
  const { slug } = organizations[0]
  const deals = await read(`/organizations/${slug}/objects/deals/records?filter[stage][equals]=Won&limit=1`)
  const org = `/o/${slug}`
  return { slug, org, company: `${org}/objects/companies/${deals.records[0].data.company}` }
}

/** Takes a screenshot. @throws if a screenshot of the docs is too large */
async function take(
  context: BrowserContext,
  paths: DemoPaths,
  { folder, shot: { name, path, act } }: { folder: string; shot: Shot },
): Promise<void> {
  const page = await context.newPage()
  await page.goto(path(paths), { waitUntil: 'networkidle' })
  await act?.(page)
  await page.waitForLoadState('networkidle')
  const file = join(folder, `${name}.png`)
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' })
  const { size } = await stat(file)
  process.stdout.write(`${name}.png  ${Math.ceil(size / 1024)} KB\n`)
  if (folder === IMAGES && size > BYTES_MAX)
    throw new Error(`${name}.png has more than ${BYTES_MAX / 1024} KB`)
}

interface Order {
  folder: string
  shots: readonly Shot[]
}

/** Takes all screenshots. If one fails, the others are still taken. */
async function takeEach(
  browser: Browser,
  service: DemoService,
  { folder, shots }: Order,
  signedIn: SignedIn,
) {
  for (const shot of shots) {
    const context = await open(browser, service.base, shot)
    if (!shot.signedOut) await context.addCookies(signedIn.cookies)
    await take(context, signedIn.paths, { folder, shot }).catch((error: unknown) => {
      process.exitCode = 1
      process.stderr.write(`${shot.name}: ${error}\n`)
    })
    await context.close()
  }
}

interface SignedIn {
  cookies: Cookies
  paths: DemoPaths
}

async function takeAll(browser: Browser, service: DemoService, order: Order): Promise<void> {
  const cookies = await signIn(browser, service)
  const first = await open(browser, service.base, {})
  await first.addCookies(cookies)
  const { slug, org, company } = await findPaths(first)
  const where = { organization: `${API}/organizations/${slug}`, page: org }
  const webhooks = await makeWebhooks(first.request, where)
  const workflows = await makeWorkflows(first.request, where)
  const reports = await makeReports(first.request, where)
  const { delivery, portal } = webhooks
  const paths = { org, company, delivery, portal, ...workflows, ...reports }
  await takeEach(browser, service, order, { cookies, paths })
  await first.close()
  await webhooks.close()
}

function orderOf(words: readonly string[]): Order {
  const isMatrix = words[0] === '--matrix'
  const folder = isMatrix ? words[1] : IMAGES
  if (folder === undefined)
    throw new Error('Say which folder: npm run screenshots -- --matrix FOLDER [name …]')
  const names = words.slice(isMatrix ? 2 : 0)
  const documents = SHOTS.filter(({ dark, phone }) => !isMatrix || !(dark || phone))
  const shots = [...documents, ...(isMatrix ? MORE_PAGES : [])].filter(
    ({ name }) => names.length === 0 || names.includes(name),
  )
  return { folder, shots: isMatrix ? shots.flatMap(variantsOf) : shots }
}

async function main(words: readonly string[]): Promise<void> {
  const found = await findBrowser()
  if (!found) throw new Error('Pictures need Chrome or Chromium on this system: install one')
  const order = orderOf(words)
  await mkdir(order.folder, { recursive: true })
  const service = await startDemoService()
  const env = { ...(process.env as Record<string, string>), ...found.env }
  const args = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none']
  const browser = await chromium.launch({ executablePath: found.path, args, env })
  try {
    await takeAll(browser, service, order)
  } finally {
    await browser.close()
    await service.stop()
  }
}

await main(process.argv.slice(2))
