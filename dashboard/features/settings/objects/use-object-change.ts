// Sends a change of objects or attributes, then reloads all data about them.
import { useQueryClient } from '@tanstack/react-query'
import { useOrg } from '../../../shared/use-organization.ts'
import { useSubmit } from '../../../shared/use-submit.ts'

/** Reloads objects, attributes and the previews of deletions, whose query keys all begin with this key. */
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
