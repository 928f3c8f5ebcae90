// An entry of the search: a record, a page or a command.
import type { LucideIcon } from 'lucide-react'

export interface Entry {
  id: string
  title: string
  icon: LucideIcon
  /** The record that the entry leads to. It may have a picture. */
  record?: { object: string; recordId: string }
  /** The kind of the entry. */
  note?: string | undefined
  /** Distinguishes a record from others with the same name. */
  hint?: string | undefined
  /** The text that was found, when it is not the title. */
  matched?: string | undefined
  /** Other words that find the entry. */
  alsoKnownAs?: string
  run(): void
}

export interface EntryGroup {
  title: string
  entries: readonly Entry[]
}
