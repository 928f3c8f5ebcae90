// Every page of the dashboard, for pictures that compare two states of the code: `npm run screenshots -- --matrix`.
import type { Page } from 'playwright-core'

/** What addresses of the demo are made of. */
export interface Places {
  /** The organization's address. */
  org: string
  /** The address of a company that has people, deals and activities. */
  company: string
  /** The address of an endpoint with a delivery open. */
  delivery: string
  /** The address of the portal, with its token. */
  portal: string
  /** The address of a workflow's editor. */
  editor: string
  /** The address of a run of it. */
  run: string
  /** The address of a report. */
  report: string
  /** The address of what changed between two runs of another one. */
  difference: string
  /** The address of a dashboard with two reports. */
  dashboard: string
}

export interface Shot {
  /** Of the file. */
  name: string
  path(places: Places): string
  /** What is done on the page before the picture is taken. */
  act?(page: Page): Promise<void>
  dark?: true
  phone?: true
  /** Of the window; undefined: as the pictures of the documents have it. */
  size?: { width: number; height: number }
  /** Before anyone is signed in. */
  signedOut?: true
}

const press = (role: 'button' | 'tab', name: string | RegExp) => (page: Page) =>
  page.getByRole(role, { name }).first().click()

const inOrg = (name: string, path: string, act?: Shot['act']): Shot => ({
  name,
  path: ({ org }) => `${org}${path}`,
  ...(act && { act }),
})

/** In addition to the pictures of the documents. */
export const MORE_PAGES: readonly Shot[] = [
  { name: 'sign-up', path: () => '/sign-up', signedOut: true },
  { name: 'forgot-password', path: () => '/forgot-password', signedOut: true },
  { name: 'new-organization', path: () => '/new-organization' },
  { name: 'not-found', path: ({ org }) => `${org}/objects/companies/missing` },
  inOrg('people', '/objects/people'),
  inOrg('new-record', '/objects/companies', press('button', /^New/)),
  inOrg('filters', '/objects/companies', press('button', /^Filter/)),
  inOrg('settings', '/settings'),
  inOrg('members', '/settings/members'),
  inOrg('organization', '/settings/organization'),
  inOrg('profile', '/settings/profile'),
  inOrg('event-types', '/settings/webhooks/event-types'),
  { name: 'webhook-endpoint', path: ({ delivery }) => delivery.replace(/\?.*/, '') },
  inOrg('new-endpoint', '/settings/webhooks', press('button', /^(?:Add|New) endpoint/)),
  inOrg('workflows', '/workflows'),
  inOrg('new-workflow', '/workflows/new'),
  { name: 'workflow-runs', path: ({ editor }) => editor.replace(/\/edit$/, '') },
  { name: 'workflow-settings', path: ({ editor }) => `${editor.replace(/\/edit$/, '')}?tab=settings` },
  inOrg('workflow-secrets', '/workflow-secrets'),
  inOrg('reports', '/reports'),
  inOrg('new-report', '/reports/new'),
  { name: 'report-builder', path: ({ report }) => `${report}/edit` },
  inOrg('report-dashboards', '/reports/dashboards'),
  { name: 'report-dashboard', path: ({ dashboard }) => dashboard },
  { name: 'portal', path: ({ portal }) => portal, signedOut: true },
]

/** Widths and heights that are compared. */
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 375, height: 760 },
] as const

/** A page in the variants that are compared: three widths, light and dark. */
export const variantsOf = ({ dark: _dark, phone: _phone, ...page }: Shot): Shot[] =>
  SIZES.flatMap((size): Shot[] => [
    { ...page, size, name: `${page.name}-${size.width}` },
    { ...page, size, dark: true, name: `${page.name}-${size.width}-dark` },
  ])
