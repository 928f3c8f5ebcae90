// ⌘K, and what was typed after it, from before the page was drawn (public/first-keys.js).

declare global {
  interface Window {
    /** Null once they are taken. */
    firstKeys?: KeyboardEvent[] | null
  }
}

type Key = Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>

export const isSearchKey = ({ key, metaKey, ctrlKey, shiftKey, altKey }: Key) =>
  key.toLowerCase() === 'k' && (metaKey || ctrlKey) && !shiftKey && !altKey

/** @returns what is meant for the search; undefined where it was not asked for, or closed again */
export function searchedFirst(keys: readonly Key[]): string[] | undefined {
  const isOpen = keys.filter(isSearchKey).length % 2 === 1
  return isOpen ? keys.slice(keys.findLastIndex(isSearchKey) + 1).map(({ key }) => key) : undefined
}

/** Once: from then on the page handles keys itself. */
export function takeFirstKeys(): string[] | undefined {
  const { firstKeys } = window
  window.firstKeys = null
  return searchedFirst(firstKeys ?? [])
}
