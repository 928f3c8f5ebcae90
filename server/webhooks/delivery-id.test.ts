import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatDeliveryId, parseDeliveryId } from './delivery-id.ts'

const KEY = {
  endpoint: '0198c0de-0000-7000-8000-000000000001',
  event: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
}
const ID = 'dlv_AZjA3gAAcACAAAAAAAAAAf____________________8'

test('the id of a delivery has a fixed format', () => {
  expect(formatDeliveryId(KEY)).toBe(ID)
  expect(parseDeliveryId(ID)).toEqual(KEY)
})

test('parsing a formatted id returns the same endpoint and event', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (endpoint, event) => {
      const id = formatDeliveryId({ endpoint, event })
      expect(id).toMatch(/^dlv_[\w-]{43}$/)
      expect(parseDeliveryId(id)).toEqual({ endpoint, event })
    }),
  )
})

test.each([
  ['an empty text', ''],
  ['an id of another kind', KEY.endpoint],
  ['one character too few', ID.slice(0, -1)],
  ['one character too many', `${ID}A`],
  ['another prefix', ID.replace('dlv', 'DLV')],
  ['another alphabet', ID.replace('_____8', '/////8')],
  ['unused bits that are set', `${ID.slice(0, -1)}9`],
])('rejects %s', (_, text) => {
  expect(parseDeliveryId(text)).toBeUndefined()
})

test('only one text is the id of a delivery', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^dlv_[\w-]{43}$/), (text) => {
      const key = parseDeliveryId(text)
      expect(key === undefined || formatDeliveryId(key) === text).toBe(true)
    }),
  )
})
