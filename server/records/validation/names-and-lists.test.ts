// How names and lists are stored and found.
import { expect, test } from 'vitest'
import { expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'

const service = await sharedTestService()

const PEOPLE = '/objects/people/records'
const ADA = { firstName: 'Ada', lastName: 'Lovelace' }

interface Stored {
  data: Record<string, unknown>
}

async function found(org: Org, operator: string, value: string): Promise<number> {
  const filter = encodeURIComponent(`filter[name][${operator}]`)
  const { body } = await org.get<{ pagination: { total: number } }>(
    `${PEOPLE}?${filter}=${encodeURIComponent(value)}`,
  )
  return body.pagination.total
}

test.each([' Ada   Lovelace ', 'Ada\u00a0Lovelace', { firstName: ' Ada ', lastName: 'Lovelace\n' }])(
  'the name %j is stored without its extra spaces and found by equals',
  async (name) => {
    const org = await service.org()
    const { body } = await org.post<Stored>(PEOPLE, { data: { name } })
    expect(body.data['name']).toEqual(ADA)
    for (const operand of ['Ada Lovelace', '  Ada  Lovelace '])
      expect(await found(org, 'equals', operand)).toBe(1)
    expect(await found(org, 'notEquals', ' Ada  Lovelace')).toBe(0)
    expect(await found(org, 'startsWith', 'ada  love')).toBe(1)
    expect(await found(org, 'contains', 'a ')).toBe(1)
  },
)

test('a unique list stores equal elements once, and rejects elements of another record', async () => {
  const org = await service.org()
  await org.post('/objects/people/attributes', { name: 'Mails', type: 'email', isList: true, isUnique: true })
  const { status, body } = await org.post<Stored>(PEOPLE, {
    data: { name: 'Carl', mails: ['c@x.co', 'C@x.co', 'd@x.co'] },
  })
  expect(status).toBe(201)
  expect(body.data['mails']).toEqual(['c@x.co', 'd@x.co'])
  expectError(await org.post(PEOPLE, { data: { name: 'Dora', mails: ['D@X.co'] } }), 'unique_violation')
})
