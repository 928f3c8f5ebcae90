// The checks of a new API key, made before anything is written.

import { KEY_NAME_MAX, type NewApiKey } from '../../../contract/api-keys.ts'
import { TIMESTAMP_PATTERN } from '../../../contract/common.ts'
import type { Problem } from '../../../contract/errors.ts'
import { ALL_SCOPES, isScope, type Scope } from '../../../contract/scopes.ts'
import { invalid } from '../../base/errors.ts'
import { instead, sentName } from '../../base/suggestions.ts'

interface CheckedKey {
  name: string
  scopes: Scope[] | null
  expiresAt: Date | null
  rateLimit: number | null
}

/** As a caller sends it: scopes may be any text. */
export type UncheckedKey = Omit<NewApiKey, 'scopes'> & { scopes: readonly string[] | null }

const timestamp = new RegExp(TIMESTAMP_PATTERN)

function* nameProblems(name: string): Generator<Problem> {
  if (name.trim() === '' || name.length > KEY_NAME_MAX || name.includes('\0'))
    yield { path: 'name', code: 'invalid_length', message: `must be 1 to ${KEY_NAME_MAX} characters` }
}

function* scopeProblems(scopes: readonly string[] | null): Generator<Problem> {
  if (scopes?.length === 0)
    yield {
      path: 'scopes',
      code: 'invalid_length',
      message: 'must have at least one scope, or be null for full access',
    }
  for (const [index, scope] of (scopes ?? []).entries())
    if (!isScope(scope))
      yield {
        path: `scopes[${index}]`,
        code: 'invalid_scope',
        message: `must be a scope, not ${sentName(scope)}: ${instead(scope, ALL_SCOPES)}`,
      }
}

function* expiryProblems(text: string | null | undefined, now: Date): Generator<Problem> {
  if (text == null) return
  const path = 'expiresAt'
  const at = timestamp.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    yield {
      path,
      code: 'invalid_timestamp',
      message: 'must be an ISO 8601 timestamp such as 2027-01-31T00:00:00Z',
    }
  else if (at <= now.getTime())
    yield { path, code: 'in_the_past', message: 'must be in the future, such as 2027-01-31T00:00:00Z' }
}

function* rateProblems(rateLimit: number | null | undefined, rateMax: number): Generator<Problem> {
  if (rateLimit == null) return
  if (!Number.isInteger(rateLimit) || rateLimit < 1 || rateLimit > rateMax)
    yield {
      path: 'rateLimit',
      code: 'out_of_range',
      message: `must be a whole number from 1 to ${rateMax}, the operator’s maximum (KEY_RATE_LIMIT_MAX)`,
    }
}

/**
 * Checks a new key. @returns the key to store, its scopes without repetition
 * @param rateMax the highest allowed rate limit, in requests per minute
 * @throws AppError validation_error that names every problem
 */
export function checkNewKey(input: UncheckedKey, now: Date, rateMax: number): CheckedKey {
  const problems = [
    ...nameProblems(input.name),
    ...scopeProblems(input.scopes),
    ...expiryProblems(input.expiresAt, now),
    ...rateProblems(input.rateLimit, rateMax),
  ]
  if (problems.length > 0) throw invalid('validation_error', problems)
  return {
    name: input.name,
    scopes: input.scopes && [...new Set(input.scopes.filter(isScope))],
    expiresAt: input.expiresAt == null ? null : new Date(input.expiresAt),
    rateLimit: input.rateLimit ?? null,
  }
}
