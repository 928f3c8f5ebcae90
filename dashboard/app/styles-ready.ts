// Style sheets that the document only loads, so that its shell is drawn without them (dashboard/starts.ts).

/** Applies a sheet. @returns settles when it is there; a page without it is better than none */
async function apply(link: HTMLLinkElement): Promise<void> {
  link.media = 'all'
  if (link.sheet) return
  await new Promise((resolve) => {
    link.addEventListener('load', resolve)
    link.addEventListener('error', resolve)
  })
}

/** In their place in the document: sheets of pages, which come later, win over them. */
export const applyStyles = () =>
  Promise.all([...document.querySelectorAll<HTMLLinkElement>('link[media=print]')].map(apply))
