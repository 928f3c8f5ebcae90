import { expect, it } from 'vitest'
import type { ResultColumn } from '../../../../contract/reports.ts'
import { deltaWords } from './delta-words.ts'

const column = (type: string): ResultColumn => ({ key: 'n', label: 'N', type, role: 'measure' })
const usd = (amount: number) => ({ amount, currency: 'USD' })

it.each([
  ['number', 10, 12, '2', '+2 (+20%)'],
  ['number', 12, 10, '-2', '-2 (-16.7%)'],
  ['number', 0, 3, '3', '+3'],
  ['number', null, 3, '3', '+3'],
  ['number', -10, -5, '5', '+5 (+50%)'],
  ['currency', usd(1000), usd(2500.5), '1500.5', '+$1,500.50 (+150.1%)'],
  ['currency', usd(10), usd(5), '-5', '-$5 (-50%)'],
  ['percentage', 20, 25.5, '5.5', '+5.5 points'],
  ['text', 'A', 'B', undefined, ''],
  ['number', '123456789012345678901', '123456789012345678902', '1', '+1 (0%)'],
])('%s from %j to %j with the difference %s: %s', (type, from, to, delta, words) => {
  expect(deltaWords(column(type), { from, to, delta })).toBe(words)
})
