// All operations that find or refuse records by a unique value follow the attribute's rule about case.
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Job } from '../../contract/jobs.ts'
import {
  buildParts,
  finishKeyChanges,
  keysOf,
  type Part,
  RECORDS,
} from '../attribute-changes/case.fixture.ts'
import { startKeyChange } from '../attribute-changes/key-store.ts'
import { imported, mapping } from '../imports/imports.fixture.ts'
import { renewVersion } from '../model/objects/store.ts'
import { jobOf, linesOf, queuedJob, work } from '../record-jobs/jobs.fixture.ts'
import { restoreAllValues } from '../records/trash/attribute-values.ts'
import { expectError, type Org } from './factories.ts'
import { sharedTestService } from './shared-service.ts'

const service = await sharedTestService()
const { db } = service.ctx

const SENSITIVE = { caseSensitive: true }
const IGNORED = { caseSensitive: false }
const RULES = [['counts', SENSITIVE] as const, ['does not count', IGNORED] as const]

type Config = typeof SENSITIVE

const codes = async (org: Org) =>
  (await org.get<{ records: Part[] }>(`${RECORDS}?order=asc`)).body.records.map(({ data }) => data['code'])

describe.each(RULES)('case %s', (_, config: Config) => {
  const isSame = !config.caseSensitive
  const status = isSame ? 409 : 200

  test('in creates, patches and reads by a value', async () => {
    const { org, add } = await buildParts(service, config)
    const [first, second] = [await add('Ab'), await add('x')]
    expect((await org.patch(`${RECORDS}/${second}`, { data: { code: 'aB' } })).status).toBe(status)
    expect((await org.patch(`${RECORDS}/${first}`, { data: { code: 'AB' } })).status).toBe(200)
    const found = await org.get<Part>(`${RECORDS}/by/code/ab`)
    expect([found.status, found.body.id]).toEqual(isSame ? [200, first] : [404, undefined])
  })

  test('in upserts by a value, whose data may have another case', async () => {
    const { org, add } = await buildParts(service, config)
    const id = await add('Ab')
    const put = await org.put<Part>(`${RECORDS}/by/code/aB`, { data: { title: 'one' } })
    expect([put.status, put.body.id === id]).toEqual(isSame ? [200, true] : [201, false])
    const other = await org.put(`${RECORDS}/by/code/Ab`, { data: { code: 'AB' } })
    expect(other.status).toBe(isSame ? 200 : 400)
    expect(await codes(org)).toEqual(isSame ? ['AB'] : ['Ab', 'aB'])
  })

  test('in bulk writes, also between their rows, and with matchOn', async () => {
    const { org, add } = await buildParts(service, config)
    const id = await add('Ab')
    const records = ['aB', 'c', 'C'].map((code) => ({ data: { code } }))
    const created = await org.post<{ created: number }>(`${RECORDS}/bulk`, { records })
    expect(created.body).toMatchObject(isSame ? { created: 1 } : { created: 3 })
    const rows = [{ data: { code: 'AB', title: 'one' } }, { data: { code: 'ab', title: 'two' } }]
    const upsert = { mode: 'upsert', matchOn: 'code', records: rows }
    const written = await org.post<{ results: { id: string }[] }>(`${RECORDS}/bulk`, upsert)
    expect(written.body).toMatchObject(isSame ? { created: 0, updated: 2 } : { created: 2, updated: 0 })
    expect(written.body.results.every((one) => one.id === id)).toBe(isSame)
  })

  test('in references by value', async () => {
    const { org, add } = await buildParts(service, config)
    const id = await add('Ab')
    const { body: parts } = await org.get<{ id: string }>('/objects/parts')
    const reference = { name: 'Part', type: 'reference', config: { allowed_object_id: parts.id } }
    expect((await org.post('/objects/people/attributes', reference)).status).toBe(201)
    const data = { name: 'Ada', part: { code: 'AB' } }
    const sent = await org.post<Part>('/objects/people/records', { data })
    expect([sent.status, sent.body.data?.['part']]).toEqual(isSame ? [201, id] : [400, undefined])
    const made = await org.post<Part>('/objects/people/records', { data, createMissing: true })
    expect([made.status, made.body.data['part'] === id]).toEqual([201, isSame])
  })

  test('in records that createMissing creates, which have the sent name', async () => {
    const { org } = await buildParts(service, config)
    const label = { name: 'Label', type: 'text', isRequired: true }
    const object = { pluralName: 'Cards', singularName: 'Card', slug: 'cards' }
    const { body: cards } = await org.post<{ id: string }>('/objects', object)
    const holder = { name: 'Holder', type: 'name', isUnique: true, config }
    for (const attribute of [label, holder])
      expect((await org.post('/objects/cards/attributes', attribute)).status).toBe(201)
    const reference = { name: 'Card', type: 'reference', config: { allowed_object_id: cards.id } }
    expect((await org.post('/objects/parts/attributes', reference)).status).toBe(201)
    const sent = { firstName: 'Ada', lastName: 'L' }
    const data = { card: { holder: sent } }
    expect((await org.post(RECORDS, { data, createMissing: true })).status).toBe(201)
    const { body } = await org.get<{ records: Part[] }>('/objects/cards/records')
    expect(body.records.map((one) => one.data)).toEqual([{ label: 'Ada L', holder: sent }])
  })

  test('in imports by the API and by the dashboard', async () => {
    const { org, add } = await buildParts(service, config)
    await add('Ab')
    const text = linesOf(['AB', 'ab'].map((code) => ({ data: { code, title: 'job' } })))
    const job: Job = await queuedJob(org, text, { objectId: 'parts', matchOn: 'code' })
    await work(service, org, job)
    const counts = isSame ? { created: 0, updated: 2 } : { created: 2, updated: 0 }
    expect(await jobOf(org, job)).toMatchObject({ status: 'completed', progress: counts })
    const member = await org.member('owner')
    const file = await imported(service, member, {
      text: 'code,title\naB,file\n',
      path: '/objects/parts/imports?fileName=parts.csv',
      mapping: mapping('code', 'title'),
      matchOn: 'code',
    })
    expect(file).toMatchObject({ state: 'completed' })
    expect(await codes(org)).toEqual(isSame ? ['aB'] : ['Ab', 'AB', 'ab', 'aB'])
  })

  test('in restored records from the trash', async () => {
    const { org, add } = await buildParts(service, config)
    const id = await add('Ab')
    await org.delete(`${RECORDS}/${id}`)
    const holder = await add('AB')
    const restored = await org.post(`/objects/parts/trash/${id}/restore`)
    expect(restored.body).toMatchObject({
      record: { data: isSame ? {} : { code: 'Ab' } },
      losses: isSame ? [{ code: 'unique_violation', otherRecordId: holder }] : [],
    })
  })

  test('in merges, and in their undoing', async () => {
    const { org, add } = await buildParts(service, config)
    const [winner, loser] = [await add('Ab'), await add('c')]
    const merged = await org.post<{ mergeId: string }>(`${RECORDS}/merge`, {
      ...{ winnerId: winner, loserIds: [loser], sources: { code: loser } },
    })
    expect(merged.status).toBe(200)
    const third = await org.post(RECORDS, { data: { code: 'AB' } })
    expect(third.status).toBe(201)
    const undone = await org.post<{ losses: object[] }>(`/objects/parts/merges/${merged.body.mergeId}/undo`)
    expect(undone.status).toBe(200)
    // The third record has the winner's old value: the winner keeps the loser's value, and the loser gets none back.
    const lost = [{ recordId: winner }, { recordId: loser }]
    expect(undone.body.losses).toMatchObject(isSame ? lost : [])
  })
})

