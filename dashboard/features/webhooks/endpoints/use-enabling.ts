// Disabling and enabling. Each can be undone immediately, so there is no confirmation.
import { useQueryClient } from '@tanstack/react-query'
import { toastError } from '../../../shared/toast.ts'
import { useSubmit } from '../../../shared/use-submit.ts'
import { type Endpoint, endpointQuery, endpointsKey, patchEndpoint } from '../api/webhooks.ts'
import { useSpace } from '../space.tsx'

export function useEnabling({ id }: Endpoint) {
  const space = useSpace()
  const client = useQueryClient()
  const { submit, isBusy } = useSubmit(async (isEnabled: boolean) => {
    try {
      const endpoint = await patchEndpoint(space, { id, patch: { isEnabled } })
      client.setQueryData(endpointQuery(space, id).queryKey, endpoint)
      await client.invalidateQueries({ queryKey: endpointsKey(space) })
    } catch (error) {
      toastError(error)
    }
  })
  return { isBusy, enable: () => void submit(true), disable: () => void submit(false) }
}
