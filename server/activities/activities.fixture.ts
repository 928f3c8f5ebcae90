// Activities and records for tests.
import { expect } from 'vitest'
import type { Reply } from '../test/dashboard-client.ts'
import type { Org } from '../test/factories.ts'

export const NO_SUCH = '0198c0de-0000-7000-8000-000000000001'

export interface Ref {
  objectId: string
  recordId: string
}

export interface Body {
  id: string
  title: string
  activityDate: string
  linkedRecords: Ref[]
  participants: { type: string; id: string }[]
  updatedAt: string
}

export interface List {
  activities: Body[]
  pagination: { total?: number; limit: number; offset: number; nextCursor?: string }
}

export async function addRecord(org: Org, object: string, name = 'Ada'): Promise<Ref> {
  const { body } = await org.post<{ id: string; objectId: string }>(`/objects/${object}/records`, {
    data: { name },
  })
  return { objectId: body.objectId, recordId: body.id }
}

export async function create(org: Org, input: object = {}): Promise<Reply<Body>> {
  const reply = await org.post<Body>('/activities', { title: 'Call', ...input })
  expect(reply).toMatchObject({ status: 201 })
  return reply
}

export const titles = async (org: Org, query = ''): Promise<string[]> =>
  (await org.get<List>(`/activities${query}`)).body.activities.map(({ title }) => title)
