import { describe, expect, test } from 'vitest'
import { StreamSlots } from './bounds.ts'

interface Who {
  org?: number
  userId?: string
  client?: string
  isVerified?: boolean
}

let users = 0

/** Slots, and the names of the streams that were ended for others. */
function open(bounds: Partial<ConstructorParameters<typeof StreamSlots>[0]>) {
  const most = 1000
  const slots = new StreamSlots({ user: most, organization: most, client: most, process: most, ...bounds })
  const ended: string[] = []
  const take = (
    name: string,
    { org = 1, userId = `user ${users++}`, client = 'a', isVerified = true }: Who = {},
  ) => slots.take({ org, userId, client, isVerified, sessionId: userId }, () => void ended.push(name))
  return { slots, ended, take }
}

const refusal = (code: string, bound: string) =>
  expect.objectContaining({ code, details: expect.objectContaining({ bound }) })

describe('streams are limited', () => {
  test('by client address, for all its organizations and users', () => {
    const { take } = open({ client: 2 })
    const release = take('one', { org: 1 })
    take('two', { org: 2 })
    expect(() => take('three', { org: 3 })).toThrow(refusal('rate_limit_exceeded', 'LIVE_STREAMS_PER_CLIENT'))
    take('elsewhere', { org: 3, client: 'b' })
    release()
    release()
    take('three', { org: 3 })
    expect(() => take('four', { org: 4 })).toThrow(/^Your address has 2 streams/)
  })

  test('for users without a confirmed email address to five each, and to a tenth of the process together', () => {
    const { take } = open({ process: 70 })
    const isVerified = false
    for (let n = 0; n < 5; n++) take('own', { userId: 'eve', isVerified })
    expect(() => take('own', { userId: 'eve', isVerified })).toThrow(/^You have 5 streams/)
    take('of others', { isVerified })
    take('of others', { isVerified })
    expect(() => take('of others', { isVerified })).toThrow(
      /^Users without a confirmed email address have 7 streams .* confirm your email address$/,
    )
    take('verified')
  })
})

describe('in a full process', () => {
  test('a new client replaces the newest stream of the client with the most', () => {
    const { slots, ended, take } = open({ process: 5 })
    for (let org = 1; org <= 4; org++) take(`attacker ${org}`, { org, client: 'attacker' })
    take('office', { org: 5, client: 'office' })
    take('another', { org: 6, client: 'home' })
    expect(ended).toEqual(['attacker 4'])
    expect(slots.taken).toBe(5)
  })

  test('within one client, a new organization replaces the newest stream of the organization with the most', () => {
    const { ended, take } = open({ process: 4 })
    take('large 1', { org: 1 })
    take('large 2', { org: 1 })
    take('large 3', { org: 1 })
    take('small', { org: 2 })
    take('another', { org: 3 })
    expect(ended).toEqual(['large 3'])
  })

  test('a new stream is refused if no client or organization has two more streams', () => {
    const { ended, take } = open({ process: 2 })
    take('one', { org: 1, client: 'a' })
    take('two', { org: 2, client: 'b' })
    expect(() => take('three', { org: 3, client: 'c' })).toThrow(refusal('unavailable', 'LIVE_STREAMS'))
    expect(ended).toEqual([])
  })
})
