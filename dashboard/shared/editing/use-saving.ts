// Saves an edited definition: one request at a time, with its error. A version that another person saved in between is
// not overwritten without a question.
import { useState } from 'react'
import { hasCode } from '../api/errors.ts'
import type { Editing } from './use-editing.ts'

export interface Saving<Definition> {
  isBusy: boolean
  /** The latest error, except a conflict. */
  error: unknown
  /** The newer version that another person has saved; undefined: no conflict. */
  conflict: number | undefined
  /** @param over the other person's version, to overwrite it @returns whether the definition was saved */
  save(over?: number): Promise<boolean>
  /** Continues with that version. Undo returns to the previous draft. */
  adopt(definition: Definition, version: number): void
  forget(): void
}

interface Saved {
  id: string
  version: number
}

interface SavingOptions<Definition> {
  editing: Editing<Definition>
  create(): Promise<Saved>
  /** undefined: it was never saved. @param basedOn the version that is replaced */
  put: ((basedOn: number | undefined) => Promise<Saved>) | undefined
  onCreated(id: string): void
  /** Reloads what was saved. */
  refresh(id: string): Promise<unknown>
}

/** The newer version that another person has saved, if the error is a version conflict. */
const versionOf = (error: unknown): number | undefined =>
  hasCode(error, 'wrong_state') && typeof error.details.version === 'number'
    ? error.details.version
    : undefined

function useAttempt() {
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<unknown>()
  const conflict = versionOf(refusal)
  /** @returns whether the requests succeeded */
  const attempt = async (act: () => Promise<void>): Promise<boolean> => {
    setBusy(true)
    setRefusal(undefined)
    try {
      await act()
      return true
    } catch (error) {
      setRefusal(error)
      return false
    } finally {
      setBusy(false)
    }
  }
  const error = conflict === undefined ? refusal : undefined
  return { isBusy, error, conflict, attempt, forget: () => setRefusal(undefined) }
}

/** @returns also the parts of `save`, for features that send more requests */
export function useSaving<Definition>({
  editing,
  create,
  put,
  onCreated,
  refresh,
}: SavingOptions<Definition>) {
  const { attempt, ...state } = useAttempt()
  const { definition, basedOn, markSaved, adopt } = editing
  const store = async (over?: number) => {
    const { id, version } = await (put ? put(over ?? basedOn) : create())
    markSaved(definition, version)
    return id
  }
  const finish = async (id: string, isNew = put === undefined) => {
    await refresh(id)
    if (isNew) onCreated(id)
  }
  const saving: Saving<Definition> = {
    ...state,
    save: (over) => attempt(async () => finish(await store(over))),
    adopt: (other, version) => {
      adopt(other, version)
      state.forget()
    },
  }
  return { saving, attempt, store, finish }
}
