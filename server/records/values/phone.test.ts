import fc from 'fast-check'
import metadata from 'libphonenumber-js/min/metadata'
import { expect, test } from 'vitest'
import { e164, readE164 } from './phone.ts'

const codes = Object.keys(metadata.country_calling_codes)
const digits = fc.stringMatching(/^\d{3,13}$/)

test('property: a number in its E.164 form is what the library reads it as', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...codes),
      digits,
      fc.constantFrom('US', 'DE', 'XX'),
      (code, rest, country) => {
        const text = `+${code}${rest}`
        expect(e164(text, country)).toBe(readE164(text, country))
      },
    ),
    { numRuns: 3000 },
  )
})

test.each([
  ['+15558675309', '+15558675309'],
  ['+4402079460958', '+442079460958'],
  ['+390612345678', '+390612345678'],
  ['+1555867530', undefined],
  ['+0123456789', undefined],
])('%s is %s', (text, expected) => expect(e164(text, 'US')).toBe(expected))
