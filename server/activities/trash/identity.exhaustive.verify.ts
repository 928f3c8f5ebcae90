// After any activities and records are deleted and restored in any order, the data is the same as before.
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { newId } from '../../base/id.ts'
import { makeToken } from '../../base/token.ts'
import { stateOf } from '../../records/trash/identity.fixture.ts'
import { buildTestService } from '../../test/build-app.ts'
import { cases } from '../../test/dose.ts'
import { addRecord, create } from '../activities.fixture.ts'

const service = await buildTestService()
const { db } = service.ctx
const org = await service.org()

const companies = await Promise.all(['A', 'B', 'C', 'D'].map((name) => addRecord(org, 'companies', name)))
const people = await Promise.all(['Ada', 'Bob', 'Eve'].map((name) => addRecord(org, 'people', name)))
const personOf = ({ recordId: id }: { recordId: string }) => ({ type: 'person', id })

async function addFile(activityId: string): Promise<void> {
  const id = newId()
  await db.run(sql`
    with file as (
      insert into files (org, id, bucket, path, key, token, state, size, content_type, expires_at, stored_at)
      values (${org.org}, ${id}, 'b', ${id}, ${id}, ${makeToken()}, 'stored', 1, 'image/png', now(), now()))
    insert into attachments (org, id, activity_id, file_id, name, created_by)
    values (${org.org}, ${newId()}, ${activityId}, ${id}, ${id}, ${org.userId})`)
}

async function makeActivity(some: readonly number[], who: readonly number[]): Promise<string> {
  const { body } = await create(org, {
    type: 'task',
    assignee: org.userId,
    linkedRecords: [...some.flatMap((nr) => companies[nr] ?? []), ...people.slice(0, 1)],
    participants: [...who.flatMap((nr) => people[nr] ?? []).map(personOf), { type: 'user', id: org.userId }],
  })
  await addFile(body.id)
  return body.id
}

const activities = [
  await makeActivity([0, 1, 2, 3], [2, 1, 0]),
  await makeActivity([3, 1], [0]),
  await makeActivity([2], []),
]

/** The addresses to delete and to restore each activity and record. */
const PLACES = [
  ...activities.map((id) => [`/activities/${id}`, `/trashed-activities/${id}/restore`]),
  ...[companies, people].flatMap((refs) =>
    refs.map(({ objectId, recordId }) => [
      `/objects/${objectId}/records/${recordId}`,
      `/objects/${objectId}/trashed-records/${recordId}/restore`,
    ]),
  ),
] as [string, string][]

/** The activities without versions and times, and all other data. */
const state = async () => ({
  ...(await stateOf(service, org)),
  fields: await db.many(sql`
    select id, type, title, summary, activity_date, completed_at, assignee, created_by from activities
    where org = ${org.org} order by id`),
  ofActivities: await db.many(
    sql`select id, activity_id from attachments where org = ${org.org} and activity_id is not null order by id`,
  ),
})

test('the data is unchanged after deletions and restores in any order', async () => {
  const before = await state()
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(PLACES, { minLength: 1 }).chain((deleted) =>
        fc.record({
          deleted: fc.constant(deleted),
          returning: fc.shuffledSubarray(deleted, { minLength: deleted.length }),
        }),
      ),
      async ({ deleted, returning }) => {
        for (const [place] of deleted) expect((await org.delete(place)).status).toBe(200)
        for (const [, place] of returning) expect((await org.post(place)).status).toBe(200)
        expect(await state()).toEqual(before)
        expect(await db.many(sql`select from trash_links where org = ${org.org}`)).toEqual([])
      },
    ),
    { numRuns: cases(60), endOnFailure: true },
  )
})
