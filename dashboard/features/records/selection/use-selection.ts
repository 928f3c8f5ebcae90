// The selected records, visible or not.
import { useState } from 'react'
import type { RowSelection } from '../../../shared/table/table-context.ts'
import type { Rows } from '../table/use-rows.ts'
import { PAGE_SIZE } from '../view/search-body.ts'

export interface Selection {
  ids: ReadonlySet<string>
  /** Only the first records are selected: the service limits the number of ids. */
  isCut: boolean
  set(ids: Iterable<string>, isCut?: boolean): void
  clear(): void
  rows: RowSelection
}

/** Ids of the loaded rows in `[from, to]`. */
function* idsBetween({ at }: Rows, from: number, to: number): Generator<string> {
  for (let row = from; row <= to; row++) {
    const record = at(row)
    if (record) yield record.id
  }
}

const loadedIds = ({ loadedPages }: Rows) =>
  loadedPages().flatMap(([, records]) => records.map(({ id }) => id))

const without = (ids: ReadonlySet<string>, removed: Iterable<string>) => ids.difference(new Set(removed))

export function useSelection(rows: Rows): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [isCut, setCut] = useState(false)
  const [last, setLast] = useState(0)
  const set = (chosen: Iterable<string>, cut = false) => {
    setIds(new Set(chosen))
    setCut(cut)
  }
  // Checking all loaded records is expensive, so this first compares the counts.
  const isAll =
    ids.size > 0 &&
    ids.size >= Math.min(rows.total ?? 0, PAGE_SIZE) &&
    loadedIds(rows).every((id) => ids.has(id))
  return {
    ids,
    isCut,
    set,
    clear: () => set([]),
    rows: {
      has: (id) => ids.has(id),
      isAll,
      isSome: ids.size > 0,
      toggleAll: () => set(isAll ? [] : ids.union(new Set(loadedIds(rows)))),
      toggle: (row, extend) => {
        const id = rows.at(row)?.id
        if (id === undefined) return
        const [from, to] = extend ? [Math.min(last, row), Math.max(last, row)] : [row, row]
        const touched = [...idsBetween(rows, from, to)]
        // An updater function, because several key presses may arrive before the next render.
        setIds((now) => (now.has(id) ? without(now, touched) : now.union(new Set(touched))))
        setLast(row)
      },
    },
  }
}
