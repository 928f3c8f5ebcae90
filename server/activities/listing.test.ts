import { describe, expect, test } from 'vitest'
import { bodyOf, expectError } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { addRecord, create, type List, NO_SUCH, titles } from './activities.fixture.ts'

const service = await sharedTestService()

describe('GET /activities', () => {
  test('lists by date descending, then id, with an exact total', async () => {
    const org = await service.org()
    const ids: string[] = []
    for (const [title, day] of [
      ['a', '20'],
      ['b', '22'],
      ['c', '21'],
      ['d', '22'],
    ] as const)
      ids.push((await create(org, { title, activityDate: `2026-11-${day}T00:00:00Z` })).body.id)
    const body = bodyOf(await org.get<List>('/activities'))
    expect(body.activities.map(({ title }) => title)).toEqual(['d', 'b', 'c', 'a'])
    expect(body.pagination).toEqual({ total: 4, limit: 50, offset: 0 })
    expect(body.activities[3]).toEqual((await org.get(`/activities/${ids[0]}`)).body)
  })

  test('returns the same by offset and by cursor', async () => {
    const org = await service.org()
    for (let number = 0; number < 7; number++)
      await create(org, { title: `${number}`, activityDate: `2026-11-2${Math.floor(number / 3)}T00:00:00Z` })
    const all = await titles(org)
    const byOffset: string[] = []
    for (let offset = 0; offset < 7; offset += 3)
      byOffset.push(...(await titles(org, `?limit=3&offset=${offset}`)))
    const byCursor: string[] = []
    let query = '?limit=3&count=false'
    for (;;) {
      const { body } = await org.get<List>(`/activities${query}`)
      byCursor.push(...body.activities.map(({ title }) => title))
      expect(body.pagination.total).toBeUndefined()
      if (!body.pagination.nextCursor) break
      query = `?limit=3&count=false&cursor=${body.pagination.nextCursor}`
    }
    expect([all.length, byOffset, byCursor]).toEqual([7, all, all])
  })

  test('returns an empty page with the total for an offset after the end', async () => {
    const org = await service.org()
    await create(org)
    const { body } = await org.get('/activities?offset=5&limit=2')
    expect(body).toEqual({ activities: [], pagination: { total: 1, limit: 2, offset: 5 } })
  })

  test('filters by record and by object, id or slug', async () => {
    const org = await service.org()
    const [ada, bob] = [await addRecord(org, 'people'), await addRecord(org, 'people', 'Bob')]
    const acme = await addRecord(org, 'companies', 'Acme')
    await create(org, { title: 'ada', linkedRecords: [ada] })
    await create(org, { title: 'both', linkedRecords: [acme, bob, ada] })
    await create(org, { title: 'none', participants: [{ type: 'person', id: ada.recordId }] })
    for (const [query, expected] of [
      [`recordId=${ada.recordId}`, ['both', 'ada']],
      [`recordId=${ada.recordId.toUpperCase()}`, ['both', 'ada']],
      [`recordId=${bob.recordId}`, ['both']],
      [`objectId=${acme.objectId}`, ['both']],
      ['objectId=companies', ['both']],
      ['objectId=people', ['both', 'ada']],
      [`objectId=companies&recordId=${ada.recordId}`, ['both']],
      [`objectId=deals&recordId=${ada.recordId}`, []],
      [`recordId=${NO_SUCH}`, []],
    ] as const) {
      const { body } = await org.get<List>(`/activities?${query}`)
      expect([query, body.activities.map(({ title }) => title)]).toEqual([query, expected])
      expect(body.pagination.total).toBe(expected.length)
    }
  })

  test('shows nothing of another organization', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const ada = await addRecord(other, 'people')
    await create(other, { linkedRecords: [ada] })
    for (const query of ['', `?recordId=${ada.recordId}`]) expect(await titles(org, query)).toEqual([])
    expectError(await org.get(`/activities?objectId=${ada.objectId}`), 'invalid_parameter')
  })

  test('refuses a missing object, and names it', async () => {
    const org = await service.org()
    for (const objectId of [NO_SUCH, 'nothing', 'x']) {
      const reply = await org.get(`/activities?objectId=${objectId}`)
      expectError(reply, 'invalid_parameter')
      expect(reply.body['details']).toMatchObject({
        errors: [{ path: 'objectId', message: expect.stringContaining(objectId) }],
      })
    }
  })

  test.each([
    'recordId=ada',
    'objectId=Not-A-Slug',
    'limit=0',
    'limit=101',
    'offset=-1',
    'color=red',
    'cursor=nonsense',
    `cursor=${Buffer.from(JSON.stringify(['x', '2026-11-20T00:00:00.000000Z', NO_SUCH])).toString('base64url')}`,
  ])('refuses ?%s', async (query) => {
    const org = await service.org()
    expectError(await org.get(`/activities?${query}`), 'invalid_parameter')
  })

  test('refuses the cursor of another list, and a cursor together with an offset', async () => {
    const [org, other] = [await service.org(), await service.org()]
    for (const title of ['a', 'b']) await create(org, { title })
    const { body } = await org.get<List>('/activities?limit=1')
    const cursor = body.pagination.nextCursor
    expect(cursor).toBeDefined()
    expectError(await org.get(`/activities?objectId=people&cursor=${cursor}`), 'invalid_parameter')
    expectError(await org.get(`/activities?offset=1&cursor=${cursor}`), 'invalid_parameter')
    expectError(await other.get(`/activities?cursor=${cursor}`), 'invalid_parameter')
  })
})
