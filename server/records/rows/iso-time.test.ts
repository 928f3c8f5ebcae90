import fc from 'fast-check'
import { test } from 'vitest'
import { isoTime } from './iso-time.ts'

test('formats a timestamp as Date does', () => {
  const limits = {
    min: new Date('0001-01-01'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  }
  const same = fc.property(fc.date(limits), (at) => isoTime(at.getTime()) === at.toISOString())
  fc.assert(same, { numRuns: 5000 })
})
