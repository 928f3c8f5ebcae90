// Every page of the dashboard with data, for tests that visit all pages.
import type { Page } from 'playwright-core'
import type { SentInvitation } from '../../contract/invitations.ts'
import type { ReportDefinition } from '../../contract/reports.ts'
import type { Webhooks } from '../../contract/webhooks.ts'
import type { SignedInMember } from '../../server/test/dashboard-client.ts'
import type { Org } from '../../server/test/factories.ts'
import type { SharedService } from '../../server/test/shared-service.ts'
import { insertEndpoint } from '../../server/webhooks/endpoint.fixture.ts'
import { addActivity, addRecord } from './crm.fixture.ts'
import { addReport, PIPELINE, runOf, setUp } from './reports.fixture.ts'
import { addDelivery } from './webhooks.fixture.ts'
import { addRun, addWorkflow, FAILED_STEPS, THANKS } from './workflows.fixture.ts'

export interface PageToOpen {
  /** The path of the page in the router. */
  route: string
  address: string
  /** A text that is shown once the page is complete. */
  shows: string
  /** undefined: the page is opened without an account. */
  visitor: SignedInMember | undefined
  /** An address that is opened before the page, in the same browser. */
  first?: string
}

/** The paths of all pages, read from the router of an open page. */
export async function routesOf(page: Page): Promise<string[]> {
  await page.goto('/sign-in')
  await page.waitForFunction('globalThis.__TSR_ROUTER__ !== undefined')
  return page.evaluate<string[]>('Object.keys(globalThis.__TSR_ROUTER__.routesByPath)')
}

/** Opens the page, and waits until it shows its text. */
export async function visitPage(page: Page, { first, address, shows }: PageToOpen): Promise<void> {
  if (first !== undefined) {
    await page.goto(first)
    await page.getByText(/^Session ends /).waitFor()
  }
  await page.goto(address)
  await page.getByText(shows).filter({ visible: true }).first().waitFor()
}

type World = Awaited<ReturnType<typeof setUp>> & { service: SharedService }
type PageAddress = readonly [route: string, address: string, shows: string]

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()

async function addWork({ org, deal }: World): Promise<{ company: string }> {
  const company = await addRecord(org, 'companies', { name: 'Acme', domain: 'acme.example' })
  await addRecord(org, 'people', { name: 'Ada Lovelace', email: 'ada@acme.example', company })
  for (const stage of ['Lead', 'Qualified', 'Won']) await deal(`Deal ${stage}`, stage, 1200)
  for (const days of [-3, -1, 2]) {
    await addActivity(org, { type: 'task', title: `Task ${days}`, activityDate: inDays(days) })
    await addActivity(org, { type: 'call', title: `Call ${days}`, activityDate: inDays(days) })
  }
  const deleted = await addRecord(org, 'companies', { name: 'Globex' })
  await org.delete(`/objects/companies/records/${deleted}`)
  const note = await addActivity(org, { type: 'note', title: 'Thrown away' })
  await org.delete(`/activities/${note}`)
  return { company }
}

const of = (name: string, type: 'number' | 'funnel' | 'pie'): Partial<ReportDefinition> => ({
  name,
  chart: type === 'number' ? { type, y: ['deals'] } : { type, x: 'stage', y: ['deals'] },
})

/** A report for each kind of chart that has its own height, and a report that compares two runs. */
async function reportPages(world: World): Promise<PageAddress[]> {
  const { owner, base } = world
  const report = await addReport(owner)
  const before = await runOf(owner, report)
  await world.deal('Deal Lost', 'Lost', 50)
  await runOf(owner, report)
  const others: PageAddress[] = []
  for (const type of ['number', 'funnel', 'pie'] as const) {
    const made = await addReport(owner, of(`As ${type}`, type))
    await runOf(owner, made)
    others.push(['/o/$org/reports/$report', `${base}/reports/${made.id}`, '4 rows'])
  }
  const tiles = [{ id: 'a', reportId: report.id, x: 0, y: 0, w: 6, h: 8 }]
  const { body } = await owner.post<{ id: string }>('/report-dashboards', { name: 'Sales', tiles })
  return [
    ['/o/$org/reports', `${base}/reports`, PIPELINE.name],
    ['/o/$org/reports/$report', `${base}/reports/${report.id}`, '4 rows'],
    ['/o/$org/reports/$report', `${base}/reports/${report.id}?compare=${before.id}`, '1 added'],
    ...others,
    ['/o/$org/reports/$report/edit', `${base}/reports/${report.id}/edit`, '4 rows'],
    ['/o/$org/reports/new', `${base}/reports/new`, 'What do you want to report on?'],
    ['/o/$org/reports/dashboards', `${base}/reports/dashboards`, 'Sales'],
    ['/o/$org/reports/dashboards/$dashboard', `${base}/reports/dashboards/${body.id}`, PIPELINE.name],
  ]
}

async function workflowPages({ service, org, owner, base }: World): Promise<PageAddress[]> {
  const { id } = await addWorkflow(owner, { name: 'Thanks', definition: THANKS })
  const run = await addRun(
    service.ctx,
    { org: org.org, workflow: id },
    { status: 'failed', failure: 'step_failed', steps: FAILED_STEPS },
  )
  const page = `${base}/workflows`
  return [
    ['/o/$org/workflows', page, 'When a deal’s stage changes to Won'],
    ['/o/$org/workflows/new', `${page}/new`, 'Manual'],
    ['/o/$org/workflows/$workflow', `${page}/${id}`, 'Big deal'],
    ['/o/$org/workflows/$workflow/edit', `${page}/${id}/edit`, 'Tell the ERP'],
    ['/o/$org/workflows/$workflow/runs/$run', `${page}/${id}/runs/${run}`, 'Thank them'],
    ['/o/$org/settings/workflow-secrets', `${base}/settings/workflow-secrets`, 'Secrets'],
  ]
}

