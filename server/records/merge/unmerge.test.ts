// Undoing a merge restores values that did not change since. A changed value is kept and listed as a loss.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { CrmRecord } from '../../../contract/records.ts'
import { purgeDeletedObjects } from '../../model/objects/jobs.ts'
import { bodyOf, createRecord, expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { purgeOldTrash } from '../trash/jobs.ts'

const service = await sharedTestService()
const { db } = service.ctx
const running = () => new AbortController().signal
const NO_SUCH = '0198c0de-0000-7000-8000-000000000001'

interface Undone {
  record: CrmRecord
  restoredIds: string[]
  losses: { code: string; recordId: string; attributeSlug: string; otherRecordId: string | null }[]
  lossCount: number
}

const read = async (org: Org, object: string, { id }: Pick<CrmRecord, 'id'>) =>
  (await org.get<CrmRecord>(`/objects/${object}/records/${id}`)).body

async function merge(org: Org, object: string, winner: CrmRecord, losers: CrmRecord[], more: object = {}) {
  const body = { winnerId: winner.id, loserIds: losers.map(({ id }) => id), ...more }
  return bodyOf(await org.post<{ mergeId: string }>(`/objects/${object}/records/merge`, body)).mergeId
}

const undo = (org: Org, object: string, mergeId: string, query = '') =>
  org.post<Undone>(`/objects/${object}/merges/${mergeId}/undo${query}`)

const codes = ({ losses }: Undone) => losses.map(({ code }) => code)

async function companies(org: Org, ...names: string[]): Promise<CrmRecord[]> {
  const made: CrmRecord[] = []
  for (const name of names) made.push(await createRecord(org, 'companies', { name }))
  return made
}

async function addAttribute(org: Org, object: string, attribute: object): Promise<void> {
  expect((await org.post(`/objects/${object}/attributes`, attribute)).status).toBe(201)
}

async function pair(org: Org) {
  const winner = await createRecord(org, 'people', { name: 'Ada', email: 'ada@example.com' })
  const loser = await createRecord(org, 'people', {
    name: 'Ada L.',
    email: 'al@example.com',
    job_title: 'Countess',
  })
  return { winner, loser }
}

describe('POST /objects/:objectId/merges/:mergeId/undo', () => {
  test('returns the values and ids of both records, including unique values that moved', async () => {
    const org = await service.org()
    const { winner, loser } = await pair(org)
    const mergeId = await merge(org, 'people', winner, [loser], { sources: { email: loser.id } })
    const body = bodyOf(await undo(org, 'people', mergeId))
    expect(body).toMatchObject({ restoredIds: [loser.id], losses: [], lossCount: 0 })
    expect(body.record.data).toEqual(winner.data)
    expect((await read(org, 'people', winner)).data).toEqual(winner.data)
    const back = await read(org, 'people', loser)
    expect(back).toMatchObject({ id: loser.id, data: loser.data })
    expect(back).not.toHaveProperty('mergedInto')
    expectError(await undo(org, 'people', mergeId), 'not_found')
  })

  test('a dry run has the same response and changes nothing', async () => {
    const org = await service.org()
    const { winner, loser } = await pair(org)
    const mergeId = await merge(org, 'people', winner, [loser])
    const before = await read(org, 'people', winner)
    const dry = await undo(org, 'people', mergeId, '?dryRun=true')
    expect(dry.body).toMatchObject({ restoredIds: [loser.id], record: { data: winner.data } })
    expect(await read(org, 'people', winner)).toEqual(before)
    expect((await undo(org, 'people', mergeId)).status).toBe(200)
  })

  test('keeps a value of the winner that changed or whose earlier value is taken, and lists it as a loss', async () => {
    const org = await service.org()
    const { winner, loser } = await pair(org)
    const mergeId = await merge(org, 'people', winner, [loser], { sources: { email: loser.id } })
    await createRecord(org, 'people', { name: 'Eve', email: 'ada@example.com' })
    await org.patch(`/objects/people/records/${winner.id}`, { data: { job_title: 'Programmer' } })
    const { body } = await undo(org, 'people', mergeId)
    expect(codes(body).toSorted()).toEqual(['unique_violation', 'unique_violation', 'value_changed'])
    // The winner still has the loser's address.
    expect(body.record.data).toMatchObject({ job_title: 'Programmer', email: 'al@example.com' })
    expect((await read(org, 'people', loser)).data).toEqual({
      name: loser.data['name'],
      job_title: 'Countess',
    })
  })

  test('a value of the winner that was restored already is no loss', async () => {
    const org = await service.org()
    const { winner, loser } = await pair(org)
    const mergeId = await merge(org, 'people', winner, [loser], { sources: { email: loser.id } })
    const data = { job_title: null, email: 'ada@example.com' }
    expect((await org.patch(`/objects/people/records/${winner.id}`, { data })).status).toBe(200)
    const { body } = await undo(org, 'people', mergeId)
    expect(body).toMatchObject({ restoredIds: [loser.id], losses: [], lossCount: 0 })
    expect((await read(org, 'people', winner)).data).toEqual(winner.data)
    expect((await read(org, 'people', loser)).data).toEqual(loser.data)
  })

  test('the winner keeps its value if another record concurrently takes the earlier one', async () => {
    const org = await service.org()
    for (let round = 0; round < 12; round++) {
      const email = `ada${round}@example.com`
      const winner = await createRecord(org, 'people', { name: 'Ada', email })
      const loser = await createRecord(org, 'people', { name: 'Ada L.', email: `al${round}@example.com` })
      const mergeId = await merge(org, 'people', winner, [loser], { sources: { email: loser.id } })
      const [undone, taken] = await Promise.all([
        undo(org, 'people', mergeId),
        org.post('/objects/people/records', { data: { name: 'Eve', email } }),
      ])
      expect(undone.status).toBe(200)
      const isTaken = taken.status === 201
      expect(isTaken || taken.status === 409).toBe(true)
      expect(undone.body.record.data['email']).toBe(isTaken ? loser.data['email'] : email)
    }
  })

  test('returns references at their positions; a changed reference is kept and listed as a loss', async () => {
    const org = await service.org()
    const [winner, one, two, other] = (await companies(org, 'W', '1', '2', 'O')) as [
      CrmRecord,
      CrmRecord,
      CrmRecord,
      CrmRecord,
    ]
    const config = { allowed_object_id: winner.objectId }
    await addAttribute(org, 'people', { name: 'Earlier', type: 'reference', isList: true, config })
    const earlier = [two.id, other.id, winner.id, one.id]
    const same = await createRecord(org, 'people', { name: 'A', company: one.id, earlier })
    const changed = await createRecord(org, 'people', { name: 'B', company: one.id, earlier })
    const trashed = await createRecord(org, 'people', { name: 'C', company: two.id, earlier })
    const mergeId = await merge(org, 'companies', winner, [one, two])
    await org.patch(`/objects/people/records/${changed.id}`, {
      data: { company: other.id, earlier: [other.id, winner.id] },
    })
    await org.delete(`/objects/people/records/${trashed.id}`)
    const { body } = await undo(org, 'companies', mergeId)
    expect(body.losses).toMatchObject([
      { code: 'reference_changed', recordId: one.id, attributeSlug: 'company', otherRecordId: changed.id },
    ])
    expect((await read(org, 'people', same)).data).toMatchObject({ company: one.id, earlier })
    expect((await read(org, 'people', changed)).data).toMatchObject({
      company: other.id,
      earlier: [other.id, two.id, winner.id, one.id],
    })
    const { body: restored } = await org.post(`/objects/people/trash/${trashed.id}/restore`)
    expect(restored).toMatchObject({ lossCount: 0, record: { data: { company: two.id, earlier } } })
  })

  test('returns references of a record that was restored from the trash after the merge', async () => {
    const org = await service.org()
    const [winner, one] = (await companies(org, 'W', '1')) as [CrmRecord, CrmRecord]
    const config = { allowed_object_id: winner.objectId }
    await addAttribute(org, 'people', { name: 'Earlier', type: 'reference', isList: true, config })
    const data = { name: 'Ada', company: one.id, earlier: [one.id, winner.id] }
    const person = await createRecord(org, 'people', data)
    await org.delete(`/objects/people/records/${person.id}`)
    const mergeId = await merge(org, 'companies', winner, [one])
    await org.post(`/objects/people/trash/${person.id}/restore`)
    expect((await read(org, 'people', person)).data).toMatchObject({ earlier: [winner.id] })
    expect((await undo(org, 'companies', mergeId)).body).toMatchObject({ lossCount: 0 })
    expect((await read(org, 'people', person)).data).toEqual(person.data)
  })

  test('returns unique references to the records that lost them', async () => {
    const org = await service.org()
    const [winner, one, two] = (await companies(org, 'W', '1', '2')) as [CrmRecord, CrmRecord, CrmRecord]
    const config = { allowed_object_id: winner.objectId }
    await addAttribute(org, 'people', { name: 'Only', type: 'reference', isUnique: true, config })
    const people = [
      await createRecord(org, 'people', { name: 'A', only: one.id }),
      await createRecord(org, 'people', { name: 'B', only: two.id }),
    ]
    const mergeId = await merge(org, 'companies', winner, [one, two])
    expect((await undo(org, 'companies', mergeId)).body).toMatchObject({ lossCount: 0 })
    for (const person of people) expect((await read(org, 'people', person)).data).toEqual(person.data)
    for (const { id: only } of [one, two])
      expectError(
        await org.post('/objects/people/records', { data: { name: 'C', only } }),
        'unique_violation',
      )
    expect((await org.post('/objects/people/records', { data: { name: 'C', only: winner.id } })).status).toBe(
      201,
    )
  })

  test('returns activities; an activity that was unlinked from the winner is kept and listed as a loss', async () => {
    const org = await service.org()
    const [winner, one] = (await companies(org, 'W', '1')) as [CrmRecord, CrmRecord]
    const { objectId } = winner
    const linkedRecords = [one, winner].map(({ id: recordId }) => ({ objectId, recordId }))
    const same = (await org.post<{ id: string }>('/activities', { title: 'Call', linkedRecords })).body
    const changed = (await org.post<{ id: string }>('/activities', { title: 'Call', linkedRecords })).body
    const mergeId = await merge(org, 'companies', winner, [one])
    await org.patch(`/activities/${changed.id}`, { linkedRecords: [] })
    const { body } = await undo(org, 'companies', mergeId)
    expect(codes(body)).toEqual(['activity_changed'])
    expect((await org.get(`/activities/${same.id}`)).body).toMatchObject({ linkedRecords })
    expect((await org.get(`/activities/${changed.id}`)).body).toMatchObject({ linkedRecords: [] })
  })

  test('a record restored after two merges refers to the previous record after each undo', async () => {
    const org = await service.org()
    const [a, b, c] = (await companies(org, 'A', 'B', 'C')) as [CrmRecord, CrmRecord, CrmRecord]
    const person = await createRecord(org, 'people', { name: 'Ada', company: a.id })
    await org.delete(`/objects/people/records/${person.id}`)
    const first = await merge(org, 'companies', b, [a])
    const second = await merge(org, 'companies', c, [b])
    await org.post(`/objects/people/trashed-records/${person.id}/restore`)
    const company = async () => (await read(org, 'people', person)).data['company']
    expect(await company()).toBe(c.id)
    await undo(org, 'companies', second)
    expect(await company()).toBe(b.id)
    await undo(org, 'companies', first)
    expect(await company()).toBe(a.id)
  })

  test('merges into one record must be undone in reverse order', async () => {
    const org = await service.org()
    const [winner, one, two, last] = (await companies(org, 'W', '1', '2', 'L')) as [
      CrmRecord,
      CrmRecord,
      CrmRecord,
      CrmRecord,
    ]
    const person = await createRecord(org, 'people', { name: 'Ada', company: one.id })
    const first = await merge(org, 'companies', winner, [one])
    const second = await merge(org, 'companies', winner, [two])
    const path = `/objects/companies/records/${winner.id}/merges`
    const { body } = await org.get<{ merges: { id: string }[] }>(path)
    expect(body.merges).toMatchObject([
      { id: second, winnerId: winner.id, mergedIds: [two.id] },
      { id: first, mergedIds: [one.id] },
    ])
    const early = await undo(org, 'companies', first)
    expectError(early, 'merged_since')
    expect(early.body).toMatchObject({ details: { mergeId: second } })
    const third = await merge(org, 'companies', last, [winner])
    const missing = await undo(org, 'companies', second)
    expectError(missing, 'not_found')
    expect(missing.body).toMatchObject({ details: { mergedInto: last.id } })
    for (const id of [third, second, first]) expect((await undo(org, 'companies', id)).status).toBe(200)
    expect((await read(org, 'people', person)).data).toEqual(person.data)
    expect((await org.get(path)).body).toMatchObject({ merges: [] })
  })

  test('references to a permanently deleted loser stay with the winner, and the loss is listed', async () => {
    const org = await service.org()
    const [winner, one, two] = (await companies(org, 'W', '1', '2')) as [CrmRecord, CrmRecord, CrmRecord]
    const person = await createRecord(org, 'people', { name: 'Ada', company: one.id })
    const mergeId = await merge(org, 'companies', winner, [one, two])
    await org.delete(`/objects/companies/trash/${one.id}`)
    const { body } = await undo(org, 'companies', mergeId)
    expect(body).toMatchObject({ restoredIds: [two.id] })
    expect(codes(body)).toEqual(['loser_deleted'])
    expect((await read(org, 'people', person)).data).toMatchObject({ company: winner.id })
    const other = await merge(org, 'companies', winner, [two])
    await org.delete(`/objects/companies/trash/${two.id}`)
    expectError(await undo(org, 'companies', other), 'not_found')
  })

  test('a loser that was restored separately gets back what the merge took', async () => {
    const org = await service.org()
    const [winner, one] = (await companies(org, 'W', '1')) as [CrmRecord, CrmRecord]
    const person = await createRecord(org, 'people', { name: 'Ada', company: one.id })
    const mergeId = await merge(org, 'companies', winner, [one])
    await org.post(`/objects/companies/trash/${one.id}/restore`)
    expect((await read(org, 'people', person)).data).toMatchObject({ company: winner.id })
    expect((await undo(org, 'companies', mergeId)).body).toMatchObject({ restoredIds: [], lossCount: 0 })
    expect((await read(org, 'people', person)).data).toEqual(person.data)
  })

  test('is possible only while the trash keeps records, and not for another organization', async () => {
    const org = await service.org()
    const [winner, one] = (await companies(org, 'W', '1')) as [CrmRecord, CrmRecord]
    await createRecord(org, 'people', { name: 'Ada', company: one.id })
    const mergeId = await merge(org, 'companies', winner, [one])
    const stranger = await service.org()
    expectError(await undo(stranger, 'companies', mergeId), 'not_found')
    expectError(await undo(org, 'people', mergeId), 'not_found')
    expectError(await undo(org, 'companies', NO_SUCH), 'not_found')
    expectError(await undo(org, 'companies', 'x'), 'not_found')
    expectError(await org.get(`/objects/companies/records/${one.id}/merges`), 'not_found')
    await purgeOldTrash(service.ctx, running(), new Date(Date.now() + 366 * 86_400_000))
    expectError(await undo(org, 'companies', mergeId), 'not_found')
    expect(await db.many(sql`select from merge_changes where org = ${org.org}`)).toEqual([])
  })

  test('is deleted with its object', async () => {
    const org = await service.org()
    await org.post('/objects', { slug: 'things', singularName: 'Thing', pluralName: 'Things' })
    await addAttribute(org, 'things', { name: 'Name', type: 'text' })
    const [winner, loser] = [
      await createRecord(org, 'things', { name: 'A' }),
      await createRecord(org, 'things', { name: 'B' }),
    ]
    const linkedRecords = [{ objectId: loser.objectId, recordId: loser.id }]
    await org.post('/activities', { title: 'Call', linkedRecords })
    await merge(org, 'things', winner, [loser])
    expect((await org.delete('/objects/things?permanent=true')).status).toBe(200)
    await purgeDeletedObjects(service.ctx, running())
    for (const table of [sql`merges`, sql`merge_changes`])
      expect(await db.many(sql`select from ${table} where org = ${org.org}`)).toEqual([])
  })
})
