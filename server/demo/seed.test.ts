import { expect, test } from 'vitest'
import type { RecordList } from '../../contract/records.ts'
import type { Caller } from '../base/caller.ts'
import { buildTestService } from '../test/build-app.ts'
import type { Org } from '../test/factories.ts'
import { seedRecords } from './seed.ts'

const service = await buildTestService()
const { ctx } = service

const callerOf = ({ org, id, userId }: Org): Caller => ({
  org,
  orgId: id,
  userId,
  keyId: null,
  country: 'US',
  currency: 'USD',
})

const list = async (org: Org, object: string) =>
  (await org.get<RecordList>(`/objects/${object}/records?limit=100&order=asc`)).body

test('seeds every standard object, also repeatedly', async () => {
  const org = await service.org()
  for (const objectRef of ['companies', 'people', 'deals', 'people'])
    expect(await seedRecords(ctx, callerOf(org), { objectRef, records: 1500, seed: 1 })).toEqual({
      created: 1500,
      failed: 0,
    })
  expect((await list(org, 'people')).pagination.total).toBe(3000)
  const { records } = await list(org, 'deals')
  expect(records.some(({ data }) => data['company'] && data['contact'])).toBe(true)
  expect(await org.events()).toHaveLength(6000)
})

test('makes the same records from the same seed in an empty object', async () => {
  const [one, other] = [await service.org(), await service.org()]
  for (const org of [one, other])
    await seedRecords(ctx, callerOf(org), { objectRef: 'people', records: 100, seed: 3 })
  const dataOf = async (org: Org) =>
    (await list(org, 'people')).records.map(({ data }) => ({
      ...data,
      isOwned: data['owner'] === org.userId,
      owner: null,
    }))
  expect(await dataOf(one)).toEqual(await dataOf(other))
})

test('refuses an object that cannot be seeded before anything is written', async () => {
  const org = await service.org()
  const { body: people } = await org.get<{ id: string }>('/objects/people')
  await org.post('/objects', { pluralName: 'Visits', singularName: 'Visit' })
  const config = { allowed_object_id: people.id }
  await org.post('/objects/visits/attributes', { name: 'Who', type: 'reference', isRequired: true, config })
  const seed = (objectRef: string) => seedRecords(ctx, callerOf(org), { objectRef, records: 10, seed: 1 })
  await expect(seed('visits')).rejects.toThrow('must have a record of people to refer to, and there is none')
  await expect(seed('nothing')).rejects.toThrow('No such object')
})

test('reports records that failed because unique values ran out', async () => {
  const org = await service.org()
  await org.post('/objects', { pluralName: 'Seats', singularName: 'Seat' })
  const config = { options: ['A', 'B', 'C'] }
  await org.post('/objects/seats/attributes', { name: 'Row', type: 'select', isUnique: true, config })
  expect(await seedRecords(ctx, callerOf(org), { objectRef: 'seats', records: 5, seed: 1 })).toEqual({
    created: 3,
    failed: 2,
    firstError: expect.stringContaining('row: this value is taken'),
  })
})

test('an interrupted run reports the number of created records', async () => {
  const org = await service.org()
  const controller = new AbortController()
  const outcome = await seedRecords(ctx, callerOf(org), {
    objectRef: 'people',
    records: 20_000,
    seed: 1,
    signal: controller.signal,
    onProgress: () => controller.abort(new Error('stopped')),
  })
  expect(outcome.stopped).toEqual(new Error('stopped'))
  expect(outcome.created).toBe((await list(org, 'people')).pagination.total)
  expect(outcome.created).toBeLessThan(20_000)
})
