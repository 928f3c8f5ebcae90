// Undoing bulk writes restores everything that did not change since.
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { BulkResult, CrmRecord } from '../../../contract/records.ts'
import type { UndoneBatch } from '../../../contract/undo.ts'
import { newId, newIdAt } from '../../base/id.ts'
import { buildTestService } from '../../test/build-app.ts'
import { cases } from '../../test/dose.ts'
import { bodyOf, expectError, type Org } from '../../test/factories.ts'
import { audit } from '../engine/maintenance/audit.fixture.ts'
import { dataOf } from '../every-type.fixture.ts'
import { buildLinked, stateOf } from '../trash/identity.fixture.ts'
import { forgetChangeSets } from './set-store.ts'

const service = await buildTestService({ indexFrom: 1 })
const { ctx } = service
const PEOPLE = '/objects/people/records'
const THINGS = '/objects/things/records'

async function bulk(
  org: Org,
  changeSetId: string,
  records: object[],
  more: object = {},
): Promise<BulkResult> {
  const body = { mode: 'upsert', records, changeSetId, ...more }
  const reply = await org.post<BulkResult>(`${PEOPLE}/bulk`, body)
  expect([reply.status, reply.body]).toMatchObject([200, { failed: [] }])
  return reply.body
}

const undo = (org: Org, changeSetId: string, object = 'people') =>
  org.post<UndoneBatch>(`/objects/${object}/change-sets/${changeSetId}/undo`)

/** Sends the requests that undo the whole change set. */
async function undoAll(org: Org, changeSetId: string, object?: string): Promise<UndoneBatch[]> {
  const batches: UndoneBatch[] = []
  do {
    const body = bodyOf(await undo(org, changeSetId, object))
    batches.push(body)
  } while (batches.at(-1)?.batchesLeft !== 0)
  return batches
}

async function people(org: Org, ...names: string[]): Promise<CrmRecord[]> {
  const made: CrmRecord[] = []
  for (const name of names)
    made.push((await org.post<CrmRecord>(PEOPLE, { data: { name, email: `${name}@example.com` } })).body)
  return made
}
const read = async (org: Org, { id }: Pick<CrmRecord, 'id'>) =>
  (await org.get<CrmRecord>(`${PEOPLE}/${id}`)).body
const total = async (org: Org) => (await org.get(`${PEOPLE}?limit=1`)).body['pagination']

describe('POST /objects/:objectId/change-sets/:changeSetId/undo', () => {
  test('restores changed records of several requests, and moves created records to the trash', async () => {
    const org = await service.org()
    const [ada, bob] = await people(org, 'Ada', 'Bob')
    const set = newId()
    await bulk(org, set, [
      { id: ada?.id, data: { job_title: 'Countess' } },
      { id: bob?.id, data: { job_title: 'Builder', email: null } },
    ])
    const created = await bulk(org, set, [{ data: { name: 'Eve', email: 'bob@example.com' } }])
    await bulk(org, set, [{ id: ada?.id, data: { job_title: 'Author' } }])
    const batches = await undoAll(org, set)
    expect(batches.map(({ batchesLeft }) => batchesLeft)).toEqual(
      batches.map((_, at) => batches.length - 1 - at),
    )
    expect(batches.reduce((sum, { trashed }) => sum + trashed, 0)).toBe(1)
    expect((await read(org, ada as CrmRecord)).data).toEqual(ada?.data)
    expect((await read(org, bob as CrmRecord)).data).toEqual(bob?.data)
    expect(await total(org)).toMatchObject({ total: 2 })
    const restored = await org.post(`/objects/people/trash/${created.results[0]?.id}/restore`)
    expect(restored.status).toBe(200)
    expectError(await undo(org, set), 'not_found')
  })

  test('keeps later changes and lists them', async () => {
    const org = await service.org()
    const [ada] = await people(org, 'Ada')
    const set = newId()
    await bulk(org, set, [{ id: ada?.id, data: { job_title: 'Countess' } }])
    const { results } = await bulk(org, set, [{ data: { name: 'Eve' } }])
    const eve = String(results[0]?.id)
    await org.patch(`${PEOPLE}/${eve}`, { data: { job_title: 'Spy' } })
    await org.patch(`${PEOPLE}/${ada?.id}`, { data: { job_title: 'Author' } })
    const batches = await undoAll(org, set)
    expect(batches).toMatchObject([
      { trashed: 0, keptIds: [eve] },
      {
        restored: 0,
        conflicts: [
          {
            recordId: ada?.id,
            version: 2,
            attributeSlug: 'job_title',
            from: null,
            to: 'Countess',
            current: 'Author',
          },
        ],
      },
    ])
    const one = { version: 2, overwrite: ['job_title'] }
    const { body } = await org.post(`${PEOPLE}/${ada?.id}/undo`, one)
    expect(body).toMatchObject({ record: { data: ada?.data }, conflicts: [] })
  })

  test('is not found in another object or organization, expires after a day, and is then deleted', async () => {
    const org = await service.org()
    const set = newId()
    await bulk(org, set, [{ data: { name: 'Ada' } }])
    expectError(await undo(await service.org(), set), 'not_found')
    expectError(await undo(org, set, 'companies'), 'not_found')
    expectError(await undo(org, 'no-id'), 'not_found')
    const old = newIdAt(new Date(Date.now() - 25 * 3_600_000))
    await ctx.db.run(
      sql`update change_set_batches set id = ${old} where org = ${org.org} and change_set = ${set}`,
    )
    expectError(await undo(org, set), 'undo_expired')
    await forgetChangeSets(ctx, new AbortController().signal, new Date())
    expectError(await undo(org, set), 'not_found')
  })

  test('refuses an invalid change set id', async () => {
    const org = await service.org()
    const body = { records: [{ data: { name: 'Ada' } }], changeSetId: 'mine' }
    expectError(await org.post(`${PEOPLE}/bulk`, body), 'validation_error')
  })
})

