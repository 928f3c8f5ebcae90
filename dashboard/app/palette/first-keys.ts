// ⌘K and the keys after it that were pressed before the page was rendered (public/first-keys.js).

declare global {
  interface Window {
    /** Null after takeFirstKeys. */
    firstKeys?: KeyboardEvent[] | null
  }
}

type Key = Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>

export const isSearchKey = ({ key, metaKey, ctrlKey, shiftKey, altKey }: Key) =>
  key.toLowerCase() === 'k' && (metaKey || ctrlKey) && !shiftKey && !altKey

/** @returns the keys that belong to the search; undefined when the search was not opened, or was closed again */
export function searchedFirst(keys: readonly Key[]): string[] | undefined {
  const isOpen = keys.filter(isSearchKey).length % 2 === 1
  return isOpen ? keys.slice(keys.findLastIndex(isSearchKey) + 1).map(({ key }) => key) : undefined
}

/** Takes the keys. It is called once: after it the page handles keys itself. */
export function takeFirstKeys(): string[] | undefined {
  const { firstKeys } = window
  window.firstKeys = null
  return searchedFirst(firstKeys ?? [])
}
