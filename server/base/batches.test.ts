import { describe, expect, test } from 'vitest'
import { createBatches } from './batches.ts'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Batches of at most three items, one batch at a time. A batch ends when `end` is called. */
function threeAtATime() {
  const seen: string[][] = []
  let end: (() => void) | undefined
  const batches = createBatches<string>({
    sizeMax: 3,
    inFlightMax: 1,
    handle(batch) {
      seen.push([...batch])
      return new Promise((resolve) => {
        end = resolve
      })
    },
  })
  const next = async () => {
    end?.()
    await settled()
    await settled()
    return seen.at(-1)
  }
  const addAll = (names: string[]) => {
    for (const name of names) batches.add(name.charCodeAt(0), name)
  }
  return { seen, addAll, next }
}

describe('a batch', () => {
  test('takes one item of each organization in turn, however many items wait', async () => {
    const { addAll, next } = threeAtATime()
    addAll(['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'b2', 'c1'])
    expect(await next()).toEqual(['a1', 'b1', 'c1'])
    expect(await next()).toEqual(['a2', 'b2', 'a3'])
    expect(await next()).toEqual(['a4', 'a5', 'a6'])
  })

  test('begins with the organizations that had no item in the last batch', async () => {
    const { addAll, next } = threeAtATime()
    addAll(['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'd1', 'd2'])
    expect(await next()).toEqual(['a1', 'b1', 'c1'])
    expect(await next()).toEqual(['d1', 'a2', 'b2'])
    expect(await next()).toEqual(['c2', 'd2'])
  })

  test('of one organization has its items in their order', async () => {
    const { seen, addAll, next } = threeAtATime()
    addAll(['a1', 'a2', 'a3', 'a4'])
    await next()
    addAll(['a5'])
    await next()
    expect(seen).toEqual([
      ['a1', 'a2', 'a3'],
      ['a4', 'a5'],
    ])
  })
})
