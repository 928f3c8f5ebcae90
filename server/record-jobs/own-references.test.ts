// Rows of a file that refer to earlier rows of the same file: the result does not depend on the size of batches.
import { expect, test } from 'vitest'
import type { CrmRecord, RecordList } from '../../contract/records.ts'
import { batchesOf } from '../jobs/batch-size.fixture.ts'
import type { Org } from '../test/factories.ts'
import { sharedTestService } from '../test/shared-service.ts'
import { linesOf, never, queuedJob, resultsOf, work } from './jobs.fixture.ts'

const service = await sharedTestService()
const PEOPLE = '/objects/people/records'

async function organization(): Promise<Org> {
  const org = await service.org()
  const { body } = await org.get('/objects/people')
  const manager = { name: 'Manager', type: 'reference', config: { allowed_object_id: body['id'] } }
  expect((await org.post('/objects/people/attributes', manager)).status).toBe(201)
  const known = { name: 'Old Name', email: 'old@x.org' }
  expect((await org.post(PEOPLE, { data: known })).status).toBe(201)
  return org
}

function nameOf({ data }: CrmRecord): string {
  const { firstName, lastName = '' } = data['name'] as { firstName: string; lastName?: string }
  return `${firstName} ${lastName}`.trim()
}

/** The status of each line, and the manager of each person. */
async function imported(text: string, body: object, rows: number) {
  const org = await organization()
  const job = await queuedJob(org, text, body)
  await work(service, org, job, never, batchesOf(rows))
  const results = await resultsOf(service, org, job)
  const { records } = (await org.get<RecordList>(`${PEOPLE}?limit=100&order=asc`)).body
  const names = new Map(records.map((one) => [one.id, nameOf(one)]))
  return {
    results: results.map(({ line, status }) => `${line} ${status}`),
    managers: Object.fromEntries(
      records.map((one) => [nameOf(one), names.get(String(one.data['manager'])) ?? null]),
    ),
  }
}

const line = (name: string, email: string, manager?: string) => ({
  data: { name, email, ...(manager !== undefined && { manager: { email: manager } }) },
})

const LINES = linesOf([
  line('Ada', 'ada@x.org'),
  line('Bob', 'bob@x.org', 'ada@x.org'),
  line('Cid', 'cid(at)x.org'),
  line('Dan', 'dan@x.org', 'cid@x.org'),
  line('Eve', 'eve@x.org', 'bob@x.org'),
  line('Fay', 'fay@x.org', 'gil@x.org'),
  line('Gil', 'gil@x.org', 'old@x.org'),
])

const TREE = {
  results: ['1 created', '2 created', '3 failed', '4 failed', '5 created', '6 failed', '7 created'],
  managers: { 'Old Name': null, Ada: null, Bob: 'Ada', Eve: 'Bob', Gil: 'Old Name' },
}

const SIZES = [1, 2, 3, 100]

test.each(SIZES)('JSON lines in batches of %i', async (rows) => {
  for (const body of [{}, { matchOn: 'email' }, { matchOn: 'email', duplicates: 'skip' }])
    expect(await imported(LINES, body, rows)).toEqual(TREE)
})

const tableOf = (header: string, rows: readonly string[]) => [header, ...rows].join('\n')

test.each(SIZES)('a table that names people by email, in batches of %i', async (rows) => {
  const table = tableOf('name,email,manager.email', [
    ...['Ada,ada@x.org,', 'Bob,bob@x.org,Ada@x.org', 'Cid,cid(at)x.org,', 'Dan,dan@x.org,cid@x.org'],
    ...['Eve,eve@x.org,bob@x.org', 'Fay,fay@x.org,gil@x.org', 'Gil,gil@x.org,old@x.org'],
  ])
  const results = TREE.results.map((one, index) => `${index + 2} ${one.slice(2)}`)
  const columns = { 'manager.email': 'manager.email' }
  for (const body of [{}, { matchOn: 'email' }])
    expect(await imported(table, { format: 'csv', columns, ...body }, rows)).toEqual({ ...TREE, results })
})

test.each(SIZES)(
  'a table that names people by their names, and renames one, in batches of %i',
  async (rows) => {
    const table = tableOf('name,email,manager', [
      ...['Ada Lovelace,ada@x.org,', 'Bob,bob@x.org,"lovelace, ADA"', 'Cid,cid@x.org,Old Name'],
      ...['New Name,old@x.org,Bob', 'Dan,dan@x.org,Old Name', 'Eve,eve@x.org,New Name'],
      ...['Bob,bob2@x.org,', 'Fay,fay@x.org,Bob'],
    ])
    expect(await imported(table, { format: 'csv', matchOn: 'email' }, rows)).toMatchObject({
      results: [
        ...['2 created', '3 created', '4 created', '5 updated', '6 failed', '7 created', '8 created'],
        '9 failed',
      ],
      managers: { 'Ada Lovelace': null, Cid: 'New Name', 'New Name': 'Bob', Eve: 'New Name' },
    })
  },
)
