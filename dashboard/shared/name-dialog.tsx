import { later } from '../ui/later.tsx'

/** Asks for a name. Render it while it is open. */
export const NameDialog = later(async () => (await import('./name-box.tsx')).NameBox)
