// A file of a page that could not be loaded. After an upgrade it has another name, which only a new document knows; and
// browsers remember that a file failed until the document is reloaded.
import { useEffect, useState } from 'react'

const MISSING = /dynamically imported module|Importing a module script failed/

const keyOf = (error: Error) => `reloaded:${error.message}`

/** Once for each file: one that is still missing then is told. Without a network there is no new document. */
const mayReload = (error: Error) => navigator.onLine && sessionStorage.getItem(keyOf(error)) === null

/** In place of what browsers say. */
const WORDS = new Error('A file of this page could not be loaded. Check your connection and try again')

/** @returns the error in words when a file is missing, `isReloading` while the document is reloaded for it */
export function useMissingFile(error: unknown): { missing: Error | undefined; isReloading: boolean } {
  const missing = error instanceof Error && MISSING.test(error.message) ? error : undefined
  const [isReloading] = useState(missing !== undefined && mayReload(missing))
  useEffect(() => {
    if (!isReloading || !missing) return
    sessionStorage.setItem(keyOf(missing), 'yes')
    location.reload()
  }, [isReloading, missing])
  return { missing: missing && WORDS, isReloading }
}
