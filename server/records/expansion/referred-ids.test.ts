import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { referredIds } from './referred-ids.ts'

const ID = '01982b5e-7c1d-7000-8000-000000000001'
const OTHER = '01982b5e-7c1d-7000-8000-000000000002'

type Data = Record<string, unknown>

const text = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(text).join(', ')}]` : JSON.stringify(value)

/** The text of data as PostgreSQL writes jsonb, for values without objects. */
const written = (data: Data) =>
  `{${Object.entries(data)
    .map(([slug, value]) => `"${slug}": ${text(value)}`)
    .join(', ')}}`

describe('referredIds reads', () => {
  test.each<[string, string, string[]]>([
    ['one id', `{"name": "Ada", "company": "${ID}"}`, [ID]],
    ['a list of ids', `{"company": ["${ID}", "${OTHER}"], "name": "Ada"}`, [ID, OTHER]],
    ['an empty list', '{"company": []}', []],
    ['no ids of a record without a value', '{"name": "Ada"}', []],
    ['no ids of a value that is not an id', '{"company": {"a": ["]", 1]}, "name": "Ada"}', []],
    [
      'no ids of an attribute whose slug only ends with the slug',
      `{"old_company": "${OTHER}", "company": "${ID}"}`,
      [ID],
    ],
    [
      'no ids in a text that looks like the attribute',
      `{"note": "\\"company\\": \\"${OTHER}\\"", "company": "${ID}"}`,
      [ID],
    ],
  ])('%s', (_, data, ids) => {
    expect(referredIds(data, 'company')).toEqual(ids)
  })

  test('the ids of an attribute whose slug is also the name of a part of another value', () => {
    const address = `"address": {"city": "${OTHER}", "country": "DE"}`
    expect(referredIds(`{${address}, "city": "${ID}"}`, 'city')).toEqual([ID])
    expect(referredIds(`{${address}}`, 'city')).toEqual([])
  })

  test('the same ids as the parsed data has, with any other texts', () => {
    const words = fc.oneof(fc.string(), fc.constantFrom(`"company": "${OTHER}"`, '"', '\\', 'company'))
    const ids = fc.oneof(
      words,
      fc.constantFrom(ID, OTHER),
      fc.array(fc.constantFrom(ID, OTHER), { maxLength: 3 }),
    )
    const data = fc.record<Data>({ name: words, company: ids, notes: fc.array(words) }, { requiredKeys: [] })
    const same = fc.property(data, (one) => {
      expect(referredIds(written(one), 'company')).toEqual([one['company'] ?? []].flat())
    })
    fc.assert(same, { seed: inject('seed') })
  })
})