/** Begins a change to the other rule, which moves the records step by step. */
async function begin(org: Org, path: string, isSensitive: boolean): Promise<void> {
  const { attr, obj } = await db.one<{ attr: number; obj: number }>(
    sql`select attr, obj from attributes where id = ${path.split('/').at(-1)}`,
  )
  await db.transaction(async (tx) => {
    await startKeyChange(tx, org.org, { attr, phase: 'fill', isOfUniqueness: false, isSensitive })
    await renewVersion(tx, org.org, obj)
  })
}

describe('data from before a change of the rule', () => {
  test('records are restored from the trash by the current rule', async () => {
    const { org, add, change } = await buildParts(service, null)
    const [free, taken] = [await add('Free'), await add('Taken')]
    await org.delete(`${RECORDS}/bulk`, { ids: [free, taken] })
    const holder = await add('TAKEN')
    expect((await change(false)).status).toBe(200)
    const back = await org.post(`/objects/parts/trash/${free}/restore`)
    expect(back.body).toMatchObject({ losses: [], record: { data: { code: 'Free' } } })
    const lost = await org.post(`/objects/parts/trash/${taken}/restore`)
    expect(lost.body).toMatchObject({ losses: [{ code: 'unique_violation', otherRecordId: holder }] })
    expectError(await org.post(RECORDS, { data: { code: 'FREE' } }), 'unique_violation')
    expect((await change(true)).status).toBe(200)
    expect((await org.post(RECORDS, { data: { code: 'FREE' } })).status).toBe(201)
  })

  test('a record restored during the change has the keys of both rules', async () => {
    const { org, path, add } = await buildParts(service, null)
    const id = await add('Back')
    await add('Stays')
    await org.delete(`${RECORDS}/${id}`)
    await begin(org, path, false)
    await org.post(`/objects/parts/trash/${id}/restore`)
    expect(await keysOf(db, org)).toEqual(['0 Back', '0 sha256:lower:back', '1 Stays'])
    await finishKeyChanges(service, org)
    expect(await keysOf(db, org)).toEqual(['0 sha256:lower:back', '1 sha256:lower:stays'])
    expect((await org.get(path)).body).toMatchObject({ config: IGNORED })
  })

  test('values of a restored attribute follow its rule', async () => {
    const { org, path, add, change } = await buildParts(service, IGNORED)
    await add('Ab')
    await org.delete(path)
    const restored = await org.post(path.replace('attributes', 'trashed-attributes').concat('/restore'))
    expect(restored.status).toBe(200)
    await restoreAllValues(service.ctx, new AbortController().signal)
    expect((await org.get(path)).body).toMatchObject({ config: IGNORED })
    expectError(await org.post(RECORDS, { data: { code: 'AB' } }), 'unique_violation')
    expect((await change(true)).status).toBe(200)
    expect(await keysOf(db, org)).toEqual(['0 Ab'])
  })

  test('a merge is undone by the current rule', async () => {
    const { org, add, change } = await buildParts(service, null)
    const [winner, loser] = [await add('Ab'), await add('AB')]
    const body = { winnerId: winner, loserIds: [loser] }
    const merged = await org.post<{ mergeId: string }>(`${RECORDS}/merge`, body)
    expect((await change(false)).status).toBe(200)
    const undone = await org.post<{ losses: object[] }>(`/objects/parts/merges/${merged.body.mergeId}/undo`)
    expect(undone.body.losses).toMatchObject([{ code: 'unique_violation', otherRecordId: winner }])
    expect(await keysOf(db, org)).toEqual(['0 sha256:lower:ab'])
  })
})

