import { address } from '../../shared/paths.ts'

export const webhookPaths = {
  webhooks: (org: string) => address('o', org, 'settings', 'webhooks'),
  webhookEndpoint: (org: string, endpoint: string) => address('o', org, 'settings', 'webhooks', endpoint),
  eventTypes: (org: string) => address('o', org, 'settings', 'webhooks', 'event-types'),
  portal: () => address('portal'),
  portalEndpoint: (endpoint: string) => address('portal', 'endpoints', endpoint),
  portalEventTypes: () => address('portal', 'event-types'),
} as const
