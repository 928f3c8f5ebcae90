// Entries of a feature in the sidebar, the settings and the search. Each feature lists them in its navigation.ts.
import type { LucideIcon } from 'lucide-react'
import type { CrmObject } from './api/objects.ts'

interface Entry {
  title: string
  icon: LucideIcon
  /** Other words that find the entry in the search. */
  alsoKnownAs: string
}

/** A page of an organization, in the sidebar and the search. */
export interface PageEntry extends Entry {
  to(org: string): string
  /**
   * The heading above the entry in the sidebar. The first pages have none. The `Bell` entry is not listed there: the
   * bell leads to it.
   */
  section?: 'Automate' | 'Bell'
}

/** A page of the settings, in their own navigation and the search. */
export interface SettingsEntry extends Entry {
  to(org: string): string
  group: 'You' | 'Organization' | 'Developers'
  /** Replaces the title in the navigation, where the title would repeat the group's name. */
  label?: string
}

/** A command to create something, in the search. */
export interface CommandEntry extends Entry {
  to(org: string): string
  search?: object
}

/** A command for each object. */
export interface ObjectCommandEntry extends Omit<Entry, 'title'> {
  title(object: CrmObject): string
  to(org: string, object: string): string
  search?: object
}

export interface Navigation {
  pages?: readonly PageEntry[]
  settings?: readonly SettingsEntry[]
  commands?: readonly CommandEntry[]
  objectCommands?: readonly ObjectCommandEntry[]
}
