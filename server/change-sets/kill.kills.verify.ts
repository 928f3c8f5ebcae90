// kill -9 of the worker on an undo job before and after each of its transactions: each change is undone exactly once.
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Attachment } from '../../contract/attachments.ts'
import type { BulkResult } from '../../contract/records.ts'
import type { UndoJob } from '../../contract/undo-jobs.ts'
import { newId } from '../base/id.ts'
import { audit } from '../records/engine/maintenance/audit.fixture.ts'
import { buildLinked, stateOf } from '../records/trash/identity.fixture.ts'
import { buildTestService } from '../test/build-app.ts'
import { bodyOf } from '../test/factories.ts'
import { createMortals } from '../test/mortal-children.ts'
import type { Task } from './kill-fixture-process.ts'
import { inSet, setOf } from './undo.fixture.ts'

const service = await buildTestService({ indexFrom: 1 })
const { launch, live } = await createMortals<Task>(
  service,
  fileURLToPath(new URL('./kill-fixture-process.ts', import.meta.url)),
)
const { org, object, ids } = await buildLinked(service)
const THINGS = '/objects/things/records'
const ROWS = 5
const NEVER = { death: 'never', at: 0 } as const
const known = new Set(ids)

async function write(set: string, records: object[]): Promise<void> {
  const sent = { mode: 'upsert', changeSetId: set, records }
  const { status, body } = await org.post<BulkResult>(`${THINGS}/bulk`, sent)
  expect([status, body]).toMatchObject([200, { failed: [] }])
}

/** Renames the files of a record, and removes those of another. */
async function changeFiles(set: string, renamed: string, removed: string): Promise<void> {
  const filesOf = (id: string) => `${THINGS}/${id}/attachments`
  const list = async (id: string) =>
    (await org.get<{ attachments: Attachment[] }>(filesOf(id))).body.attachments
  for (const { id } of await list(renamed)) {
    expect((await org.patch(`${filesOf(renamed)}/${id}`, { name: newId() }, inSet(set))).status).toBe(200)
  }
  for (const { id } of await list(removed))
    expect((await org.delete(`${filesOf(removed)}/${id}`, undefined, inSet(set))).status).toBe(200)
}

/** Updates, creates and deletes records, and renames and removes files. @returns the id of their change set */
async function changeThings(): Promise<string> {
  const set = newId()
  const [first, ...rest] = ids
  await write(
    set,
    rest.map((id, nr) => ({ id, data: { a_number: nr } })),
  )
  await write(
    set,
    Array.from({ length: 8 }, (_, nr) => ({ data: { a_number: nr, a_reference: rest[0] } })),
  )
  const [renamed = '', removed = ''] = rest.slice(2)
  await changeFiles(set, renamed, removed)
  await org.delete(`${THINGS}/${first}`, undefined, inSet(set))
  return set
}

/** Merges records, changes the winner, and merges it into another record. @returns the id of their change set */
async function mergeThings(): Promise<string> {
  const set = newId()
  const [first = '', second = '', third = '', fourth = ''] = ids
  const merge = async (winnerId: string, loserIds: string[]) => {
    bodyOf(await org.post(`${THINGS}/merge`, { winnerId, loserIds }, inSet(set)))
  }
  await write(set, [{ data: { a_number: 2, a_reference: second } }])
  await merge(first, [second, third])
  await write(set, [{ id: first, data: { a_number: 3 } }])
  await merge(fourth, [first])
  return set
}

interface Undone
  extends Pick<UndoJob, 'status' | 'done' | 'restored' | 'trashed' | 'returned' | 'conflictCount'> {
  /** The subjects of the changes that the job made. */
  subjects: string[]
}

async function undoneBy(jobId: string): Promise<Undone> {
  const { body } = await org.get<UndoJob>(`/undo-jobs/${jobId}`)
  const { status, done, restored, trashed, returned, conflictCount } = body
  const events = await service.ctx.db.many<{ subject: string }>(sql`
    select e.subject from change_set_batches b join events e on e.org = b.org and e.id = any(b.events)
    where b.org = ${org.org} and b.change_set = ${jobId}`)
  const files = await service.ctx.db.many<{ subject: string }>(sql`
    select attachment as subject from attachment_changes where org = ${org.org} and change_set = ${jobId}`)
  const subjects = [
    ...events.map(({ subject }) => (known.has(subject) ? subject : 'created')),
    ...files.map(({ subject }) => subject),
  ].toSorted()
  return { status, done, restored, trashed, returned, conflictCount, subjects }
}

/** Makes a set and undoes it; if the worker is killed, a second worker continues. */
async function undo(
  change: () => Promise<string>,
  task: Pick<Task, 'death' | 'at'>,
): Promise<Undone & { wasKilled: boolean }> {
  const id = await change()
  const { body } = await org.post<UndoJob>('/undo-jobs', setOf(id))
  const given = { ref: { org: org.org, id: body.id }, rows: ROWS }
  const wasKilled = await live(launch(), { ...task, ...given })
  if (wasKilled) await live(launch(), { ...NEVER, ...given })
  return { wasKilled, ...(await undoneBy(body.id)) }
}

const CASES = [
  {
    ...{ name: 'each change', change: changeThings, expected: { trashed: 8, returned: 2 } },
    deaths: ['before', 'after'],
  },
  // A death after a transaction leaves the same state as one before the end of the next transaction.
  {
    ...{ name: 'each change and each merge', change: mergeThings, expected: { trashed: 1, returned: 3 } },
    deaths: ['before'],
  },
] as const

test.each(CASES)('$name is undone once, regardless of when the worker is killed', async (tested) => {
  const { change, expected, deaths } = tested
  const before = await stateOf(service, org)
  const { wasKilled: _, ...undisturbed } = await undo(change, NEVER)
  expect(undisturbed).toMatchObject({ status: 'completed', ...expected, conflictCount: 0 })
  expect(await stateOf(service, org)).toEqual(before)
  for (const death of deaths)
    for (let at = 1, goesOn = true; goesOn; at++) {
      const { wasKilled, ...undone } = await undo(change, { death, at })
      expect(undone).toEqual(undisturbed)
      expect(await stateOf(service, org)).toEqual(before)
      expect(await audit(service.ctx.db, object)).toEqual([])
      goesOn = wasKilled
      if (!goesOn) expect(at).toBeGreaterThan(3)
    }
})
