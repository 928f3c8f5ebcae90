import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayLocaleOf, readDay } from './read-day.ts'

const now = new Date(2026, 10, 25, 23, 30)
const read = (text: string, tag: string) => readDay(text, dayLocaleOf(tag), now)

test.each([
  ['2026-11-20', 'en-US', '2026-11-20'],
  ['11/20/2026', 'en-US', '2026-11-20'],
  ['11/2/26', 'en-US', '2026-11-02'],
  ['11/2/2026', 'en-GB', '2026-02-11'],
  ['20/11/2026', 'en-US', '2026-11-20'],
  ['11/20/2026', 'en-GB', '2026-11-20'],
  ['20.11.2026', 'de-DE', '2026-11-20'],
  ['1.2.', 'de-DE', '2026-02-01'],
  ['2/1', 'en-US', '2026-02-01'],
  ['20. November 2026', 'de-DE', '2026-11-20'],
  ['3. März', 'de-DE', '2026-03-03'],
  ['Nov 20, 2026', 'en-US', '2026-11-20'],
  ['20 nov 2026', 'en-GB', '2026-11-20'],
  ['2 janvier 2027', 'fr-FR', '2027-01-02'],
  ['2026/11/20', 'ja-JP', '2026-11-20'],
  ['2026-11-20 14:05', 'en-US', '2026-11-20'],
  ['today', 'en-US', '2026-11-25'],
  ['Tomorrow', 'en-US', '2026-11-26'],
  ['gestern', 'de-DE', '2026-11-24'],
  ['yesterday', 'de-DE', '2026-11-24'],
])('%s in %s is %s', (text, tag, day) => {
  expect(read(text, tag)).toBe(day)
})

test.each(['', 'soon', '31.2.2026', '2026-13-01', '99/99/2026', 'Nov', '20 Foo 2026', '12.5', '1/2/3/4'])(
  '"%s" is not a day in English',
  (text) => {
    expect(read(text, 'en-US')).toBeUndefined()
  },
)

describe('a day that a language formats is read back', () => {
  const days = fc.integer({ min: 0, max: 36_500 }).map((day) => new Date(Date.UTC(1971, 0, 1 + day)))
  test.each(['en-US', 'en-GB', 'de-DE', 'fr-FR', 'es-ES', 'sv-SE'])('in %s', (tag) => {
    const locale = dayLocaleOf(tag)
    const formats = [
      new Intl.DateTimeFormat(tag, { timeZone: 'UTC', year: 'numeric', month: 'numeric', day: 'numeric' }),
      new Intl.DateTimeFormat(tag, { timeZone: 'UTC', dateStyle: 'long' }),
    ]
    fc.assert(
      fc.property(days, fc.constantFrom(...formats), (day, format) => {
        expect(readDay(format.format(day), locale, now)).toBe(day.toISOString().slice(0, 10))
      }),
    )
  })
})
