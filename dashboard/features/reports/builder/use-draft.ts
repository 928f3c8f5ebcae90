// The edited definition of a report, and the saved one.
import { useMemo, useState } from 'react'
import { useKeeping, useRestored } from '../../../shared/drafts/use-kept.ts'
import { begin, commit, type History, redo, undo } from '../../../shared/editing/history.ts'
import { type Action, type Draft, reduce } from './builder-state.ts'

export interface Drafting {
  draft: Draft
  /** @param tag names a text field: its consecutive changes are undone as a single step */
  act(action: Action, tag?: string): void
  undo(): void
  redo(): void
  canUndo: boolean
  canRedo: boolean
  isChanged: boolean
  /** Whether the draft was restored after a reload, and neither saved nor discarded since. */
  isRestored: boolean
  /** Replaces the draft by the saved definition. */
  discard(): void
  /** The saved version on which the draft is based; undefined for a new report. */
  basedOn: number | undefined
  /** Records that this draft was saved as this version. */
  markSaved(draft: Draft, version: number | undefined): void
}

export interface DraftStart {
  /** Key under which the draft is stored. */
  key: string
  definition: Draft
  version: number | undefined
}

interface Saved {
  definition: Draft
  version: number | undefined
}

const isSame = (one: Draft, other: Draft) => one === other || JSON.stringify(one) === JSON.stringify(other)

interface Kept {
  definition: Draft
  /** The saved version on which the draft is based; undefined for a new report. */
  basedOn: number | undefined
}

function isKept(found: object): found is Kept {
  const { definition } = found as { definition?: Partial<Draft> }
  return typeof definition?.source?.objectId === 'string' && typeof definition.name === 'string'
}

export function useDraft({ key, definition, version }: DraftStart): Drafting {
  const restored = useRestored(`report ${key}`, isKept)
  const [isRestored, setRestored] = useState(restored !== undefined)
  const [saved, setSaved] = useState<Saved>({ definition, version: restored ? restored.basedOn : version })
  const [history, setHistory] = useState<History<Draft>>(() => {
    const start = begin(definition)
    return restored ? commit(start, restored.definition) : start
  })
  const draft = history.present
  const isChanged = useMemo(() => !isSame(draft, saved.definition), [draft, saved])
  const kept = useMemo<Kept | undefined>(
    () => (isChanged ? { definition: draft, basedOn: saved.version } : undefined),
    [isChanged, draft, saved],
  )
  useKeeping(`report ${key}`, kept)
  return {
    draft,
    isChanged,
    isRestored: isRestored && isChanged,
    discard: () => {
      setHistory((before) => commit(before, saved.definition))
      setRestored(false)
    },
    basedOn: saved.version,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    act: (action, tag) => setHistory((before) => commit(before, reduce(before.present, action), tag)),
    undo: () => setHistory(undo),
    redo: () => setHistory(redo),
    markSaved: (one, at) => {
      setSaved({ definition: one, version: at })
      setRestored(false)
    },
  }
}
