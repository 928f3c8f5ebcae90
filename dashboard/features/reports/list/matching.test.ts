import { expect, it } from 'vitest'
import { matching } from './matching.ts'

const ada = { id: 'a', name: 'Ada Lovelace', email: 'ada@example.com' }
const reports = [
  { name: 'Won by month', description: 'What came in', creator: ada },
  { name: 'Pipeline', description: '', creator: { ...ada, name: 'Grace Hopper' } },
]

it.each([
  ['', ['Won by month', 'Pipeline']],
  ['  ', ['Won by month', 'Pipeline']],
  ['MONTH won', ['Won by month']],
  ['came', ['Won by month']],
  ['grace', ['Pipeline']],
  ['won grace', []],
])('the text %j finds the reports %j', (text, names) => {
  expect(matching(reports, text).map(({ name }) => name)).toEqual(names)
})
