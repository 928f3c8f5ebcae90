// One of the systems that are compared, filled and running.
import type { Address } from './dialects.ts'

export interface Party {
  /** With its version. */
  title: string
  address: Address
  /** Of the people in the sample, in its order. */
  ids: readonly string[]
  /** Of its Node process. */
  pid: number
  /** Rows of its table, as SQL sees them. */
  countRows(): Promise<number>
}
