import { expect, test } from 'vitest'
import {
  editedOptions,
  patchOf,
  withMoved,
  withNew,
  withoutRow,
  withRow,
  withSuccessor,
} from './edited-options.ts'

const start = editedOptions({ config: { options: ['Lead', 'Won', 'Lost'], colors: { Won: 'green' } } })
const row = (index: number) => {
  const found = start.rows[index]
  if (!found) throw new Error(`There is no row ${index}`)
  return found
}
const [lead, won, lost] = [row(0), row(1), row(2)]
const used = () => true
const LEAD = { value: 'Lead', color: 'indigo' }
const WON = { value: 'Won', color: 'green' }
const LOST = { value: 'Lost', color: 'yellow' }

test.each([
  ['no change', start, { options: [LEAD, WON, LOST] }],
  ['a new order', withMoved(start, 2, 0), { options: [LOST, LEAD, WON] }],
  [
    'a new name',
    withRow(start, { ...won, value: ' Closed ' }),
    { options: [LEAD, { value: 'Closed', from: ['Won'], color: 'green' }, LOST] },
  ],
  [
    'a new color',
    withRow(start, { ...lead, color: 'pink' }),
    { options: [{ ...LEAD, color: 'pink' }, WON, LOST] },
  ],
  ['a removed option', withoutRow(start, lost), { options: [LEAD, WON], clear: ['Lost'] }],
  [
    'a removed option that is merged into another',
    withSuccessor(withoutRow(start, lost), 'Lost', won.key),
    { options: [LEAD, { ...WON, from: ['Won', 'Lost'] }] },
  ],
  [
    'a merge into an option that is then removed',
    withoutRow(withSuccessor(withoutRow(start, lost), 'Lost', won.key), won),
    { options: [LEAD], clear: ['Lost', 'Won'] },
  ],
  [
    'a new option',
    withRow(withNew(withNew(start, 'a'), 'b'), { key: 'a', value: 'New', was: undefined, color: 'red' }),
    { options: [LEAD, WON, LOST, { value: 'New', color: 'red' }] },
  ],
])('builds the request for %s', (_, edited, patch) => {
  expect(patchOf(edited, used)).toEqual(patch)
})

test('removing an unused option needs no `clear`', () => {
  expect(patchOf(withoutRow(start, lost), () => false)).toEqual({ options: [LEAD, WON] })
})
