// Hints that distinguish the records of a picker: company, email address, stage, amount.
import { useQueries } from '@tanstack/react-query'
import { recordHintQuery } from '../api/record-names.ts'
import { useOrg } from '../use-organization.ts'

interface Ref {
  objectId: string
  recordId: string
}

/** undefined for hints that are loading. */
export function useHints(refs: readonly Ref[]): (string | undefined)[] {
  const org = useOrg()
  return useQueries({ queries: refs.map((ref) => recordHintQuery(org, ref)) }).map(({ data }) => data?.hint)
}
