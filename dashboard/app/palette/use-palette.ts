// State of the search: the results for the typed text, the active entry, and the keys.
import { type KeyboardEvent, useEffect, useState } from 'react'
import type { Entry, EntryGroup } from './entry.ts'
import { isExact, isMatch } from './matching.ts'
import { useFound, useOpened } from './use-found.ts'
import { useCommands, usePages } from './use-places.ts'

const matching = (entries: readonly Entry[], text: string): Entry[] =>
  entries.filter(({ title, alsoKnownAs }) => isMatch(text, title, alsoKnownAs))

/** Records come first, unless the title of a page or command begins with the typed text. */
export function arranged(
  text: string,
  records: readonly EntryGroup[],
  places: readonly EntryGroup[],
): EntryGroup[] {
  const found = places.map(({ title, entries }) => ({ title, entries: matching(entries, text) }))
  const isMeant = ({ entries }: EntryGroup) => entries.some(({ title }) => isExact(text, title))
  const groups = [...found.filter(isMeant), ...records, ...found.filter((group) => !isMeant(group))]
  return groups.filter(({ entries }) => entries.length > 0)
}

interface PaletteOptions {
  onClose(): void
  showShortcuts(): void
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

function useGroups(text: string, showShortcuts: () => void) {
  const found = useFound(text)
  const opened = useOpened()
  const places = [
    { title: 'Pages', entries: usePages() },
    { title: 'Commands', entries: useCommands(showShortcuts) },
  ]
  const records =
    text.trim() === ''
      ? [{ title: 'Recently viewed', entries: opened }]
      : [
          { title: 'Records', entries: found.entries },
          { title: 'Activities', entries: found.activities },
        ]
  return { found, groups: arranged(text, records, places) }
}

export function usePalette({ onClose, showShortcuts }: PaletteOptions) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<string>()
  /** Enter was pressed before the results arrived: the first result is opened when they arrive. */
  const [isAwaited, setAwaited] = useState(false)
  const { found, groups } = useGroups(text, showShortcuts)
  const entries = groups.flatMap((group) => group.entries)
  const place = Math.max(
    0,
    entries.findIndex(({ id }) => id === chosen),
  )
  const active = entries[place]
  const isOpen = !found.isLooking || chosen !== undefined || (active && isExact(text, active.title))

  const run = (entry: Entry) => {
    onClose()
    entry.run()
  }
  useEffect(() => {
    if (!isAwaited || found.isLooking) return
    setAwaited(false)
    if (active) run(active)
  })

  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step !== undefined) {
      setChosen(entries.at((place + step) % Math.max(1, entries.length))?.id)
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      if (isOpen && active) run(active)
      else setAwaited(found.isLooking)
    } else return
    event.preventDefault()
  }
  const change = (next: string) => {
    setText(next)
    setChosen(undefined)
    setAwaited(false)
  }
  return { text, change, groups, active, choose: setChosen, run, onKeyDown, found }
}
