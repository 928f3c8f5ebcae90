import { describe, expect, test } from 'vitest'
import type { Delivery } from '../api/webhooks.ts'
import { mergeNewest } from './newest.ts'

const delivery = (at: number, state: Delivery['state'] = 'succeeded') =>
  ({ id: `dlv_${at}`, eventId: `0198c0de-0000-7000-8000-00000000000${at}`, state }) as Delivery

const idsOf = (deliveries: readonly Delivery[]) => deliveries.map(({ id }) => id)

const end = { limit: 50, offset: 0 }
const more = { ...end, nextCursor: 'c' }

describe('the newest page on top of what was loaded', () => {
  test('new ones come first, and what is below stays', () => {
    const newest = { deliveries: [delivery(5), delivery(4)], pagination: more }
    const { deliveries, hasGap } = mergeNewest(newest, [delivery(4), delivery(3), delivery(2)])
    expect(idsOf(deliveries)).toEqual(['dlv_5', 'dlv_4', 'dlv_3', 'dlv_2'])
    expect(hasGap).toBe(false)
  })

  test('what it says of a delivery is newer', () => {
    const newest = { deliveries: [delivery(4, 'succeeded')], pagination: more }
    const { deliveries } = mergeNewest(newest, [delivery(4, 'pending'), delivery(3)])
    expect(deliveries.map(({ state }) => state)).toEqual(['succeeded', 'succeeded'])
  })

  test('what is no longer in it does not belong to the list any more', () => {
    const newest = { deliveries: [delivery(5), delivery(3)], pagination: more }
    const { deliveries } = mergeNewest(newest, [delivery(5), delivery(4), delivery(3), delivery(2)])
    expect(idsOf(deliveries)).toEqual(['dlv_5', 'dlv_3', 'dlv_2'])
  })

  test('the last page is the whole list', () => {
    const { deliveries, hasGap } = mergeNewest({ deliveries: [delivery(5)], pagination: end }, [
      delivery(4),
      delivery(3),
    ])
    expect(idsOf(deliveries)).toEqual(['dlv_5'])
    expect(hasGap).toBe(false)
  })

  test('a whole page of new ones leaves a gap', () => {
    const newest = { deliveries: [delivery(8), delivery(7)], pagination: more }
    expect(mergeNewest(newest, [delivery(4), delivery(3)]).hasGap).toBe(true)
    expect(mergeNewest(newest, []).hasGap).toBe(false)
  })
})
