// Every address of the dashboard, in one place.
const enc = encodeURIComponent

export const paths = {
  signIn: () => '/sign-in',
  signUp: () => '/sign-up',
  forgotPassword: () => '/forgot-password',
  invitation: (token: string) => `/invitation/${enc(token)}`,
  newOrganization: () => '/new-organization',
  home: (org: string) => `/o/${enc(org)}`,
  activities: (org: string) => `/o/${enc(org)}/activities`,
  workflows: (org: string) => `/o/${enc(org)}/workflows`,
  newWorkflow: (org: string) => `/o/${enc(org)}/workflows/new`,
  workflow: (org: string, workflow: string) => `/o/${enc(org)}/workflows/${enc(workflow)}`,
  workflowEditor: (org: string, workflow: string) => `/o/${enc(org)}/workflows/${enc(workflow)}/edit`,
  workflowRun: (org: string, workflow: string, run: string) =>
    `/o/${enc(org)}/workflows/${enc(workflow)}/runs/${enc(run)}`,
  object: (org: string, object: string) => `/o/${enc(org)}/objects/${enc(object)}`,
  import: (org: string, object: string) => `/o/${enc(org)}/objects/${enc(object)}/import`,
  record: (org: string, object: string, record: string) =>
    `/o/${enc(org)}/objects/${enc(object)}/${enc(record)}`,
  settings: (org: string) => `/o/${enc(org)}/settings`,
  settingsObjects: (org: string) => `/o/${enc(org)}/settings/objects`,
  settingsObject: (org: string, object: string) => `/o/${enc(org)}/settings/objects/${enc(object)}`,
  members: (org: string) => `/o/${enc(org)}/settings/members`,
  organization: (org: string) => `/o/${enc(org)}/settings/organization`,
  profile: (org: string) => `/o/${enc(org)}/settings/profile`,
  apiKeys: (org: string) => `/o/${enc(org)}/settings/api-keys`,
  workflowSecrets: (org: string) => `/o/${enc(org)}/settings/workflow-secrets`,
  webhooks: (org: string) => `/o/${enc(org)}/settings/webhooks`,
  webhookEndpoint: (org: string, endpoint: string) => `/o/${enc(org)}/settings/webhooks/${enc(endpoint)}`,
  eventTypes: (org: string) => `/o/${enc(org)}/settings/webhooks/event-types`,
  portal: () => '/portal',
  portalEndpoint: (endpoint: string) => `/portal/endpoints/${enc(endpoint)}`,
  portalEventTypes: () => '/portal/event-types',
} as const
