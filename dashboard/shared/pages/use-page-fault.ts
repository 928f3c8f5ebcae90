// A file of a page could not be loaded. After an upgrade it has another name, which only a new document has. Browsers
// also remember a failed file until the document is reloaded.
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

const MISSING = /dynamically imported module|Importing a module script failed/

const keyOf = (error: Error) => `reloaded:${error.message}`

/**
 * Reloads once for each file. A file that is still missing is reported as an error. Offline, there is no new document.
 */
const mayReload = (error: Error) => navigator.onLine && sessionStorage.getItem(keyOf(error)) === null

/** Replaces the browser's message. */
const WORDS = new Error('A file of this page could not be loaded. Check your connection and try again')

/** Replaces the error of a missing file by plain words. */
function useMissingFile(error: unknown): { fault: unknown; isMissing: boolean; isReloading: boolean } {
  const missing = error instanceof Error && MISSING.test(error.message) ? error : undefined
  const [isReloading] = useState(missing !== undefined && mayReload(missing))
  useEffect(() => {
    if (!isReloading || !missing) return
    sessionStorage.setItem(keyOf(missing), 'yes')
    location.reload()
  }, [isReloading, missing])
  return { fault: missing ? WORDS : error, isMissing: missing !== undefined, isReloading }
}

/** @returns the error to show, whether the document is being reloaded, and what loads and renders the page again */
export function usePageFault({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const { fault, isMissing, isReloading } = useMissingFile(error)
  const retry = () => {
    if (isMissing) return location.reload()
    reset()
    return void router.invalidate()
  }
  return { fault, isReloading, retry }
}
