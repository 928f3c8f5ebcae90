import { address } from '../../shared/paths.ts'

export const inboxPaths = {
  inbox: (org: string) => address('o', org, 'inbox'),
  settings: (org: string) => address('o', org, 'settings', 'notifications'),
} as const
