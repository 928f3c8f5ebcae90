// Counts and sums of records by the value of an attribute.
import { queryOptions } from '@tanstack/react-query'
import type { Group, GroupList, GroupQuery } from '../../../../contract/groups.ts'
import { request } from '../../../shared/api/client.ts'
import { recordsKey } from '../../../shared/api/records.ts'

export type { Group, GroupList, GroupQuery }

export const groupsKey = (org: string, object: string) => [...recordsKey(org, object), 'groups'] as const

export const groupsQuery = (org: string, object: string, body: GroupQuery) =>
  queryOptions({
    queryKey: [...groupsKey(org, object), body],
    queryFn: ({ signal }) =>
      request('POST /objects/:objectId/records/groups', { org, params: { objectId: object }, body, signal }),
  })
