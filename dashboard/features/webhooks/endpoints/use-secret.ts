// The secret of an endpoint: loaded when the user reveals it, and not cached.
import { useState } from 'react'
import { useSubmit } from '../../../shared/use-submit.ts'
import { type EndpointSecret, readSecret, rotateSecret } from '../api/webhooks.ts'
import { useSpace } from '../space.tsx'

const HIDDEN = 'whsec_••••••••••••••••'

export interface Secret {
  /** The revealed secret, or dots. */
  text: string
  isRevealed: boolean
  /** Time until which the previous secret also signs; null if there is none, or before the secret is revealed. */
  previousUntil: string | null
  toggle(): void
  rotate(): Promise<void>
  isBusy: boolean
  /** Why the secret could not be loaded. */
  error: unknown
}

export function useSecret(id: string): Secret {
  const space = useSpace()
  const [known, setKnown] = useState<EndpointSecret>()
  const { submit, isBusy, error } = useSubmit(async () => setKnown(await readSecret(space, id)))
  return {
    text: known?.secret ?? HIDDEN,
    isRevealed: known !== undefined,
    previousUntil: known?.previousUntil ?? null,
    toggle: () => (known ? setKnown(undefined) : void submit(undefined)),
    rotate: async () => setKnown(await rotateSecret(space, id)),
    isBusy,
    error,
  }
}
