import { expect, test } from 'vitest'
import { ALL_SCOPES } from '../../../contract/scopes.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()

type Rows = Record<string, Record<string, unknown>[]>

test('a key that may not read members sees only the id of an acting user', async () => {
  const org = await service.org()
  const make = async (path: string, body: object) => (await org.post<{ id: string }>(path, body)).body.id
  const records = '/objects/people/records'
  const [one, other, deleted] = [
    await make(records, { data: { name: 'Ada' } }),
    await make(records, { data: { name: 'Ada' } }),
    await make(records, { data: { name: 'Bob' } }),
  ]
  await org.post(`${records}/merge`, { winnerId: one, loserIds: [other] })
  await org.delete(`${records}/${deleted}`)
  await org.delete(`/objects/${await make('/objects', { pluralName: 'Boats', singularName: 'Boat' })}`)
  const attribute = await make('/objects/people/attributes', { name: 'Nick', type: 'text' })
  await org.delete(`/objects/people/attributes/${attribute}`)
  const reader = await org.keyWith(ALL_SCOPES.filter((scope) => scope !== 'members:read'))
  const full = { id: org.userId, name: expect.any(String), email: expect.stringContaining('@') }
  for (const [path, list, field] of [
    ['/objects/people/trashed-records', 'records', 'deletedBy'],
    ['/trashed-objects', 'objects', 'deletedBy'],
    ['/objects/people/trashed-attributes', 'attributes', 'deletedBy'],
    [`${records}/${one}/merges`, 'merges', 'mergedBy'],
    [`${records}/${one}/history`, 'entries', 'actor'],
  ] as const) {
    expect((await org.get<Rows>(path)).body[list]?.[0]?.[field]).toEqual(full)
    const { body } = await org.get<Rows>(path, { authorization: `Bearer ${reader}` })
    expect(body[list]?.[0]?.[field]).toEqual({ id: org.userId })
  }
})
