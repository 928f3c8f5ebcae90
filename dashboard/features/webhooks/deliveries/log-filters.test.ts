import { describe, expect, test } from 'vitest'
import { validEndpointSearch } from '../endpoint-search.ts'
import { filtersOf, fromLocalField, isFiltered, toLocalField } from './log-filters.ts'

const NOW = Date.parse('2026-11-21T15:00:00.000Z')

describe('filters in the address', () => {
  test('a period ends now', () => {
    expect(filtersOf({ period: 'day', state: 'failed' }, NOW)).toEqual({
      state: 'failed',
      from: '2026-11-20T15:00:00.000Z',
    })
  })

  test('times are used unchanged', () => {
    expect(filtersOf({ from: '2026-11-01T00:00:00.000Z' }, NOW)).toEqual({ from: '2026-11-01T00:00:00.000Z' })
  })

  test('the open delivery does not count as a filter', () => {
    expect(isFiltered({ delivery: 'dlv_1' })).toBe(false)
    expect(isFiltered({ type: 'record.created' })).toBe(true)
  })

  test('invalid values are ignored', () => {
    expect(
      validEndpointSearch({
        state: 'lost',
        type: 'record.created',
        period: 'year',
        from: 'soon',
        delivery: 7,
      }),
    ).toEqual({ type: 'record.created' })
  })
})

describe('fields for date and time', () => {
  test('keep a time in a round trip', () => {
    const timestamp = '2026-11-21T15:04:05.000Z'
    expect(fromLocalField(toLocalField(timestamp))).toBe(timestamp)
  })

  test.each(['', '0000-06-01T00:00:00', '12026-11-21T15:04:05'])('reject the invalid time %j', (value) => {
    expect(fromLocalField(value)).toBeUndefined()
    expect(validEndpointSearch({ from: value })).toEqual({})
  })

  test('show an undefined time as an empty field', () => {
    expect(toLocalField(undefined)).toBe('')
  })
})
