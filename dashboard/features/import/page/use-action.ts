// A request that changes the import: its response is shown immediately, an error stays visible.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useOrg } from '../../../shared/use-organization.ts'
import { type Import, importQuery } from '../api.ts'

export function useAction<Input = void>(
  ask: (org: string, input: Input) => Promise<Import>,
  onDone: (file: Import) => void = () => undefined,
) {
  const org = useOrg()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => ask(org, input),
    onSuccess(file) {
      client.setQueryData(importQuery(org, file.id).queryKey, file)
      onDone(file)
    },
  })
}
