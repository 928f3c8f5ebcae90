import { expect, it } from 'vitest'
import { answersOf, fillingsOf, readableFillings, type TemplateInput } from './template-inputs.ts'

const inputs: TemplateInput[] = [
  { key: 'sum', label: 'Sum', kind: 'number', default: 10_000 },
  { key: 'to', label: 'Email', kind: 'email' },
]

it('begins with the defaults and leaves out what stayed empty', () => {
  expect(answersOf({ inputs })).toEqual({ sum: '10000', to: '' })
  expect(fillingsOf(inputs, answersOf({ inputs }))).toEqual({ sum: 10_000 })
})

it('gives numbers as numbers, and what is none as it was typed', () => {
  expect(fillingsOf(inputs, { sum: ' 5.5 ', to: ' a@b.c ' })).toEqual({ sum: 5.5, to: 'a@b.c' })
  expect(fillingsOf(inputs, { sum: 'many', to: '12' })).toEqual({ sum: 'many', to: '12' })
})

it('names what was left empty, to be read', () => {
  expect(readableFillings(inputs, { sum: '5' })).toEqual({ sum: 5, to: '‹Email›' })
})
