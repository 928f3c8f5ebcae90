// The secret of an endpoint: read when it is to be seen, kept nowhere else.
import { useState } from 'react'
import { useSubmit } from '../../../shared/use-submit.ts'
import { type EndpointSecret, readSecret, rotateSecret } from '../api/webhooks.ts'
import { useSpace } from '../space.tsx'

const HIDDEN = 'whsec_••••••••••••••••'

export interface Secret {
  /** What is shown of it: itself once it is revealed. */
  text: string
  isRevealed: boolean
  /** Until when the one before it signs too; known once it is revealed. */
  previousUntil: string | null
  toggle(): void
  rotate(): Promise<void>
  isBusy: boolean
  /** Why it could not be revealed. */
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
