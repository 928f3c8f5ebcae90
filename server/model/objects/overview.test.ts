import { expect, test } from 'vitest'
import type { ObjectOverview } from '../../../contract/object-overview.ts'
import { bodyOf } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()

test('GET /all-objects lists every object of the organization with its size, and no others', async () => {
  const [org] = [await service.org(), await service.org()]
  const olivia = await org.member('owner')
  await olivia.post('/objects', { pluralName: 'Projects', singularName: 'Project' })
  const { body: budget } = await olivia.post('/objects/projects/attributes', {
    name: 'Budget',
    type: 'number',
  })
  await olivia.post('/objects/projects/records', { data: { budget: 1 } })
  await olivia.patch(`/objects/projects/attributes/${budget['id']}/active`, { isActive: false })
  await olivia.patch('/objects/projects', { isActive: false })
  const mia = await org.member('member')
  const body = bodyOf(await mia.get<{ objects: ObjectOverview[] }>('/all-objects'))
  expect(body.objects.map(({ slug, isActive, recordCount }) => [slug, isActive, recordCount])).toEqual([
    ['people', true, 0],
    ['companies', true, 0],
    ['deals', true, 0],
    ['projects', false, 1],
  ])
  const listed = (query: string) => org.get<{ objects: ObjectOverview[] }>(`/objects${query}`)
  const slugs = async (query: string) => (await listed(query)).body.objects.map(({ slug }) => slug)
  expect(await slugs('?includeInactive=true')).toEqual(['people', 'companies', 'deals', 'projects'])
  expect(await slugs('')).toEqual(['people', 'companies', 'deals'])
  expect(body.objects.at(-1)).toMatchObject({ pluralName: 'Projects', type: 'custom', attributeCount: 1 })
})
