// Similarity of names, and the search among many names, which must find the same pairs as a comparison of all pairs.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { haveSameNumbers, plainName, SIMILAR_FROM, trigramSimilarity, trigramsOf } from './names.ts'
import { findSimilar } from './search/similar-names.ts'
import { createTurns } from './search/turns.ts'
import { Unions } from './search/unions.ts'

const never = new AbortController().signal
const similar = (a: string, b: string) =>
  haveSameNumbers(a, b) && trigramSimilarity(trigramsOf(a), trigramsOf(b)) >= SIMILAR_FROM

describe('a plain name', () => {
  test.each([
    ['Acme, Inc.', 'acme'],
    ['ACME GmbH & Co. KG', 'acme'],
    ['Café Zürich AG', 'cafe zurich'],
    ['Co', 'co'],
    ['—', ''],
  ])('of a company: %s is "%s"', (name, plain) => expect(plainName(name, { isCompany: true })).toBe(plain))

  test('of a person keeps words that are legal forms of companies', () =>
    expect(plainName('Maria Sá', { isCompany: false })).toBe('maria sa'))
})

describe('names are similar', () => {
  test.each([
    ['katherine johnson', 'katharine johnson', true],
    ['lovelace ada', 'ada lovelace', true],
    ['northwind traders', 'northwind trader', true],
    ['ada lovelace', 'grace hopper', false],
    ['ada smith', 'bob smith', false],
    ['renewal 2025', 'renewal 2026', false],
    ['globex', 'initech', false],
  ])('%s, %s: %s', (a, b, expected) => expect(similar(a, b)).toBe(expected))
})

describe('the search among many names', () => {
  const word = fc.stringMatching(/^[abc]{2,6}$/)
  const names = fc.array(
    fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')),
    { minLength: 50, maxLength: 60 },
  )

  test('finds the same pairs as a comparison of all pairs', async () => {
    await fc.assert(
      fc.asyncProperty(names, async (all) => {
        const found = new Set<string>()
        const places = all.map((_, place) => place)
        await findSimilar(all, places, createTurns(never), (a, b) =>
          found.add([a, b].toSorted((x, y) => x - y).join(' ')),
        )
        const expected = places.flatMap((b) =>
          places.slice(0, b).flatMap((a) => {
            const [one = '', other = ''] = [all[a], all[b]]
            return one === other || similar(one, other) ? [`${a} ${b}`] : []
          }),
        )
        expect([...found].toSorted()).toEqual(expected.toSorted())
      }),
      { numRuns: 100 },
    )
  })

  test('stops on abort', async () => {
    const many = Array.from({ length: 20_000 }, (_, place) => `name ${place} of many`)
    const places = many.map((_, place) => place)
    const search = findSimilar(many, places, createTurns(AbortSignal.abort()), () => undefined)
    await expect(search).rejects.toThrow('aborted')
  })
})

describe('unions', () => {
  const joined = () => {
    const unions = new Unions()
    for (let at = 0; at < 3000; at++) unions.add()
    unions.join(5, 2)
    unions.join(2999, 5)
    unions.join(8, 7)
    unions.join(3, 2000)
    return unions
  }

  test('connect members through several pairs, groups in the order of their first members', async () => {
    expect(await joined().groups(createTurns(never))).toEqual([
      [2, 5, 2999],
      [3, 2000],
      [7, 8],
    ])
  })

  test('give the first groups, complete, if only some are asked for', async () => {
    expect(await joined().groups(createTurns(never), 2)).toEqual([
      [2, 5, 2999],
      [3, 2000],
    ])
  })
})
