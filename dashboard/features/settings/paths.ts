import { address } from '../../shared/paths.ts'

export const settingsPaths = {
  settings: (org: string) => address('o', org, 'settings'),
  settingsObjects: (org: string) => address('o', org, 'settings', 'objects'),
  settingsObject: (org: string, object: string) => address('o', org, 'settings', 'objects', object),
  members: (org: string) => address('o', org, 'settings', 'members'),
  organization: (org: string) => address('o', org, 'settings', 'organization'),
  profile: (org: string) => address('o', org, 'settings', 'profile'),
  undo: (org: string) => address('o', org, 'settings', 'undo'),
  privacy: (org: string) => address('o', org, 'settings', 'privacy'),
  apiKeys: (org: string) => address('o', org, 'settings', 'api-keys'),
} as const
