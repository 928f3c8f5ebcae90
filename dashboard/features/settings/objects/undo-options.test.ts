import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OptionsPatch } from '../../../../contract/attribute-options.ts'
import {
  lostOptions,
  narrowedOptions,
  type Option,
  type OptionsChange,
  widenedOptions,
} from './undo-options.ts'

const of = (...values: string[]): Option[] => values.map((value) => ({ value, color: 'green' }))
const BEFORE = of('Lead', 'Won', 'Lost')
const values = ({ options }: OptionsPatch) => options.map(({ value }) => value)

/** The change of a patch, and the options after it. */
function changed(options: OptionsPatch['options'], before = BEFORE): OptionsChange {
  const after = options.map(({ value, color = 'green' }) => ({ value, color }))
  return { before, patch: { options }, after }
}

const RENAMED = changed([{ value: 'Lead' }, { value: 'Closed', from: ['Won'] }, { value: 'Lost' }])
const MERGED = changed([{ value: 'Lead' }, { value: 'Won', from: ['Won', 'Lost'] }])
const BOTH = changed([{ value: 'Lead' }, { value: 'Closed', from: ['Won', 'Lost'] }])
const REPLACED = changed([{ value: 'Won' }, { value: 'Paused' }])
const MOVED = changed(of('Lost', 'Lead', 'Won'))
const COLORED = changed([{ value: 'Lead', color: 'pink' }, { value: 'Won' }, { value: 'Lost' }])

test.each([
  ['renamed', RENAMED, []],
  ['merged', MERGED, ['Lost']],
  ['merged into a renamed one', BOTH, ['Lost']],
  ['replaced', REPLACED, ['Lead', 'Lost']],
  ['moved', MOVED, []],
])('lists the options that records lost after options were %s', (_, change, lost) => {
  expect(lostOptions(change)).toEqual(lost)
})

describe('widenedOptions', () => {
  const BACK = { value: 'Won', from: ['Closed'] }

  test.each<[string, OptionsChange, Option[], OptionsPatch['options']]>([
    ['renames back', RENAMED, RENAMED.after as Option[], [{ value: 'Lead' }, BACK, { value: 'Lost' }]],
    [
      'adds a merged option at its former place',
      MERGED,
      MERGED.after as Option[],
      [{ value: 'Lead' }, { value: 'Won' }, { value: 'Lost', color: 'green' }],
    ],
    [
      'renames back, and adds what was merged',
      BOTH,
      BOTH.after as Option[],
      [{ value: 'Lead' }, BACK, { value: 'Lost', color: 'green' }],
    ],
    [
      'keeps new options after the former ones',
      REPLACED,
      REPLACED.after as Option[],
      [
        { value: 'Lead', color: 'green' },
        { value: 'Won' },
        { value: 'Lost', color: 'green' },
        { value: 'Paused' },
      ],
    ],
    [
      'restores the order',
      MOVED,
      MOVED.after as Option[],
      [{ value: 'Lead' }, { value: 'Won' }, { value: 'Lost' }],
    ],
    [
      'restores a color',
      COLORED,
      COLORED.after as Option[],
      [{ value: 'Lead', color: 'green' }, { value: 'Won' }, { value: 'Lost' }],
    ],
    [
      'keeps a color that was chosen since',
      COLORED,
      [{ value: 'Lead', color: 'red' }, ...of('Won', 'Lost')],
      [{ value: 'Lead' }, { value: 'Won' }, { value: 'Lost' }],
    ],
    [
      'keeps a name, an order and an option of a later change',
      MERGED,
      of('Paused', 'Won', 'New'),
      [{ value: 'Paused' }, { value: 'Won' }, { value: 'Lost', color: 'green' }, { value: 'New' }],
    ],
    [
      'changes nothing when it is sent again',
      BOTH,
      of('Lead', 'Won', 'Lost'),
      [{ value: 'Lead' }, { value: 'Won' }, { value: 'Lost' }],
    ],
  ])('%s', (_, change, now, options) => {
    expect(widenedOptions(change, now)).toEqual({ options })
  })

  test('contains each present option, by its present or its former name, exactly once', () => {
    const names = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(names, names, names, (former, next, now) => {
        const options = next.map((value, at) => ({ value, ...(former[at] && { from: [former[at]] }) }))
        const change = changed(options, of(...former))
        const widened = widenedOptions(change, of(...now))
        const sent = values(widened)
        expect(new Set(sent).size).toBe(sent.length)
        const present = widened.options.map(({ value, from: [name] = [value] }) => name)
        expect(present).toEqual(expect.arrayContaining(now))
        expect(sent).toEqual(expect.arrayContaining(lostOptions(change)))
      }),
    )
  })
})

test('options that the change added are removed, and those of others stay', () => {
  expect(values(narrowedOptions(REPLACED, of('Lead', 'Won', 'Lost', 'Paused', 'Others')))).toEqual([
    ...['Lead', 'Won', 'Lost', 'Others'],
  ])
  expect(values(narrowedOptions(RENAMED, BEFORE))).toEqual(['Lead', 'Won', 'Lost'])
})
