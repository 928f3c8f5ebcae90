import { expect, test } from 'vitest'
import {
  attributeChoices,
  changeWords,
  concernsChanges,
  concernsObjects,
  objectChoices,
  objectWords,
} from './filter-words.ts'

const PEOPLE = '0198c0de-0000-7000-8000-000000000001'
const DEALS = '0198c0de-0000-7000-8000-000000000002'
const INACTIVE = '0198c0de-0000-7000-8000-00000000dead'
const objects = [
  { id: PEOPLE, pluralName: 'People', slug: 'people', attributes: [{ slug: 'owner', name: 'Owner' }] },
  {
    id: DEALS,
    pluralName: 'Deals',
    slug: 'deals',
    attributes: [
      { slug: 'owner', name: 'Account owner' },
      { slug: 'stage', name: 'Stage' },
    ],
  },
]

test.each([
  [null, 'Records of every object'],
  [[], 'No records: the chosen objects were deleted'],
  [[DEALS], 'Records of Deals'],
  [[DEALS, PEOPLE, INACTIVE], 'Records of People, Deals, and 1 inactive object'],
  [[INACTIVE], 'Records of 1 inactive object'],
])('describes the objects %j as “%s”', (ids, words) => expect(objectWords(ids, objects)).toBe(words))

test.each([
  [null, 'Every update'],
  [['stage'], 'Updates that change stage'],
  [['stage', 'owner'], 'Updates that change stage or owner'],
])('describes the changed attributes %j as “%s”', (slugs, words) => expect(changeWords(slugs)).toBe(words))

test('filters apply only to event types that they can exclude', () => {
  expect([null, ['record.deleted' as const], ['activity.created' as const]].map(concernsObjects)).toEqual([
    true,
    true,
    false,
  ])
  expect([null, ['record.updated' as const], ['record.created' as const]].map(concernsChanges)).toEqual([
    true,
    true,
    false,
  ])
})

test('offers chosen inactive objects, so that they can be removed', () => {
  expect(objectChoices(objects, [INACTIVE]).map(({ label }) => label)).toEqual([
    'People',
    'Deals',
    'Inactive object 00dead',
  ])
})

test.each([
  ['of all objects', [], ['owner: Owner (People, Deals)', 'stage: Stage (Deals)', 'old: old']],
  ['of the chosen objects', [PEOPLE], ['owner: Owner (People)', 'old: old']],
])('offers attributes %s', (_name, objectIds, choices) =>
  expect(
    attributeChoices(objects, { objectIds, chosen: ['owner', 'old'] }).map(
      ({ value, label }) => `${value}: ${label}`,
    ),
  ).toEqual(choices),
)
