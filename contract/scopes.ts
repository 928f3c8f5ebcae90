// The specification's section "Authentication": what a key may do.

export const SCOPES = {
  'objects:read': 'Read objects',
  'objects:write': 'Create, update, delete objects',
  'records:read': 'Read records',
  'records:write': 'Create, update, delete records (reading them is another permission)',
  'attributes:read': 'Read attributes',
  'attributes:write': 'Create, update, delete attributes',
  'activities:read': 'Read activities',
  'activities:write': 'Create, update, delete activities',
  'comments:read': 'Read comments on records',
  'comments:write': 'Create, edit, delete comments on records',
  'reports:read': 'Read reports',
  'reports:run': 'Run reports',
  'workflows:read': 'Read workflows',
  'workflows:write': 'Update workflows',
  'workflows:run': 'Run workflows',
  'members:read': 'Read organization members',
  'files:write': 'Upload files',
  'views:read': 'Read saved views',
  'views:write': 'Create, update, delete saved views',
  'search:read': 'Search records and activities',
  'webhooks:manage': 'Manage webhooks and read all events, with the records in them',
  'privacy:manage': 'Export, erase, set retention of data',
} as const
export type Scope = keyof typeof SCOPES

export const ALL_SCOPES = Object.keys(SCOPES) as Scope[]
export const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text)
