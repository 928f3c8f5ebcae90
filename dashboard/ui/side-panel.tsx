import { later } from './later.tsx'

/** The panel on the right, for creating a record and for a quick look. Render it while it is open. */
export const SidePanel = later(async () => (await import('./side-panel-box.tsx')).SidePanelBox)
