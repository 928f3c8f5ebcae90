import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { referredIds } from './referred-ids.ts'

const ID = '01982b5e-7c1d-7000-8000-000000000001'
const OTHER = '01982b5e-7c1d-7000-8000-000000000002'

type Data = Record<string, unknown>

const text = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(text).join(', ')}]` : JSON.stringify(value)

/** As PostgreSQL writes jsonb, for values without objects. */
const written = (data: Data) =>
  `{${Object.entries(data)
    .map(([slug, value]) => `"${slug}": ${text(value)}`)
    .join(', ')}}`

describe('the ids of a reference', () => {
  test.each<[string, string, string[]]>([
    ['one', `{"name": "Ada", "company": "${ID}"}`, [ID]],
    ['a list', `{"company": ["${ID}", "${OTHER}"], "name": "Ada"}`, [ID, OTHER]],
    ['an empty list', '{"company": []}', []],
    ['none', '{"name": "Ada"}', []],
    ['no id but another value', '{"company": {"a": ["]", 1]}, "name": "Ada"}', []],
    [
      'of an attribute whose slug ends with this one',
      `{"old_company": "${OTHER}", "company": "${ID}"}`,
      [ID],
    ],
    [
      'next to a text that looks like it',
      `{"note": "\\"company\\": \\"${OTHER}\\"", "company": "${ID}"}`,
      [ID],
    ],
  ])('%s', (_, data, ids) => {
    expect(referredIds(data, 'company')).toEqual(ids)
  })

  test('of an attribute whose slug is the name of a part of another value', () => {
    const address = `"address": {"city": "${OTHER}", "country": "DE"}`
    expect(referredIds(`{${address}, "city": "${ID}"}`, 'city')).toEqual([ID])
    expect(referredIds(`{${address}}`, 'city')).toEqual([])
  })

  test('are those that the parsed data have, next to any texts', () => {
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
