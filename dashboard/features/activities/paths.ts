import { address } from '../../shared/paths.ts'

export const activityPaths = {
  activities: (org: string) => address('o', org, 'activities'),
  trash: (org: string) => address('o', org, 'activities', 'trash'),
} as const
