// Counts and sums of records by the value of an attribute.
import type { Group, GroupList, GroupQuery } from '../../../../contract/groups.ts'
import { requestQuery } from '../../../shared/api/queries.ts'
import { recordsKey } from '../../../shared/api/records.ts'

export type { Group, GroupList, GroupQuery }

export const groupsKey = (org: string, object: string) => [...recordsKey(org, object), 'groups'] as const

export const groupsQuery = (org: string, object: string, body: GroupQuery) =>
  requestQuery([...groupsKey(org, object), body], 'POST /objects/:objectId/records/groups', {
    org,
    params: { objectId: object },
    body,
  })
