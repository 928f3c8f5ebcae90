// The entries that features add to the sidebar, the settings and the search, in display order.
import { activityNavigation } from '../features/activities/navigation.ts'
import { homeNavigation } from '../features/home/navigation.ts'
import { importNavigation } from '../features/import/navigation.ts'
import { inboxNavigation } from '../features/inbox/navigation.ts'
import { recordNavigation } from '../features/records/navigation.ts'
import { reportNavigation } from '../features/reports/navigation.ts'
import { settingsNavigation } from '../features/settings/navigation.ts'
import { webhookNavigation } from '../features/webhooks/navigation.ts'
import { workflowNavigation } from '../features/workflows/navigation.ts'
import type { Navigation } from '../shared/navigation.ts'

export const NAVIGATION: readonly Navigation[] = [
  homeNavigation,
  recordNavigation,
  activityNavigation,
  settingsNavigation,
  inboxNavigation,
  webhookNavigation,
  workflowNavigation,
  reportNavigation,
  importNavigation,
]

export const PAGES = NAVIGATION.flatMap(({ pages = [] }) => pages)
export const SETTINGS = NAVIGATION.flatMap(({ settings = [] }) => settings)
