// kill -9 of the worker on an undo job before and after each of its transactions: each change is undone exactly once.
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { BulkResult } from '../../contract/records.ts'
import type { UndoJob } from '../../contract/undo-jobs.ts'
import { newId } from '../base/id.ts'
import { audit } from '../records/engine/maintenance/audit.fixture.ts'
import { buildLinked, stateOf } from '../records/trash/identity.fixture.ts'
import { buildTestService } from '../test/build-app.ts'
import { createMortals } from '../test/mortal-children.ts'
import type { Task } from './kill-fixture-process.ts'

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

/** Updates, creates and deletes records. @returns the id of their change set */
async function changeThings(): Promise<string> {
  const set = newId()
  const write = async (records: object[]) => {
    const { status, body } = await org.post<BulkResult>(`${THINGS}/bulk`, {
      mode: 'upsert',
      changeSetId: set,
      records,
    })
    expect([status, body]).toMatchObject([200, { failed: [] }])
  }
  const [first, ...rest] = ids
  await write(rest.map((id, nr) => ({ id, data: { a_number: nr } })))
  await write(Array.from({ length: 8 }, (_, nr) => ({ data: { a_number: nr, a_reference: rest[0] } })))
  await org.delete(`${THINGS}/${first}`, undefined, { 'rapport-change-set': set })
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
  const subjects = events.map(({ subject }) => (known.has(subject) ? subject : 'created')).toSorted()
  return { status, done, restored, trashed, returned, conflictCount, subjects }
}

/** Undoes a set; if the worker is killed, a second worker continues. */
async function undo(task: Pick<Task, 'death' | 'at'>): Promise<Undone & { wasKilled: boolean }> {
  const id = await changeThings()
  const { body } = await org.post<UndoJob>('/undo-jobs', { kind: 'changeSet', id })
  const given = { ref: { org: org.org, id: body.id }, rows: ROWS }
  const wasKilled = await live(launch(), { ...task, ...given })
  if (wasKilled) await live(launch(), { ...NEVER, ...given })
  return { wasKilled, ...(await undoneBy(body.id)) }
}

test('each change is undone once, regardless of when the worker is killed', async () => {
  const before = await stateOf(service, org)
  const { wasKilled: _, ...undisturbed } = await undo(NEVER)
  expect(undisturbed).toMatchObject({ status: 'completed', trashed: 8, returned: 1, conflictCount: 0 })
  for (const death of ['before', 'after'] as const)
    for (let at = 1, goesOn = true; goesOn; at++) {
      const { wasKilled, ...undone } = await undo({ death, at })
      expect(undone).toEqual(undisturbed)
      expect(await stateOf(service, org)).toEqual(before)
      expect(await audit(service.ctx.db, object)).toEqual([])
      goesOn = wasKilled
      if (!goesOn) expect(at).toBeGreaterThan(3)
    }
})
