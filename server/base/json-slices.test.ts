import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MalformedJson, parseJson } from './json.ts'
import { JsonSlices, JsonTooLarge } from './json-slices.ts'

const BOUNDS = { fields: 1000, values: 10_000, stringChars: 20_000, depth: 200 }

/** @param run what one piece may hold, so small that nearly everything is cut */
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

describe('a body that is parsed in slices', () => {
  test('is what JSON.parse makes of it, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(JSON.stringify(parse(text).value)).toBe(JSON.stringify(JSON.parse(text)))
      }),
      { numRuns: 500 },
    )
  })

  test('is refused when JSON.parse refuses it, wherever it is cut', () => {
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

  test('is one piece when it is small, with the complaint of the engine', () => {
    expect(parse('[1,2,3]', { run: { values: 10, chars: 100 } }).turns).toBe(1)
    expect(() => parse('[1 2]')).toThrow("Expected ',' or ']' after array element at line 1, column 4")
  })

  test('takes a turn for every few thousand values', () => {
    const text = `[${'{},'.repeat(100_000)}{}]`
    const bounds = { ...BOUNDS, values: 1_000_000 }
    const { turns, value } = parse(text, { bounds, run: { values: 4096, chars: 262_144 } })
    expect(value).toHaveLength(100_001)
    expect(turns).toBeGreaterThan(40)
  })

  test('says near which line a large text is wrong', () => {
    const text = `[\n${'[1,2,3],\n'.repeat(40_000)}x]`
    const bounds = { ...BOUNDS, values: 1_000_000 }
    expect(() => parse(text, { bounds, run: { values: 4096, chars: 262_144 } })).toThrow(/near line \d+/)
  })
})

describe('a body beyond a bound is refused', () => {
  const fields = (count: number) =>
    `{${Array.from({ length: count }, (_, index) => `"f${index}":{"a":[1]}`).join(',')}}`

  test.each([
    ['with too many fields in one object', fields(1001), 'too_many_fields'],
    ['with too many values', `[${'1,'.repeat(10_001)}1]`, 'too_many_values'],
    ['with too long a text', `["${'a'.repeat(20_001)}"]`, 'text_too_long'],
  ])('%s', (_, text, code) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ name: 'JsonTooLarge', code }))
  })

  test('before the rest of it is looked at', () => {
    expect(() => parse(`[${fields(1001)}, this is not JSON`)).toThrow(JsonTooLarge)
  })

  test('and taken at the bound', () => {
    expect(Object.keys(parse(fields(1000)).value as object)).toHaveLength(1000)
  })

  test('nested too deeply', () => {
    expect(() => parse(`${'['.repeat(201)}1${']'.repeat(201)}`)).toThrow(/at most 200 levels/)
  })
})
