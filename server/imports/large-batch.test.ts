// Imports many rows in one batch into an object with an index: the rules of single rows hold, and the index is correct.
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Context } from '../context.ts'
import { addListener } from '../events/outbox-entries.ts'
import { batchesOf } from '../jobs/batch-size.fixture.ts'
import { workOnJob } from '../record-jobs/jobs.ts'
import { indexEmptyObject } from '../records/engine/indexed.fixture.ts'
import { audit } from '../records/engine/maintenance/audit.fixture.ts'
import type { ObjectKey } from '../records/engine/maintenance/work-store.ts'
import type { Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { checked, get, mapping, post } from './imports.fixture.ts'

const service = await sharedTestService()
const { ctx } = service
const { db } = ctx

const ROWS = 1200

/** The object `people` with an index and one record. */
async function buildPeople() {
  const org = await service.org()
  const member = await org.member('member')
  const { id, ...object } = await db.one<ObjectKey & { id: string }>(
    sql`select id, org, obj from objects where org = ${org.org} and slug = 'people'`,
  )
  await indexEmptyObject(db, id, { texts: 'presence', keepsMissing: true })
  const old = { data: { name: 'Old', email: 'old@example.com' } }
  expect((await member.post('/objects/people/records', old)).status).toBe(201)
  return { org, member, object }
}

type Member = Awaited<ReturnType<Org['member']>>

/** Rejects attempts that a taken value rolls back: with many rows, a rollback leaves dead entries in every index. */
const careful: Context = {
  ...ctx,
  db: {
    ...db,
    transaction: (work) =>
      db.transaction((tx) =>
        work({ ...tx, attempt: () => Promise.reject(new Error('all rows were written and undone')) }),
      ),
  },
}

/** Imports all rows in one batch. */
async function importInOneBatch(
  { member, org }: { member: Member; org: Org },
  check: Parameters<typeof checked>[2],
  context = ctx,
) {
  const file = await checked(service, member, check)
  await post(member, file, 'run')
  let batches = 0
  const size = { ...batchesOf(5000), took: () => void batches++ }
  await workOnJob(context, { org: org.org, id: file.id }, new AbortController().signal, size)
  expect(batches).toBe(1)
  return get(member, file)
}

const failuresOf = (org: Org) =>
  db.many<{ line: number; error: string }>(
    sql`select line, error from import_failures where org = ${org.org} order by row`,
  )

const holds = (email: string, { org, obj }: ObjectKey) =>
  db.many<{ name: string }>(sql`
    select coalesce(data->'name'->>'firstName', '') || ' ' || coalesce(data->'name'->>'lastName', '') as name
    from records where org = ${org} and obj = ${obj} and data->>'email' = ${email}`)

test('a taken or repeated unique value fails only its row', async () => {
  const { org, member, object } = await buildPeople()
  const rows = Array.from({ length: ROWS }, (_, n) => `P,${n},p${n}@example.com,`)
  rows[300] = 'Taken,X,OLD@example.com,'
  rows[700] = 'Twice,X,p5@example.com,'
  rows[900] = 'Lost,X,lost@example.com,0198c0de-0000-7000-8000-000000000001'
  const done = await importInOneBatch(
    { member, org },
    {
      text: ['First,Last,Email,Company', ...rows].join('\n'),
      mapping: mapping('name.firstName', 'name.lastName', 'email', 'company'),
    },
    careful,
  )
  expect(done).toMatchObject({ state: 'completed', progress: { created: ROWS - 3, failed: 3 } })
  expect(await failuresOf(org)).toEqual([
    { line: 302, error: 'Email: Another record has this value already' },
    { line: 702, error: 'Email: Another record has this value already' },
    { line: 902, error: expect.stringContaining('No record has the ID') },
  ])
  expect(await holds('p5@example.com', object)).toEqual([{ name: 'P 5' }])
  expect(await org.events()).toHaveLength(1 + ROWS - 3)
  expect(await audit(db, object)).toEqual([])
})

test('writes several outbox entries for one batch', async () => {
  const { org, member } = await buildPeople()
  await addListener(db, org.org, 'webhooks')
  const rows = Array.from({ length: ROWS }, (_, n) => `Person ${n}`)
  await importInOneBatch({ member, org }, { text: ['Name', ...rows].join('\n'), mapping: mapping('name') })
  const entries = await db.many<{ events: string[] }>(
    sql`select events from event_pending where org = ${org.org} order by id`,
  )
  expect(entries.map(({ events }) => events.length)).toEqual([500, 500, 200])
  expect(new Set(entries.flatMap(({ events }) => events)).size).toBe(ROWS)
})

test('writes rows of the same record one after the other', async () => {
  const { org, member, object } = await buildPeople()
  const rows = Array.from({ length: ROWS }, (_, n) => `P,${n},p${n % 1000}@example.com`)
  rows[50] = 'New,Name,old@example.com'
  const done = await importInOneBatch(
    { member, org },
    {
      text: ['First,Last,Email', ...rows].join('\n'),
      mapping: mapping('name.firstName', 'name.lastName', 'email'),
      matchOn: 'email',
    },
  )
  // Rows 1000 to 1199 update the records of rows 0 to 199. Row 50 updates an old record: row 1050 creates a new one.
  expect(done).toMatchObject({ state: 'completed', progress: { created: 1000, updated: 200, failed: 0 } })
  expect(await holds('p199@example.com', object)).toEqual([{ name: 'P 1199' }])
  expect(await holds('old@example.com', object)).toEqual([{ name: 'New Name' }])
  expect(await audit(db, object)).toEqual([])
})
