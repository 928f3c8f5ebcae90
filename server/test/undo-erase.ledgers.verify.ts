// Undo jobs and erasures of a service that is killed at any time. The undo restores exactly the state before the change
// set and undoes each change once, and after the erasure no table and no file contains a value of the person.
//
// `npm run soak -- erasures --count 20 --seed 7` runs longer. The seed determines the changes and when the service is
// killed; how they coincide depends on the machine.
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import type { PrivacyRequest } from '../../contract/privacy.ts'
import type { StartedUndoJob, UndoJob } from '../../contract/undo-jobs.ts'
import { newId } from '../base/id.ts'
import { stepsOf, take } from '../change-sets/steps.fixture.ts'
import { setOf } from '../change-sets/undo.fixture.ts'
import { createRandom, type Random } from '../demo/random.ts'
import { buildFileService } from '../files/files.fixture.ts'
import { buildEverywhere, type Everywhere, MARKERS } from '../privacy/erasure.fixture.ts'
import { audit } from '../records/engine/maintenance/audit.fixture.ts'
import { waitUntilIndexed } from '../records/engine/maintenance/finish.ts'
import { buildLinked, stateOf } from '../records/trash/identity.fixture.ts'
import { testDatabaseUrl } from './database.ts'
import { wholeNumber } from './dose.ts'
import { environment } from './faults/stage.ts'
import { findAnywhere } from './ledger/anywhere.ts'
import { createLives } from './ledger/life.ts'
import { mirrorFaults } from './ledger/readers.ts'
import { releaseJobs, versionGaps } from './ledger/state.ts'
import { startReceiver } from './receiver.ts'

const ROUNDS = wholeNumber('UNDO_ERASE_ROUNDS', 2)
const SEED = wholeNumber('UNDO_ERASE_SEED', Date.now() % 1_000_000)
/** Random steps of a change set. Some are refused, because a record was deleted or merged before. */
const STEPS = 40
/** The largest progress between two kills, in changes of the undo job and steps of the erasure. */
const PROGRESS_MAX = 6
/** A limit for what hangs: a machine that is busy with other tests is many times slower. */
const ROUND_MS_MAX = 600_000

const SECRETS_KEY = Buffer.alloc(32, 9)
const service = await buildFileService({ secretsKeys: [SECRETS_KEY], indexFrom: 1 })
const { db, directory } = service.ctx
const lives = createLives()
const receiver = await startReceiver()
afterAll(async () => {
  await lives.killAll()
})

type Linked = Awaited<ReturnType<typeof buildLinked>>

/** The error log of the service, from all its processes. */
const complaints: string[] = []

async function begin() {
  const { name } = await directory.one<{ name: string }>(sql`select current_database() as name`)
  const { cells } = service.ctx.config
  const env = {
    ...environment(service.dataDir, SECRETS_KEY),
    ...{ DATABASE_URL: testDatabaseUrl(name), DATA_DIR: service.dataDir },
    CELLS: cells.map((cell) => `${cell.name}=${cell.databaseUrl}`).join(' '),
  }
  return lives.begin({ env, onLog: (line) => complaints.push(line) })
}

/** The places that contain values of a person. Earlier rounds left none. */
const find = async () => findAnywhere([db, directory], await service.onDisk(), MARKERS)

interface Work {
  undo: StartedUndoJob
  erasure: PrivacyRequest
}

/** How far the undo job and the erasure are. */
const progressOf = ({ undo, erasure }: Work) =>
  db.one<{ done: number; isOver: boolean }>(sql`
    select u.done + p.step as done, u.completed_at is not null and p.finished_at is not null as "isOver"
    from undo_jobs u, privacy_requests p where u.id = ${undo.id} and p.id = ${erasure.id}`)

/** Kills the service each time it has made some progress, until both are complete. @returns the number of kills */
async function killUntilOver(work: Work, random: Random): Promise<number> {
  for (let kills = 0; ; kills++) {
    const life = await begin()
    const { done } = await progressOf(work)
    const target = done + random.integer(1, PROGRESS_MAX)
    let now = { done, isOver: false }
    while (now.done < target && !now.isOver) now = await progressOf(work)
    await life.kill()
    if (now.isOver) return kills
    await releaseJobs(db)
  }
}

/** Changes records of every type in a set, with merges, and requests that all is undone. */
async function requestUndo(
  linked: Linked,
  round: number,
): Promise<{ undo: StartedUndoJob; expected: object }> {
  const set = newId()
  for (const step of fc.sample(stepsOf(linked), { seed: SEED + round, numRuns: STEPS }))
    await take(linked, step, set)
  const { org } = linked
  const dry = await org.post<StartedUndoJob>('/undo-jobs?dryRun=true', setOf(set))
  const { restored, trashed, returned, total } = dry.body
  const { status, body } = await org.post<StartedUndoJob>('/undo-jobs', setOf(set))
  expect([status, body]).toMatchObject([201, { total }])
  const expected = { status: 'completed', restored, trashed, returned, done: total, conflictCount: 0 }
  return { undo: body, expected }
}

async function requestErasure({ org, person }: Everywhere): Promise<PrivacyRequest> {
  const { status, body } = await org.post<PrivacyRequest>(`/objects/people/records/${person}/erasure`, {
    confirm: person,
  })
  expect([status, body.state]).toEqual([201, 'running'])
  return body
}

/** Index rows, counters, versions and the feed must match the records. */
async function expectExact(orgs: readonly Everywhere['org'][]): Promise<void> {
  for (const { org } of orgs) {
    const objects = await db.many<{ org: number; obj: number }>(
      sql`select org, obj from objects where org = ${org} and deleted_at is null`,
    )
    for (const object of objects) {
      await waitUntilIndexed(service.ctx, object)
      expect(await audit(db, object)).toEqual([])
    }
    expect(await versionGaps(db, org)).toEqual([])
  }
}

test(`${ROUNDS} undo jobs and erasures under kill -9 (seed ${SEED}): nothing is lost, doubled or left`, {
  timeout: ROUNDS * ROUND_MS_MAX,
}, async () => {
  const random = createRandom(SEED)
  // Makes the partitions of events before there are events.
  expect(await (await begin()).stop()).toBe(0)
  const linked = await buildLinked(service)
  const before = await stateOf(service, linked.org)
  for (let round = 0; round < ROUNDS; round++) {
    const world = await buildEverywhere(service, receiver)
    expect((await find()).length).toBeGreaterThan(30)
    const { undo, expected } = await requestUndo(linked, round)
    const erasure = await requestErasure(world)
    const kills = await killUntilOver({ undo, erasure }, random)
    process.stdout.write(`undo-erase: seed ${SEED}, round ${round}: ${undo.total} changes, ${kills} kills\n`)
    expect(kills).toBeGreaterThan(0)

    const { body: job } = await linked.org.get<UndoJob>(`/undo-jobs/${undo.id}`)
    expect(job).toMatchObject(expected)
    expect(await stateOf(service, linked.org)).toEqual(before)
    expect(await mirrorFaults([linked.org])).toEqual([])
    const { body: request } = await world.org.get<PrivacyRequest>(`/privacy/requests/${erasure.id}`)
    expect(request).toMatchObject({
      state: 'completed',
      problem: null,
      counts: { records: 2, activities: 1 },
    })
    expect(await find()).toEqual([])
    await expectExact([linked.org, world.org])
    const { body: other } = await world.org.get(`/objects/people/records/${world.other}`)
    expect(other).toMatchObject({ data: { job_title: 'Colleague', email: 'other@example.com' } })
  }
  expect(complaints).toEqual([])
})
