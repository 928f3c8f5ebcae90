import { expect, test } from 'vitest'
import { meaningOf } from './use-open-text.tsx'

const named = (...labels: string[]) => labels.map((label) => ({ value: label, label }))

test.each([
  ['the only one found', 'umb', named('Umbrella'), 'Umbrella'],
  ['the one that is called so', 'ACME ', named('Acme', 'Acme Labs'), 'Acme'],
  ['none of two that are called so', 'Acme', named('Acme', 'acme'), undefined],
  ['none of several', 'ac', named('Acme', 'Acme Labs'), undefined],
  ['none of none', 'x', [], undefined],
  [
    'none that cannot be chosen',
    'Acme',
    [{ value: 'a', label: 'Acme', disabled: true }, ...named('Acme Labs')],
    'Acme Labs',
  ],
])('a text means %s', (_, text, options, wanted) => {
  expect(meaningOf(text, options)?.label).toBe(wanted)
})
