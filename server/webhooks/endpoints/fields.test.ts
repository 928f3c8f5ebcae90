import { validateHeaderName, validateHeaderValue } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../../test/any-text.ts'
import { headerProblems } from './fields.ts'

const problems = (...headers: [name: string, value: string][]) =>
  [...headerProblems(headers.map(([name, value]) => ({ name, value })))].map(
    ({ path, code }) => `${path}: ${code}`,
  )

test.each([
  ['Authorization', 'Bearer abc.def=='],
  ['x-api-key', ''],
  ["!#$%&'*+-.^_`|~09AZaz", 'a\tb c ~'],
  ['x-webhook-source', 'crm'],
  ['X-Forwarded-Proxy', 'no'],
])('header %s: %j is valid', (name, value) => {
  expect(problems([name, value])).toEqual([])
})

test.each([
  'Host',
  'Content-Length',
  'content-type',
  'CONNECTION',
  'keep-alive',
  'Transfer-Encoding',
  'TE',
  'Trailer',
  'Upgrade',
  'Expect',
  'User-Agent',
  'Accept-Encoding',
  'webhook-id',
  'Webhook-Custom',
  'svix-signature',
  'Proxy-Authorization',
  'proxy-connection',
  '__proto__',
])('header name %s is reserved', (name) => {
  expect(problems([name, 'x'])).toEqual(['headers[0].name: reserved_name'])
})

test.each(['a b', 'a:', 'naïve', 'x\r\nhost', 'x\0', '(x)'])('%j is no valid header name', (name) => {
  expect(problems([name, 'x'])).toEqual(['headers[0].name: invalid_name'])
})

test.each(['a\r\nx: y', 'a\nb', 'a\0', 'é', '\x7f', ' a', 'a ', '\ta', 'a\t', ' '])(
  '%j is no valid header value',
  (value) => {
    expect(problems(['x', value])).toEqual(['headers[0].value: invalid_value'])
  },
)

test('every problem is named, also a duplicate name in another case', () => {
  expect(problems(['X-Key', '1'], ['x-other', 'é'], ['x-key', ' ']).sort()).toEqual([
    'headers[1].value: invalid_value',
    'headers[2].name: duplicate',
    'headers[2].value: invalid_value',
  ])
})

const anyHeader = fc.oneof(anyText(), fc.string({ unit: 'grapheme-ascii' }))

test('every accepted header can be sent unchanged', () => {
  fc.assert(
    fc.property(anyHeader, anyHeader, (name, value) => {
      if (problems([name, value]).length > 0) return
      validateHeaderName(name)
      validateHeaderValue(name, value)
      expect(new Headers([[name, value]]).get(name)).toBe(value)
    }),
    { numRuns: 2000 },
  )
})
