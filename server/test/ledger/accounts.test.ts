// The audit finds each kind of fault.
import { describe, expect, test } from 'vitest'
import { audit, type Book, type Change, countHappened, type Entry, logUntil } from './accounts.ts'

const created = (name: string) => ({ type: 'record.created' as const, marker: name })
const event = (
  type: 'record.created' | 'record.updated' | 'record.deleted',
  subject: string,
  name: string,
  version = type === 'record.created' ? 1 : 2,
) => ({
  ...{ id: `${subject} ${type} ${name}`, type, subject, name, version },
  nameBefore: type === 'record.updated' ? 'a' : null,
})

/** The n-th request of one writer, sent at 10 n and answered at 10 n + 5. */
const asEntry = (entry: { outcome: Entry['outcome']; changes: Change[] }, n: number): Entry => ({
  ...entry,
  sentAt: 10 * n,
  answeredAt: 10 * n + 5,
})

const ENTRIES: { outcome: Entry['outcome']; changes: Change[] }[] = [
  { outcome: 'ok', changes: [{ ...created('a'), record: 'r' }] },
  { outcome: 'ok', changes: [{ type: 'record.updated', record: 'r', marker: 'b' }] },
  { outcome: 'unknown', changes: [created('s1'), created('s2')] },
  { outcome: 'unknown', changes: [created('never')] },
  { outcome: 'failed', changes: [created('refused')] },
  { outcome: 'ok', changes: [{ ...created('t'), record: 't' }] },
  { outcome: 'ok', changes: [{ type: 'record.deleted', record: 't' }] },
  { outcome: 'failed', changes: [{ type: 'record.deleted', record: 't' }] },
]

/** r: created as a, renamed to b. s and z: created without an answer. t: created, deleted. Two others never created. */
const book = (): Book => ({
  log: ENTRIES.map(asEntry),
  events: [
    event('record.created', 'r', 'a'),
    event('record.updated', 'r', 'b'),
    event('record.created', 's', 's1'),
    event('record.created', 'z', 's2'),
    event('record.created', 't', 't'),
    event('record.deleted', 't', 't'),
  ],
  records: [
    { id: 'r', name: 'b', version: 2 },
    { id: 's', name: 's1', version: 1 },
    { id: 'z', name: 's2', version: 1 },
  ],
})

test('accepts a correct book', () => {
  expect(audit(book())).toEqual([])
  expect(countHappened(book())).toBe(1)
})

const without = (book: Book, lost: string): Book => ({
  ...book,
  events: book.events.filter(({ id }) => id !== lost),
})
const withEvent = (book: Book, one: ReturnType<typeof event>): Book => ({
  ...book,
  events: [...book.events, one],
})

test.each<[string, Book, string[]]>([
  [
    'an acknowledged update without its event',
    without(book(), 'r record.updated b'),
    ['record.updated b: 0 events, not 1 to 1', 'r: version 2, its last event says 1'],
  ],
  [
    'a repeated event',
    withEvent(book(), event('record.deleted', 't', 't')),
    [
      'record.deleted t: 2 events, not 1 to 1',
      'record.deleted t: from t, but the record was at undefined',
      'record.deleted t: version 2, not 3, by place in the feed',
      'record.deleted t: version 2, not 3, by id',
    ],
  ],
  [
    'an event of a refused change',
    withEvent(book(), event('record.created', 'x', 'refused')),
    ['record.created refused: 1 events, not 0 to 0'],
  ],
  [
    'a partly executed request',
    without({ ...book(), records: book().records.filter(({ id }) => id !== 'z') }, 'z record.created s2'),
    ['record.created s2: not done, unlike the rest of its request', ': it is undefined, the log says s2'],
  ],
  [
    'an unexpected event',
    withEvent(book(), event('record.created', 'x', 'stranger')),
    ['record.created stranger: an unexpected event'],
  ],
  ['a lost record', { ...book(), records: book().records.slice(1) }, ['r: it is undefined, the log says b']],
  [
    'an event without its record',
    { ...book(), records: book().records.filter(({ id }) => id !== 's') },
    ['s: it is undefined, the log says s1'],
  ],
  [
    'an unexpected record',
    { ...book(), records: [...book().records, { id: 'x', name: 'refused', version: 1 }] },
    ['x: it is refused, the log says undefined'],
  ],
  [
    'a change from a name that the record never had',
    { ...book(), events: book().events.map((one) => ({ ...one, nameBefore: 'elsewhere' })) },
    ['record.updated b: from elsewhere, but the record was at a'],
  ],
  [
    'an order that contradicts the versions',
    { ...book(), events: book().events.toReversed() },
    [
      'record.deleted t: from t, but the record was at undefined',
      'record.created t: it was there before',
      'record.updated b: from a, but the record was at undefined',
      'record.created a: it was there before',
      'record.deleted t: version 2, not 1, by place in the feed',
      'record.created t: version 1, not 3, by place in the feed',
      'record.updated b: version 2, not 1, by place in the feed',
      'record.created a: version 1, not 3, by place in the feed',
    ],
  ],
  [
    'a change after a deletion',
    withEvent(book(), event('record.updated', 't', 'b', 3)),
    ['record.updated b: 2 events, not 1 to 1', 'record.updated b: from a, but the record was at undefined'],
  ],
])('%s is found', (_, books, faults) => {
  expect(audit(books)).toEqual(faults)
})

