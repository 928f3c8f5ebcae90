// Arranges the tiles of a dashboard: changes are shown immediately, saved one after the other, and can be undone.
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { toastError } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import {
  type ReportDashboard,
  type ReportTile,
  reportDashboardQuery,
  reportDashboardsQuery,
  updateReportDashboard,
} from '../api/report-dashboards.ts'
import { isSameLayout, type Tiles } from './layout.ts'

const UNDO_MAX = 50

export interface Arranging {
  tiles: Tiles
  /** Applies a change, shows and saves the result, and returns it. */
  arrange(change: (tiles: Tiles) => Tiles): Tiles
  /** Undoes the last change; undefined: nothing to undo. */
  undo: (() => void) | undefined
}

/** Tiles, and the saved version on which they are based. */
interface Shown {
  tiles: Tiles
  version: number
}

interface SavingOptions {
  dashboardId: string
  /** The version that the user saw when arranging, not a newer one. */
  basedOn(): number
  onSaved(saved: ReportDashboard): void
  onEnd(isSaved: boolean): void
}

/** Saves the latest tiles. States between two saves are skipped. */
function useSaving({ dashboardId, basedOn, onSaved, onEnd }: SavingOptions) {
  const org = useOrg()
  const client = useQueryClient()
  const wanted = useRef<Tiles>(undefined)
  const isBusy = useRef(false)
  const { queryKey } = reportDashboardQuery(org, dashboardId)

  const saveOne = async (tiles: Tiles) => {
    const body = { tiles: [...tiles], basedOn: basedOn() }
    const saved = await updateReportDashboard(org, dashboardId, body)
    // The answer of an earlier request would show the old places again.
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, saved)
    onSaved(saved)
    // The list of dashboards contains the number of tiles.
    void client.invalidateQueries({ queryKey: reportDashboardsQuery(org).queryKey })
  }
  const saveAll = async () => {
    for (let next = wanted.current; next; next = wanted.current) {
      wanted.current = undefined
      await saveOne(next)
    }
  }
  return async (tiles: Tiles) => {
    wanted.current = tiles
    if (isBusy.current) return
    isBusy.current = true
    try {
      await saveAll()
      onEnd(true)
    } catch (error) {
      wanted.current = undefined
      toastError(error, 'The dashboard is shown as it was saved.')
      onEnd(false)
      await client.invalidateQueries({ queryKey })
    } finally {
      isBusy.current = false
    }
  }
}

/** The layouts before each change. Dropped when another person saves, because an undo would remove their tiles. */
function usePast() {
  const past = useRef<{ version: number; layouts: readonly Tiles[] }>({ version: 0, layouts: [] })
  const of = ({ version }: Shown) => (past.current.version === version ? past.current.layouts : [])
  return {
    has: (shown: Shown) => of(shown).length > 0,
    push: (shown: Shown) => {
      past.current = { version: shown.version, layouts: [...of(shown), shown.tiles].slice(-UNDO_MAX) }
    },
    pop: (shown: Shown): Tiles | undefined => {
      const layouts = of(shown)
      past.current = { version: shown.version, layouts: layouts.slice(0, -1) }
      return layouts.at(-1)
    },
    /** Called when the changes were saved as `version`. */
    follow: (shown: Shown, version: number) => {
      past.current = { version, layouts: of(shown) }
    },
    clear: () => {
      past.current = { version: 0, layouts: [] }
    },
  }
}

/** Shows the local arrangement until it is saved and the loaded dashboard has the saved version or a later one. */
function useShown(dashboard: ReportDashboard) {
  const [own, setOwn] = useState<Shown & { isSaved: boolean }>()
  const isOwn = own !== undefined && (!own.isSaved || own.version > dashboard.version)
  const { tiles, version }: Shown = isOwn ? own : dashboard
  // Key presses and undo messages may be faster than rendering, so they read the current state from this ref.
  const now = useRef<Shown>({ tiles, version })
  now.current = { tiles, version }
  return {
    now,
    show: (shown: Shown) => {
      now.current = shown
      setOwn({ ...shown, isSaved: false })
    },
    settle: () => setOwn({ ...now.current, isSaved: true }),
    reset: () => setOwn(undefined),
  }
}

export function useTiles(dashboard: ReportDashboard): Arranging {
  const { now, show, settle, reset } = useShown(dashboard)
  const past = usePast()
  const save = useSaving({
    dashboardId: dashboard.id,
    basedOn: () => now.current.version,
    onSaved: ({ version }) => {
      past.follow(now.current, version)
      show({ ...now.current, version })
    },
    onEnd: (isSaved) => {
      if (isSaved) return settle()
      past.clear()
      reset()
    },
  })
  const change = (tiles: Tiles) => {
    show({ ...now.current, tiles })
    void save(tiles)
  }
  const arrange = (how: (tiles: Tiles) => Tiles) => {
    const before = now.current.tiles
    const next = how(before)
    if (isSameLayout(before, next)) return before
    past.push(now.current)
    change(next)
    return next
  }
  const undo = () => {
    const last = past.pop(now.current)
    if (last) change(last)
  }
  return { tiles: now.current.tiles, arrange, undo: past.has(now.current) ? undo : undefined }
}

/** Changes the title of a tile. With an empty title, the tile shows the name of its report. */
export const titled = (tiles: Tiles, id: string, title: string): ReportTile[] =>
  tiles.map((tile) => {
    if (tile.id !== id) return tile
    const { title: _, ...untitled } = tile
    return title === '' ? untitled : { ...untitled, title }
  })
