import { later } from './later.tsx'

/** A question or a form above the page. Render it while it is open. */
export const Dialog = later(async () => (await import('./dialog-box.tsx')).DialogBox)
