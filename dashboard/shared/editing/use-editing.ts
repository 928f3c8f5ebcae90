// A definition that is edited over its saved version: undo and redo, and a draft that survives a reload of the page.
import { useMemo, useState } from 'react'
import { useKeeping, useRestored } from '../drafts/use-kept.ts'
import { begin, commit, type History, redo, undo } from './history.ts'

export interface Versioned<Definition> {
  definition: Definition
  /** The version it was made from; undefined: it was never saved. */
  basedOn: number | undefined
}

export interface Editing<Definition> {
  undo(): void
  redo(): void
  canUndo: boolean
  canRedo: boolean
  isChanged: boolean
  /** It was restored after a reload, and was neither saved nor discarded since. */
  isRestored: boolean
  /** Returns to the saved definition. */
  discard(): void
  /** The version that was changed; undefined: it was never saved. */
  basedOn: number | undefined
  markSaved(definition: Definition, version: number | undefined): void
}

export interface EditedState<State> {
  present: State
  change(step: (before: History<State>) => History<State>): void
}

interface EditingStart<State, Definition> {
  /** Of the draft. */
  name: string
  saved: Versioned<Definition>
  isDefinition(found: Partial<Definition>): boolean
  /** What is shown at first. */
  first: State
  /** What is shown after a restored or discarded draft. */
  stateOf(definition: Definition): State
  definitionOf(state: State): Definition
}

const isSame = (one: unknown, other: unknown) =>
  one === other || JSON.stringify(one) === JSON.stringify(other)

/** A draft of another kind, or of an earlier version of the page, is not restored. */
const isKept =
  <Definition>(isDefinition: (found: Partial<Definition>) => boolean) =>
  (found: object): found is Versioned<Definition> =>
    'definition' in found &&
    typeof found.definition === 'object' &&
    found.definition !== null &&
    isDefinition(found.definition as Partial<Definition>)

export function useEditing<State, Definition>({
  name,
  first,
  stateOf,
  definitionOf,
  ...start
}: EditingStart<State, Definition>): Editing<Definition> & EditedState<State> {
  const restored = useRestored(name, isKept(start.isDefinition))
  const [isRestored, setRestored] = useState(restored !== undefined)
  const [saved, setSaved] = useState(() => ({
    ...start.saved,
    ...(restored && { basedOn: restored.basedOn }),
  }))
  const [history, change] = useState(() => {
    const history = begin(first)
    return restored ? commit(history, stateOf(restored.definition)) : history
  })
  const definition = definitionOf(history.present)
  const kept = useMemo<Versioned<Definition> | undefined>(
    () => (isSame(definition, saved.definition) ? undefined : { definition, basedOn: saved.basedOn }),
    [definition, saved],
  )
  useKeeping(name, kept)
  const isChanged = kept !== undefined
  return {
    present: history.present,
    change,
    undo: () => change(undo),
    redo: () => change(redo),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    isChanged,
    isRestored: isRestored && isChanged,
    discard: () => {
      change((before) => commit(before, stateOf(saved.definition)))
      setRestored(false)
    },
    basedOn: saved.basedOn,
    markSaved: (definition, basedOn) => {
      setSaved({ definition, basedOn })
      setRestored(false)
    },
  }
}
