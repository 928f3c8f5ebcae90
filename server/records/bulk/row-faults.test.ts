// A failed row lists all its faults: invalid values, and conflicts that only the database finds.
import { describe, expect, test } from 'vitest'
import type { BulkResult } from '../../../contract/records.ts'
import { expectError, type Org } from '../../test/factories.ts'
import { sharedTestService } from '../../test/shared-service.ts'
import { SHOWN_ERRORS_MAX } from './row-faults.ts'

const service = await sharedTestService()

const BULK = '/objects/people/records/bulk'
const UNKNOWN = '0198c0de-0000-7000-8000-00000000dead'

async function setUp() {
  const org = await service.org()
  await org.post('/objects/people/attributes', { name: 'Badge', type: 'text', isUnique: true })
  const data = { name: 'Taken', email: 'taken@x.org', badge: '1' }
  const { body } = await org.post<{ id: string }>('/objects/people/records', { data })
  return { org, taken: body.id }
}

/** Rows with several faults each, between valid rows. */
const rowsWith = (taken: string) => [
  { data: { name: 'First', email: 'first@x.org' } },
  { data: { name: 'A', colour: 'red', phone: 'none', email: 'TAKEN@x.org', company: UNKNOWN } },
  { data: { name: 'B', email: 'taken@x.org', badge: '1' } },
  { id: UNKNOWN, data: { phone: 'none', badge: '1' } },
  { data: { email: 'first@x.org' }, size: 5 },
  { data: { name: 'Last', badge: taken } },
]

/** @param first the id of the record of the first row, whose email a later row repeats; empty with allOrNone */
const faultsOf = (taken: string, first: unknown[]) => [
  [
    ['data.colour', 'unknown_attribute'],
    ['data.phone', 'invalid_phone_number'],
    ['data.company', 'invalid_reference'],
    ['data.email', 'unique_violation', taken],
  ],
  [
    ['data.email', 'unique_violation', taken],
    ['data.badge', 'unique_violation', taken],
  ],
  [
    ['data.phone', 'invalid_phone_number'],
    ['id', 'not_found'],
    ['data.badge', 'unique_violation', taken],
  ],
  [
    ['size', 'unknown_field'],
    ['data.name', 'required'],
    ['data.email', 'unique_violation', ...first],
  ],
]

const shown = ({ failed }: Pick<BulkResult, 'failed'>) =>
  failed.map(({ details }) =>
    details?.errors.map(({ path, code, existingRecordId }) =>
      existingRecordId === undefined ? [path, code] : [path, code, existingRecordId],
    ),
  )

const count = async (org: Org) =>
  (await org.get<{ records: object[] }>('/objects/people/records')).body.records.length

test('a failed row has one entry with all its faults', async () => {
  const { org, taken } = await setUp()
  const { body } = await org.post<BulkResult>(BULK, { mode: 'upsert', records: rowsWith(taken) })
  expect(body).toMatchObject({ created: 2, updated: 0 })
  expect(body.failed.map(({ index, code }) => [index, code])).toEqual([
    [1, 'validation_error'],
    [2, 'unique_violation'],
    [3, 'validation_error'],
    [4, 'validation_error'],
  ])
  expect(shown(body)).toEqual(faultsOf(taken, [body.results[0]?.id]))
  expect(body.failed[0]?.error).toMatch(/colour.*phone.*company.*email/)
})

test('with allOrNone the error lists every fault of every row, with its index', async () => {
  const { org, taken } = await setUp()
  const refused = await org.post(BULK, { mode: 'upsert', allOrNone: true, records: rowsWith(taken) })
  expectError(refused, 'unique_violation')
  const { errors, failed } = refused.body['details'] as {
    errors: { path: string; code: string }[]
  } & Pick<BulkResult, 'failed'>
  expect(shown({ failed })).toEqual(faultsOf(taken, []))
  expect(errors.map(({ path, code }) => [path, code])).toEqual(
    faultsOf(taken, []).flatMap((faults, place) =>
      faults.map(([path, code]) => [`records[${place + 1}].${path}`, code]),
    ),
  )
  expect(failed[3]?.error).toContain('records[0] has the same value')
  expect(await count(org)).toBe(1)
})

test('a matched row lists the faults of creating its record only if no record matches', async () => {
  const { org, taken } = await setUp()
  const records = [
    { data: { email: 'new@x.org', phone: 'none' } },
    { data: { email: 'taken@x.org', phone: 'none' } },
    { data: { phone: 'none', badge: '1' } },
  ]
  const { body } = await org.post<BulkResult>(BULK, { mode: 'upsert', matchOn: 'email', records })
  expect(body.failed).toHaveLength(3)
  expect(shown(body)).toEqual([
    [
      ['data.phone', 'invalid_phone_number'],
      ['data.name', 'required'],
    ],
    undefined,
    [
      ['data.phone', 'invalid_phone_number'],
      ['data.email', 'required'],
      ['data.name', 'required'],
      ['data.badge', 'unique_violation', taken],
    ],
  ])
})

describe('many faults in many rows', () => {
  const ROWS = 100
  const FAULTS = 100

  async function refusedTags() {
    const org = await service.org()
    const options = Array.from({ length: 500 }, (_, index) => `abcdefgh${index}${'y'.repeat(180)}`)
    const tags = { name: 'Tags', type: 'select', isList: true, config: { options } }
    expect((await org.post('/objects/people/attributes', tags)).status).toBe(201)
    const records = Array.from({ length: ROWS }, (_, row) => ({
      data: { name: 'A', email: `a${row}@x.org`, tags: Array.from({ length: 200 }, () => 'abcdefghij') },
    }))
    const ask = <Answer extends object>(more: object) =>
      org.post<Answer>(BULK, { mode: 'upsert', matchOn: 'email', records, ...more })
    return { ask }
  }

  const errorsOf = ({ details }: BulkResult['failed'][number]) => details?.errors.length ?? 0
  const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0)

  test('are listed up to a limit: each row has its first fault and the number of omitted faults', async () => {
    const { ask } = await refusedTags()
    const { body } = await ask<BulkResult>({})
    expect(JSON.stringify(body).length).toBeLessThan(500_000)
    expect(body.failed).toHaveLength(ROWS)
    const listed = body.failed.map(errorsOf)
    expect([Math.min(...listed), sum(listed)]).toEqual([1, SHOWN_ERRORS_MAX])
    expect(body.failed.map((row) => errorsOf(row) + (row.details?.moreErrors ?? 0))).toEqual(
      Array.from({ length: ROWS }, () => FAULTS),
    )
    expect(body.failed.at(-1)?.error).toMatch(/and 90 more$/)
  })

  test('have the same limit with allOrNone, in total and over the failed rows', async () => {
    const { ask } = await refusedTags()
    const refused = await ask<{ details: { errors: object[]; moreErrors: number } & BulkResult }>({
      allOrNone: true,
    })
    expect(refused.status).toBe(400)
    const { errors, moreErrors, failed } = refused.body.details
    expect([errors.length, moreErrors]).toEqual([SHOWN_ERRORS_MAX, ROWS * FAULTS - SHOWN_ERRORS_MAX])
    expect(sum(failed.map(errorsOf))).toBe(SHOWN_ERRORS_MAX)
    expect(JSON.stringify(refused.body).length).toBeLessThan(700_000)
  })
})
