import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mentionedIn, mentionOf, partsOf, withNames } from './mentions.ts'

const ADA = '0198c0de-0000-7000-8000-000000000001'
const BEN = '0198c0de-0000-7000-8000-000000000002'

test.each([
  ['no mention', 'Hello @Ada', [{ text: 'Hello @Ada' }]],
  ['one', `Hi <@${ADA}>!`, [{ text: 'Hi ' }, { userId: ADA }, { text: '!' }]],
  ['two that touch', `<@${ADA}><@${BEN}>`, [{ userId: ADA }, { userId: BEN }]],
  ['capital letters', `<@${ADA.toUpperCase()}>`, [{ userId: ADA }]],
  ['half of one', `<@${ADA}`, [{ text: `<@${ADA}` }]],
  ['no UUID', '<@everyone>', [{ text: '<@everyone>' }]],
])('splits a text with %s into parts', (_, text, parts) => {
  expect(partsOf(text)).toEqual(parts)
})

test('lists each mentioned user once', () => {
  expect(mentionedIn(`<@${BEN}> <@${ADA}> <@${BEN.toUpperCase()}>`)).toEqual([BEN, ADA])
})

test('replaces ids by names', () => {
  expect(withNames(`Ask <@${ADA}>`, () => 'Ada Lovelace')).toBe('Ask @Ada Lovelace')
})

test('joined parts equal the text, for any text', () => {
  const pieces = fc.array(fc.oneof(fc.string(), fc.uuid().map(mentionOf)))
  fc.assert(
    fc.property(pieces, (some) => {
      const text = some.join('')
      const again = partsOf(text).map((part) => ('text' in part ? part.text : mentionOf(part.userId)))
      expect(again.join('')).toBe(text)
    }),
  )
})
