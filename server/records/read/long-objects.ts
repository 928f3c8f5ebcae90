const OBJECTS_MAX = 10_000

/**
 * Objects whose records are too long for a batch, and are read one by one. Forgets all objects when there are too many.
 */
export class LongObjects {
  readonly #numbers = new Set<number>()

  has(obj: number): boolean {
    return this.#numbers.has(obj)
  }

  add(obj: number): void {
    if (this.#numbers.size >= OBJECTS_MAX) this.#numbers.clear()
    this.#numbers.add(obj)
  }
}
