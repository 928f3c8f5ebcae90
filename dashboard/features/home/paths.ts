import { address } from '../../shared/paths.ts'

export const homePaths = {
  home: (org: string) => address('o', org),
} as const
