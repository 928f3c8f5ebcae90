import fc from 'fast-check'
import metadata from 'libphonenumber-js/min/metadata'
import { expect, test } from 'vitest'
import { normalPhone, readPhone } from './phone.ts'

const codes = Object.keys(metadata.country_calling_codes)
const digits = fc.stringMatching(/^\d{3,13}$/)

test('normalizes numbers in E.164 form as the library does', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...codes),
      digits,
      fc.constantFrom('US', 'DE', 'XX'),
      (code, rest, country) => {
        const text = `+${code}${rest}`
        expect(normalPhone(text, country)).toBe(readPhone(text, country))
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
  ['+1 555 867 5309 x12', '+15558675309;ext=12'],
  ['+1 555 867 5309 ext. 12', '+15558675309;ext=12'],
  ['(555) 867-5309, extension 0012', '+15558675309;ext=0012'],
  ['+15558675309;ext=12', '+15558675309;ext=12'],
  ['+49 30 123456 #7', '+4930123456;ext=7'],
])('normalizes %s to %s', (text, expected) => expect(normalPhone(text, 'US')).toBe(expected))
