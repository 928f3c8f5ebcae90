// What the search offers: a record, a page, a command.
import type { LucideIcon } from 'lucide-react'

export interface Entry {
  id: string
  title: string
  icon: LucideIcon
  /** The record it leads to, which may have a picture. */
  record?: { object: string; recordId: string }
  /** What kind of thing it is. */
  note?: string | undefined
  /** What tells a record apart from others of the same name. */
  hint?: string | undefined
  /** Why it was found, when not by its title. */
  matched?: string | undefined
  /** Other words one may type for it. */
  alsoKnownAs?: string
  run(): void
}

export interface EntryGroup {
  title: string
  entries: readonly Entry[]
}
