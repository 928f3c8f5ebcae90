import fc from 'fast-check'
import { expect, test } from 'vitest'
import { prettyJson } from './pretty.ts'

test.each([
  ['{}', '{}'],
  ['[]', '[]'],
  ['{"a":[1,{"b":null}],"c":{}}', '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ],\n  "c": {}\n}'],
  ['{"text":"a, {b}: \\"c\\""}', '{\n  "text": "a, {b}: \\"c\\""\n}'],
  ['{"n":12345678901234567890.10}', '{\n  "n": 12345678901234567890.10\n}'],
  ['{"b":1,"2":2}', '{\n  "b": 1,\n  "2": 2\n}'],
])('formats %s', (text, pretty) => {
  expect(prettyJson(text)).toBe(pretty)
})

test.each(['', 'Internal Server Error', '<p>no</p>', '{"a":1'])(
  'returns undefined for the invalid JSON %j',
  (text) => {
    expect(prettyJson(text)).toBeUndefined()
  },
)

test('formats like JSON.stringify and keeps the value', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value = JSON.parse(text)
      expect(JSON.parse(prettyJson(text) ?? '')).toEqual(value)
      const plain = JSON.stringify(value)
      expect(prettyJson(plain)).toBe(JSON.stringify(value, null, 2))
    }),
  )
})
