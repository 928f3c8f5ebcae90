// One delivery sent again, and the attempt that comes of it.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSubmit } from '../../../shared/use-submit.ts'
import { deliveryQuery, replayDelivery } from '../api/webhooks.ts'
import { useSpace } from '../space.tsx'

interface ReplayOne {
  /** @param newest the number of the latest attempt so far */
  replay(newest: number): void
  /** From the click to the answer of the service. */
  isBusy: boolean
  /** Why the service refused. */
  error: unknown
  /** The number of the attempt that comes of it; undefined: none was asked for here. */
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