describe('the trash', () => {
  /** t: created, deleted, restored and deleted again. */
  const withTrash = (): Book => {
    const { log, events, records } = book()
    const more: Change[] = [
      { type: 'restoration', record: 't', nth: 1, marker: 't' },
      { type: 'record.deleted', record: 't', nth: 2 },
    ]
    return {
      log: [
        ...log,
        ...more.map((change, n) => asEntry({ outcome: 'ok', changes: [change] }, log.length + n)),
      ],
      events: [
        ...events,
        { ...event('record.created', 't', 't', 3), id: 't x3' },
        { ...event('record.deleted', 't', 't', 4), id: 't x4' },
      ],
      records,
      trash: { ids: ['t'], purged: [] },
    }
  }
  const trash = (ids: string[], purged: string[]) => ({ ...withTrash(), trash: { ids, purged } })

  test.each<[string, Book, string[]]>([
    ['a correct book', withTrash(), []],
    ['a permanently deleted record', trash([], ['t']), []],
    ['a deleted record that is not in the trash', trash([], []), ['t: deleted, and not in the trash']],
    [
      'a record that is both in use and in the trash',
      trash(['t', 'r'], []),
      ['r: in the trash after record.updated'],
    ],
    [
      'an acknowledged restoration without its event',
      without(withTrash(), 't x3'),
      [
        'record.deleted t: 2 events, not 1 to 1',
        'restoration t: 0 events, not 1 to 1',
        'record.deleted t (2): 0 events, not 1 to 1',
        'record.deleted t: from t, but the record was at undefined',
        'record.deleted t: version 4, not 3, by place in the feed',
        'record.deleted t: version 4, not 3, by id',
      ],
    ],
  ])('%s: the audit reports exactly its faults', (_, books, faults) => {
    expect(audit(books)).toEqual(faults)
  })
})

describe('an undone merge', () => {
  /** t is merged into r, which gets the name m. Undoing the merge restores t, and the name b of r. */
  const merging = (): Book => {
    const created = book()
    const changes: Change[][] = [
      [
        { type: 'record.deleted', record: 't' },
        { type: 'record.updated', record: 'r', marker: 'm' },
        { type: 'merge', record: 'r', marker: 'm', nth: 1 },
      ],
      [
        { type: 'return', record: 'r', marker: 'b', nth: 1 },
        { type: 'restoration', record: 't', marker: 't', nth: 1 },
      ],
    ]
    return {
      log: [
        ...created.log.slice(0, -2),
        ...changes.map((made, n) => asEntry({ outcome: 'ok', changes: made }, 10 + n)),
      ],
      events: [
        ...created.events,
        { ...event('record.updated', 'r', 'm', 3), nameBefore: 'b' },
        { ...event('record.updated', 'r', 'm', 4), id: 'r x4', nameBefore: null, isMerge: true },
        { ...event('record.updated', 'r', 'b', 5), id: 'r x5', nameBefore: 'm' },
        { ...event('record.created', 't', 't', 3), id: 't x3' },
      ],
      records: [
        { id: 'r', name: 'b', version: 5 },
        ...created.records.slice(1),
        { id: 't', name: 't', version: 3 },
      ],
    }
  }

  test.each<[string, Book, string[]]>([
    ['a correct book', merging(), []],
    [
      'a merge without its event',
      without(merging(), 'r x4'),
      [
        'merge r: 0 events, not 1 to 1',
        'return r: version 5, not 4, by place in the feed',
        'return r: version 5, not 4, by id',
      ],
    ],
    [
      'a winner that keeps the name from the merge',
      {
        ...without(merging(), 'r x5'),
        records: [{ id: 'r', name: 'm', version: 4 }, ...merging().records.slice(1)],
      },
      ['return r: 0 events, not 1 to 1', 'r: it is m, the log says b'],
    ],
    [
      'a merged record that is not restored',
      { ...without(merging(), 't x3'), records: merging().records.filter(({ id }) => id !== 't') },
      ['restoration t: 0 events, not 1 to 1', 't: it is undefined, the log says t'],
    ],
  ])('%s: the audit reports exactly its faults', (_, books, faults) => {
    expect(audit(books)).toEqual(faults)
  })
})

test('in the log at a given time, requests in progress are unknown, and later ones have failed', () => {
  const outcomes = (until: number) => logUntil(book().log, until).map(({ outcome }) => outcome)
  expect(outcomes(1000)).toEqual(ENTRIES.map(({ outcome }) => outcome))
  expect(outcomes(12)).toEqual(['ok', 'unknown', ...Array(6).fill('failed')])
  expect(outcomes(15)).toEqual(outcomes(10))
})
