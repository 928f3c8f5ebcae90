// The open panel is part of the address, so that it can be linked to and closed with Back.
import { useNavigate, useSearch } from '@tanstack/react-router'

interface PanelSearch {
  panel?: string
}

/** For `validateSearch` of pages with panels. */
export const panelSearch = ({ panel }: { panel?: unknown }): PanelSearch =>
  typeof panel === 'string' ? { panel } : {}

export function usePanel(): { panel: string | undefined; open(name: string): void; close(): void } {
  const { panel } = useSearch({ strict: false }) as PanelSearch
  const navigate = useNavigate()
  // Every page with this hook has `panelSearch`. The router's types need the page's name, so the type is cast.
  const go = (search: PanelSearch) => void navigate({ to: '.', search: search as never, resetScroll: false })
  return { panel, open: (name) => go({ panel: name }), close: () => go({}) }
}
