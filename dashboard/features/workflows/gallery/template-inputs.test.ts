import { expect, it } from 'vitest'
import { answersOf, fillingsOf, readableFillings, type TemplateInput } from './template-inputs.ts'

const inputs: TemplateInput[] = [
  { key: 'sum', label: 'Sum', kind: 'number', default: 10_000 },
  { key: 'to', label: 'Email', kind: 'email' },
]

it('starts with the defaults, and omits empty inputs', () => {
  expect(answersOf({ inputs })).toEqual({ sum: '10000', to: '' })
  expect(fillingsOf(inputs, answersOf({ inputs }))).toEqual({ sum: 10_000 })
})

it('converts numbers, and keeps other text', () => {
  expect(fillingsOf(inputs, { sum: ' 5.5 ', to: ' a@b.c ' })).toEqual({ sum: 5.5, to: 'a@b.c' })
  expect(fillingsOf(inputs, { sum: 'many', to: '12' })).toEqual({ sum: 'many', to: '12' })
})

it('shows the labels of empty inputs', () => {
  expect(readableFillings(inputs, { sum: '5' })).toEqual({ sum: 5, to: '‹Email›' })
})
