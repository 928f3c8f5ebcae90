import { expect, test } from 'vitest'
import type { WorkflowParameter } from '../../../contract/workflows.ts'
import { AppError, attempt } from '../../base/errors.ts'
import { parametersOf } from './parameters.ts'

const big = JSON.rawJSON('123456789012345678901234567890')
const one = (type: WorkflowParameter['type'], more: object = {}): WorkflowParameter[] => [
  { name: 'p', type, ...more },
]

test.each([
  [one('text'), { p: '' }, { p: '' }],
  [one('number'), { p: -1.5 }, { p: -1.5 }],
  [one('number'), { p: big }, { p: big }],
  [one('checkbox'), { p: false }, { p: false }],
  [one('date'), { p: '2024-02-29' }, { p: '2024-02-29' }],
  [one('list'), { p: ['a', 'b'] }, { p: ['a', 'b'] }],
  [one('list'), { p: [] }, { p: [] }],
  [one('json'), { p: { a: [1, null] } }, { p: { a: [1, null] } }],
  [one('text'), {}, { p: null }],
  [one('text'), { p: null }, { p: null }],
  [one('text', { default: 'd' }), {}, { p: 'd' }],
  [one('text', { default: 'd' }), { p: null }, { p: 'd' }],
  [one('text', { default: 'd', required: true }), {}, { p: 'd' }],
  [one('text', { default: 'd' }), { p: 'given' }, { p: 'given' }],
  [[], { anything: 1 }, { anything: 1 }],
  [undefined, undefined, {}],
])('%j with data %j returns %j', (declared, data, values) => {
  expect(parametersOf(declared, data)).toEqual(values)
})

test.each([
  [one('text'), { p: 1 }, 'invalid_text'],
  [one('number'), { p: '1' }, 'invalid_number'],
  [one('number'), { p: true }, 'invalid_number'],
  [one('checkbox'), { p: 'true' }, 'invalid_checkbox'],
  [one('date'), { p: '2026-02-30' }, 'invalid_date'],
  [one('date'), { p: '2026-02-03T00:00:00Z' }, 'invalid_date'],
  [one('list'), { p: 'a' }, 'invalid_list'],
  [one('list'), { p: [1] }, 'invalid_list'],
  [one('text', { required: true }), {}, 'required'],
  [one('text', { required: true }), { p: null }, 'required'],
  [one('json', { required: true }), undefined, 'required'],
])('%j with data %j is rejected: %s', (declared, data, code) => {
  const refused = attempt(() => parametersOf(declared, data))
  expect(refused).toBeInstanceOf(AppError)
  expect((refused as AppError).details).toMatchObject({ errors: [{ path: 'data.p', code }] })
})

test('all problems are named, also undeclared parameters', () => {
  const declared: WorkflowParameter[] = [...one('text', { required: true }), { name: 'q', type: 'number' }]
  const data = JSON.parse('{"q":"x","r":1,"__proto__":2}') as Record<string, unknown>
  const refused = attempt(() => parametersOf(declared, data))
  const { errors } = (refused as AppError).details as { errors: { path: string }[] }
  expect(errors.map(({ path }) => path)).toEqual(['data.p', 'data.q', 'data.r', 'data.__proto__'])
})
