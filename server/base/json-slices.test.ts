import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MalformedJson, parseJson } from './json.ts'
import { JsonSlices, JsonTooLarge } from './json-slices.ts'

const BOUNDS = { fields: 1000, values: 10_000, stringChars: 20_000, depth: 200 }

/** @param run the size of one piece, so small that nearly every text is cut */
function parse(text: string, { bounds = BOUNDS, run = { values: 2, chars: 12 } } = {}) {
  const slices = new JsonSlices(text, bounds, run)
  let turns = 1
  while (!slices.advance()) turns++
  return { value: slices.result, turns }
}

function attempt(work: () => unknown): string {
  try {
    return JSON.stringify(work()) ?? 'undefined'
  } catch (error) {
    return error instanceof MalformedJson ? 'malformed' : String(error)
  }
}

describe('parsing a body in slices', () => {
  test('returns the same as JSON.parse, wherever the body is cut', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(JSON.stringify(parse(text).value)).toBe(JSON.stringify(JSON.parse(text)))
      }),
      { numRuns: 500 },
    )
  })

  test('fails if JSON.parse fails, wherever the body is cut', () => {
    const almostJson = fc.array(
      fc.constantFrom(
        '[',
        ']',
        '{',
        '}',
        ',',
        ':',
        '"a"',
        '"',
        ' ',
        '1',
        '[1,2,3]',
        '{"a":1,"b":[2,3]}',
        '1e400',
      ),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(almostJson, (pieces) => {
        const text = pieces.join('')
        expect(attempt(() => parse(text).value)).toBe(attempt(() => parseJson(text)))
      }),
      { numRuns: 5000 },
    )
  })

  test('keeps numbers digit for digit, the last of two equal fields, and a field named __proto__', () => {
    const text = `{"a":[1,2,3,12345678901234567890],"__proto__":{"admin":true,"b":[1,2,3]},"a":[0.10000000000000000055,1,2,3]}`
    const { value } = parse(text)
    expect(JSON.stringify(value)).toBe(JSON.stringify(parseJson(text)))
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  test('parses a small body in one piece, with the error message of the engine', () => {
    expect(parse('[1,2,3]', { run: { values: 10, chars: 100 } }).turns).toBe(1)
    expect(() => parse('[1 2]')).toThrow("Expected ',' or ']' after array element at line 1, column 4")
  })

  test('pauses after every few thousand values', () => {
    const text = `[${'{},'.repeat(100_000)}{}]`
    const bounds = { ...BOUNDS, values: 1_000_000 }
    const { turns, value } = parse(text, { bounds, run: { values: 4096, chars: 262_144 } })
    expect(value).toHaveLength(100_001)
    expect(turns).toBeGreaterThan(40)
  })

  test('reports the approximate line of an error in a large text', () => {
    const text = `[\n${'[1,2,3],\n'.repeat(40_000)}x]`
    const bounds = { ...BOUNDS, values: 1_000_000 }
    expect(() => parse(text, { bounds, run: { values: 4096, chars: 262_144 } })).toThrow(/near line \d+/)
  })
})

describe('a body at or over a limit', () => {
  const fields = (count: number) =>
    `{${Array.from({ length: count }, (_, index) => `"f${index}":{"a":[1]}`).join(',')}}`

  test.each([
    ['with too many fields in one object', fields(1001), 'too_many_fields'],
    ['with too many values', `[${'1,'.repeat(10_001)}1]`, 'too_many_values'],
    ['with too long a text', `["${'a'.repeat(20_001)}"]`, 'text_too_long'],
  ])('is rejected %s', (_, text, code) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ name: 'JsonTooLarge', code }))
  })

  test('is rejected before the rest of it is read', () => {
    expect(() => parse(`[${fields(1001)}, this is not JSON`)).toThrow(JsonTooLarge)
  })

  test('is accepted if it only reaches the limit', () => {
    expect(Object.keys(parse(fields(1000)).value as object)).toHaveLength(1000)
  })

  test('is rejected if it is nested too deeply', () => {
    expect(() => parse(`${'['.repeat(201)}1${']'.repeat(201)}`)).toThrow(/at most 200 levels/)
  })
})
