// What a feature adds to the sidebar, the settings and the search: each has a list of this form in its navigation.ts.
import type { LucideIcon } from 'lucide-react'
import type { CrmObject } from './api/objects.ts'

interface Entry {
  title: string
  icon: LucideIcon
  /** Other words one may type for it in the search. */
  alsoKnownAs: string
}

/** A page of an organization, in the sidebar and the search. */
export interface PageEntry extends Entry {
  to(org: string): string
  /** Its heading in the sidebar; the first pages have none. To that of the bell the bell itself leads. */
  section?: 'Automate' | 'Bell'
}

/** A page of the settings, in their own navigation and the search. */
export interface SettingsEntry extends Entry {
  to(org: string): string
  group: 'You' | 'Organization' | 'Developers'
  /** In the navigation, where the title would repeat that of the group. */
  label?: string
}

/** Something to create, in the search. */
export interface CommandEntry extends Entry {
  to(org: string): string
  search?: object
}

/** The same for each object. */
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
