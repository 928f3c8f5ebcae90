import { describe, expect, test } from 'vitest'
import { ALL_SCOPES, type Scope } from '../../../../contract/scopes.ts'
import { describeScopes, SCOPE_GROUPS, scopeName, summarizeScopes } from './describe-scopes.ts'

test('every scope is in one group', () => {
  expect(SCOPE_GROUPS.flatMap(({ scopes }) => scopes).toSorted()).toEqual(ALL_SCOPES.toSorted())
})

test('group labels and scope names begin with a capital letter and contain no parentheses', () => {
  const texts = SCOPE_GROUPS.flatMap(({ label, scopes }) => [label, ...scopes.map(scopeName)])
  expect(texts.filter((text) => !/^[A-Z][^()]*$/.test(text))).toEqual([])
})

describe('describeScopes', () => {
  const cases: [Scope[] | null, string][] = [
    [null, 'Can do everything the API offers, including later additions.'],
    [[], 'Can do nothing yet: choose at least one permission.'],
    [['records:read'], 'Can read records. Nothing else.'],
    [
      ['members:read', 'records:write', 'records:read'],
      'Can read, create, update, and delete records; read members. Nothing else.',
    ],
    [['workflows:run', 'files:write'], 'Can run workflows; upload files. Nothing else.'],
  ]
  test.each(cases)('describes %j as “%s”', (scopes, words) => expect(describeScopes(scopes)).toBe(words))
})

describe('summarizeScopes', () => {
  const cases: [Scope[] | null, string][] = [
    [null, 'Full access'],
    [['records:read'], 'Read records'],
    [['records:write'], 'Create, update, delete records'],
    [['records:read', 'members:read'], 'Read only, 2 permissions'],
    [['records:read', 'records:write'], '2 permissions'],
  ]
  test.each(cases)('summarizes %j as “%s”', (scopes, words) => expect(summarizeScopes(scopes)).toBe(words))
})
