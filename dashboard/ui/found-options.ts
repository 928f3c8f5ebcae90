// Options of pickers, and those that a text finds among them.
import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from '@mantine/core'

export interface Option extends ComboboxItem {
  /** Tells it apart from others with the same name: shown at its right. */
  hint?: string | undefined
}

export interface Found {
  options: readonly Option[]
  /** They were found for the text as it is now. */
  isFresh: boolean
  /** The service stopped before it had looked through everything: there may be more. */
  isPartial?: boolean
  /** The service could not search. */
  isFailed?: boolean
  /** Searches again. */
  retry?(): void
}

/** Pause in typing, in ms, after which the service is asked. */
export const TYPING_MS = 150

/** Begins the values of options that do something instead of being a value. No value and no id begins with it. */
export const ACTION = '\u0000'
export const isAction = (value: unknown): boolean => typeof value === 'string' && value.startsWith(ACTION)

/** Those of all groups. */
export const flat = (options: readonly ComboboxParsedItem[]): Option[] =>
  options.flatMap((one) => ('group' in one ? one.items : [one]))

type IsShown = (option: Option) => boolean

/** The first `limit` of those that are shown; a group without any has no heading. */
function only(options: readonly ComboboxParsedItem[], isShown: IsShown, limit: number): ComboboxParsedItem[] {
  let left = limit
  const first = (items: readonly Option[]) => {
    const shown = items.filter(isShown).slice(0, left)
    left -= shown.length
    return shown
  }
  return options.flatMap<ComboboxParsedItem>((one) => {
    if (!('group' in one)) return first([one])
    const items = first(one.items)
    return items.length > 0 ? { ...one, items } : []
  })
}

/** Those with the text in their names or hints. */
export const withText: OptionsFilter = ({ options, search, limit }) => {
  const text = search.trim().toLowerCase()
  const isShown: IsShown = ({ label, hint = '' }) => `${label} ${hint}`.toLowerCase().includes(text)
  return only(options, isShown, limit)
}

/** While something is typed, what the service found, and actions. */
export function foundOnly(found: Found): OptionsFilter {
  const values = new Set(found.options.map(({ value }) => value))
  return ({ options, search, limit }) => {
    const isBlank = search.trim() === ''
    return only(options, ({ value }) => isBlank || values.has(value) || isAction(value), limit)
  }
}
