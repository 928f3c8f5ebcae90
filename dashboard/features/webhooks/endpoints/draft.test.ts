import { expect, test } from 'vitest'
import { bodyOf, type Draft, draftOf, draftProblems, patchOf } from './draft.ts'

const draft: Draft = {
  url: ' https://example.com/hooks ',
  description: ' Billing ',
  eventTypes: null,
  objectIds: null,
  changedAttributes: [],
  headers: [{ key: '0', name: ' X-Key ', value: 'secret ' }],
  rateLimit: null,
}

test('sends null for empty filters', () => {
  expect(bodyOf(draft)).toEqual({
    url: 'https://example.com/hooks',
    description: 'Billing',
    eventTypes: null,
    objectIds: null,
    changedAttributes: null,
    headers: [{ name: 'X-Key', value: 'secret' }],
    rateLimit: null,
  })
})

test('omits filters that do not apply to the chosen event types', () => {
  const filtered: Draft = { ...draft, objectIds: ['a'], changedAttributes: ['stage'] }
  expect(bodyOf(filtered)).toMatchObject({ objectIds: ['a'], changedAttributes: ['stage'] })
  expect(bodyOf({ ...filtered, eventTypes: ['record.created'] })).toMatchObject({
    objectIds: ['a'],
    changedAttributes: null,
  })
  expect(bodyOf({ ...filtered, eventTypes: ['workflow.failed'] })).toMatchObject({
    objectIds: null,
    changedAttributes: null,
  })
})

test('a patch contains only changed fields', () => {
  expect(patchOf(draft, draft)).toEqual({})
  expect(patchOf(draft, { ...draft, url: 'https://example.com/hooks', rateLimit: 5 })).toEqual({
    rateLimit: 5,
  })
  expect(patchOf(draft, { ...draft, headers: [] })).toEqual({ headers: [] })
})

test.each([
  [{}, {}],
  [{ url: 'example.com' }, { url: 'Start with https://' }],
  [{ eventTypes: [] }, { eventTypes: 'Choose at least one' }],
  [
    {
      headers: [
        { key: 'a', name: 'x-key', value: '' },
        { key: 'b', name: 'X-Key', value: 'é' },
      ],
    },
    {
      'headers[1].name': 'A header with this name already exists',
      'headers[1].value': 'Letters without accents, digits and signs only',
    },
  ],
] satisfies [Partial<Draft>, Record<string, string>][])('finds the problems of %j', (part, problems) =>
  expect(draftProblems({ ...draft, ...part })).toEqual(problems),
)

test('a new endpoint lacks only its address', () => {
  expect(draftProblems(draftOf())).toEqual({ url: 'Enter the address of your receiver' })
})
