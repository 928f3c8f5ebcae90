// Requests that change objects or attributes: afterwards everything that shows either is read again.
import { useQueryClient } from '@tanstack/react-query'
import { useOrg } from '../../../shared/use-organization.ts'
import { useSubmit } from '../../../shared/use-submit.ts'

/** Below this are objects, attributes and what deleting them would take. */
export function useRefreshObjects(): () => Promise<void> {
  const org = useOrg()
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: [org, 'objects'] })
}

export function useObjectChange<Input>(action: (input: Input) => Promise<unknown>) {
  const refresh = useRefreshObjects()
  return useSubmit(async (input: Input) => {
    await action(input)
    await refresh()
  })
}
