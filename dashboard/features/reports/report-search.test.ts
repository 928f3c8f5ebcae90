import { expect, it } from 'vitest'
import { validReportSearch, validReportsSearch } from './report-search.ts'

it.each([
  [{}, {}],
  [
    { run: 'a', compare: 'b', schedule: 1 },
    { run: 'a', compare: 'b', schedule: 1 },
  ],
  [{ run: '', compare: 7, schedule: 2, other: 'x' }, {}],
])('the page of a report: %j becomes %j', (given, kept) => {
  expect(validReportSearch(given)).toEqual(kept)
})

it.each([
  [{ gallery: 1 }, { gallery: 1 }],
  [
    { gallery: 1, ready: 'pipeline' },
    { gallery: 1, ready: 'pipeline' },
  ],
  [{ ready: 'pipeline' }, {}],
  [{ gallery: '1', ready: 3 }, {}],
])('the list of reports: %j becomes %j', (given, kept) => {
  expect(validReportsSearch(given)).toEqual(kept)
})
