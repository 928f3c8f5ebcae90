import { describe, expect, test } from 'vitest'
import { nextVerification } from './verification-history.ts'

const at = (text: string) => new Date(`2026-11-${text}:00.000Z`)

describe('the next verification', () => {
  const firstBackupAt = at('01T00:00').toISOString()
  test.each<[string, string | null, string | null, string]>([
    ['is due that long after the first backup', null, null, '02T00:00'],
    ['is due that long after the last one that passed', '05T00:00', null, '06T00:00'],
    ['is tried again six hours after one that failed', '05T00:00', '06T01:00', '06T07:00'],
    ['is due as usual after one that passed', '05T00:00', '04T00:00', '06T00:00'],
  ])('%s', (_, passed, failed, due) => {
    const history = {
      firstBackupAt,
      lastPassedAt: passed && at(passed).toISOString(),
      lastFailedAt: failed && at(failed).toISOString(),
    }
    expect(new Date(nextVerification(history, 24))).toEqual(at(due))
  })
})
