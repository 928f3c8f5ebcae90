import { describe, expect, test } from 'vitest'
import { validEndpointSearch } from '../endpoint-search.ts'
import { filtersOf, fromLocalField, isFiltered, toLocalField } from './log-filters.ts'

const NOW = Date.parse('2026-11-21T15:00:00.000Z')

describe('what the address asks for', () => {
  test('a period reaches back from now', () => {
    expect(filtersOf({ period: 'day', state: 'failed' }, NOW)).toEqual({
      state: 'failed',
      from: '2026-11-20T15:00:00.000Z',
    })
  })

  test('moments are taken as they are', () => {
    expect(filtersOf({ from: '2026-11-01T00:00:00.000Z' }, NOW)).toEqual({ from: '2026-11-01T00:00:00.000Z' })
  })

  test('the delivery that is open is no filter', () => {
    expect(isFiltered({ delivery: 'dlv_1' })).toBe(false)
    expect(isFiltered({ type: 'record.created' })).toBe(true)
  })

  test('what makes no sense is left out', () => {
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
  test('there and back', () => {
    const moment = '2026-11-21T15:04:05.000Z'
    expect(fromLocalField(toLocalField(moment))).toBe(moment)
  })

  test.each(['', '0000-06-01T00:00:00', '12026-11-21T15:04:05'])('%j is no moment', (value) => {
    expect(fromLocalField(value)).toBeUndefined()
    expect(validEndpointSearch({ from: value })).toEqual({})
  })

  test('no moment is an empty field', () => {
    expect(toLocalField(undefined)).toBe('')
  })
})
