// Creates records through the dashboard, for tests.
import { expect } from 'vitest'
import type { SignedInMember } from '../test/dashboard-client.ts'

export const NO_SUCH = '0198c0de-0000-7000-8000-000000000001'

export interface Made {
  id: string
  objectId: string
}

export async function make(who: SignedInMember, object: string, data: object): Promise<Made> {
  const { status, body } = await who.post<Made>(`/objects/${object}/records`, { data })
  expect(status).toBe(201)
  return body
}
