// Names of controls in the API reference at /docs, and focus for lists that scroll: some of Scalar's have none, or another
// name than what they show. Parts are drawn as they come into view, so the page is looked through after each change.

/** A script for the browser. */
export const NAME_CONTROLS = `function nameControls() {
  for (const button of document.querySelectorAll('button[aria-label^="Show all "]'))
    button.ariaLabel = button.ariaLabel.replace('Show all ', 'Show more: ')
  for (const button of document.querySelectorAll('button[aria-controls]:not([aria-label])'))
    if (button.innerText.trim() === '') button.ariaLabel = 'Show or hide'
  for (const card of document.querySelectorAll('.scalar-card-content.overflow-auto:not([tabindex])')) card.tabIndex = 0
}
new MutationObserver(nameControls).observe(document.getElementById('app'), { childList: true, subtree: true })
`
