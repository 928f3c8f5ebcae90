import { expect, test } from 'vitest'
import { cyclesOf } from './cycles.ts'

const waiting = (text: string) =>
  text.split(' ').map((pair) => {
    const [id = '', holder = ''] = pair
    return { id, holder }
  })

test.each([
  ['ab', []],
  ['ab ba', ['ab']],
  ['ab bc ca', ['abc']],
  ['xa ab ba', ['ab']],
  ['ab ba cd dc', ['ab', 'cd']],
  ['ac ab ba', ['ab']],
  ['ab bc cb', ['bc']],
])('%s has the cycles %j', (text, cycles) => {
  expect(cyclesOf(waiting(text)).map((cycle) => cycle.map(({ id }) => id).join(''))).toEqual(cycles)
})
