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
])('a complete search: the text means %s', (_, text, options, wanted) => {
  expect(meaningOf(text, { options, isFresh: true })?.label).toBe(wanted)
})

test.each([
  ['not the only one found', 'umb', undefined],
  ['the one that is called so', 'umbrella', 'Umbrella'],
])('a partial search: the text means %s', (_, text, wanted) => {
  const found = { options: named('Umbrella'), isFresh: true, isPartial: true }
  expect(meaningOf(text, found)?.label).toBe(wanted)
})
