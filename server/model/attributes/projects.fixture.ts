// An organization with a custom object, and requests for its attributes.
import { expect } from 'vitest'
import type { Reply } from '../../test/dashboard-client.ts'
import type { Org } from '../../test/factories.ts'
import type { SharedService } from '../../test/shared-service.ts'

export const NO_SUCH = '0198c0de-0000-7000-8000-000000000001'
export const BUDGET = { name: 'Budget', type: 'number' }

export interface Body {
  id: string
  objectId: string
  slug: string
  isActive: boolean
  isNaming: boolean
  displayOrder: number
  config: unknown
}

export const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

export async function buildProjects(service: SharedService) {
  const org = await service.org()
  const { body } = await org.post<{ id: string }>('/objects', {
    pluralName: 'Projects',
    singularName: 'Project',
  })
  return { org, objectId: body.id }
}

export async function create(org: Org, input: object = BUDGET, object = 'projects'): Promise<Reply<Body>> {
  const reply = await org.post<Body>(`/objects/${object}/attributes`, input)
  expect(reply).toMatchObject({ status: 201 })
  return reply
}

export async function list(org: Org, query = ''): Promise<Body[]> {
  const { body } = await org.get<{ attributes: Body[] }>(`/objects/projects/attributes${query}`)
  return body.attributes
}
