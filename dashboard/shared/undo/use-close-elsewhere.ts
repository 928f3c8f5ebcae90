import { useEffect, useEffectEvent } from 'react'
import { useOrg } from '../use-organization.ts'

/** Closes a dialog of an organization when the user opens another one. */
export function useCloseElsewhere(org: string, close: () => void): void {
  const isElsewhere = useOrg() !== org
  const onChange = useEffectEvent(close)
  useEffect(() => {
    if (isElsewhere) onChange()
  }, [isElsewhere])
}
