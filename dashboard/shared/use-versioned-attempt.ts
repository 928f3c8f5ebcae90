// Saves data that others may change too: one request at a time, with its error or conflict.
import { useState } from 'react'
import { hasCode } from './api/errors.ts'

/** The newer version that another person has saved, if the error is a version conflict. */
const versionOf = (error: unknown): number | undefined =>
  hasCode(error, 'wrong_state') && typeof error.details.version === 'number'
    ? error.details.version
    : undefined

export function useVersionedAttempt() {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const [conflict, setConflict] = useState<number>()
  const forget = () => {
    setError(undefined)
    setConflict(undefined)
  }
  /** @returns undefined if the request was refused */
  const attempt = async <Result>(act: () => Promise<Result>): Promise<Result | undefined> => {
    setBusy(true)
    forget()
    try {
      return await act()
    } catch (refusal) {
      const version = versionOf(refusal)
      if (version === undefined) setError(refusal)
      else setConflict(version)
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, error, conflict, forget, attempt }
}
