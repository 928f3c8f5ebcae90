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

/** Opens holds that may be dropped, and records the names of dropped holds. */
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
  test('drops a hold of the organization with the most bytes, for an organization with fewer', () => {
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

  test('drops the slowest hold of that organization first', () => {
    const budget = budgetOf(8 * MIB)
    const { dropped, open } = opener(budget)
    open('slow', 1, KIB)
    open('fast', 1, 4 * MIB - KIB)
    open('b1', 2, 3 * MIB)
    open('c1', 3, MIB)
    expect(dropped[0]).toBe('slow')
  })

  test('refuses the organization with the most bytes', () => {
    const { dropped, open } = opener(budgetOf(8 * MIB))
    open('a1', 1, 3.5 * MIB)
    open('b1', 2, 2 * MIB)
    open('c1', 3, 1.5 * MIB)
    expect(() => open('a2', 1, 0.5 * MIB)).toThrow(
      /The bodies of all clients have reached 8.0 MiB.*BODY_BYTES$/,
    )
    expect(dropped).toEqual([])
  })

  test('drops no holds that may not be dropped', () => {
    const budget = budgetOf(8 * MIB)
    const { dropped, open } = opener(budget)
    open('a1', 1, 3.5 * MIB).giveWay(undefined)
    open('b1', 2, 3.5 * MIB).release()
    open('b2', 2, 3.5 * MIB).giveWay(undefined)
    expect(() => open('c1', 3, MIB)).toThrow(expect.objectContaining({ code: 'unavailable' }))
    expect(dropped).toEqual([])
  })
})

test('released bytes are subtracted once, also after several releases', () => {
  const budget = budgetOf(8 * MIB)
  const { open } = opener(budget)
  const hold = open('a1', 1, 3 * MIB)
  open('b1', 2, MIB)
  hold.release()
  hold.release()
  expect(budget.bytes).toBe(MIB)
})
