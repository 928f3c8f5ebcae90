// The tiles of a dashboard while they are arranged: shown at once, saved one after the other, and taken back.
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import {
  type ReportDashboard,
  type ReportTile,
  reportDashboardQuery,
  reportDashboardsQuery,
  updateReportDashboard,
} from '../../../api/report-dashboards.ts'
import { isSameLayout, type Tiles } from '../../../components/reports/dashboard/layout.ts'
import { useOrg } from '../../../components/use-organization.ts'
import { toastError } from '../../../ui/toast.ts'

const UNDO_MAX = 50

export interface Arranging {
  tiles: Tiles
  /** Shows what comes of it now, saves it and returns it. */
  arrange(change: (tiles: Tiles) => Tiles): Tiles
  /** Takes the last change back; undefined: there is none. */
  undo: (() => void) | undefined
}

/** Saves what is wanted last; what was wanted meanwhile is skipped. */
function useSaving(dashboardId: string, onEnd: (isSaved: boolean) => void) {
  const org = useOrg()
  const client = useQueryClient()
  const wanted = useRef<Tiles>(undefined)
  const isBusy = useRef(false)
  const { queryKey } = reportDashboardQuery(org, dashboardId)

  const saveOne = async (tiles: Tiles) => {
    // An answer from before would show the old places again.
    await client.cancelQueries({ queryKey })
    const basedOn = client.getQueryData(queryKey)?.version
    const saved = await updateReportDashboard(org, dashboardId, { tiles: [...tiles], basedOn })
    client.setQueryData(queryKey, saved)
    // It counts the tiles.
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

export function useTiles(dashboard: ReportDashboard): Arranging {
  const [draft, setDraft] = useState<Tiles>()
  const [canUndo, setCanUndo] = useState(false)
  const tiles = draft ?? dashboard.tiles
  // Keys and notes come faster than the page is drawn: they are asked what there is by then.
  const now = useRef(tiles)
  now.current = tiles
  const past = useRef<Tiles[]>([])
  const keep = (all: Tiles[]) => {
    past.current = all
    setCanUndo(all.length > 0)
  }
  const save = useSaving(dashboard.id, (isSaved) => {
    setDraft(undefined)
    if (!isSaved) keep([])
  })
  const show = (next: Tiles) => {
    now.current = next
    setDraft(next)
    void save(next)
  }
  const arrange = (change: (tiles: Tiles) => Tiles) => {
    const before = now.current
    const next = change(before)
    if (isSameLayout(before, next)) return before
    keep([...past.current, before].slice(-UNDO_MAX))
    show(next)
    return next
  }
  const undo = () => {
    const last = past.current.at(-1)
    if (!last) return
    keep(past.current.slice(0, -1))
    show(last)
  }
  return { tiles, arrange, undo: canUndo ? undo : undefined }
}

/** A tile with another title; without one it is called as its report. */
export const titled = (tiles: Tiles, id: string, title: string): ReportTile[] =>
  tiles.map((tile) => {
    if (tile.id !== id) return tile
    const { title: _, ...untitled } = tile
    return title === '' ? untitled : { ...untitled, title }
  })
