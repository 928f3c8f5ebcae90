import { expect, test } from 'vitest'
import {
  linkParts,
  matching,
  mentionables,
  queryAt,
  toStored,
  toWritten,
  withMention,
} from './mention-text.ts'

const ADA = { id: '0198c0de-0000-7000-8000-000000000001', name: 'Ada' }
const LOVELACE = { id: '0198c0de-0000-7000-8000-000000000002', name: 'Ada Lovelace' }
const JOSE = { id: '0198c0de-0000-7000-8000-000000000003', name: 'José Varga' }
const MEMBERS = [ADA, LOVELACE, JOSE]

test('members with the same name get their email added', () => {
  const users = [
    { id: '1', name: 'Ada', email: 'ada@example.com' },
    { id: '2', name: 'Ada', email: 'ada@example.org' },
    { id: '3', name: 'Ben', email: 'ben@example.com' },
  ]
  expect(mentionables(users).map(({ name }) => name)).toEqual([
    'Ada (ada@example.com)',
    'Ada (ada@example.org)',
    'Ben',
  ])
})

test('names become mentions and are restored, the longest name first', () => {
  const written = 'Hi @Ada Lovelace, ask @Ada or @Stranger'
  const stored = toStored(written, MEMBERS)
  expect(stored).toBe(`Hi <@${LOVELACE.id}>, ask <@${ADA.id}> or @Stranger`)
  expect(toWritten(stored, MEMBERS)).toBe(written)
})

test.each([
  ['@', 1, { start: 0, text: '' }],
  ['Hi @ad', 6, { start: 3, text: 'ad' }],
  ['Hi @ada lo', 10, { start: 3, text: 'ada lo' }],
  ['Hi @ada and more', 16, undefined],
  ['ada@example.com', 15, undefined],
  ['Hi @ada', 3, undefined],
])('in %j the mention at position %i is %j', (written, cursor, query) => {
  expect(queryAt(written, cursor)).toEqual(query)
})

test.each([
  ['', ['Ada', 'Ada Lovelace', 'José Varga']],
  ['lov', ['Ada Lovelace']],
  ['JOSE', ['José Varga']],
  ['arga', []],
])('the text %j finds the members %j', (text, names) => {
  expect(matching(MEMBERS, { start: 0, text }).map(({ name }) => name)).toEqual(names)
})

test('a chosen member replaces the typed text', () => {
  expect(withMention('Hi @lov there', { start: 3, text: 'lov' }, LOVELACE)).toEqual({
    written: 'Hi @Ada Lovelace there',
    cursor: 17,
  })
})

test('web addresses become links, without the punctuation after them', () => {
  expect(linkParts('See https://a.example/x?y=1, or javascript:alert(1).')).toEqual([
    { text: 'See ', isLink: false },
    { text: 'https://a.example/x?y=1', isLink: true },
    { text: ', or javascript:alert(1).', isLink: false },
  ])
})
