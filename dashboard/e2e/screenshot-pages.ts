// Every page of the dashboard, for screenshots that compare two states of the code: `npm run screenshots -- --matrix`.
import type { Page } from 'playwright-core'

/** The paths of the demo's data. */
export interface DemoPaths {
  /** The organization's address. */
  org: string
  /** The address of a company that has people, deals and activities. */
  company: string
  /** The address of an endpoint with an open delivery. */
  delivery: string
  /** The address of the portal, with its token. */
  portal: string
  /** The address of a workflow's editor. */
  editor: string
  /** The address of one of the workflow's runs. */
  run: string
  /** The address of a report. */
  report: string
  /** The address of the comparison of two runs of another report. */
  difference: string
  /** The address of a dashboard with two reports. */
  dashboard: string
}

export interface Shot {
  /** The name of the file, without extension. */
  name: string
  path(paths: DemoPaths): string
  /** Steps before the screenshot. */
  act?(page: Page): Promise<void>
  dark?: true
  phone?: true
  /** The size of the window. undefined: the size of screenshots in the docs. */
  size?: { width: number; height: number }
  /** Shows the page without a session. */
  signedOut?: true
}

const press = (role: 'button' | 'tab', name: string | RegExp) => (page: Page) =>
  page.getByRole(role, { name }).first().click()

const inOrg = (name: string, path: string, act?: Shot['act']): Shot => ({
  name,
  path: ({ org }) => `${org}${path}`,
  ...(act && { act }),
})

/** Pages in addition to those of the docs. */
export const MORE_PAGES: readonly Shot[] = [
  { name: 'sign-up', path: () => '/sign-up', signedOut: true },
  { name: 'forgot-password', path: () => '/forgot-password', signedOut: true },
  { name: 'new-organization', path: () => '/new-organization' },
  { name: 'not-found', path: ({ org }) => `${org}/objects/companies/missing` },
  inOrg('people', '/objects/people'),
  inOrg('new-record', '/objects/companies', press('button', /^New/)),
  inOrg('filters', '/objects/companies', press('button', /^Filter/)),
  inOrg('inbox', '/inbox'),
  inOrg('palette', '/objects/companies', (page) => page.keyboard.press('Control+k')),
  inOrg('settings', '/settings'),
  inOrg('notification-settings', '/settings/notifications'),
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

/** The window sizes to compare. */
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 375, height: 760 },
] as const

/** A page in the variants to compare: three widths, light and dark. */
export const variantsOf = ({ dark: _dark, phone: _phone, ...page }: Shot): Shot[] =>
  SIZES.flatMap((size): Shot[] => [
    { ...page, size, name: `${page.name}-${size.width}` },
    { ...page, size, dark: true, name: `${page.name}-${size.width}-dark` },
  ])
