// Style sheets that the document loads but does not apply, so that the shell is drawn without them
// (dashboard/starts.ts).

/** Applies a style sheet. @returns settles when it is loaded or has failed: a page without it is better than no page */
async function apply(link: HTMLLinkElement): Promise<void> {
  link.media = 'all'
  if (link.sheet) return
  await new Promise((resolve) => {
    link.addEventListener('load', resolve)
    link.addEventListener('error', resolve)
  })
}

/** The sheets keep their place in the document, so that style sheets of pages, which come later, override them. */
export const applyStyles = () =>
  Promise.all([...document.querySelectorAll<HTMLLinkElement>('link[media=print]')].map(apply))
