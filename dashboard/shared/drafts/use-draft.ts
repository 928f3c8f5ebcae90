// Keeps what is typed into a form until it is saved or discarded, and offers it when the form is opened again.
import { useState } from 'react'
import { useOrganization } from '../use-organization.ts'
import { draftKey, readDraft, writeDraft } from './draft-store.ts'

/** What is different from `initial`: what others change meanwhile in other fields is not undone by a draft. */
function changedFields<Value extends object>(initial: Value, now: Value | undefined): Partial<Value> {
  const before = new Map(Object.entries(initial).map(([name, value]) => [name, JSON.stringify(value)]))
  const changed = Object.entries(now ?? {}).filter(
    ([name, value]) => before.get(name) !== JSON.stringify(value),
  )
  return Object.fromEntries(changed) as Partial<Value>
}

export interface KeptDraft<Value> {
  /** Whether there is a draft that is neither restored nor discarded. */
  isOffered: boolean
  /** Call it with every change; undefined when there is nothing worth keeping. */
  keep(now: Value | undefined): void
  /** What was typed is saved or discarded; a draft that is still offered stays. */
  forget(): void
  /** The offered draft goes, what was typed since the form was opened stays. */
  discard(now: Value | undefined): void
  /** @returns the form with the draft in it; what was typed since it was opened stays */
  restore(now: Value): Value
}

/**
 * Not for forms with secrets in them.
 * @param place what the form is for, such as `create <object id>`: another place has another draft
 * @param initial what the form begins with
 */
export function useDraft<Value extends object>(place: string, initial: Value): KeptDraft<Value> {
  const { organization, user } = useOrganization()
  const key = draftKey(user.id, organization.id, place)
  const [offered, setOffered] = useState(() => readDraft(key) as Partial<Value> | undefined)
  const discard = (now: Value | undefined) => {
    setOffered(undefined)
    writeDraft(key, changedFields(initial, now))
  }
  return {
    isOffered: offered !== undefined,
    keep: (now) => writeDraft(key, { ...offered, ...changedFields(initial, now) }),
    forget: () => writeDraft(key, { ...offered }),
    discard,
    restore: (now) => {
      const restored = { ...now, ...offered, ...changedFields(initial, now) }
      discard(restored)
      return restored
    },
  }
}
