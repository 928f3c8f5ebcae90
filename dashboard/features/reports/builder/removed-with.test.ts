import { describe, expect, test } from 'vitest'
import { DEALS, objectsIn } from './builder.fixture.ts'
import type { Draft } from './builder-state.ts'
import { aliasesWith, withoutAliases } from './dependents.ts'
import { differingParts } from './differing-parts.ts'
import { removedWith } from './removed-with.ts'
import { allFields } from './report-fields.ts'

const draft: Draft = {
  ...DEALS,
  joins: [
    { alias: 'company', via: 'deal.company' },
    { alias: 'person', objectId: 'people', via: 'person.company' },
  ],
  filters: { field: 'person.email', operator: 'isEmpty', value: 'true' },
  groupBy: [{ key: 'city', field: 'company.address.city' }],
}

describe('removing a join', () => {
  const objects = objectsIn(draft)
  const known = { objects, fields: allFields(objects) }
  const parents = objects.slice(1).map(({ parent }) => parent)
  const lost = (index: number) =>
    removedWith(draft, withoutAliases(draft, aliasesWith(draft, index, parents)), known)

  test('also removes dependent joins and all parts that read any of them', () => {
    expect(lost(0)).toEqual([
      'the join with Person',
      'the filter on Email of person',
      'the group Address (city) of company',
    ])
  })

  test('does not remove parts that read other joins', () => {
    expect(lost(1)).toEqual(['the filter on Email of person'])
  })
})

test('names the parts in which two definitions differ', () => {
  expect(differingParts(draft, { ...draft, limit: 3, chart: { type: 'bar' } })).toBe(
    'the number of rows and the chart',
  )
  expect(differingParts(draft, structuredClone(draft))).toBe('nothing')
})
