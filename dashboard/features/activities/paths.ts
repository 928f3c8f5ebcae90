import { address } from '../../shared/paths.ts'

export const activityPaths = {
  activities: (org: string) => address('o', org, 'activities'),
} as const
