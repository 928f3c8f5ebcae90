import { describe, expect, test } from 'vitest'
import { ByteBudget } from './byte-budget.ts'

const KIB = 1024
const MIB = 1024 ** 2

const budgetOf = (process: number) =>
  new ByteBudget(
    { setting: 'BODY_BYTES', describe: (who) => `The bodies of ${who}` },
    { key: process, organization: process / 2, process },
  )

const owner = (organization: number, key = 'one') => ({
  sender: { kind: 'API key' as const, id: `${key} of ${organization}` },
  organization,
})

/** A hold that gives way, and the names of those that did. */
function opener(budget: ByteBudget) {
  const dropped: string[] = []
  const open = (name: string, organization: number, bytes: number) => {
    const hold = budget.open(owner(organization, name))
    hold.giveWay(() => dropped.push(name))
    hold.grow(bytes)
    return hold
  }
  return { dropped, open }
}

describe('a budget without room', () => {
  test('drops what the organization with the most holds, for one that would hold less', () => {
    const budget = budgetOf(8 * MIB)
    const { dropped, open } = opener(budget)
    open('a1', 1, 2 * MIB)
    open('a2', 1, 2 * MIB)
    open('b1', 2, 3 * MIB)
    open('c1', 3, MIB)
    expect(dropped).toHaveLength(1)
    expect(dropped[0]).toMatch(/^a/)
    expect(budget.bytes).toBe(6 * MIB)
  })

  test('drops the slowest of it first', () => {
    const budget = budgetOf(8 * MIB)
    const { dropped, open } = opener(budget)
    open('slow', 1, KIB)
    open('fast', 1, 4 * MIB - KIB)
    open('b1', 2, 3 * MIB)
    open('c1', 3, MIB)
    expect(dropped[0]).toBe('slow')
  })

  test('refuses the organization that holds the most itself', () => {
    const { dropped, open } = opener(budgetOf(8 * MIB))
    open('a1', 1, 3.5 * MIB)
    open('b1', 2, 2 * MIB)
    open('c1', 3, 1.5 * MIB)
    expect(() => open('a2', 1, 0.5 * MIB)).toThrow(
      /The bodies of all clients have reached 8.0 MiB.*BODY_BYTES$/,
    )
    expect(dropped).toEqual([])
  })

  test('drops nothing that does not give way', () => {
    const budget = budgetOf(8 * MIB)
    const { dropped, open } = opener(budget)
    open('a1', 1, 3.5 * MIB).giveWay(undefined)
    open('b1', 2, 3.5 * MIB).release()
    open('b2', 2, 3.5 * MIB).giveWay(undefined)
    expect(() => open('c1', 3, MIB)).toThrow(expect.objectContaining({ code: 'unavailable' }))
    expect(dropped).toEqual([])
  })
})

test('what was released counts no longer, however often it is released', () => {
  const budget = budgetOf(8 * MIB)
  const { open } = opener(budget)
  const hold = open('a1', 1, 3 * MIB)
  open('b1', 2, MIB)
  hold.release()
  hold.release()
  expect(budget.bytes).toBe(MIB)
})
