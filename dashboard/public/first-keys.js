// ⌘K on a page that is not drawn yet: the key, and what is typed after it, are kept until the search can take them
// (app/palette/first-keys.ts).
;(() => {
  // This file came after the page, which handles its keys.
  if (window.firstKeys === null) return
  const keys = []
  const isSearchKey = ({ key, metaKey, ctrlKey, shiftKey, altKey }) =>
    key.toLowerCase() === 'k' && (metaKey || ctrlKey) && !shiftKey && !altKey
  const isTyped = ({ key, metaKey, ctrlKey }) =>
    !metaKey && !ctrlKey && (key.length === 1 || /^(?:Enter|Escape|Backspace|Arrow(?:Up|Down))$/.test(key))
  // The shell, or the page that is shown while the first data is on its way.
  const isWaiting = () => document.querySelector('.shell, [aria-busy=true]') !== null
  const keep = (event) => {
    // The page has taken them, or is one without a search.
    if (window.firstKeys !== keys || !isWaiting()) {
      window.firstKeys = null
      removeEventListener('keydown', keep, true)
    } else if (isSearchKey(event) || (keys.length > 0 && isTyped(event))) {
      event.preventDefault()
      keys.push(event)
    }
  }
  window.firstKeys = keys
  addEventListener('keydown', keep, true)
})()
