// What planning knows and finds. Planning reads no database: a model that it does not have yet it asks for, and begins
// again with it (`needs`).
import type { Problem } from '../../../contract/errors.ts'
import type { ObjectModel } from '../../attributes/models.ts'
import type { Locale } from '../../records/values.ts'

/** By id or slug as it is asked for; null: there is no such object. */
export type KnownModels = ReadonlyMap<string, ObjectModel | null>

export interface Surroundings {
  /** The organization's; its currency is that of records without an amount. */
  locale: Locale
  timeZone: string
  /** `YYYY-MM-DD` there */
  today: string
}

const PROBLEMS_MAX = 50

export class Planning {
  readonly problems: Problem[] = []
  /** Models to be loaded before the definition can be judged. */
  readonly needs = new Set<string>()
  readonly known: KnownModels
  readonly surroundings: Surroundings

  constructor(known: KnownModels, surroundings: Surroundings) {
    this.known = known
    this.surroundings = surroundings
  }

  /** Notes a problem; answers undefined, so that it can stand for what could not be made. */
  note(path: string, code: string, message: string): undefined {
    if (this.problems.length < PROBLEMS_MAX) this.problems.push({ path, code, message })
  }

  /** @returns undefined when there is none, or none is known yet */
  model(ref: string): ObjectModel | null | undefined {
    const found = this.known.get(ref)
    if (found === undefined) this.needs.add(ref)
    return found
  }
}
