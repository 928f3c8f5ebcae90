import { describe, expect, test } from 'vitest'
import { createRecord, expectError } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()
const IDS = '/objects/companies/records/ids'

interface Ids {
  ids: string[]
  isComplete: boolean
}

describe('POST /objects/:objectId/records/ids', () => {
  test('returns the ids of the matching records, in order', async () => {
    const mia = await (await service.org()).member('member')
    const ids = []
    for (const name of ['Beta', 'Alpha', 'Acme'])
      ids.push((await createRecord(mia, 'companies', { name })).id)
    const [beta, alpha, acme] = ids
    const filter = { attributeSlug: 'name', operator: 'startsWith', value: 'a' }
    for (const [body, expected] of [
      [{}, { ids: [acme, alpha, beta], isComplete: true }],
      [
        { filter, sort: { field: 'name', order: 'desc' } },
        { ids: [alpha, acme], isComplete: true },
      ],
      [
        { sort: { field: 'name', order: 'asc' }, limit: 2 },
        { ids: [acme, alpha], isComplete: false },
      ],
      [{ filters: [{ ...filter, value: 'x' }] }, { ids: [], isComplete: true }],
    ] as const)
      expect((await mia.post<Ids>(IDS, body)).body).toEqual(expected)
  })

  test.each([
    [{ limit: 10_001 }, 'validation_error'],
    [{ sort: { field: 'address' } }, 'validation_error'],
    [{ filter: { and: [] } }, 'invalid_filter'],
  ] as const)('rejects %j', async (body, code) => {
    const mia = await (await service.org()).member('member')
    expectError(await mia.post(IDS, body), code)
  })
})
