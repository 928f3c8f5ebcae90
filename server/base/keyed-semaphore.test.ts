import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createKeyedSemaphore, type KeyedSemaphore, NoPlaceError, type Release } from './keyed-semaphore.ts'

/** Records the admitted names, in order. */
function watched(semaphore: KeyedSemaphore<string>) {
  const admitted: string[] = []
  const enter = async (name: string) => {
    const release = await semaphore.acquire(name.slice(0, 1))
    admitted.push(name)
    return release
  }
  return { admitted, enter }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('acquire', () => {
  test('leaves a free place to other keys if a key holds its share', async () => {
    const { admitted, enter } = watched(createKeyedSemaphore({ places: 3, perKey: 2 }))
    for (const name of ['a1', 'a2', 'a3', 'b1']) void enter(name)
    await settled()
    expect(admitted).toEqual(['a1', 'a2', 'b1'])
  })

  test('uses the current limit of a key', async () => {
    let aMax = 2
    const semaphore = createKeyedSemaphore<string>({ places: 9, perKey: (key) => (key === 'a' ? aMax : 3) })
    const { admitted, enter } = watched(semaphore)
    const [first, second] = await Promise.all(['a1', 'a2'].map(enter))
    for (const name of ['a3', 'b1', 'b2', 'b3']) void enter(name)
    aMax = 1
    first?.()
    await settled()
    expect(admitted).toEqual(['a1', 'a2', 'b1', 'b2', 'b3'])
    second?.()
    await settled()
    expect(admitted.at(-1)).toBe('a3')
  })

  test('admits the key that holds the fewest places, not the longest wait', async () => {
    const { admitted, enter } = watched(createKeyedSemaphore({ places: 3, perKey: 3 }))
    const [first] = await Promise.all(['a1', 'a2', 'a3'].map(enter))
    for (const name of ['a4', 'a5', 'b1', 'c1']) void enter(name)
    first?.()
    await settled()
    expect(admitted.slice(3)).toEqual(['b1'])
  })

  test('admits the waiters of a key in order', async () => {
    const { admitted, enter } = watched(createKeyedSemaphore({ places: 1, perKey: 1 }))
    const first = await enter('a1')
    const rest = ['a2', 'a3', 'a4'].map(enter)
    first()
    for (const one of rest) (await one)()
    expect(admitted).toEqual(['a1', 'a2', 'a3', 'a4'])
  })

  test('alternates between keys with many waiters', async () => {
    const { admitted, enter } = watched(createKeyedSemaphore({ places: 1, perKey: 1 }))
    const first = await enter('a0')
    const rest = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3'].map((name) => enter(name).then((release) => release()))
    first()
    await Promise.all(rest)
    expect(admitted).toEqual(['a0', 'a1', 'b1', 'a2', 'b2', 'a3', 'b3'])
  })
})

describe('waiting', () => {
  test('ends after waitMs, with the reason share or all', async () => {
    const semaphore = createKeyedSemaphore<string>({ places: 2, perKey: 1 })
    await semaphore.acquire('a')
    await expect(semaphore.acquire('a', { waitMs: 1 })).rejects.toMatchObject({ reason: 'share' })
    await semaphore.acquire('b')
    await expect(semaphore.acquire('c', { waitMs: 1 })).rejects.toMatchObject({ reason: 'all' })
    expect(semaphore.usage).toEqual({ taken: 2, waiting: 0 })
  })

  test('is refused immediately if too many of the key wait', async () => {
    const semaphore = createKeyedSemaphore<string>({ places: 1, perKey: 1 })
    const release = await semaphore.acquire('a')
    const second = semaphore.acquire('a', { waitingMax: 1 })
    await expect(semaphore.acquire('a', { waitingMax: 1 })).rejects.toBeInstanceOf(NoPlaceError)
    release()
    ;(await second)()
  })

  test('ends when it is aborted, and the next waiter gets the place', async () => {
    const semaphore = createKeyedSemaphore<string>({ places: 1, perKey: 1 })
    const release = await semaphore.acquire('a')
    const abort = new AbortController()
    const given = semaphore.acquire('a', { signal: abort.signal })
    const next = semaphore.acquire('a')
    abort.abort(new Error('disconnected'))
    await expect(given).rejects.toThrow('disconnected')
    release()
    ;(await next)()
    expect(semaphore.usage).toEqual({ taken: 0, waiting: 0 })
  })

  test('a place that is released twice counts once', async () => {
    const semaphore = createKeyedSemaphore<string>({ places: 2, perKey: 2 })
    const [first] = [await semaphore.acquire('a'), await semaphore.acquire('a')]
    first()
    first()
    expect(semaphore.usage.taken).toBe(1)
  })
})

type Act = { act: 'enter' | 'leave' | 'abort'; key: number; pick: number }

const acts = fc.array(
  fc.record<Act>({
    act: fc.constantFrom('enter', 'enter', 'leave', 'abort'),
    key: fc.integer({ min: 0, max: 4 }),
    pick: fc.nat(),
  }),
  { maxLength: 200 },
)

interface Visit {
  key: number
  release: Release | undefined
  abort: AbortController
  isOver: boolean
}

async function takePart(semaphore: KeyedSemaphore<number>, visits: Visit[], { act, key, pick }: Act) {
  if (act === 'enter') {
    const visit: Visit = { key, release: undefined, abort: new AbortController(), isOver: false }
    visits.push(visit)
    void semaphore.acquire(key, { signal: visit.abort.signal }).then(
      (release) => {
        visit.release = release
      },
      () => {
        visit.isOver = true
      },
    )
  } else {
    const which = visits.filter(({ release, isOver }) => !isOver && (act === 'leave') === Boolean(release))
    const visit = which[pick % Math.max(1, which.length)]
    if (!visit) return
    if (act === 'abort') visit.abort.abort(new Error('disconnected'))
    else {
      visit.isOver = true
      visit.release?.()
    }
  }
  await settled()
}

test('in any order of calls: keeps the limits, uses free places, and serves every request', async () => {
  await fc.assert(
    fc.asyncProperty(
      acts,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 4 }),
      async (plan, ...limits) => {
        const [places, perKey] = limits
        const semaphore = createKeyedSemaphore<number>({ places, perKey })
        const visits: Visit[] = []
        const inside = () => visits.filter(({ release, isOver }) => release && !isOver)
        const outside = () => visits.filter(({ release, isOver }) => !release && !isOver)
        const heldBy = (key: number) => inside().filter((visit) => visit.key === key).length
        for (const act of plan) {
          await takePart(semaphore, visits, act)
          expect(inside().length).toBeLessThanOrEqual(places)
          for (const { key } of inside()) expect(heldBy(key)).toBeLessThanOrEqual(perKey)
          // While a place is free, a key waits only if it holds its share.
          if (inside().length < places) for (const { key } of outside()) expect(heldBy(key)).toBe(perKey)
          // The waiters of a key are admitted in order.
          for (const { key } of outside()) {
            const own = visits.filter((visit) => visit.key === key && !(visit.isOver && !visit.release))
            const firstOutside = own.findIndex(({ release }) => !release)
            expect(own.slice(firstOutside).every(({ release }) => !release)).toBe(true)
          }
          expect(semaphore.usage).toEqual({ taken: inside().length, waiting: outside().length })
        }
        while (inside().length > 0) await takePart(semaphore, visits, { act: 'leave', key: 0, pick: 0 })
        expect(outside()).toEqual([])
      },
    ),
    { numRuns: 200 },
  )
})

describe('tryWithin', () => {
  test('does not start work without a free place, and releases the place after success or failure', async () => {
    const semaphore = createKeyedSemaphore<string>({ places: Number.POSITIVE_INFINITY, perKey: 1 })
    const first = Promise.withResolvers<string>()
    const done = semaphore.tryWithin('a', () => first.promise)
    let isBegun = false
    const begin = async () => {
      isBegun = true
      throw new Error('failed')
    }
    expect(await semaphore.tryWithin('a', begin)).toBeUndefined()
    expect(isBegun).toBe(false)
    expect(await semaphore.tryWithin('b', async () => 'other')).toBe('other')
    first.resolve('one')
    expect(await done).toBe('one')
    await expect(semaphore.tryWithin('a', begin)).rejects.toThrow('failed')
    expect(semaphore.usage).toEqual({ taken: 0, waiting: 0 })
  })
})
