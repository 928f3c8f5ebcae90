// For editors that keep their own state, such as one that can be undone: it is restored when the page is loaded
// again. Leaving the page by a link deletes it, since the user is asked first.
import { useEffect, useEffectEvent, useState } from 'react'
import { useDraftPlaces } from './draft-places.ts'

/** @returns what was kept when the editor was opened */
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

/** @param now undefined: nothing differs from what is saved */
export function useKeeping(name: string, now: object | undefined): void {
  const place = useDraftPlaces()(name)
  const keep = useEffectEvent((fields: object | undefined) => place.write(fields ?? {}))
  useEffect(() => keep(now), [now])
  useEffect(() => () => keep(undefined), [])
}
