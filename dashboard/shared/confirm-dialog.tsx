import { later } from '../ui/later.tsx'

/** Asks for confirmation before a deletion or a restore. Render it while it is open. */
export const ConfirmDialog = later(async () => (await import('./confirm-box.tsx')).ConfirmBox)
