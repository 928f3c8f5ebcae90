// The definition that is built, over the one that is saved.
import { useEffect, useMemo, useState } from 'react'
import { begin, commit, type History, redo, undo } from '../../../../shared/editing/history.ts'
import { type Action, type Draft, reduce } from './builder-state.ts'
import { keepDraft, readDraft } from './draft-store.ts'

export interface Drafting {
  draft: Draft
  /** @param tag of what is typed into one field: one step to undo */
  act(action: Action, tag?: string): void
  undo(): void
  redo(): void
  canUndo: boolean
  canRedo: boolean
  isChanged: boolean
  /** It came back after a reload. */
  isRestored: boolean
  /** The version that was changed; undefined of a new report. */
  basedOn: number | undefined
  /** It is saved as it is given here, as this version. */
  markSaved(draft: Draft, version: number | undefined): void
}

export interface DraftStart {
  /** What it is kept by. */
  key: string
  definition: Draft
  version: number | undefined
}

interface Saved {
  definition: Draft
  version: number | undefined
}

const isSame = (one: Draft, other: Draft) => one === other || JSON.stringify(one) === JSON.stringify(other)

/** Leaving the page by a link forgets what was not saved: that was asked about. */
function useKeeping(key: string, kept: { definition: Draft; basedOn: number | undefined } | undefined) {
  useEffect(() => keepDraft(key, kept), [key, kept])
  useEffect(() => () => keepDraft(key, undefined), [key])
}

export function useDraft({ key, definition, version }: DraftStart): Drafting {
  const [restored] = useState(() => readDraft(key))
  const [saved, setSaved] = useState<Saved>({ definition, version: restored ? restored.basedOn : version })
  const [history, setHistory] = useState<History<Draft>>(() => {
    const start = begin(definition)
    return restored ? commit(start, restored.definition) : start
  })
  const draft = history.present
  const isChanged = useMemo(() => !isSame(draft, saved.definition), [draft, saved])
  const kept = useMemo(
    () => (isChanged ? { definition: draft, basedOn: saved.version } : undefined),
    [isChanged, draft, saved],
  )
  useKeeping(key, kept)
  return {
    draft,
    isChanged,
    isRestored: restored !== undefined && isChanged,
    basedOn: saved.version,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    act: (action, tag) => setHistory((before) => commit(before, reduce(before.present, action), tag)),
    undo: () => setHistory(undo),
    redo: () => setHistory(redo),
    markSaved: (one, at) => setSaved({ definition: one, version: at }),
  }
}
