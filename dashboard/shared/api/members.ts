// The users of an organization.
import { queryOptions } from '@tanstack/react-query'
import { request } from './client.ts'

export const membersQuery = (org: string) =>
  queryOptions({
    queryKey: [org, 'members'],
    queryFn: async () => (await request('GET /members', { org })).members,
    staleTime: 60_000,
  })
