import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BulkResult, RecordList } from '../../../contract/records.ts'
import { cases } from '../../test/dose.ts'
import { expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { cyclesOf, type WaitingRow } from './cycles.ts'

const service = await sharedTestService()

const BULK = '/objects/people/records/bulk'
const person = (email: string | null, more: Record<string, unknown> = {}) => ({
  name: { firstName: 'P' },
  ...(email && { email }),
  ...more,
})

const everyone = async (org: Org, object = 'people') =>
  (await org.get<RecordList>(`/objects/${object}/records?limit=100&order=asc`)).body.records

describe('POST /objects/:objectId/records/bulk', () => {
  test('creates a hundred in one request, in order, with an event each', async () => {
    const org = await service.org()
    const records = Array.from({ length: 100 }, (_, index) => ({
      data: person(`p${index}@x.org`, { job_title: `${index}` }),
    }))
    const reply = await org.post<BulkResult>(BULK, { records })
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({ created: 100, updated: 0, failed: [] })
    expect(reply.body.results.map(({ index, status }) => [index, status])).toEqual(
      records.map((_, index) => [index, 'created']),
    )
    const stored = await everyone(org)
    expect(stored.map(({ data }) => data)).toEqual(records.map(({ data }) => data))
    expect(stored.map(({ id }) => id)).toEqual(reply.body.results.map(({ id }) => id))
    expect((await org.events()).map(({ type, subject }) => [type, subject])).toEqual(
      stored.map(({ id }) => ['record.created', id]),
    )
  })

  test('a failed row is reported with its index, and the other rows are written', async () => {
    const org = await service.org()
    await org.post('/objects/people/records', { data: person('taken@x.org') })
    const reply = await org.post<BulkResult>(BULK, {
      records: [
        { data: person('a@x.org') },
        { data: { email: 'nameless@x.org' } },
        { data: person('TAKEN@x.org') },
        { data: person('a@x.org') },
        { data: person('b@x.org', { company: crypto.randomUUID() }) },
        { data: person('c@x.org') },
      ],
    })
    expect(reply.body).toMatchObject({ created: 2, updated: 0 })
    expect(reply.body.failed).toMatchObject([
      { index: 1, error: expect.stringContaining('data.name') },
      { index: 2, error: expect.stringContaining('email') },
      { index: 3, error: expect.stringContaining('email') },
      { index: 4, error: expect.stringContaining('data.company') },
    ])
    expect(reply.body.results.map(({ status }) => status)).toEqual([
      'created',
      'failed',
      'failed',
      'failed',
      'failed',
      'created',
    ])
    expect((await everyone(org)).map(({ data }) => data['email'])).toEqual([
      'taken@x.org',
      'a@x.org',
      'c@x.org',
    ])
    // The unique value of a failed row stays free.
    expect((await org.post('/objects/people/records', { data: person('b@x.org') })).status).toBe(201)
  })

  test('create ignores a given id', async () => {
    const org = await service.org()
    const id = crypto.randomUUID()
    const reply = await org.post<BulkResult>(BULK, {
      mode: 'create',
      records: [{ id, data: person('a@x.org') }],
    })
    expect(reply.body.created).toBe(1)
    expect(reply.body.results[0]?.id).not.toBe(id)
  })

  test('upsert updates with an id, creates without one, and fails for an unknown or foreign id', async () => {
    const [org, other] = [await service.org(), await service.org()]
    const { id } = (
      await org.post('/objects/people/records', { data: person('a@x.org', { job_title: 'Old' }) })
    ).body
    const foreign = (await other.post('/objects/people/records', { data: person('a@x.org') })).body['id']
    const reply = await org.post<BulkResult>(BULK, {
      mode: 'upsert',
      records: [
        { id, data: { job_title: 'New' } },
        { data: person('b@x.org') },
        { id: crypto.randomUUID(), data: person('c@x.org') },
        { id: foreign, data: { job_title: 'Stolen' } },
        { id: 'nonsense', data: { job_title: 'x' } },
      ],
    })
    expect(reply.body).toMatchObject({ created: 1, updated: 1 })
    expect(reply.body.failed.map(({ index }) => index)).toEqual([2, 3, 4])
    expect((await everyone(org)).map(({ data }) => [data['email'], data['job_title']])).toEqual([
      ['a@x.org', 'New'],
      ['b@x.org', undefined],
    ])
    expect((await everyone(other)).map(({ data }) => data['job_title'])).toEqual([undefined])
  })

  test('matchOn finds records by a unique attribute, also records of the same batch', async () => {
    const org = await service.org()
    await org.post('/objects/people/records', { data: person('Ada@x.org') })
    const reply = await org.post<BulkResult>(BULK, {
      mode: 'upsert',
      matchOn: 'email',
      records: [
        { data: person('ada@X.ORG', { job_title: 'One' }) },
        { data: person('new@x.org', { job_title: 'Two' }) },
        { data: person('NEW@x.org', { job_title: 'Three' }) },
        { data: person(null) },
      ],
    })
    expect(reply.body.results.map(({ status }) => status)).toEqual([
      'updated',
      'created',
      'updated',
      'failed',
    ])
    expect((await everyone(org)).map(({ data }) => data['job_title'])).toEqual(['One', 'Three'])
  })

  test('fifty concurrent upserts of one value make one record', async () => {
    const org = await service.org()
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        org.post<BulkResult>(BULK, {
          mode: 'upsert',
          matchOn: 'email',
          records: [{ data: person('a@x.org', { job_title: `${index}` }) }],
        }),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(replies.reduce((sum, { body }) => sum + body.created, 0)).toBe(1)
    expect(replies.reduce((sum, { body }) => sum + body.updated, 0)).toBe(49)
    expect(await everyone(org)).toHaveLength(1)
  })

  test('concurrent batches that take the same values in opposite orders end without error', async () => {
    const org = await service.org()
    const emails = Array.from({ length: 30 }, (_, index) => `p${index}@x.org`)
    const batch = (order: string[]) =>
      org.post<BulkResult>(BULK, { records: order.map((email) => ({ data: person(email) })) })
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => batch(index % 2 ? emails : emails.toReversed())),
    )
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(replies.reduce((sum, { body }) => sum + body.created, 0)).toBe(30)
    expect(await everyone(org)).toHaveLength(30)
  })

  test('concurrent batches that find the same records in opposite orders end without error', async () => {
    const org = await service.org()
    await org.post('/objects/people/attributes', { name: 'Badge', type: 'text', isUnique: true })
    const row = (number: number, badge: string) => ({
      data: { name: `Person ${number}`, email: `${number}@example.com`, badge },
    })
    const people = Array.from({ length: 12 }, (_, number) => number)
    await org.post(BULK, { records: people.map((number) => row(number, `old ${number}`)) })
    // Sends the first person twice: the second row of this person and all later rows wait for the second wave.
    const batch = (first: number) => {
      const order = people.map((place) => (first + place) % people.length)
      return {
        mode: 'upsert',
        matchOn: 'email',
        records: [first, ...order].map((one, n) => row(one, `${first} ${n}`)),
      }
    }
    const replies = await Promise.all(people.map((first) => org.post(BULK, batch(first))))
    expect(replies.map(({ status, body }) => [status, body['updated']])).toEqual(people.map(() => [200, 13]))
  })

  test('allOrNone: one failure and nothing is written', async () => {
    const org = await service.org()
    await org.post('/objects/people/records', { data: person('taken@x.org') })
    const invalid = await org.post(BULK, {
      allOrNone: true,
      records: [{ data: person('a@x.org') }, { data: {} }],
    })
    expectError(invalid, 'validation_error')
    expect(invalid.body['details']).toMatchObject({ errors: [{ path: 'records[1].data.name' }] })
    const taken = await org.post(BULK, {
      allOrNone: true,
      records: [{ data: person('a@x.org') }, { data: person('taken@x.org') }],
    })
    expectError(taken, 'unique_violation')
    expect(taken.body['details']).toMatchObject({
      attributeSlug: 'email',
      errors: [{ path: 'records[1].data.email' }],
    })
    expect(await everyone(org)).toHaveLength(1)
    expect(await org.events()).toHaveLength(1)
    expect(
      (await org.post<BulkResult>(BULK, { allOrNone: true, records: [{ data: person('a@x.org') }] })).body
        .created,
    ).toBe(1)
  })

  test.each([
    ['no rows', { records: [] }],
    ['101 rows', { records: Array(101).fill({ data: {} }) }],
    ['an unknown mode', { mode: 'replace', records: [{ data: {} }] }],
    ['matchOn without upsert', { matchOn: 'email', records: [{ data: {} }] }],
    [
      'matchOn an attribute that is not unique',
      { mode: 'upsert', matchOn: 'job_title', records: [{ data: {} }] },
    ],
    ['an unknown field', { records: [{ data: {} }], colour: 'red' }],
  ])('%s: answers 400 and writes nothing', async (_, body) => {
    const org = await service.org()
    expectError(await org.post(BULK, body), 'validation_error')
    expect(await org.events()).toEqual([])
  })

  test('rows that exchange unique values are written', async () => {
    const org = await service.org()
    const emails = ['a@x.org', 'b@x.org', 'c@x.org']
    const start = await org.post<BulkResult>(BULK, {
      records: emails.map((email) => ({ data: person(email) })),
    })
    const ids = start.body.results.map(({ id }) => id)
    const turned = ids.map((id, n) => ({ id, data: { email: emails[(n + 1) % 3] } }))
    const { body } = await org.post<BulkResult>(BULK, {
      mode: 'upsert',
      allOrNone: true,
      records: [...turned, { data: person('d@x.org') }],
    })
    expect(body).toMatchObject({ created: 1, updated: 3, failed: [] })
    expect((await everyone(org)).map(({ id, data }) => [id, data['email']]).toSorted()).toEqual(
      [...ids.map((id, n) => [id, emails[(n + 1) % 3]]), [body.results[3]?.id, 'd@x.org']].toSorted(),
    )
    const back = {
      mode: 'upsert',
      records: turned.map((row) => ({ ...row, data: { name: 'X', ...row.data } })),
    }
    expect((await org.post<BulkResult>(BULK, back)).body).toMatchObject({ updated: 3, failed: [] })
    expectError(await org.post('/objects/people/records', { data: person('a@x.org') }), 'unique_violation')
  })

  test('an exchange of unique values is not written if one of its rows fails', async () => {
    const org = await service.org()
    const start = await org.post<BulkResult>(BULK, {
      records: ['a@x.org', 'b@x.org'].map((email) => ({ data: person(email) })),
    })
    const [a, b] = start.body.results.map(({ id }) => id)
    const records = [
      { id: a, data: { email: 'b@x.org', company: crypto.randomUUID() } },
      { id: b, data: { email: 'a@x.org' } },
    ]
    const { body } = await org.post<BulkResult>(BULK, { mode: 'upsert', records })
    expect(body).toMatchObject({ updated: 0, failed: [{ attribute: 'company' }, { existingRecordId: a }] })
    expect((await everyone(org)).map(({ data }) => data['email']).toSorted()).toEqual(['a@x.org', 'b@x.org'])
  })

  test('an exchange of unique values is not written if a later row updates one of its records', async () => {
    const org = await service.org()
    const start = await org.post<BulkResult>(BULK, {
      records: ['a@x.org', 'b@x.org'].map((email) => ({ data: person(email) })),
    })
    const [a, b] = start.body.results.map(({ id }) => id)
    const records = [
      { id: a, data: { email: 'b@x.org', name: 'First' } },
      { id: b, data: { email: 'a@x.org' } },
      { id: a, data: { name: 'Second' } },
    ]
    const { body } = await org.post<BulkResult>(BULK, { mode: 'upsert', records })
    expect(body).toMatchObject({ updated: 1, failed: [{ index: 0 }, { index: 1 }] })
    const kept = (await everyone(org)).find(({ id }) => id === a)
    expect(kept?.data).toMatchObject({ email: 'a@x.org', name: { firstName: 'Second' } })
  })

  test('failed rows have the error codes of single writes, and allOrNone lists all failed rows', async () => {
    const org = await service.org()
    const { body: taken } = await org.post<{ id: string }>('/objects/people/records', {
      data: person('taken@x.org'),
    })
    const unknown = crypto.randomUUID()
    const records = [
      { data: person('ok@x.org') },
      { data: person('taken@x.org') },
      { data: { name: 'X', email: 'none' } },
      { id: unknown, data: { name: 'X' } },
      { data: { name: 'X', company: unknown } },
      7,
    ]
    const failed = [
      { index: 1, code: 'unique_violation', attribute: 'email', existingRecordId: taken.id },
      { index: 2, code: 'validation_error', attribute: 'email' },
      { index: 3, code: 'not_found', id: unknown },
      { index: 4, code: 'validation_error', attribute: 'company' },
      { index: 5, code: 'validation_error' },
    ].map((row) => ({ ...row, error: expect.any(String) }))
    const refused = await org.post(BULK, { mode: 'upsert', allOrNone: true, records })
    expectError(refused, 'unique_violation')
    expect(refused.body['details']).toMatchObject({ attributeSlug: 'email', failed })
    expect((refused.body['details'] as { failed: object }).failed).toEqual(failed)
    expect(await everyone(org)).toHaveLength(1)
    const { body } = await org.post<BulkResult>(BULK, { mode: 'upsert', records })
    expect(body).toMatchObject({ created: 1, updated: 0 })
    expect(body.failed).toEqual(failed)
  })

  test('a batch has the result of its rows sent one by one, unless they exchange values', async () => {
    const email = fc.constantFrom('a@x.org', 'A@X.org', 'b@x.org', 'c@x.org', null)
    const row = fc.record({
      target: fc.option(fc.nat(3)),
      email,
      job_title: fc.constantFrom('One', 'Two', null),
      bad: fc.integer({ min: 0, max: 9 }),
    })
    const batch = fc.record({ rows: fc.array(row, { minLength: 1, maxLength: 12 }), matchOn: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(batch, async ({ rows, matchOn }) => {
        const outcomes = await Promise.all(
          [rows.length, 1].map(async (size) => {
            const org = await service.org()
            const start = await org.post<BulkResult>(BULK, {
              records: [0, 1, 2].map((n) => ({ data: person(n ? `${'abc'[n]}@x.org` : null) })),
            })
            const ids = start.body.results.map(({ id }) => id)
            const records = rows.map(({ target, email: address, job_title, bad }) => ({
              ...(target !== null && !matchOn && { id: ids[target] ?? crypto.randomUUID() }),
              data: {
                ...(bad !== 0 && { name: 'X' }),
                email: address,
                job_title,
                ...(bad === 1 && { company: crypto.randomUUID() }),
              },
            }))
            const statuses: string[] = []
            const waiting: WaitingRow[] = []
            for (let from = 0; from < records.length; from += size) {
              const { body } = await org.post<BulkResult>(BULK, {
                mode: 'upsert',
                ...(matchOn && { matchOn: 'email' }),
                records: records.slice(from, from + size),
              })
              statuses.push(...body.results.map(({ status }) => status))
              for (const { id, existingRecordId: holder } of body.failed)
                if (id !== undefined && holder !== undefined) waiting.push({ id, holder })
            }
            const contents = (await everyone(org)).map(({ data }) =>
              JSON.stringify(data, Object.keys(data).sort()),
            )
            return {
              result: { statuses, contents: contents.sort() },
              exchanges: cyclesOf(waiting).length > 0,
            }
          }),
        )
        if (!outcomes[1]?.exchanges) expect(outcomes[0]?.result).toEqual(outcomes[1]?.result)
      }),
      { numRuns: cases(60) },
    )
  })
})