test('undoing any sequence of changes in reverse order restores the previous state', async () => {
  const { org, object, ids, named } = await buildLinked(service)
  const values = dataOf(named)
  let written = 0
  const edit = fc.record({ id: fc.constantFrom(...ids), data: values })
  const step = fc.oneof(
    edit.map((one) => ({ kind: 'patch' as const, records: [one] })),
    fc
      .uniqueArray(edit, { selector: ({ id }) => id, minLength: 1, maxLength: 6 })
      .map((records) => ({ kind: 'bulk' as const, records })),
    fc.array(values, { minLength: 1, maxLength: 3 }).map((all) => ({
      kind: 'bulk' as const,
      records: all.map((data) => ({ data })),
    })),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const before = await stateOf(service, org)
      const undos: (() => Promise<void>)[] = []
      for (const { kind, records } of steps) {
        const [first] = records
        if (kind === 'bulk') {
          const changeSetId = newId()
          const body = { mode: 'upsert', records, changeSetId }
          const { body: result } = await org.post<BulkResult>(`${THINGS}/bulk`, body)
          if (result.created + result.updated === 0) continue
          undos.push(() => undoWhole(changeSetId))
        } else if (first && 'id' in first) {
          const { version } = (await org.get<CrmRecord>(`${THINGS}/${first.id}`)).body
          const { status, body } = await org.patch<CrmRecord>(`${THINGS}/${first.id}`, { data: first.data })
          if (status !== 200 || body.version === version) continue
          undos.push(async () => {
            const undone = await org.post(`${THINGS}/${first.id}/undo`, { version: body.version })
            expect(undone.body).toMatchObject({ conflicts: [] })
          })
        }
      }
      written += undos.length
      for (const one of undos.toReversed()) await one()
      expect(await stateOf(service, org)).toEqual(before)
      expect(await audit(ctx.db, object)).toEqual([])
      const { body } = await org.get(`${THINGS}?limit=1`)
      expect(body['pagination']).toMatchObject({ total: ids.length })
    }),
    { numRuns: cases(40), endOnFailure: true },
  )

  expect(written).toBeGreaterThan(cases(40))

  async function undoWhole(changeSetId: string): Promise<void> {
    for (;;) {
      const { status, body } = await org.post(`/objects/things/change-sets/${changeSetId}/undo`)
      // A change set without changes, because the records already had the values, also has status 404.
      if (status === 404) return
      expect([status, body]).toMatchObject([200, { conflicts: [], keptIds: [] }])
    }
  }
})
