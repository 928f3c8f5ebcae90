import { later } from './later.tsx'

/** The panel at the right: create and quick look. Render it while it is open. */
export const SidePanel = later(async () => (await import('./side-panel-box.tsx')).SidePanelBox)
