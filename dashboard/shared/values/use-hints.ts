// What tells records apart that are offered to choose from: company, email address, stage, amount.
import { useQueries } from '@tanstack/react-query'
import { recordHintQuery } from '../api/record-names.ts'
import { useOrg } from '../use-organization.ts'

interface Ref {
  objectId: string
  recordId: string
}

/** undefined for those that are on their way. */
export function useHints(refs: readonly Ref[]): (string | undefined)[] {
  const org = useOrg()
  return useQueries({ queries: refs.map((ref) => recordHintQuery(org, ref)) }).map(({ data }) => data?.hint)
}
