// The state of planning. Planning does not read the database: it returns the models that it needs (`needs`), and
// starts again with them.
import type { Problem } from '../../../contract/errors.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import type { Locale } from '../../records/values/attribute.ts'

/** Keyed by the id or slug in the definition; null: there is no such object. */
export type KnownModels = ReadonlyMap<string, ObjectModel | null>

export interface Surroundings {
  /** The locale of the organization; its currency applies to records without an amount. */
  locale: Locale
  timeZone: string
  /** `YYYY-MM-DD` in that time zone */
  today: string
}

const PROBLEMS_MAX = 50

export class Planning {
  readonly problems: Problem[] = []
  /** Models to load before the definition can be checked. */
  readonly needs = new Set<string>()
  readonly known: KnownModels
  readonly surroundings: Surroundings

  constructor(known: KnownModels, surroundings: Surroundings) {
    this.known = known
    this.surroundings = surroundings
  }

  /** Adds a problem. Returns undefined, so that a planner can return its result. */
  note(path: string, code: string, message: string): undefined {
    if (this.problems.length < PROBLEMS_MAX) this.problems.push({ path, code, message })
  }

  /** @returns undefined if the object does not exist or is not loaded yet */
  model(ref: string): ObjectModel | null | undefined {
    const found = this.known.get(ref)
    if (found === undefined) this.needs.add(ref)
    return found
  }
}
