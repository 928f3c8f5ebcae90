import { describe, expect, test } from 'vitest'
import type { Delivery } from '../api/webhooks.ts'
import { mergeNewest } from './newest.ts'

const delivery = (at: number, state: Delivery['state'] = 'succeeded') =>
  ({ id: `dlv_${at}`, eventId: `0198c0de-0000-7000-8000-00000000000${at}`, state }) as Delivery

const idsOf = (deliveries: readonly Delivery[]) => deliveries.map(({ id }) => id)

const end = { limit: 50, offset: 0 }
const more = { ...end, nextCursor: 'c' }

describe('merging the newest page with loaded pages', () => {
  test('puts new deliveries first, and keeps older ones', () => {
    const newest = { deliveries: [delivery(5), delivery(4)], pagination: more }
    const { deliveries, hasGap } = mergeNewest(newest, [delivery(4), delivery(3), delivery(2)])
    expect(idsOf(deliveries)).toEqual(['dlv_5', 'dlv_4', 'dlv_3', 'dlv_2'])
    expect(hasGap).toBe(false)
  })

  test('prefers the newer version of a delivery', () => {
    const newest = { deliveries: [delivery(4, 'succeeded')], pagination: more }
    const { deliveries } = mergeNewest(newest, [delivery(4, 'pending'), delivery(3)])
    expect(deliveries.map(({ state }) => state)).toEqual(['succeeded', 'succeeded'])
  })

  test('removes a loaded delivery that is missing between those of the newest page', () => {
    const newest = { deliveries: [delivery(5), delivery(3)], pagination: more }
    const { deliveries } = mergeNewest(newest, [delivery(5), delivery(4), delivery(3), delivery(2)])
    expect(idsOf(deliveries)).toEqual(['dlv_5', 'dlv_3', 'dlv_2'])
  })

  test('uses only the newest page if it is also the last page', () => {
    const { deliveries, hasGap } = mergeNewest({ deliveries: [delivery(5)], pagination: end }, [
      delivery(4),
      delivery(3),
    ])
    expect(idsOf(deliveries)).toEqual(['dlv_5'])
    expect(hasGap).toBe(false)
  })

  test('reports a gap if the newest page has no known delivery', () => {
    const newest = { deliveries: [delivery(8), delivery(7)], pagination: more }
    expect(mergeNewest(newest, [delivery(4), delivery(3)]).hasGap).toBe(true)
    expect(mergeNewest(newest, []).hasGap).toBe(false)
  })
})
