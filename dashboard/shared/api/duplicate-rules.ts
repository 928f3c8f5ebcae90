// The rules by which two records of an object count as duplicates.
import { queryOptions } from '@tanstack/react-query'
import type { DuplicateRule } from '../../../contract/duplicates.ts'
import { request } from './client.ts'

export type { DuplicateRule }

export const duplicateRulesQuery = (org: string, object: string) =>
  queryOptions({
    queryKey: [org, 'duplicate-rules', object],
    queryFn: async ({ signal }) => {
      const { rules } = await request('GET /objects/:objectId/duplicate-rules', {
        org,
        params: { objectId: object },
        signal,
      })
      return rules
    },
  })
