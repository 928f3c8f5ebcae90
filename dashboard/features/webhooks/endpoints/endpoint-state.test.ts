import { expect, test } from 'vitest'
import { adviceOf, stateOf } from './endpoint-state.ts'

const NOW = '2026-11-21T10:00:00.000Z'

test.each([
  [
    'active',
    { isEnabled: true, failingSince: null, disabledReason: null, areSecretsReadable: true },
    undefined,
  ],
  [
    'failing',
    { isEnabled: true, failingSince: NOW, disabledReason: null, areSecretsReadable: true },
    /^No attempt/,
  ],
  [
    'disabled',
    { isEnabled: false, failingSince: null, disabledReason: 'manual', areSecretsReadable: true },
    /^This endpoint was disabled/,
  ],
  [
    'disabled',
    { isEnabled: false, failingSince: NOW, disabledReason: 'gone', areSecretsReadable: true },
    /410 Gone/,
  ],
  [
    'disabled',
    { isEnabled: false, failingSince: NOW, disabledReason: 'failing', areSecretsReadable: true },
    /5 days/,
  ],
  [
    'failing',
    { isEnabled: true, failingSince: null, disabledReason: null, areSecretsReadable: false },
    /Rotate/,
  ],
] as const)('returns the state %s for %j', (state, endpoint, advice) => {
  expect(stateOf(endpoint)).toBe(state)
  if (advice) expect(adviceOf(endpoint)).toMatch(advice)
  else expect(adviceOf(endpoint)).toBeUndefined()
})
