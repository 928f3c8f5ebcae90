// Drafts of editors with their own state, such as an undo history. The draft is restored after a page reload. Leaving
// the page by a link deletes it, because the user is asked first.
import { useEffect, useEffectEvent, useState } from 'react'
import { useDraftPlaces } from './draft-places.ts'

/** @returns the draft that was stored when the editor was opened */
export function useRestored<Kept extends object>(
  name: string,
  isKept: (found: object) => found is Kept,
): Kept | undefined {
  const place = useDraftPlaces()(name)
  const [restored] = useState(() => {
    const found = place.read()
    return found && isKept(found) ? found : undefined
  })
  return restored
}

/** @param now undefined if there are no unsaved changes */
export function useKeeping(name: string, now: object | undefined): void {
  const place = useDraftPlaces()(name)
  const keep = useEffectEvent((fields: object | undefined) => place.write(fields ?? {}))
  useEffect(() => keep(now), [now])
  useEffect(() => () => keep(undefined), [])
}
