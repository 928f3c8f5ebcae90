// Organizations of very different sizes, and the load that each cell gets from them.
import { createRandom } from '../../server/demo/random.ts'

/** A group has a hundredth of the number of all larger organizations. */
const GROUP_PART = 100

/** Zipf: the nth largest has a load in proportion to 1 / n^exponent. @returns shares of all load, largest first */
export function zipf(count: number, exponent: number): Float64Array {
  const shares = Float64Array.from({ length: count }, (_, n) => (n + 1) ** -exponent)
  const sum = shares.reduce((total, share) => total + share, 0)
  return shares.map((share) => share / sum)
}

/** Places organizations like `chooseCell` of the service: in random order, each in the cell with the fewest. */
export function placeByCount(shares: Float64Array, cells: number, seed = 1): Float64Array {
  const order = Uint32Array.from(shares, (_, n) => n)
  const random = createRandom(seed)
  for (let n = order.length - 1; n > 0; n--) {
    const other = random.integer(0, n)
    const moved = order[n] ?? 0
    order[n] = order[other] ?? 0
    order[other] = moved
  }
  const loads = new Float64Array(cells)
  for (const [turn, organization] of order.entries())
    loads[turn % cells] = (loads[turn % cells] ?? 0) + (shares[organization] ?? 0)
  return loads
}

/**
 * Moves the `moved` largest organizations one by one to the cell with the least load, then spreads the others, which
 * are small, over the cells with the least load: the best possible result of moves. @returns the loads of the cells
 */
export function moveLargest(shares: Float64Array, cells: number, moved: number): Float64Array {
  const loads = new Float64Array(cells)
  for (const share of shares.subarray(0, moved)) {
    const place = loads.indexOf(Math.min(...loads))
    loads[place] = (loads[place] ?? 0) + share
  }
  const rest = shares.subarray(moved).reduce((sum, share) => sum + share, 0)
  return fillUp(loads, rest)
}

/** Spreads `rest` so that the least loaded cells become equal. */
function fillUp(loads: Float64Array, rest: number): Float64Array {
  const sorted = loads.toSorted()
  let [level, sum] = [0, 0]
  for (const [place, load] of sorted.entries()) {
    sum += load
    level = (sum + rest) / (place + 1)
    if (level <= (sorted[place + 1] ?? Number.POSITIVE_INFINITY)) break
  }
  return loads.map((load) => Math.max(load, level))
}

/** Share of all load that the busiest cell has. */
export const busiest = (loads: Float64Array): number => Math.max(...loads)

/** Groups organizations of similar size, so that a million become few groups. @returns mean share and size of each */
export function groups(shares: Float64Array): { share: number; count: number }[] {
  const found: { share: number; count: number }[] = []
  for (let from = 0; from < shares.length; ) {
    const group = shares.subarray(from, from + Math.ceil((from + 1) / GROUP_PART))
    found.push({ share: group.reduce((sum, share) => sum + share, 0) / group.length, count: group.length })
    from += group.length
  }
  return found
}
