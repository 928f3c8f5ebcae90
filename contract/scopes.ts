// The specification's section "Authentication": the scopes of API keys. A key without scopes has full access.

export const SCOPES = {
  'organization:read': 'Read organization settings',
  'organization:write': 'Update organization settings (reading them is another permission)',
  'objects:read': 'Read objects',
  'objects:write': 'Create, update, delete objects (reading them is another permission)',
  'records:read': 'Read records',
  'records:write': 'Create, update, delete records (reading them is another permission)',
  'attributes:read': 'Read attributes',
  'attributes:write': 'Create, update, delete attributes (reading them is another permission)',
  'activities:read': 'Read activities',
  'activities:write': 'Create, update, delete activities (reading them is another permission)',
  'comments:read': 'Read comments on records',
  'comments:write': 'Create, edit, delete comments on records (reading them is another permission)',
  'reports:read': 'Read reports',
  'reports:write': 'Create, update, preview, delete reports (reading them is another permission)',
  'reports:run': 'Run reports',
  'workflows:read': 'Read workflows',
  'workflows:write': 'Update workflows (reading them is another permission)',
  'workflows:run': 'Run workflows',
  'workflows:manage': 'Create, define, test, delete workflows',
  'members:read': 'Read organization members',
  'members:manage': 'Invite, change, remove organization members',
  'files:read': 'List uploaded files',
  'files:write': 'Upload files',
  'files:manage': 'Delete uploaded files',
  'attachments:read': 'Read attachments',
  'attachments:write': 'Create, update, delete attachments (reading them is another permission)',
  'views:read': 'Read saved views',
  'views:write': 'Create, update, delete saved views (reading them is another permission)',
  'search:read': 'Search records and activities',
  'webhooks:manage': 'Manage webhooks and read all events, with the records in them',
  'privacy:manage': 'Export, erase, set retention of data',
} as const
export type Scope = keyof typeof SCOPES

export const ALL_SCOPES = Object.keys(SCOPES) as Scope[]
export const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text)
