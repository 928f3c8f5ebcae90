// Options of pickers, and filters that find options by text.
import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from '@mantine/core'

export interface Option extends ComboboxItem {
  /** Shown on the right, to distinguish options with the same name. */
  hint?: string | undefined
}

export interface Found {
  options: readonly Option[]
  /** The options are the results for the current text. */
  isFresh: boolean
  /** The service stopped before it had searched everything, so there may be more options. */
  isPartial?: boolean
  /** The search failed. */
  isFailed?: boolean
  /** Searches again. */
  retry?(): void
}

/** Pause in typing, in ms, before the service is queried. */
export const TYPING_MS = 150

/** Prefix of the values of options that perform an action. No other value or id begins with it. */
export const ACTION = '\u0000'
export const isAction = (value: unknown): boolean => typeof value === 'string' && value.startsWith(ACTION)

/** The options of all groups. */
export const flat = (options: readonly ComboboxParsedItem[]): Option[] =>
  options.flatMap((one) => ('group' in one ? one.items : [one]))

type IsShown = (option: Option) => boolean

/** The first `limit` options that are shown. A group without shown options has no heading. */
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

/** Filters options by the text in their names or hints. */
export const withText: OptionsFilter = ({ options, search, limit }) => {
  const text = search.trim().toLowerCase()
  const isShown: IsShown = ({ label, hint = '' }) => `${label} ${hint}`.toLowerCase().includes(text)
  return only(options, isShown, limit)
}

/** With typed text, shows only the results of the service, and actions. */
export function foundOnly(found: Found): OptionsFilter {
  const values = new Set(found.options.map(({ value }) => value))
  return ({ options, search, limit }) => {
    const isBlank = search.trim() === ''
    return only(options, ({ value }) => isBlank || values.has(value) || isAction(value), limit)
  }
}
