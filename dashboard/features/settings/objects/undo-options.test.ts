import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lostOptions, undoPatches } from './undo-options.ts'

const before = ['Lead', 'Won', 'Lost'].map((value) => ({ value, color: 'green' as const }))
const of = (...values: string[]) => values.map((value) => ({ value }))
const values = ({ options }: { options: readonly { value: string }[] }) => options.map(({ value }) => value)

test.each([
  ['renamed', { options: [...of('Lead', 'Lost'), { value: 'Closed', from: ['Won'] }] }, []],
  ['merged', { options: [...of('Lead'), { value: 'Won', from: ['Won', 'Lost'] }] }, ['Lost']],
  [
    'merged into a new one',
    { options: [{ value: 'Closed', from: ['Won', 'Lost'] }] },
    ['Lead', 'Won', 'Lost'],
  ],
  ['cleared', { options: of('Won'), clear: ['Lead'] }, ['Lead', 'Lost']],
  ['moved', { options: of('Lost', 'Won', 'Lead') }, []],
])('lists the options that records lost after options were %s', (_, patch, lost) => {
  expect(lostOptions({ before, patch })).toEqual(lost)
})

describe('undoPatches', () => {
  test('renames options back', () => {
    const patch = { options: [{ value: 'Closed', from: ['Won'] }, ...of('Lead', 'Lost')] }
    expect(undoPatches({ before, patch }, of('Closed', 'Lead', 'Lost'))).toEqual({
      widened: {
        options: [
          { value: 'Lead', color: 'green' },
          { value: 'Won', color: 'green', from: ['Closed'] },
          { value: 'Lost', color: 'green' },
        ],
      },
      restored: { options: before },
    })
  })

  test('adds lost options before it removes new ones, and keeps what others added', () => {
    const patch = { options: [...of('Lead'), { value: 'Closed', from: ['Won', 'Lost'] }] }
    const { widened, restored } = undoPatches({ before, patch }, of('Lead', 'Closed', 'Paused'))
    expect(values(widened)).toEqual(['Lead', 'Won', 'Lost', 'Closed', 'Paused'])
    expect(values(restored)).toEqual(['Lead', 'Won', 'Lost', 'Paused'])
  })

  test('can be sent again after its first request', () => {
    const patch = { options: [{ value: 'Closed', from: ['Won'] }, ...of('Lead', 'Lost')] }
    const { widened } = undoPatches({ before, patch }, before)
    expect(widened).toEqual({ options: before })
  })

  test('names each option once, and all present options that have no former name', () => {
    const names = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(names, names, names, (former, next, now) => {
        const patch = {
          options: next.map((value, at) => ({ value, ...(former[at] && { from: [former[at]] }) })),
        }
        const { widened } = undoPatches({ before: of(...former), patch }, of(...now))
        const sent = values(widened)
        expect(new Set(sent).size).toBe(sent.length)
        const renamed = widened.options.flatMap(({ from = [] }) => from)
        expect([...sent, ...renamed]).toEqual(expect.arrayContaining([...former, ...now]))
      }),
    )
  })
})
