// Connects records through pairs: union-find over numbers from 0.
import type { Turns } from './turns.ts'

export class Unions {
  #parents = new Int32Array(1024)
  #size = 0

  /** Adds the next number, in its own group. */
  add(): number {
    if (this.#size === this.#parents.length) {
      const grown = new Int32Array(this.#parents.length * 2)
      grown.set(this.#parents)
      this.#parents = grown
    }
    this.#parents[this.#size] = this.#size
    return this.#size++
  }

  #rootOf(one: number): number {
    const parents = this.#parents
    let root = one
    while (parents[root] !== root) root = parents[root] as number
    for (let at = one; at !== root; ) {
      const next = parents[at] as number
      parents[at] = root
      at = next
    }
    return root
  }

  join(a: number, b: number): void {
    const [one, other] = [this.#rootOf(a), this.#rootOf(b)]
    // The lowest number is the root, so that groups are in the order of their first members.
    if (one < other) this.#parents[other] = one
    else this.#parents[one] = other
  }

  /**
   * The first groups of at least two numbers, each in ascending order. Yields to other work.
   * @throws when the signal of `turns` aborts
   */
  async groups(turns: Turns, most = Number.POSITIVE_INFINITY): Promise<number[][]> {
    const isJoined = new Uint8Array(this.#size)
    for (let one = 0; one < this.#size; one++) {
      await turns.pass()
      const root = this.#rootOf(one)
      if (root !== one) isJoined[root] = 1
    }
    const byRoot = new Map<number, number[]>()
    for (let one = 0; one < this.#size; one++) {
      await turns.pass()
      if (isJoined[one] && byRoot.size < most) byRoot.set(one, [one])
      else byRoot.get(this.#rootOf(one))?.push(one)
    }
    return [...byRoot.values()]
  }
}