async function portalLink(org: Org): Promise<string> {
  const { portalUrl } = (await org.get<Webhooks>('/webhooks')).body
  const { pathname, hash } = new URL(portalUrl)
  return pathname + hash
}

async function webhookPages(world: World): Promise<{ settings: PageAddress[]; portal: PageAddress[] }> {
  const { service, org, base } = world
  const rows = await insertEndpoint(service.ctx, org.org, { url: 'https://acme.example/hooks' })
  const refused = { status: 500, failure: 'status', message: 'The receiver answered 500' } as const
  await addDelivery(service.ctx, rows, { state: 'failed', attempts: [refused] })
  const pages = (route: string, root: string, parameter: string, folder: string): PageAddress[] => [
    [route, root, 'acme.example/hooks'],
    [`${route}${folder}/${parameter}`, `${root}${folder}/${rows.endpoint}`, 'record.created'],
    [`${route}/event-types`, `${root}/event-types`, 'Event types'],
  ]
  return {
    settings: pages('/o/$org/settings/webhooks', `${base}/settings/webhooks`, '$endpointId', ''),
    portal: pages('/portal', '/portal', '$endpointId', '/endpoints'),
  }
}

const recordPages = (base: string, company: string): PageAddress[] => [
  ['/o/$org', base, 'Activities this week'],
  ['/', '/', 'Activities this week'],
  ['/o/$org/inbox', `${base}/inbox`, 'Inbox'],
  ['/o/$org/activities', `${base}/activities`, 'Call -3'],
  ['/o/$org/activities/trash', `${base}/activities/trash`, 'Thrown away'],
  ['/o/$org/objects/$object', `${base}/objects/companies`, 'Acme'],
  ['/o/$org/objects/$object', `${base}/objects/deals`, 'Deal Won'],
  ['/o/$org/objects/$object', `${base}/objects/deals?kind=board&board=stage:amount`, 'Deal Lead'],
  ['/o/$org/objects/$object/$record', `${base}/objects/companies/${company}`, 'acme.example'],
  ['/o/$org/objects/$object/trash', `${base}/objects/companies/trash`, 'Globex'],
  ['/o/$org/objects/$object/duplicates', `${base}/objects/companies/duplicates`, 'Find duplicate'],
  ['/o/$org/objects/$object/import', `${base}/objects/companies/import`, 'CSV'],
]

const settingsPages = (base: string): PageAddress[] => [
  ['/o/$org/settings', `${base}/settings`, 'Appearance'],
  ['/o/$org/settings/profile', `${base}/settings/profile`, 'Appearance'],
  ['/o/$org/settings/notifications', `${base}/settings/notifications`, 'Notifications'],
  ['/o/$org/settings/organization', `${base}/settings/organization`, 'Currency'],
  ['/o/$org/settings/members', `${base}/settings/members`, 'Mia Member'],
  ['/o/$org/settings/objects', `${base}/settings/objects`, 'Companies'],
  ['/o/$org/settings/objects/$object', `${base}/settings/objects/deals`, 'Close date'],
  ['/o/$org/settings/privacy', `${base}/settings/privacy`, 'Privacy'],
  ['/o/$org/settings/undo', `${base}/settings/undo`, 'Undo changes'],
  ['/o/$org/settings/api-keys', `${base}/settings/api-keys`, 'API keys'],
  ['/new-organization', '/new-organization', 'organization'],
]

async function publicPages({ owner }: World): Promise<PageAddress[]> {
  const email = 'new@acme.example'
  const { body } = await owner.post<SentInvitation>('/invitations', { email, role: 'member' })
  return [
    ['/sign-in', '/sign-in', 'Sign in to Rapport'],
    ['/sign-up', '/sign-up', 'Create'],
    ['/forgot-password', '/forgot-password', 'Forgot your password?'],
    ['/reset-password', '/reset-password?token=abc', 'Choose a new password'],
    ['/verify-email', '/verify-email?token=abc', 'Confirm your email address'],
    ['/invitation/$token', new URL(body.inviteUrl).pathname, 'Initech'],
  ]
}

/** Call it at the top of a test file. The list has each page of the router at least once. */
export async function pagesToOpen(service: SharedService): Promise<PageToOpen[]> {
  const world: World = { ...(await setUp(service)), service }
  const { org, owner, base } = world
  const { company } = await addWork(world)
  const { settings, portal } = await webhookPages(world)
  const inside = [
    ...recordPages(base, company),
    ...(await reportPages(world)),
    ...(await workflowPages(world)),
    ...settingsPages(base),
    ...settings,
  ]
  const outside = await publicPages(world)
  const link = await portalLink(org)
  const opened = (visitor: SignedInMember | undefined, pages: PageAddress[], first?: string) =>
    pages.map(
      ([route, address, shows]): PageToOpen => ({
        route,
        address,
        shows,
        visitor,
        ...(first !== undefined && { first }),
      }),
    )
  return [...opened(owner, inside), ...opened(undefined, outside), ...opened(undefined, portal, link)]
}
