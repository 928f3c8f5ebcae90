import { describe, expect, test } from 'vitest'
import { demandsOf, type Migration } from './migration-files.ts'
import { type Applied, CHECKSUM_BEFORE_BASELINE, judgeSchema } from './schema-state.ts'

const migration = (version: number): Migration => ({
  ...{ version, name: `${version}.sql`, text: '', checksum: `sum ${version}`, readsFrom: 0, writer: 0 },
})
const applied = (version: number, more: Partial<Applied> = {}): Applied => ({
  ...migration(version),
  ...more,
})

/** The migrations of the version under test. */
const KNOWN = [1, 2, 3].map(migration)
const WRITER = 7
const judge = (rows: readonly Applied[]) => judgeSchema(KNOWN, rows, WRITER)

const CURRENT = KNOWN.map(({ version }) => applied(version))
const NEWER = /^The database belongs to a newer version of Rapport \(it has 4\.sql\): start that version/

test.each<[string, Partial<Applied>, { mayWrite: boolean; unusable: unknown }]>([
  ['only adds to the schema', {}, { mayWrite: true, unusable: undefined }],
  ['raises WRITER', { writer: 8 }, { mayWrite: false, unusable: undefined }],
  ['requires the WRITER of this version', { writer: 7 }, { mayWrite: true, unusable: undefined }],
  [
    'removes something that this version does not use',
    { readsFrom: 3 },
    { mayWrite: true, unusable: undefined },
  ],
  [
    'removes something that this version uses',
    { readsFrom: 4 },
    { mayWrite: true, unusable: expect.stringMatching(NEWER) },
  ],
  [
    'declares no demands',
    { readsFrom: null, writer: null },
    { mayWrite: false, unusable: expect.stringMatching(NEWER) },
  ],
])('a newer version that %s', (_, more, expected) => {
  const state = judge([...CURRENT, applied(4, more)])
  expect(state).toEqual({ pending: [], newer: ['4.sql'], ...expected })
})

test('the strictest of several newer migrations applies', () => {
  const rows = [...CURRENT, applied(4, { writer: 8 }), applied(5)]
  expect(judge(rows)).toMatchObject({ mayWrite: false, newer: ['4.sql', '5.sql'] })
})

test('applied migrations without recorded demands count as current', () => {
  const rows = KNOWN.map(({ version }) => applied(version, { readsFrom: null, writer: null }))
  expect(judge(rows)).toEqual({ pending: [], newer: [], mayWrite: true, unusable: undefined })
})

test('a migration that is not applied is pending, and one with other content is refused', () => {
  expect(judge(CURRENT.slice(0, 2)).pending).toEqual([KNOWN[2]])
  expect(judge([applied(1, { checksum: 'other' })]).unusable).toMatch(
    /^1\.sql was applied with different content/,
  )
})

describe('a version whose first migration replaces earlier ones', () => {
  const baseline = [3, 4].map(migration)
  const older = [1, 2].map((version) => applied(version, { readsFrom: null, writer: null }))
  const judged = (rows: readonly Applied[]) => judgeSchema(baseline, rows, WRITER)

  test('has all migrations pending on an empty database', () => {
    expect(judged([])).toEqual({ pending: baseline, newer: [], mayWrite: true, unusable: undefined })
  })

  test('treats the last earlier migration as its first one', () => {
    const last = applied(3, { name: '3-before.sql', checksum: CHECKSUM_BEFORE_BASELINE })
    const state = { pending: [baseline[1]], newer: [], mayWrite: true, unusable: undefined }
    expect(judged([...older, last])).toEqual(state)
    expect(judged([...older, { ...last, checksum: 'other' }]).unusable).toMatch(/different content/)
  })

  test('refuses a database without the last earlier migration', () => {
    expect(judged(older).unusable).toMatch(
      /^The database belongs to an older version of Rapport \(its last migration is 2\.sql\): start the version of commit \w+ on it once/,
    )
  })
})

test('a migration declares its demands in separate lines', () => {
  const text = '-- Why.\n-- reads-from: 0070\n-- writer: 8\n\nalter table a drop column b; -- writer: 9'
  expect(demandsOf(text)).toEqual({ readsFrom: 70, writer: 8 })
  expect(demandsOf('-- Adds a column.\nalter table a add column b int;')).toEqual({ readsFrom: 0, writer: 0 })
})