/** Ways to write one row that is matched on its code. */
const MATCHED: Record<string, (org: Org, code: string) => Promise<unknown>> = {
  PUT: (org, code) => org.put(`${RECORDS}/by/code/${code}`, { data: { code } }),
  'an upsert': (org, code) =>
    org.post(`${RECORDS}/bulk`, { mode: 'upsert', matchOn: 'code', records: [{ data: { code } }] }),
  'an upsert that creates records too': (org, code) => {
    const records = [{ data: { code } }, { data: { code: 'new' } }]
    return org.post(`${RECORDS}/bulk`, { mode: 'upsert', matchOn: 'code', records })
  },
  'an upsert with several rows for a record': (org, code) => {
    const records = ['Ab-1', 'aB-1', code].map((one) => ({ data: { code: one } }))
    return org.post(`${RECORDS}/bulk`, { mode: 'upsert', matchOn: 'code', records })
  },
  'a job': async (org, code) => {
    const job = await queuedJob(org, linesOf([{ data: { code } }]), { objectId: 'parts', matchOn: 'code' })
    await work(service, org, job)
  },
  'an import': async (org, code) =>
    imported(service, await org.member('owner'), {
      text: `code\n${code}\n`,
      path: '/objects/parts/imports?fileName=parts.csv',
      mapping: mapping('code'),
      matchOn: 'code',
    }),
}

describe.each(Object.entries(MATCHED))('the row of %s in another case', (_, write) => {
  const keysOfFirst = async (org: Org) => (await keysOf(db, org)).filter((key) => key.startsWith('0 '))

  test('replaces the case-sensitive key of a record during a change to that rule', async () => {
    const { org, path, add, tryToAdd } = await buildParts(service, IGNORED)
    await begin(org, path, true)
    // A record written during the change has both keys, like a record that the change has already processed.
    const id = await add('AB-1')
    await db.run(sql`update case_changes set after = ${id}::uuid where org = ${org.org}`)
    expect(await keysOfFirst(org)).toEqual(['0 AB-1', '0 sha256:lower:ab-1'])
    await write(org, 'ab-1')
    expect((await codes(org))[0]).toBe('ab-1')
    expect(await keysOfFirst(org)).toEqual(['0 ab-1', '0 sha256:lower:ab-1'])
    await finishKeyChanges(service, org)
    expect(await keysOfFirst(org)).toEqual(['0 ab-1'])
    expect((await org.get(`${RECORDS}/by/code/ab-1`)).body).toMatchObject({ id })
    expectError(await tryToAdd('ab-1'), 'unique_violation')
    expect((await tryToAdd('AB-1')).status).toBe(201)
  })

  test('keeps the key of a record if case does not count', async () => {
    const { org, add } = await buildParts(service, IGNORED)
    await add('AB-1')
    await write(org, 'ab-1')
    expect((await codes(org))[0]).toBe('ab-1')
    expect(await keysOfFirst(org)).toEqual(['0 sha256:lower:ab-1'])
  })
})

test('an inactive attribute can change its rule too', async () => {
  const { org, path, add, change } = await buildParts(service, null)
  await add('Ab')
  await org.patch(`${path}/active`, { isActive: false })
  expect((await change(false)).status).toBe(200)
  await org.patch(`${path}/active`, { isActive: true })
  expectError(await org.post(RECORDS, { data: { code: 'AB' } }), 'unique_violation')
})
