// What the search offers: a record, a page, a command.
import type { LucideIcon } from 'lucide-react'

export interface Entry {
  id: string
  title: string
  icon: LucideIcon
  /** What kind of thing it is, or why it was found. */
  note?: string | undefined
  /** Other words one may type for it. */
  alsoKnownAs?: string
  run(): void
}

export interface EntryGroup {
  title: string
  entries: readonly Entry[]
}
