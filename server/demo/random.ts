// Random-looking numbers that depend only on the seed, on every machine.

export interface Random {
  /** From 0 inclusive to 1 exclusive. */
  next(): number
  /** A whole number from `min` to `max`. */
  integer(min: number, max: number): number
  pick<Item>(items: readonly Item[]): Item
  chance(probability: number): boolean
}

/** Spreads neighboring numbers over all 32 bits (the finalizer of MurmurHash3). */
function mix(seed: number): number {
  let bits = seed | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}

/** Mulberry32. `stream` gives each record its own numbers, which do not depend on the order of creation. */
export function createRandom(seed: number, stream = 0): Random {
  let state = mix(mix(seed) + stream * 0x9e3779b9)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 0x1_0000_0000
  }
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    integer,
    pick(items) {
      const item = items[integer(0, items.length - 1)]
      if (item === undefined) throw new Error('There is nothing to pick from')
      return item
    },
    chance: (probability) => next() < probability,
  }
}
