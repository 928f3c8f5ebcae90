// The users of an organization.
import { queryOptions } from '@tanstack/react-query'
import type { Member } from '../../../contract/members.ts'
import { organizationPath, request } from './client.ts'

export const membersQuery = (org: string) =>
  queryOptions({
    queryKey: [org, 'members'],
    queryFn: async () =>
      (await request<{ members: Member[] }>('GET', `${organizationPath(org)}/members`)).members,
    staleTime: 60_000,
  })
