// Moves cards by keyboard: Space picks up and drops, arrow keys choose the column, Esc cancels.
import { useEffect, useState } from 'react'
import type { CrmRecord } from '../../../shared/api/records.ts'
import type { ColumnValue } from './columns.ts'

export interface Held {
  record: CrmRecord
  from: ColumnValue
  to: ColumnValue
}

interface KeyboardMove {
  /** Columns that the card may be moved to, in order. */
  targets: readonly ColumnValue[]
  onDrop(held: Held): void
  announce: {
    picked(held: Held): void
    over(held: Held): void
    cancelled(held: Held): void
  }
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }
const DROPS = new Set([' ', 'Enter'])
const CANCELS = new Set(['Escape', 'Tab'])

/** The column next to the one that the card is over. At either end it is the same column. */
export function neighbour(
  targets: readonly ColumnValue[],
  { from, to }: Pick<Held, 'from' | 'to'>,
  step: 1 | -1,
): ColumnValue {
  // A card may be in a column that accepts no cards.
  const all = targets.includes(from) ? targets : [from, ...targets]
  return all[Math.min(all.length - 1, Math.max(0, all.indexOf(to) + step))] ?? null
}

export function useKeyboardMove({ targets, onDrop, announce }: KeyboardMove) {
  const [held, setHeld] = useState<Held>()

  function onKey(event: KeyboardEvent): void {
    if (!held) return
    const step = STEPS[event.key]
    if (!step && !DROPS.has(event.key) && !CANCELS.has(event.key)) return
    event.preventDefault()
    event.stopPropagation()
    if (step) {
      const over = { ...held, to: neighbour(targets, held, step) }
      setHeld(over)
      announce.over(over)
      return
    }
    setHeld(undefined)
    if (DROPS.has(event.key) && held.to !== held.from) onDrop(held)
    else announce.cancelled(held)
  }

  // Listens on the window, because a held card that is scrolled out of view is not rendered.
  useEffect(() => {
    if (!held) return
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  })

  const pickUp = (record: CrmRecord, from: ColumnValue) => {
    const picked = { record, from, to: from }
    setHeld(picked)
    announce.picked(picked)
  }
  return { held, pickUp, letGo: () => setHeld(undefined) }
}
