import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../test/any-text.ts'
import { decimalParts, fitsDouble, isRawNumber, JSON_DEPTH_MAX, MalformedJson, parseJson } from './json.ts'

const brackets = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

const complaintOf = (text: string): string => {
  try {
    parseJson(text)
  } catch (error) {
    if (error instanceof MalformedJson) return error.message
    throw error
  }
  throw new Error('parsed')
}

describe('parseJson', () => {
  test.each([
    '12345678901234567890.5',
    '0.1000000000000000055',
    '9007199254740993',
    '-9007199254740993',
    '1e400',
    '-1e400',
    '1e-400',
    '1E+400',
    '0.30000000000000004441',
    '123456789012345678901234567890',
    '1e99999999999999999999',
  ])('keeps %s digit for digit', (literal) => {
    const value = parseJson(`{"a":[1,${literal}]}`)
    expect(JSON.stringify(value)).toBe(`{"a":[1,${literal}]}`)
    expect(isRawNumber((value as { a: unknown[] }).a[1])).toBe(true)
  })

  test.each([
    ['1e2', 100],
    ['9007199254740992', 9007199254740992],
    ['1.0000000000000000000000', 1],
    ['0.30000000000000004', 0.30000000000000004],
    ['1e22', 1e22],
    ['0e999', 0],
    ['15e-1', 1.5],
    ['100000000000000000000', 1e20],
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ['5e-324', 5e-324],
  ])('reads %s as a plain number', (literal, number) => {
    expect(parseJson(literal)).toBe(number)
  })

  test('does not read digits in strings as numbers, also after escapes', () => {
    const text = String.raw`{"id":"12345678901234567890","q\\":"\\\"[[[1e999","n":[1e400,"\\"]}`
    expect(JSON.stringify(parseJson(text))).toBe(
      JSON.stringify({ ...JSON.parse(text), n: [JSON.rawJSON('1e400'), '\\'] }),
    )
  })

  test('keeps a __proto__ key as an ordinary key', () => {
    for (const text of ['{"__proto__":{"admin":true}}', '{"__proto__":{"admin":true},"n":1e400}']) {
      const value = parseJson(text) as { admin?: boolean }
      expect(Object.hasOwn(value, '__proto__')).toBe(true)
      expect(value.admin).toBeUndefined()
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    }
  })

  test.each([brackets, objects])('accepts nesting up to its limit', (nest) => {
    const text = nest(JSON_DEPTH_MAX)
    expect(JSON.stringify(parseJson(text))).toBe(text)
  })

  test.each(['"[["', String.raw`"\"[["`, String.raw`"\\\"[["`, String.raw`"\\","[["`])(
    'does not count brackets in %s',
    (text) => {
      const many = `[${text.replace('[[', '['.repeat(JSON_DEPTH_MAX))}]`
      expect(JSON.stringify(parseJson(many))).toBe(many)
    },
  )

  test.each([JSON_DEPTH_MAX + 1, 10_000, 1_000_000])('refuses %d levels', (depth) => {
    expect(() => parseJson(brackets(depth))).toThrow(MalformedJson)
    expect(() => parseJson(objects(depth))).toThrow(MalformedJson)
    expect(() => parseJson('['.repeat(depth))).toThrow(MalformedJson)
    expect(() => parseJson(`[1e400,${brackets(depth)}]`)).toThrow(MalformedJson)
  })

  test.each([
    ['{"secret": hunter2}', 'unexpected character at line 1, column 12.'],
    ['{"a":1,\n "secret": hunter2}', 'unexpected character at line 2, column 12.'],
    ['{"secret":1,}', 'Expected double-quoted property name at line 1, column 13.'],
    ['{"secret":"hunter2', 'Unterminated string at line 1, column 19.'],
    ['{"secret":', 'it ends too early.'],
    ['', 'it ends too early.'],
    ['\ufeff{}', 'unexpected character at line 1, column 1.'],
    [`[secret,"${' '.repeat(100_000)}"]`, 'it has an unexpected character.'],
    ['[1 2]', "Expected ',' or ']' after array element at line 1, column 4."],
    ['[x, " at position 1 (line 1 column 2)"]', 'unexpected character at line 1, column 2.'],
  ])('reports where %j is malformed without repeating the text', (text, complaint) => {
    const message = complaintOf(text)
    expect(message).toContain(complaint)
    expect(message).not.toMatch(/secret|hunter/)
  })

  test('returns every JSON value unchanged in a round trip', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value)
        expect(JSON.stringify(parseJson(text))).toBe(text)
      }),
    )
  })

  test('returns the same as JSON.parse, except for numbers that a double cannot represent', () => {
    const almostJson = fc.string({ unit: fc.constantFrom(...'[]{}:,"\\u0019eE+-. tn') })
    fc.assert(
      fc.property(almostJson, (text) => {
        const expected = attempt(() => JSON.parse(text))
        const actual = attempt(() => parseJson(text))
        expect(actual.failed).toBe(expected.failed)
        if (!expected.failed) expect(throughDouble(actual.value)).toBe(JSON.stringify(expected.value))
      }),
      { numRuns: 2000 },
    )
  })

  test('throws nothing but MalformedJson', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        try {
          parseJson(text)
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedJson)
        }
      }),
    )
  })
})

const throughDouble = (value: unknown) => JSON.stringify(JSON.parse(JSON.stringify(value)))

function attempt(parse: () => unknown): { failed: boolean; value?: unknown } {
  try {
    return { failed: false, value: parse() }
  } catch {
    return { failed: true }
  }
}

test.each([null, 1, '1', {}, { rawJSON: '1' }, JSON.rawJSON('"text"'), JSON.rawJSON('null')])(
  'isRawNumber refuses %j',
  (value) => {
    expect(isRawNumber(value)).toBe(false)
  },
)

test('decimalParts returns the same form for equal decimals, in linear time', () => {
  expect(decimalParts('-0012.500e1')).toEqual({ negative: true, digits: '125', exponent: 0 })
  expect(decimalParts('-0.00e7')).toEqual({ negative: false, digits: '', exponent: 0 })
  expect(decimalParts(`1${'0'.repeat(500_000)}1`)?.digits).toHaveLength(500_002)
  for (const text of ['', '-', '.5', '5.', '+1', '1e', ' 1', '0x1', 'NaN', 'Infinity', '1,5']) {
    expect(decimalParts(text)).toBeUndefined()
  }
})

test('fitsDouble returns true for the text of every double', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => fitsDouble(String(double))),
  )
})

test('fitsDouble returns whether the text of the double has the same value', () => {
  const integers = fc.tuple(fc.maxSafeInteger(), fc.nat(3), fc.nat(20))
  fc.assert(
    fc.property(integers, ([first, digit, zeros]) => {
      const literal = `${first}${digit}${'0'.repeat(zeros)}`
      const written = Number(literal).toLocaleString('en', { useGrouping: false })
      expect(fitsDouble(literal)).toBe(BigInt(written) === BigInt(literal))
    }),
  )
})
