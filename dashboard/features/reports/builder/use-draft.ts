// The edited definition of a report, and the saved one.
import { commit } from '../../../shared/editing/history.ts'
import { type Editing, useEditing } from '../../../shared/editing/use-editing.ts'
import { type Action, type Draft, reduce } from './builder-state.ts'

export interface Drafting extends Editing<Draft> {
  draft: Draft
  /** @param tag names a text field: its consecutive changes are undone as a single step */
  act(action: Action, tag?: string): void
}

export interface DraftStart {
  /** Key under which the draft is stored. */
  key: string
  definition: Draft
  version: number | undefined
}

const isDraft = ({ source, name }: Partial<Draft>) =>
  typeof source?.objectId === 'string' && typeof name === 'string'

const identity = (draft: Draft) => draft

export function useDraft({ key, definition, version }: DraftStart): Drafting {
  const { present, change, ...editing } = useEditing<Draft, Draft>({
    name: `report ${key}`,
    saved: { definition, basedOn: version },
    isDefinition: isDraft,
    first: definition,
    stateOf: identity,
    definitionOf: identity,
  })
  return {
    ...editing,
    draft: present,
    act: (action, tag) => change((before) => commit(before, reduce(before.present, action), tag)),
  }
}
