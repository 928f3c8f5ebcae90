// Ids: UUIDv7, monotonic within a process; createdAt is the id's time.
import { v7 } from 'uuid'

export const newId = (): string => v7()

/** An id as of `at`: for sample data that spreads over past months. */
export const newIdAt = (at: Date): string => v7({ msecs: at.getTime() })

/** Milliseconds since 1970 in a UUIDv7. */
export const idTime = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** The smallest UUIDv7 of a moment: a bound for ranges of ids. */
export function lowestIdAt(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`
}
