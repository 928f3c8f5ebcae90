import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatDeliveryId, parseDeliveryId } from './delivery-id.ts'

const KEY = {
  endpoint: '0198c0de-0000-7000-8000-000000000001',
  event: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
}
const ID = 'dlv_AZjA3gAAcACAAAAAAAAAAf____________________8'

test('an id has a fixed form', () => {
  expect(formatDeliveryId(KEY)).toBe(ID)
  expect(parseDeliveryId(ID)).toEqual(KEY)
})

test('every pair of ids comes back from its id', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (endpoint, event) => {
      const id = formatDeliveryId({ endpoint, event })
      expect(id).toMatch(/^dlv_[\w-]{43}$/)
      expect(parseDeliveryId(id)).toEqual({ endpoint, event })
    }),
  )
})

test.each([
  ['nothing', ''],
  ['an id of another kind', KEY.endpoint],
  ['one character less', ID.slice(0, -1)],
  ['one character more', `${ID}A`],
  ['another prefix', ID.replace('dlv', 'DLV')],
  ['another alphabet', ID.replace('_____8', '/////8')],
  ['bits to spare that are set', `${ID.slice(0, -1)}9`],
])('%s is no id', (_, text) => {
  expect(parseDeliveryId(text)).toBeUndefined()
})

test('no other text is the id of the same delivery', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^dlv_[\w-]{43}$/), (text) => {
      const key = parseDeliveryId(text)
      expect(key === undefined || formatDeliveryId(key) === text).toBe(true)
    }),
  )
})
