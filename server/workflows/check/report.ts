import type { Problem } from '../../../contract/errors.ts'

/** More problems than a user corrects before the next check. */
const PROBLEMS_MAX = 200
const PATH_CHARS_MAX = 500

/** Collects problems: the first one for each path. */
export class CheckReport {
  readonly #problems = new Map<string, Problem>()

  add(path: string, code: string, message: string): void {
    if (this.#problems.size < PROBLEMS_MAX && !this.#problems.has(path))
      this.#problems.set(path, { path: path.slice(0, PATH_CHARS_MAX).toWellFormed(), code, message })
  }

  has(path: string): boolean {
    return this.#problems.has(path)
  }

  get problems(): Problem[] {
    return [...this.#problems.values()]
  }
}

export const under = (path: string, name: string): string => (path ? `${path}.${name}` : name)
