// Which panel is open, kept in the address so that it can be linked to and left with Back.
import { useNavigate, useSearch } from '@tanstack/react-router'

interface PanelSearch {
  panel?: string
}

/** For `validateSearch` of a page with panels. */
export const panelSearch = ({ panel }: { panel?: unknown }): PanelSearch =>
  typeof panel === 'string' ? { panel } : {}

export function usePanel(): { panel: string | undefined; open(name: string): void; close(): void } {
  const { panel } = useSearch({ strict: false }) as PanelSearch
  const navigate = useNavigate()
  // Every page that uses this has `panelSearch`, which the router cannot know of a page it does not name.
  const go = (search: PanelSearch) => void navigate({ to: '.', search: search as never, resetScroll: false })
  return { panel, open: (name) => go({ panel: name }), close: () => go({}) }
}
