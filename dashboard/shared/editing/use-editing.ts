// A definition that is edited over its saved version: undo and redo, and a draft that survives a reload of the page.
import { useMemo, useState } from 'react'
import { useKeeping, useRestored } from '../drafts/use-kept.ts'
import { sameValue } from '../records/same-value.ts'
import { begin, commit, type History, redo, undo } from './history.ts'

export interface Versioned<Definition> {
  definition: Definition
  /** The saved version on which the definition is based; undefined if it was never saved. */
  basedOn: number | undefined
}

export interface Editing<Definition> {
  definition: Definition
  undo(): void
  redo(): void
  canUndo: boolean
  canRedo: boolean
  isChanged: boolean
  /** Whether the draft was restored after a reload, and neither saved nor discarded since. */
  isRestored: boolean
  /** Replaces a restored draft by the definition that was loaded. */
  discard(): void
  /** The saved version on which the definition is based; undefined if it was never saved. */
  basedOn: number | undefined
  markSaved(definition: Definition, version: number | undefined): void
  /** Continues with a version that another person saved. Undo returns to the previous draft. */
  adopt(definition: Definition, version: number): void
}

export interface EditedState<State> {
  present: State
  change(step: (before: History<State>) => History<State>): void
}

interface EditingStart<State, Definition> {
  /** Key under which the draft is stored. */
  name: string
  saved: Versioned<Definition>
  isDefinition(found: Partial<Definition>): boolean
  /** The initial state. */
  first: State
  /** The state after a draft was restored or discarded. */
  stateOf(definition: Definition): State
  definitionOf(state: State): Definition
}

/** Checks the form of a stored draft, which another version of the page may have written. */
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
  const [opened] = useState(start.saved)
  const [saved, setSaved] = useState(() => ({ ...opened, ...(restored && { basedOn: restored.basedOn }) }))
  const [history, change] = useState(() => {
    const history = begin(first)
    return restored ? commit(history, stateOf(restored.definition)) : history
  })
  const definition = definitionOf(history.present)
  const kept = useMemo<Versioned<Definition> | undefined>(
    () => (sameValue(definition, saved.definition) ? undefined : { definition, basedOn: saved.basedOn }),
    [definition, saved],
  )
  useKeeping(name, kept)
  const isChanged = kept !== undefined
  const markSaved = (definition: Definition, basedOn: number | undefined) => {
    setSaved({ definition, basedOn })
    setRestored(false)
  }
  return {
    definition,
    present: history.present,
    change,
    undo: () => change(undo),
    redo: () => change(redo),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    isChanged,
    isRestored: isRestored && isChanged,
    discard: () => {
      const clean = stateOf(opened.definition)
      // Undo must not return to a draft of an older version, which would overwrite the newer one without a question.
      change((before) => (saved.basedOn === opened.basedOn ? commit(before, clean) : begin(clean)))
      setSaved(opened)
      setRestored(false)
    },
    basedOn: saved.basedOn,
    markSaved,
    adopt: (definition, version) => {
      change((before) => commit(before, stateOf(definition)))
      markSaved(definition, version)
    },
  }
}
