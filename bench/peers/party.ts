// One of the compared systems, running and filled with records.
import type { Address } from './dialects.ts'

export interface Party {
  /** Name in the results; with the version for peers. */
  title: string
  address: Address
  /** Ids of the people in the sample, in the same order. */
  ids: readonly string[]
  /** Process id of its Node process. */
  pid: number
  /** Counts the rows of its table by SQL. */
  countRows(): Promise<number>
}
