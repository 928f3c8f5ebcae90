import { address } from '../../shared/paths.ts'

export const importPaths = {
  import: (org: string, object: string) => address('o', org, 'objects', object, 'import'),
} as const
