// Replays a single delivery and awaits the new attempt.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSubmit } from '../../../shared/use-submit.ts'
import { deliveryQuery, replayDelivery } from '../api/webhooks.ts'
import { useSpace } from '../space.tsx'

interface ReplayOne {
  /** @param newest the number of the latest attempt so far */
  replay(newest: number): void
  /** true from the click to the response of the service. */
  isBusy: boolean
  /** Why the service refused. */
  error: unknown
  /** Number of the new attempt; undefined: no replay was requested here. */
  awaited: number | undefined
}

export function useReplay(id: string): ReplayOne {
  const space = useSpace()
  const cache = useQueryClient()
  const [awaited, setAwaited] = useState<number>()
  const { submit, isBusy, error } = useSubmit(async (newest: number) => {
    await replayDelivery(space, id)
    setAwaited(newest + 1)
    await cache.invalidateQueries({ queryKey: deliveryQuery(space, id).queryKey })
  })
  return { replay: (newest) => void submit(newest), isBusy, error, awaited }
}
